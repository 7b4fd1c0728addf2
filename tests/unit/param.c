/*
 * Tests parameters of a run that are set from text and printed as text: each row accepts the values at its bounds and
 * refuses values outside.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "option/param.h"

/* Returns the name that sets a row's parameter: for parameters of videos, that of the distorted video. */
static const char *name_of(char *name, size_t size, const FvParamInfo *info)
{
    snprintf(name, size, "%s%s", info->sides == FV_OF_RUN ? "" : "distorted.", info->option.name);
    return name;
}

/* Returns the n-th valid value of a row, or NULL if it has fewer. */
static const char *right(const FvParamInfo *info, int n, char *text, size_t size)
{
    const double bounds[] = {info->option.minimum, info->option.maximum};
    const char *const *words = info->option.choices ? info->option.choices : info->examples;
    if (info->option.type == FV_OPTION_BOOL)
        return n ? NULL : "true";
    if (info->option.type == FV_OPTION_INT) {
        if (bounds[1] < 1e18)
            snprintf(text, size, "%.0f", bounds[n & 1]);
        else
            snprintf(text, size, "%lld", n ? (long long)INT64_MAX : 0LL);
        return n < 2 ? text : NULL;
    }
    for (int i = 0; i < n; i++)
        if (!words[i])
            return NULL;
    return words[n];
}

static void values_return_as_text(void **state)
{
    for (int i = 0; i < fv_param_count(); i++) {
        const FvParamInfo *info = fv_param_info(i);
        char name[64], number[32], text[256], again[256];
        name_of(name, sizeof name, info);
        assert_int_equal(fv_param_number(name), i);
        for (int n = 0; n < 32; n++) {
            const char *value = right(info, n, number, sizeof number);
            FvRunParams run = {.allow_hdr = false}, other = {.allow_hdr = false};
            FvError error = {0};
            if (!value)
                break;
            if (fv_run_set(&run, name, value, &error))
                fail_msg("%s=%s: %s", name, value, error.message);
            assert_true(fv_run_given(&run, name));
            fv_run_text(&run, name, text, sizeof text);
            if (*text && fv_run_set(&other, name, text, &error))
                fail_msg("%s=%s is %s: %s", name, value, text, error.message);
            assert_string_equal(fv_run_text(&other, name, again, sizeof again), text);
        }
    }
}

static void refused(const FvParamInfo *info, const char *value)
{
    char name[64];
    FvRunParams run = {.allow_hdr = false};
    FvError error = {0};
    if (fv_run_set(&run, name_of(name, sizeof name, info), value, &error) != FV_ERROR_USAGE)
        fail_msg("%s takes '%s'", name, value);
    assert_non_null(strstr(error.message, name));
    assert_non_null(strstr(error.message, "takes "));
}

static void values_outside_are_refused(void **state)
{
    for (int i = 0; i < fv_param_count(); i++) {
        const FvParamInfo *info = fv_param_info(i);
        char text[32];
        refused(info, "");
        if (info->option.type == FV_OPTION_INT) {
            snprintf(text, sizeof text, "%.0f", info->option.minimum - 1);
            refused(info, text);
            snprintf(text, sizeof text, "%.0f", info->option.maximum < 1e18 ? info->option.maximum + 1 : 1e19);
            refused(info, text);
        } else if (info->option.type == FV_OPTION_BOOL || info->option.choices)
            refused(info, "?");
    }
}

static void one_name_sets_both_videos(void **state)
{
    FvRunParams run = {.allow_hdr = false};
    char text[32];
    assert_int_equal(fv_run_set(&run, "reference.rotate", "90", NULL), FV_OK);
    assert_int_equal(fv_run_set(&run, "rotate", "180", NULL), FV_OK); /* keeps a video's own value */
    assert_string_equal(fv_run_text(&run, "reference.rotate", text, sizeof text), "90");
    assert_string_equal(fv_run_text(&run, "distorted.rotate", text, sizeof text), "180");
    assert_int_equal(fv_run_set(&run, "reference.align", "time", NULL), FV_ERROR_USAGE);
    assert_int_equal(fv_run_set(&run, "rotato", "180", NULL), FV_ERROR_USAGE);
    assert_int_equal(fv_run_set(&run, "fields", "true", NULL), FV_OK); /* sets FvScoreParams.fields */
    assert_int_equal(fv_run_set(&run, "reference.fields", "top", NULL), FV_OK);
    assert_true(run.score.fields && run.source[0].fields == FV_FIELDS_TOP_FIRST && !run.source[1].fields);
}

static void contradictions_are_refused(void **state)
{
    static const char *const cases[][4] = {
        {"pad", "true", "stretch", "true"},
        {"pad", "true", "shortest", "true"},
        {"scale_filter", "lanczos", "shortest", "true"},
        {"align", "time", "start", "1"},
        {"align", "map", "frame_skip", "2"},
        {"width", "64", "height", "48"},
        {"pixel_format", "yuv420p10le", "bitdepth", "8"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvRunParams run = {.allow_hdr = false};
        FvError error = {0};
        for (int k = 0; k < 4; k += 2)
            assert_int_equal(fv_run_set(&run, cases[i][k], cases[i][k + 1], &error), FV_OK);
        if (i == 6)
            run.source[0].raw.width = run.source[0].raw.height = 64;
        if (fv_run_settle(&run, 1, 0, false, &error) != FV_ERROR_USAGE)
            fail_msg("case %zu is taken", i);
    }
}

static void remedies_are_made_of_rows(void **state)
{
    assert_string_equal(fv_remedy(FV_PARAM_ALIGN, "map").text, "`align=map`");
    assert_string_equal(fv_remedy(FV_PARAM_SHORTEST, NULL).text, "`shortest`");
    assert_string_equal(fv_remedy_of(FV_DISTORTED, FV_PARAM_FRAME_SKIP, "%d", 3).text, "`distorted.frame_skip=3`");
    assert_string_equal(fv_remedy_of_either(FV_PARAM_RANGE, NULL).text, "`reference.range` or `distorted.range`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_return_as_text),     cmocka_unit_test(values_outside_are_refused),
        cmocka_unit_test(one_name_sets_both_videos), cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(remedies_are_made_of_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
