/*
 * Tests frames filled from interleaved planes and from RGB: their samples, for every layout in memory, and refusals.
 */
#include "unit.h"

#include <stdlib.h>

enum { WIDTH = 6, HEIGHT = 4, SAMPLES = WIDTH * HEIGHT };

static FvFrame *frame_of(FvChroma chroma, int depth, FvRange range, int matrix)
{
    const FvFormat format = {
        .width = WIDTH, .height = HEIGHT, .chroma = chroma, .depth = depth, .range = range, .matrix = matrix};
    FvFrame *frame;
    assert_works(fv_frame_alloc(&frame, &format, error));
    return frame;
}

static unsigned sample(const FvFrame *frame, int plane, int x, int y)
{
    const uint8_t *row = frame->data[plane] + y * frame->stride[plane];
    return frame->format.depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

/* Returns the sample that each of the layouts below has at (x, y) of a plane. */
static unsigned told(int plane, int x, int y)
{
    return (unsigned)(100 * plane + 10 * y + x + 1);
}

static void assert_told(const FvFrame *frame)
{
    for (int plane = 0; plane < 3; plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                assert_int_equal(sample(frame, plane, x, y), told(plane, x, y));
    }
}

static void test_layouts_of_two_planes(void **state)
{
    uint8_t y8[SAMPLES], c8[SAMPLES / 2];
    uint16_t y16[SAMPLES], c16[SAMPLES / 2];
    for (int i = 0; i < SAMPLES; i++)
        y16[i] = (uint16_t)((y8[i] = (uint8_t)told(0, i % WIDTH, i / WIDTH)) << 6);
    for (int i = 0; i < SAMPLES / 2; i++)
        c16[i] = (uint16_t)((c8[i] = (uint8_t)told(1 + i % 2, i % WIDTH / 2, i / WIDTH)) << 6);
    FvFrame *frame = frame_of(FV_CHROMA_420, 8, 0, 0), *deep = frame_of(FV_CHROMA_420, 10, 0, 0);
    assert_works(fv_frame_fill_layout(frame, "nv12", (const void *[]){y8, c8}, (ptrdiff_t[]){WIDTH, WIDTH}, error));
    assert_told(frame);
    assert_works(
        fv_frame_fill_layout(deep, "p010", (const void *[]){y16, c16}, (ptrdiff_t[]){2 * WIDTH, 2 * WIDTH}, error));
    assert_told(deep);
    /* The negative stride makes the first row the bottom one. */
    assert_works(fv_frame_fill_layout(frame, "nv12", (const void *[]){y8 + SAMPLES - WIDTH, c8},
                                      (ptrdiff_t[]){-WIDTH, WIDTH}, error));
    assert_int_equal(sample(frame, 0, 2, 0), told(0, 2, HEIGHT - 1));
    c16[WIDTH + 3] |= 1;
    assert_fails(
        fv_frame_fill_layout(deep, "p010", (const void *[]){y16, c16}, (ptrdiff_t[]){2 * WIDTH, 2 * WIDTH}, error),
        FV_ERROR_INPUT, "plane 2, column 1, row 1: the word");
    fv_frame_unref(&frame);
    fv_frame_unref(&deep);
}

static void test_layouts_of_one_plane(void **state)
{
    uint8_t uyvy[HEIGHT][2 * WIDTH];
    uint32_t v210[HEIGHT][32] = {{0}};
    for (int y = 0; y < HEIGHT; y++)
        for (int i = 0; i < 2 * WIDTH; i++) {
            const int plane = i % 2 ? 0 : 1 + i / 2 % 2;
            uyvy[y][i] = (uint8_t)told(plane, plane ? i / 4 : i / 2, y);
            v210[y][i / 3] |= (uint32_t)uyvy[y][i] << 10 * (i % 3);
        }
    FvFrame *frame = frame_of(FV_CHROMA_422, 8, 0, 0), *deep = frame_of(FV_CHROMA_422, 10, 0, 0);
    assert_works(
        fv_frame_fill_layout(frame, "uyvy422", (const void *[]){uyvy, NULL}, (ptrdiff_t[]){2 * WIDTH, 0}, error));
    assert_told(frame);
    assert_works(fv_frame_fill_layout(deep, "v210", (const void *[]){v210, NULL}, (ptrdiff_t[]){128, 0}, error));
    assert_told(deep);
    fv_frame_unref(&frame);
    fv_frame_unref(&deep);
}

static void test_layouts_that_do_not_fit(void **state)
{
    uint8_t bytes[256] = {0};
    const void *data[2] = {bytes, bytes};
    const ptrdiff_t stride[2] = {16, 16};
    FvFrame *frame = frame_of(FV_CHROMA_420, 10, 0, 0);
    assert_fails(fv_frame_fill_layout(frame, "nv12", data, stride, error), FV_ERROR_USAGE, "nv12 is 4:2:0 of 8 bits");
    assert_fails(fv_frame_fill_layout(frame, "nv21 ", data, stride, error), FV_ERROR_USAGE, "unknown layout 'nv21 '");
    assert_fails(fv_frame_fill_layout(frame, "p010", (const void *[]){bytes, NULL}, stride, error), FV_ERROR_USAGE,
                 "NULL");
    fv_frame_unref(&frame);
}

/* Expected values follow from Y' = 16 + round(219 L), Cb = 128 + round(112 (B - L) / (1 - Kb)), and Cr likewise. */
static void test_rgb_by_hand(void **state)
{
    static const uint8_t pixels[WIDTH][3] = {{255, 255, 255}, {0, 0, 0},   {255, 0, 0},
                                             {0, 255, 0},     {0, 0, 255}, {51, 51, 51}};
    static const unsigned bt709[WIDTH][3] = {{235, 128, 128}, {16, 128, 128}, {63, 102, 240},
                                             {173, 42, 26},   {32, 240, 118}, {60, 128, 128}};
    FvFrame *frame = frame_of(FV_CHROMA_444, 8, FV_RANGE_LIMITED, 1);
    const uint8_t *first = pixels[0];
    assert_works(
        fv_frame_fill_rgb(frame, (const void *[]){first, first + 1, first + 2}, (ptrdiff_t[]){0, 0, 0}, 3, error));
    for (int x = 0; x < WIDTH; x++)
        for (int plane = 0; plane < 3; plane++)
            assert_int_equal(sample(frame, plane, x, HEIGHT - 1), bt709[x][plane]);
    fv_frame_unref(&frame);
    frame = frame_of(FV_CHROMA_444, 8, FV_RANGE_LIMITED, 6); /* red has L = 0.299 */
    assert_works(
        fv_frame_fill_rgb(frame, (const void *[]){first, first + 1, first + 2}, (ptrdiff_t[]){0, 0, 0}, 3, error));
    assert_int_equal(sample(frame, 0, 2, 0), 81);
    assert_int_equal(sample(frame, 1, 2, 0), 90);
    fv_frame_unref(&frame);
}

/* RGB that is packed, planar, with alpha, in another order or mirrored gives the same frame. */
static void test_rgb_lies_in_any_way(void **state)
{
    uint16_t planar[3][SAMPLES], packed[SAMPLES][4];
    for (int i = 0; i < SAMPLES; i++)
        for (int plane = 0; plane < 3; plane++)
            packed[SAMPLES - 1 - i][2 - plane] = planar[plane][i] =
                (uint16_t)((unsigned)(i * 5309 + plane * 811) % 1024);
    FvFrame *one = frame_of(FV_CHROMA_444, 10, FV_RANGE_LIMITED, 9),
            *two = frame_of(FV_CHROMA_444, 10, FV_RANGE_LIMITED, 9);
    assert_works(fv_frame_fill_rgb(one, (const void *[]){planar[0], planar[1], planar[2]},
                                   (ptrdiff_t[]){2 * WIDTH, 2 * WIDTH, 2 * WIDTH}, 2, error));
    const uint16_t *last = packed[SAMPLES - 1];
    assert_works(fv_frame_fill_rgb(two, (const void *[]){last + 2, last + 1, last},
                                   (ptrdiff_t[]){-8 * WIDTH, -8 * WIDTH, -8 * WIDTH}, -8, error));
    for (int plane = 0; plane < 3; plane++)
        for (int y = 0; y < HEIGHT; y++)
            assert_memory_equal(one->data[plane] + y * one->stride[plane], two->data[plane] + y * two->stride[plane],
                                2 * WIDTH);
    planar[1][WIDTH + 2] = 1024;
    assert_fails(fv_frame_fill_rgb(one, (const void *[]){planar[0], planar[1], planar[2]},
                                   (ptrdiff_t[]){2 * WIDTH, 2 * WIDTH, 2 * WIDTH}, 2, error),
                 FV_ERROR_INPUT, "green of column 2, row 1: sample 1024 exceeds 10 bits");
    fv_frame_unref(&one);
    fv_frame_unref(&two);
}

static void test_rgb_that_does_not_fit(void **state)
{
    uint8_t bytes[256] = {0};
    const void *data[3] = {bytes, bytes, bytes};
    const ptrdiff_t stride[3] = {WIDTH, WIDTH, WIDTH};
    FvFrame *frame[] = {frame_of(FV_CHROMA_420, 8, FV_RANGE_LIMITED, 1), frame_of(FV_CHROMA_444, 8, FV_RANGE_FULL, 1),
                        frame_of(FV_CHROMA_444, 8, FV_RANGE_LIMITED, 0),
                        frame_of(FV_CHROMA_444, 8, FV_RANGE_LIMITED, 1)};
    static const char *const words[] = {"the frame is 4:2:0", "full range", "the frame's is 0", "a step of 0 bytes"};
    for (int i = 0; i < 4; i++) {
        assert_fails(fv_frame_fill_rgb(frame[i], data, stride, i < 3, error), FV_ERROR_USAGE, words[i]);
        fv_frame_unref(&frame[i]);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layouts_of_two_planes),   cmocka_unit_test(test_layouts_of_one_plane),
        cmocka_unit_test(test_layouts_that_do_not_fit), cmocka_unit_test(test_rgb_by_hand),
        cmocka_unit_test(test_rgb_lies_in_any_way),     cmocka_unit_test(test_rgb_that_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
