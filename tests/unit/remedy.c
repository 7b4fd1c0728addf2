/* Tests how messages spell parameters as options of the command. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "remedy.h"

static void is_spelt(const char *message, const char *expected)
{
    char text[128];
    assert_string_equal(fv_remedy_spell(text, sizeof text, message), expected);
}

static void parameters_become_options(void **state)
{
    is_spelt("`align=map` pairs, `shortest` stops", "--align map pairs, --shortest stops");
    is_spelt("`ignore_rate`", "--ignore-rate");
    is_spelt("`reference.range=full` or `distorted.crop=auto`", "--range-ref full or --crop-dis auto");
    is_spelt("`reference.frame_skip=3`, `distorted.frame_skip`", "--frame-skip-ref 3, --frame-skip-dis");
    is_spelt("`distorted.frame_skip=3`", "--frame-skip-dis 3");
    is_spelt("`pad`; `stretch`.", "--pad; --stretch.");
    is_spelt("`model=version=vmaf_v0.6.1`", "--model version=vmaf_v0.6.1");
    is_spelt("`reference.range` or `distorted.range`", "--range-ref or --range-dis");
}

/* Runs last, since its setting stays. */
static void one_video_has_no_sides(void **state)
{
    fv_remedy_for_one_video();
    is_spelt("`reference.range=full`", "--range full");
    is_spelt("give `reference.range` or `distorted.range`, or `rotate`", "give --range, or --rotate");
    is_spelt("`align` or `rotate`", "--align or --rotate");
}

static void other_words_stay(void **state)
{
    is_spelt("", "");
    is_spelt("`", "`");
    is_spelt("``, ` and `a file`.mov", "``, ` and `a file`.mov");
    is_spelt("`Name` `fit=` `reference.` `=` `a.mov`", "`Name` `fit=` `reference.` `=` `a.mov`");
    is_spelt("`scale", "`scale");
    is_spelt("`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`",
             "`aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa`");
}

static void long_messages_are_cut(void **state)
{
    char message[64], text[64];
    for (size_t size = 1; size < sizeof text; size++)
        for (size_t before = 0; before < 20; before++) {
            memset(message, 'x', before);
            strcpy(message + before, "`reference.range=full` is");
            memset(text, '#', sizeof text);
            fv_remedy_spell(text, size, message);
            assert_true(strlen(text) < size);
            for (size_t i = size; i < sizeof text; i++)
                assert_int_equal(text[i], '#');
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_become_options),
        cmocka_unit_test(other_words_stay),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(one_video_has_no_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
