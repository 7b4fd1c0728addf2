/* Tests every pixel format of libavutil: each is either refused with a reason or unpacked to libav's samples. */
#include <string.h>

#include <libavutil/pixdesc.h>

#include "input/libav/calls.h"
#include "input/libav/pixels.h"
#include "picture/frame.h"
#include "video.h"

static void unpack_all(const char *name, const FvPixels *pixels)
{
    Clip clip = clip_make(66, 6, pixels->chroma, pixels->depth, 1);
    AVFrame *picture = video_picture(&clip, 0, name);
    for (int plane = 0; plane < fv_format_planes(&clip.format); plane++) {
        int width, height, from = pixels->component[plane].plane;
        fv_format_plane_size(&clip.format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint16_t row[66];
            uint8_t *stored = picture->data[from] + y * picture->linesize[from];
            assert_true(fv_pixels_unpack(pixels, plane, row, stored, width));
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
                assert_int_equal(fv_pixels_unpack(pixels, plane, row, stored, width), !empty);
                memcpy(word, kept, 2);
            }
        }
    }
    av_frame_free(&picture);
    clip_free(&clip);
}

static void every_format(void **state)
{
    int taken = 0, refused = 0;
    for (const AVPixFmtDescriptor *format = NULL; (format = av_pix_fmt_desc_next(format));) {
        FvPixels pixels;
        const char *reason = fv_pixels_describe(&pixels, av_pix_fmt_desc_get_id(format));
        if (reason) {
            assert_true(*reason);
            refused++;
            continue;
        }
        if (!pixels.palette)
            unpack_all(format->name, &pixels);
        taken++;
    }
    print_message("%d formats are read, %d refused\n", taken, refused);
    assert_true(taken > 60 && refused > 60);
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
        {"pal8", FV_CHROMA_444, 8},
    };
    static const char *const refused[] = {"monow",   "monob",   "xyz12le", "bayer_rggb8", "grayf32le", "yuv411p",
                                          "yuv410p", "yuv440p", "vaapi",   "rgb565le",    "gbrpf32le"};
    FvPixels pixels;
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
