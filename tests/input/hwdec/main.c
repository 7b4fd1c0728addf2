#include "hwdec.h"

#include <string.h>

#include <libavutil/log.h>

/* Without the argument "full", tests only a few codecs. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_videos), cmocka_unit_test(failures),      cmocka_unit_test(damage),
        cmocka_unit_test(leaving),         cmocka_unit_test(no_times),      cmocka_unit_test(what_is_tried),
        cmocka_unit_test(on_cuda),         cmocka_unit_test(shown_of_vp9),  cmocka_unit_test(vp9_on_auto),
        cmocka_unit_test(entering),        cmocka_unit_test(ending),        cmocka_unit_test(film_grain),
        cmocka_unit_test(looked_at),       cmocka_unit_test(some_decoders),
    };
    av_log_set_level(AV_LOG_QUIET);
    full = argc > 1 && !strcmp(argv[1], "full");
    return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
