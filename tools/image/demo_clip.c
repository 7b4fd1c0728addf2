#include "image/demo_clip.h"

#include <stddef.h>

const FvFormat demo_format = {.width = 640,
                              .height = 360,
                              .chroma = FV_CHROMA_420,
                              .depth = 8,
                              .range = FV_RANGE_LIMITED,
                              .rate_num = 24,
                              .rate_den = 1};

/* Hashes 32 bits, to make the same noise on every machine. */
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* Returns a triangle wave over n, in [0, 255]. */
static int triangle(int n, int period)
{
    int half = period / 2, at = ((n % period) + period) % period;
    return (at < half ? at : period - at) * 255 / half;
}

/* Returns noise in [0, 255], interpolated bilinearly between random values on a grid of 16 samples. */
static int texture(int x, int y, uint32_t seed)
{
    uint32_t gx = (uint32_t)(x >> 4), gy = (uint32_t)(y >> 4);
    int fx = x & 15, fy = y & 15, corner[4];
    for (uint32_t i = 0; i < 4; i++)
        corner[i] = (int)(mix((gx + (i & 1)) * 7919u + (gy + (i >> 1)) * 104729u + seed) & 255);
    int top = corner[0] * (16 - fx) + corner[1] * fx, bottom = corner[2] * (16 - fx) + corner[3] * fx;
    return (top * (16 - fy) + bottom * fy) >> 8;
}

static int clamp8(int value)
{
    return value < 16 ? 16 : value > 235 ? 235 : value;
}

/* Returns the sky in sixteenths of a code value. Its gradient is so gentle that whole codes would show as bands. */
static int sky(int x, int y)
{
    return 16 * 90 + y + x / 4;
}

/* Returns the reference's luma: a dithered sky, a panning texture below it, and a striped ball that flies across. */
static int reference_luma(int x, int y, int frame)
{
    int ball_x = x - 60 - frame * 20, ball_y = y - 180;
    uint32_t noise = mix((uint32_t)(x + frame * 3) * 65537u + (uint32_t)y);
    if (ball_x * ball_x + ball_y * ball_y < 60 * 60)
        return 60 + triangle(x * 7 + y * 3, 96) / 2;
    if (y < demo_format.height / 2)
        return (sky(x, y) + (int)(noise & 31)) >> 4;
    return 50 + texture(x + frame * 3, y, 1) * 5 / 8 + (int)(noise & 7);
}

static int reference_chroma(int x, int y, int frame, int plane)
{
    bool above = y < demo_format.height / 4;
    int base = plane == 1 ? (above ? 152 : 112) : (above ? 108 : 126);
    return base + texture(2 * (x + frame), 2 * y, (uint32_t)plane + 9) / 16;
}

/* Imitates a hasty encoder: bands in the sky, a blurred and blocky ground, pale colours. */
static int distorted_luma(int x, int y, int frame)
{
    if (y < demo_format.height / 2 - 60)
        return (sky(x, y) + 16) / 32 * 2;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += reference_luma(x + dx, y + dy, frame);
    uint32_t block = mix((uint32_t)(x >> 3) * 31u + (uint32_t)(y >> 3) * 1009u + (uint32_t)frame * 77u);
    return sum / 9 + (int)(block % 13) - 6;
}

static int distorted_chroma(int x, int y, int frame, int plane)
{
    return 128 + (reference_chroma(x, y, frame, plane) - 128) * 7 / 8;
}

FvStatus demo_frame(FvFrame **frame, int number, bool distorted, FvError *error)
{
    FvStatus status = fv_frame_alloc(frame, &demo_format, error);
    for (int plane = 0; plane < 3 && status == FV_OK; plane++) {
        int width, height;
        fv_format_plane_size(&demo_format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
            for (int x = 0; x < width; x++)
                row[x] =
                    (uint8_t)clamp8(plane ? (distorted ? distorted_chroma : reference_chroma)(x, y, number, plane)
                                          : (distorted ? distorted_luma : reference_luma)(x, y, number));
        }
    }
    return status;
}
