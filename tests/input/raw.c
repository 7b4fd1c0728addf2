/* Headerless files: every chroma format and depth, and geometries that cannot be the file's. */
#include "clip.h"

static void round_trips(void **state)
{
    (void)state;
    static const int sizes[][2] = {{1, 1}, {3, 5}, {64, 2}, {131, 77}};
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (FvChroma chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
            for (int depth = 8; depth <= 16; depth++) {
                Clip clip = clip_make(sizes[size][0], sizes[size][1], chroma, depth, 3);
                const char *path = scratch_path(depth % 2 ? "clip.YUV" : "clip.raw");
                write_file(path, clip.bytes, clip.frame_bytes * clip.frames);
                FvSourceParams params = {.path = path, .raw = clip.format};
                params.raw.range = FV_RANGE_FULL;
                params.raw.rate_num = 24000;
                params.raw.rate_den = 1001;
                FvError error = {0};
                FvSource *source;
                if (fv_source_open(&source, &params, &error))
                    fail_msg("%s", error.message);
                const FvSourceInfo *info = fv_source_info(source);
                assert_string_equal(info->reader, "raw");
                assert_string_equal(info->container, "raw");
                assert_int_equal(info->frames, 3);
                assert_int_equal(info->format.range, FV_RANGE_FULL);
                assert_int_equal(info->format.rate_den, 1001);
                assert_reads(source, &clip);
                fv_source_close(&source);
                clip_free(&clip);
            }
        }
    }
}

static void refused(void **state)
{
    (void)state;
    Clip clip = clip_make(16, 16, FV_CHROMA_420, 10, 3);
    const char *path = scratch_path("refused.yuv");
    write_file(path, clip.bytes, clip.frame_bytes * clip.frames);
    FvSourceParams wrong = {.path = path};
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "width", NULL);
    wrong.raw = (FvFormat){.width = 16};
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "height", NULL);
    wrong.raw = (FvFormat){.width = 16, .height = 16, .chroma = FV_CHROMA_420};
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "depth", NULL);
    wrong.raw = clip.format;
    wrong.raw.width = -16;
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "-16x16", NULL);
    wrong.raw.width = 40000;
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "40000x16", NULL);
    wrong.raw = clip.format;
    wrong.raw.depth = 17;
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "17 bits", NULL);
    wrong.raw = clip.format;
    wrong.raw.chroma = 7;
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "chroma", NULL);
    wrong.raw = clip.format;
    wrong.raw.chroma = FV_CHROMA_444;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "2304 bytes", "1536 bytes", "16x16 4:4:4 10-bit", "check", NULL);
    /* Larger than the file. */
    wrong.raw.width = 32768;
    wrong.raw.height = 32768;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "2304 bytes", "6442450944 bytes", NULL);
    /* 10-bit samples are not 9-bit samples, although the size fits. */
    clip.bytes[1] = 2;
    write_file(path, clip.bytes, clip.frame_bytes * clip.frames);
    wrong.raw = clip.format;
    wrong.raw.depth = 9;
    assert_read_fails(&wrong, 0, FV_ERROR_INPUT, path, "frame 0", "plane Y", "column 0, row 0", "9 bits", NULL);
    clip_free(&clip);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips), cmocka_unit_test(refused)};
    scratch_open();
    int failed = cmocka_run_group_tests_name("raw", tests, NULL, NULL);
    scratch_close();
    return failed;
}
