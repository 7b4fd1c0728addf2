/* Tests options: parsing, refusing, printing, suffixes, and the nearest name. */
#include "unit.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>

#include "option_sample.h"
#include "option_text.h"

static FvStatus parse(Sample *sample, const char *text, FvError *error)
{
    static char copy[256];
    snprintf(copy, sizeof copy, "%s", text);
    fv_options_default(sample, &sample_options);
    return fv_options_parse(sample, &sample_options, "sample", copy, error);
}

static void test_defaults(void **state)
{
    Sample sample;
    assert_works(parse(&sample, "", error));
    assert_false(sample.flag);
    assert_int_equal(sample.count, 3);
    assert_true(sample.share == 0.5);
    assert_string_equal(sample.mode, "fast");
    assert_null(sample.path);
    for (int i = 0; i < sample_options.count; i++)
        assert_false(fv_option_changed(&sample, &sample_options, i));
}

static void test_values(void **state)
{
    Sample sample;
    assert_works(parse(&sample, "flag=true:count=10:share=1e-1:mode=slow:another_path=a/b=c", error));
    assert_true(sample.flag);
    assert_int_equal(sample.count, 10);
    assert_true(sample.share == 0.1);
    assert_string_equal(sample.mode, "slow");
    assert_string_equal(sample.path, "a/b=c");
    char text[256];
    fv_options_suffix(&sample, &sample_options, text, sizeof text);
    assert_string_equal(text, "_another_path_a/b=c_c_10_f_m_slow_s_0.1");
    fv_option_print(&sample, &sample_options, 2, text, sizeof text);
    double back;
    assert_true(fv_parse_real(text, &back) && back == 0.1);
}

static void test_refused(void **state)
{
    Sample sample;
    assert_fails(parse(&sample, "cuont=4", error), FV_ERROR_USAGE, "did you mean 'count'?");
    assert_fails(parse(&sample, "count", error), FV_ERROR_USAGE, "option=value");
    assert_fails(parse(&sample, "count=-8", error), FV_ERROR_USAGE, "from -7 to 1000");
    assert_fails(parse(&sample, "count=1001", error), FV_ERROR_USAGE, "from -7 to 1000");
    assert_fails(parse(&sample, "count=4x", error), FV_ERROR_USAGE, "not '4x'");
    assert_fails(parse(&sample, "count= 4", error), FV_ERROR_USAGE, "not ' 4'");
    assert_fails(parse(&sample, "count=", error), FV_ERROR_USAGE, "not ''");
    assert_fails(parse(&sample, "count=99999999999999999999", error), FV_ERROR_USAGE, "whole number");
    assert_fails(parse(&sample, "share=nan", error), FV_ERROR_USAGE, "not 'nan'");
    assert_fails(parse(&sample, "share=inf", error), FV_ERROR_USAGE, "not 'inf'");
    assert_fails(parse(&sample, "share=-2e300", error), FV_ERROR_USAGE, "from -1e+300 to 1e+300");
    assert_fails(parse(&sample, "share=0,5", error), FV_ERROR_USAGE, "not '0,5'");
    assert_fails(parse(&sample, "flag=yes", error), FV_ERROR_USAGE, "true or false");
    assert_fails(parse(&sample, "mode=medium", error), FV_ERROR_USAGE, "fast, slow");
    assert_fails(parse(&sample, "count=4:count=5", error), FV_ERROR_USAGE, "twice");
    assert_fails(parse(&sample, "count=4:", error), FV_ERROR_USAGE, "option=value");
}

/* Options have one level of quoting, as in FFmpeg's filter strings, and printed options parse to the same values. */
static void test_quoting(void **state)
{
    static const struct {
        const char *text, *value;
    } cases[] = {
        {"another_path=a\\:b\\,c:count=4", "a:b,c"},
        {"count=4:another_path='a:b,c=d'", "a:b,c=d"},
        {"another_path=a':'b'\\'\\':count=4", "a:b\\'"},
        {"another_path=\\\\:count=4", "\\"},
        {"another_path='':count=4", ""},
        {"another_path=it\\'s:count=4", "it's"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sample sample, back;
        char printed[64] = "another_path=";
        assert_works(parse(&sample, cases[i].text, error));
        assert_string_equal(sample.path, cases[i].value);
        assert_int_equal(sample.count, 4);
        fv_option_print(&sample, &sample_options, 4, printed + 13, sizeof printed - 13);
        char kept[64];
        snprintf(kept, sizeof kept, "%s", sample.path);
        assert_works(parse(&back, printed, error));
        assert_string_equal(back.path, kept);
    }
    Sample sample;
    assert_fails(parse(&sample, "another_path='a:count=4", error), FV_ERROR_USAGE, "not closed");
    assert_fails(parse(&sample, "another_path=a\\", error), FV_ERROR_USAGE, "backslash");
    assert_int_equal(fv_option_span("a=b='c,d',e", ","), 9);
    assert_int_equal(fv_option_span("a=b=c\\,d,e", ","), 8);
    assert_int_equal(fv_option_span("a\\", ","), 2);
}

static void test_locale(void **state)
{
    if (!setlocale(LC_ALL, "de_DE.UTF-8")) {
        print_message("# de_DE.UTF-8 is not installed: not checked with a decimal comma\n");
        return;
    }
    Sample sample;
    char text[64];
    FvStatus status = parse(&sample, "share=0.25", NULL);
    fv_option_print(&sample, &sample_options, 2, text, sizeof text);
    setlocale(LC_ALL, "C");
    assert_int_equal(status, FV_OK);
    assert_string_equal(text, "0.25");
}

static void test_nearest(void **state)
{
    const char *const names[] = {"psnr", "psnr_hvs", "cambi", "speed_chroma"};
    assert_string_equal(fv_nearest("pnsr", names, 4), "psnr");
    assert_string_equal(fv_nearest("camby", names, 4), "cambi");
    assert_string_equal(fv_nearest("chroma", names, 4), "speed_chroma");
    assert_null(fv_nearest("zzzzzzzzzz", names, 4));
    /* Two exchanged neighbours count as one mistake. */
    const char *const exchanged[] = {"abxx", "abdc"};
    assert_string_equal(fv_nearest("abcd", exchanged, 2), "abdc");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_values), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_quoting),  cmocka_unit_test(test_locale), cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests_name("option", tests, NULL, NULL);
}
