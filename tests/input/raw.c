/* Tests raw video: every chroma format and depth, and geometries that do not fit the file. */
#include <stdlib.h>

#include "clip.h"

static void round_trips(void **state)
{
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

static void put(uint8_t *bytes, size_t at, int size, unsigned value)
{
    bytes[at * size] = (uint8_t)value;
    if (size == 2)
        bytes[2 * at + 1] = (uint8_t)(value >> 8);
}

static unsigned get(const Clip *clip, int frame, int plane, int x, int y)
{
    const uint8_t *at = clip->bytes + clip_offset(clip, frame, plane, x, y);
    return clip->format.depth > 8 ? at[0] | (unsigned)at[1] << 8 : at[0];
}

/* Writes the clip in another sample arrangement: `order` has the positions of Y, Cb and Cr in a group of four
 * samples, or of Cb and Cr in a pair. */
static void interleave(const Clip *clip, const char *path, bool packed, const int order[3], int shift)
{
    const int size = clip->format.depth > 8 ? 2 : 1;
    uint8_t *bytes = calloc((size_t)clip->frames, clip->frame_bytes);
    size_t at = 0;
    for (int frame = 0; frame < clip->frames; frame++) {
        int width, height, across, down;
        fv_format_plane_size(&clip->format, 0, &width, &height);
        fv_format_plane_size(&clip->format, 1, &across, &down);
        for (int y = 0; y < height; y++, at += packed ? 2 * (size_t)width : (size_t)width)
            for (int x = 0; x < width; x++)
                put(bytes, at + (packed ? 2 * (size_t)x + (size_t)order[0] : (size_t)x), size,
                    get(clip, frame, 0, x, y) << shift);
        size_t chroma = packed ? at - 2 * (size_t)width * (size_t)height : at;
        for (int y = 0; y < down; y++, chroma += (packed ? 4 : 2) * (size_t)across)
            for (int x = 0; x < across; x++)
                for (int plane = 1; plane < 3; plane++)
                    put(bytes, chroma + (packed ? 4 : 2) * (size_t)x + (size_t)order[plane], size,
                        get(clip, frame, plane, x, y) << shift);
        at = packed ? at : chroma;
    }
    write_file(path, bytes, clip->frame_bytes * clip->frames);
    free(bytes);
}

/* Writes the clip as v210. `extra` is OR-ed into the last word of the first group of the first row. */
static void write_v210(const Clip *clip, const char *path, unsigned extra, size_t missing)
{
    const size_t row = ((size_t)clip->format.width + 47) / 48 * 128, height = (size_t)clip->format.height;
    uint8_t *bytes = calloc((size_t)clip->frames * height, row);
    for (int y = 0; y < clip->frames * clip->format.height; y++)
        for (int i = 0; i < 2 * clip->format.width; i++) {
            static const int planes[] = {1, 0, 2, 0};
            const int plane = planes[i % 4];
            const unsigned sample = get(clip, y / clip->format.height, plane, plane ? i / 4 : i / 2, y % (int)height);
            uint8_t *word = bytes + (size_t)y * row + (size_t)(i / 3) * 4;
            const unsigned value = sample << 10 * (i % 3) | (y == 0 && i == 11 ? extra : 0);
            for (int k = 0; k < 4; k++)
                word[k] |= (uint8_t)(value >> 8 * k);
        }
    write_file(path, bytes, (size_t)clip->frames * height * row - missing);
    free(bytes);
}

static void v210(void **state)
{
    const char *path = scratch_path("layout.v210");
    FvFormat format = {0};
    assert_true(fv_raw_layout("v210", &format));
    for (int width = 2; width <= 98; width += 16) {
        Clip clip = clip_make(width, 5, format.chroma, format.depth, 3);
        FvSource *source;
        FvError error = {0};
        const FvSourceParams params = {.path = path, .raw = clip.format, .raw_layout = "v210"};
        write_v210(&clip, path, 0, 0);
        if (fv_source_open(&source, &params, &error))
            fail_msg("width %d: %s", width, error.message);
        assert_reads(source, &clip);
        FvFrame *frame = NULL;
        assert_false(fv_source_seek(source, 2, &error) || fv_source_read(source, &frame, &error));
        assert_int_equal(((const uint16_t *)frame->data[0])[1], get(&clip, 2, 0, 1, 0));
        fv_frame_unref(&frame);
        fv_source_close(&source);
        if (width > 48) {
            write_v210(&clip, path, 1u << 30, 0);
            assert_read_fails(&params, 0, FV_ERROR_INPUT, path, "frame 0", "row 0", NULL);
            write_v210(&clip, path, 0, 4);
            assert_open_fails(&params, FV_ERROR_INPUT, path, "not a multiple", NULL);
        }
        clip_free(&clip);
    }
}

static void layouts(void **state)
{
    static const struct {
        const char *name;
        bool packed;
        int order[3], shift;
    } cases[] = {{"nv12", false, {0, 0, 1}, 0},   {"nv21", false, {0, 1, 0}, 0},   {"nv16", false, {0, 0, 1}, 0},
                 {"nv42", false, {0, 1, 0}, 0},   {"p010", false, {0, 0, 1}, 6},   {"p012le", false, {0, 0, 1}, 4},
                 {"p216", false, {0, 0, 1}, 0},   {"p410", false, {0, 0, 1}, 6},   {"yuyv422", true, {0, 1, 3}, 0},
                 {"yvyu422", true, {0, 3, 1}, 0}, {"uyvy422", true, {1, 0, 2}, 0}, {"y210le", true, {0, 1, 3}, 6},
                 {"y212", true, {0, 1, 3}, 4}};
    const char *path = scratch_path("layout.yuv");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int odd = 0; odd < (cases[i].packed ? 1 : 2); odd++) {
            FvFormat format = {0};
            assert_true(fv_raw_layout(cases[i].name, &format));
            Clip clip = clip_make(18 - odd, 6 - odd, format.chroma, format.depth, 3);
            interleave(&clip, path, cases[i].packed, cases[i].order, cases[i].shift);
            FvSource *source;
            FvError error = {0};
            if (fv_source_open(&source,
                               &(FvSourceParams){.path = path, .raw = clip.format, .raw_layout = cases[i].name},
                               &error))
                fail_msg("%s: %s", cases[i].name, error.message);
            assert_reads(source, &clip);
            fv_source_close(&source);
            clip_free(&clip);
        }
    Clip clip = clip_make(16, 4, FV_CHROMA_420, 10, 1);
    FvSourceParams params = {.path = path, .raw = clip.format, .raw_layout = "p010"};
    interleave(&clip, path, false, (const int[]){0, 0, 1}, 0);
    assert_read_fails(&params, 0, FV_ERROR_INPUT, path, "frame 0", "10 bits", NULL);
    params.raw_layout = "nv12";
    assert_open_fails(&params, FV_ERROR_USAGE, path, "nv12 is 4:2:0 of 8 bits", NULL);
    params.raw_layout = "n";
    assert_open_fails(&params, FV_ERROR_USAGE, path, "unknown layout 'n'", NULL);
    params = (FvSourceParams){.path = path,
                              .raw = {.width = 15, .height = 4, .chroma = FV_CHROMA_422, .depth = 8},
                              .raw_layout = "uyvy422"};
    assert_open_fails(&params, FV_ERROR_USAGE, path, "even", NULL);
    assert_false(fv_raw_layout(NULL, NULL) || fv_raw_layout("", NULL) || fv_raw_layout("le", NULL));
    clip_free(&clip);
}

static void refused(void **state)
{
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
    wrong.raw.chroma = FV_CHROMA_410 + 1;
    assert_open_fails(&wrong, FV_ERROR_USAGE, path, "chroma", NULL);
    wrong.raw = clip.format;
    wrong.raw.chroma = FV_CHROMA_444;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "2304 bytes", "1536 bytes", "16x16 4:4:4 10-bit", "check", NULL);
    /* The stated picture is larger than the file. */
    wrong.raw.width = 32768;
    wrong.raw.height = 32768;
    assert_open_fails(&wrong, FV_ERROR_INPUT, path, "2304 bytes", "6442450944 bytes", NULL);
    /* Samples with a bit above 9 are refused as 9-bit video, although the file's size fits. */
    clip.bytes[1] = 2;
    write_file(path, clip.bytes, clip.frame_bytes * clip.frames);
    wrong.raw = clip.format;
    wrong.raw.depth = 9;
    assert_read_fails(&wrong, 0, FV_ERROR_INPUT, path, "frame 0", "plane Y", "column 0, row 0", "9 bits", NULL);
    clip_free(&clip);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(round_trips), cmocka_unit_test(layouts),
                                              cmocka_unit_test(v210), cmocka_unit_test(refused)};
    return cmocka_run_group_tests_name("raw", tests, scratch_open, scratch_close);
}
