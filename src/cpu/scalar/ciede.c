/* CIEDE2000 in plain C: the reference. docs/metrics/ciede.md */
#include "cpu/ciede.h"

#include "arith/scalar.h"

#include "arith/ciede.h"
#include "arith/fixed.h"

static int sample(const FvCiedePictures *pictures, int picture, int plane, int x, int y)
{
    bool chroma = plane > 0;
    if (chroma && pictures->peer_layout)
        return fv_ciede_peer_sample(pictures, picture, plane, x, y);
    x /= chroma ? pictures->across : 1;
    y /= chroma ? pictures->down : 1;
    const uint8_t *row = pictures->data[picture][plane] + y * pictures->stride[picture][plane];
    return pictures->depth == 8 ? row[x] : ((const uint16_t *)row)[x];
}

static double linear(double c)
{
    double base = fv_ciede_base(c);
    return fv_ciede_linear(c, base, fv_ciede_root5(fv_f32_from_f64(base)));
}

static float compressed(double t)
{
    return fv_ciede_compressed(t, fv_ciede_root3(fv_f32_from_f64(fv_ciede_clamped(t))));
}

typedef struct Lab {
    float l, a, b;
} Lab;

static Lab lab(const FvCiedePictures *pictures, int picture, int x, int y)
{
    int zero = 1 << (pictures->depth - 8);
    double luma = (sample(pictures, picture, 0, x, y) - 16 * zero) * (1.0 / (219 * zero));
    double u = (sample(pictures, picture, 1, x, y) - 128 * zero) * (1.0 / (224 * zero));
    double v = (sample(pictures, picture, 2, x, y) - 128 * zero) * (1.0 / (224 * zero));
    FvCiedeColour rgb = fv_ciede_rgb(luma, u, v);
    FvCiedeColour xyz = fv_ciede_xyz(linear(rgb.x), linear(rgb.y), linear(rgb.z));
    float fx = compressed(xyz.x), fy = compressed(xyz.y), fz = compressed(xyz.z);
    return (Lab){fv_ciede_lightness(fy), fv_ciede_opponent(500, fx, fy), fv_ciede_opponent(200, fy, fz)};
}

static int64_t sum(const FvCiedePictures *pictures, int first, int count, double unit, void *scratch)
{
    int64_t total = 0;
    for (int y = first; y < first + count; y++)
        for (int x = 0; x < pictures->width; x++) {
            Lab p = lab(pictures, 0, x, y), q = lab(pictures, 1, x, y);
            FvCiedePixel pixel = fv_ciede_pixel(p.l, p.a, p.b, q.l, q.a, q.b);
            total += fv_fixed(fv_ciede_difference(pixel, fv_ciede_rotation(pixel)), unit);
        }
    return total;
}

const FvCiedeKernels fv_ciede_kernels_scalar = {.sum = sum};
