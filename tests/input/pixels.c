/* Tests every pixel format of libavutil: each is either refused with a reason or unpacked to libav's samples. */
#include <math.h>
#include <string.h>

#include <libavutil/pixdesc.h>

#include "input/libav/calls.h"
#include "input/libav/pixels.h"
#include "picture/floats.h"
#include "picture/frame.h"
#include "video.h"

static void unpack_all(const char *name, const FvLibavPixels *pixels)
{
    Clip clip = clip_make(66, 6, pixels->chroma, pixels->depth, 1);
    AVFrame *picture = video_picture(&clip, 0, name);
    for (int plane = 0; plane < fv_format_planes(&clip.format); plane++) {
        int width, height, from = pixels->component[plane].plane;
        fv_format_plane_size(&clip.format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint16_t row[66];
            uint8_t *stored = picture->data[from] + y * picture->linesize[from];
            assert_int_equal(fv_pixels_unpack(pixels, plane, row, stored, width), width);
            const uint8_t *wanted = clip.bytes + clip_offset(&clip, 0, plane, 0, y);
            if (memcmp(row, wanted, (size_t)width * fv_format_sample_bytes(&clip.format)))
                fail_msg("%s: plane %d row %d differs", name, plane, y);
            if (pixels->depth == 8)
                continue;
            /* A bit set above the depth is noticed in any word of the row. */
            for (int x = 0; x < width; x++) {
                FvWords words = pixels->component[plane].words;
                uint8_t *word = stored + pixels->component[plane].offset + x * words.step;
                uint16_t empty = pixels->component[plane].empty;
                uint16_t bit = empty & (uint16_t)-empty, kept[1];
                memcpy(kept, word, 2);
                word[words.swap ? 1 : 0] |= (uint8_t)bit;
                word[words.swap ? 0 : 1] |= (uint8_t)(bit >> 8);
                assert_int_equal(fv_pixels_unpack(pixels, plane, row, stored, width), empty ? x : width);
                memcpy(word, kept, 2);
            }
        }
    }
    av_frame_free(&picture);
    clip_free(&clip);
}

/* libavutil describes luma of packed 4:1:1 by one step, and its bytes are U Y Y V Y Y. */
static void unpack_packed_411(const FvLibavPixels *pixels)
{
    uint8_t stored[12], row[8];
    static const uint8_t wanted[3][8] = {{1, 2, 4, 5, 7, 8, 10, 11}, {0, 6}, {3, 9}};
    for (int i = 0; i < 12; i++)
        stored[i] = (uint8_t)i;
    for (int plane = 0; plane < 3; plane++) {
        const int count = plane ? 2 : 8;
        assert_int_equal(fv_pixels_unpack(pixels, plane, row, stored, count), count);
        assert_memory_equal(row, wanted[plane], (size_t)count);
    }
}

/* Unpacks one stored word as the sample of column 2. Returns whether it was taken. */
static bool unpack_word(const FvLibavPixels *pixels, uint32_t word, uint16_t *sample)
{
    const FvWords words = pixels->component[0].words;
    uint8_t stored[64] = {0}, *at = stored + pixels->component[0].offset + 2 * words.step;
    uint16_t row[3] = {7, 7, 7};
    const int bytes = pixels->floats / 8;
    for (int i = 0; i < bytes; i++)
        at[words.swap ? bytes - 1 - i : i] = (uint8_t)(word >> 8 * i);
    assert_int_equal(fv_pixels_word(pixels, 0, stored, 2), word);
    const int count = fv_pixels_unpack(pixels, 0, row, stored, 3);
    assert_true(count == 3 || count == 2);
    assert_int_equal(row[0], 0);
    *sample = row[2];
    return count == 3;
}

/* Every word of 16 bits, and words of 32 bits around each power of two and in many other places. */
static void unpack_floats(const FvLibavPixels *pixels)
{
    const uint32_t step = pixels->floats == 16 ? 1 : 65521;
    int taken = 0;
    for (uint64_t i = 0; i < UINT64_C(1) << pixels->floats; i += step)
        for (int nudge = pixels->floats == 16 ? 0 : -2; nudge <= (pixels->floats == 16 ? 0 : 2); nudge++) {
            const uint32_t word = (uint32_t)(nudge ? (i & ~UINT64_C(0x7fffff)) + (uint64_t)nudge : i);
            const double v = fv_float_value(pixels->floats, word);
            float number;
            uint16_t sample;
            memcpy(&number, &word, sizeof number);
            if (pixels->floats == 32 && !(isnan(number) ? isnan(v) : number == v))
                fail_msg("word %x is %g, not %g", word, (double)number, v);
            const bool good = unpack_word(pixels, word, &sample);
            assert_int_equal(good, v >= 0 && v <= 1);
            if (good && sample != floor(v * 65535 + 0.5))
                fail_msg("%.17g became %d", v, sample);
            taken += good;
        }
    assert_true(taken > 10000);
    assert_int_equal(pixels->depth, 16);
}

static void every_format(void **state)
{
    int taken = 0, refused = 0;
    for (const AVPixFmtDescriptor *format = NULL; (format = av_pix_fmt_desc_next(format));) {
        FvLibavPixels pixels;
        const char *reason = fv_pixels_describe(&pixels, av_pix_fmt_desc_get_id(format));
        if (reason) {
            assert_true(*reason);
            refused++;
            continue;
        }
        if (pixels.floats)
            unpack_floats(&pixels);
        else if (pixels.uneven)
            unpack_packed_411(&pixels);
        else if (!pixels.palette)
            unpack_all(format->name, &pixels);
        taken++;
    }
    print_message("%d formats are read, %d refused\n", taken, refused);
    assert_true(taken > 60 && refused > 40);
}

typedef struct Expected {
    const char *name;
    FvChroma chroma;
    int depth;
} Expected;

static void known_formats(void **state)
{
    static const Expected taken[] = {
        {"gray", FV_CHROMA_400, 8},         {"gray10le", FV_CHROMA_400, 10},    {"gray16be", FV_CHROMA_400, 16},
        {"yuv420p", FV_CHROMA_420, 8},      {"yuvj420p", FV_CHROMA_420, 8},     {"yuv420p9be", FV_CHROMA_420, 9},
        {"yuv420p10le", FV_CHROMA_420, 10}, {"yuv422p12le", FV_CHROMA_422, 12}, {"yuv444p14le", FV_CHROMA_444, 14},
        {"yuv444p16be", FV_CHROMA_444, 16}, {"yuva420p", FV_CHROMA_420, 8},     {"yuva444p12le", FV_CHROMA_444, 12},
        {"nv12", FV_CHROMA_420, 8},         {"nv21", FV_CHROMA_420, 8},         {"nv16", FV_CHROMA_422, 8},
        {"nv24", FV_CHROMA_444, 8},         {"nv42", FV_CHROMA_444, 8},         {"nv20le", FV_CHROMA_422, 10},
        {"p010le", FV_CHROMA_420, 10},      {"p010be", FV_CHROMA_420, 10},      {"p016le", FV_CHROMA_420, 16},
        {"rgb24", FV_CHROMA_444, 8},        {"bgra", FV_CHROMA_444, 8},         {"gbrp10le", FV_CHROMA_444, 10},
        {"p210le", FV_CHROMA_422, 10},      {"p416be", FV_CHROMA_444, 16},      {"yuyv422", FV_CHROMA_422, 8},
        {"pal8", FV_CHROMA_444, 8},         {"yuv411p", FV_CHROMA_411, 8},      {"yuvj411p", FV_CHROMA_411, 8},
        {"yuv410p", FV_CHROMA_410, 8},      {"yuv440p", FV_CHROMA_440, 8},      {"yuv440p12le", FV_CHROMA_440, 12},
        {"grayf32le", FV_CHROMA_400, 16},   {"gbrpf32le", FV_CHROMA_444, 16},   {"gbrapf32be", FV_CHROMA_444, 16},
    };
    static const char *const refused[] = {"monow", "monob", "xyz12le", "bayer_rggb8", "vaapi", "rgb565le"};
    FvLibavPixels pixels;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        const char *reason = fv_pixels_describe(&pixels, av_get_pix_fmt(taken[i].name));
        if (reason)
            fail_msg("%s %s", taken[i].name, reason);
        assert_int_equal(pixels.chroma, taken[i].chroma);
        assert_int_equal(pixels.depth, taken[i].depth);
        assert_int_equal(pixels.full, !strncmp(taken[i].name, "yuvj", 4));
        assert_int_equal(pixels.rgb, strstr(taken[i].name, "gb") || strstr(taken[i].name, "bgr") || pixels.palette);
    }
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (!fv_pixels_describe(&pixels, av_get_pix_fmt(refused[i])))
            fail_msg("%s is not refused", refused[i]);
    assert_non_null(fv_pixels_describe(&pixels, AV_PIX_FMT_NONE));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(every_format), cmocka_unit_test(known_formats)};
    int opened;
    if (fv_libav_calls_open(&opened, NULL))
        return 1;
    return cmocka_run_group_tests_name("pixels", tests, NULL, NULL);
}
