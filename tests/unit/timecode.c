/*
 * Tests time codes: dropped numbers at 29.97 and 59.94 frames per second, wrapping at 24 hours, and texts that are no
 * time codes.
 */
#include "unit.h"

#include "base/timecode.h"

static void test_walk(void **state)
{
    static const struct {
        const char *first;
        int num, den;
        int64_t places;
        const char *then;
    } walks[] = {
        {"00:00:00:00", 25, 1, 0, "00:00:00:00"},
        {"10:00:00:00", 25, 1, 90061, "11:00:02:11"},
        {"23:59:59:24", 25, 1, 1, "00:00:00:00"},
        {"00:00:00:00", 25, 1, -1, "23:59:59:24"},
        {"01:00:00:00", 24000, 1001, 24 * 60, "01:01:00:00"},
        {"00:00:59;29", 30000, 1001, 1, "00:01:00;02"},
        {"00:09:59;29", 30000, 1001, 1, "00:10:00;00"},
        {"00:00:00;00", 30000, 1001, 17982, "00:10:00;00"},
        {"00:00:00;00", 30000, 1001, 107892, "01:00:00;00"},
        {"23:59:59;29", 30000, 1001, 1, "00:00:00;00"},
        {"00:00:59.59", 60000, 1001, 1, "00:01:00;04"},
        {"00:00:59:29", 30000, 1001, 1, "00:01:00:00"},
        {"00:00:59;29", 30, 1, 1, "00:01:00:00"},
    };
    for (size_t i = 0; i < sizeof walks / sizeof *walks; i++) {
        char text[FV_TIMECODE_TEXT];
        const FvTimecode first = fv_timecode_read(walks[i].first, walks[i].num, walks[i].den);
        fv_timecode_write(&first, walks[i].places, text);
        assert_string_equal(text, walks[i].then);
    }
}

static void test_each_of_a_day(void **state)
{
    const FvTimecode first = fv_timecode_read("00:00:00;00", 30000, 1001);
    for (int64_t i = 0; i < 2589408; i += 17) {
        char text[FV_TIMECODE_TEXT];
        fv_timecode_write(&first, i, text);
        assert_int_equal(fv_timecode_read(text, 30000, 1001).frame, i);
    }
}

static void test_none(void **state)
{
    static const char *const texts[] = {"",
                                        "x",
                                        "1:2:3",
                                        "24:00:00:00",
                                        "00:60:00:00",
                                        "00:00:60:00",
                                        "00:00:00:30",
                                        "00:01:00;00",
                                        "-1:00:00:00",
                                        "00:00:00:00 ",
                                        "00:00:00-00",
                                        NULL};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_int_equal(fv_timecode_read(texts[i], 30000, 1001).base, 0);
    assert_int_equal(fv_timecode_read("00:00:00:00", 0, 0).base, 0);
    char text[FV_TIMECODE_TEXT] = "x";
    fv_timecode_write(&(FvTimecode){0}, 5, text);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_walk), cmocka_unit_test(test_each_of_a_day),
                                       cmocka_unit_test(test_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
