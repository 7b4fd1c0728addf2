/* Linear light and halving, which ssimulacra2.md 4 to 6 define and butteraugli.md takes from there. */
#pragma once

#include "common.h"

typedef struct {
    int matrix, full, transfer, primaries, location;
    double white;
} Param;
static const char *const transfers[] = {"bt709", "srgb", "pq", "hlg", "linear", 0};
static const char *const gamuts[] = {"bt709", "bt2020", 0};

#define STEPS 4096
static float curve[STEPS + 2];

static void make_curve(const Param *o)
{
    for (int i = 0; i <= STEPS; i++) {
        double v = i / (double)STEPS, e;
        if (o->transfer == 0)
            e = dpow(v, 2.4);
        else if (o->transfer == 1)
            e = v <= 0.04045 ? v / 12.92 : dpow((v + 0.055) / 1.055, 2.4);
        else if (o->transfer == 2) {
            double t = dpow(v, 1 / 78.84375), n = t - 0.8359375;
            e = dpow((n > 0 ? n : 0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125) * (10000 / o->white);
        } else if (o->transfer == 3)
            e = v <= 0.5 ? v * v / 3
                         : (dexp2((v - 0.55991072952956202) / 0.17883277 * 1.4426950408889634) + 0.28466892) / 12;
        else
            e = v;
        curve[i] = (float)e;
    }
    curve[STEPS + 1] = curve[STEPS];
}

static float linearise(float v)
{
    v = min32(max32(v, 0.0f), 1.0f);
    float t = v * (float)STEPS;
    int32_t i = (int32_t)t;
    float f = t - (float)i;
    return curve[i] + f * (curve[i + 1] - curve[i]);
}

static void to_linear(const Picture *a, const Param *o, Plane out[3])
{
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++) {
            size_t n = (size_t)y * a->w + x;
            float c[3], r, g, b;
            to_rgb(a, o->matrix, o->full, o->location, x, y, c);
            r = c[0];
            g = c[1];
            b = c[2];
            r = linearise(r);
            g = linearise(g);
            b = linearise(b);
            if (o->transfer == 3) {
                float ys = (0.2627f * r + 0.678f * g) + 0.0593f * b;
                float k = (float)(1000 / o->white) * vexp2(0.2f * vlog2(max32(ys, 0x1p-20f)));
                r = k * r;
                g = k * g;
                b = k * b;
            }
            if (o->primaries == 1) {
                float r1 = (1.660491f * r + -0.587641f * g) + -0.07285f * b;
                float g1 = (-0.12455f * r + 1.1329f * g) + -0.008349f * b;
                float b1 = (-0.018151f * r + -0.100579f * g) + 1.11873f * b;
                r = r1;
                g = g1;
                b = b1;
            }
            out[0].p[n] = r;
            out[1].p[n] = g;
            out[2].p[n] = b;
        }
}

static Plane halve(Plane a)
{
    Plane o = plane((a.w + 1) >> 1, (a.h + 1) >> 1);
    for (int y = 0; y < o.h; y++)
        for (int x = 0; x < o.w; x++) {
            const float *r0 = a.p + (size_t)(2 * y) * a.w, *r1 = a.p + (size_t)clampi(2 * y + 1, a.h) * a.w;
            int x1 = clampi(2 * x + 1, a.w);
            o.p[(size_t)y * o.w + x] = (((r0[2 * x] + r0[x1]) + r1[2 * x]) + r1[x1]) * 0.25f;
        }
    return o;
}

static float at(Plane a, int x, int y)
{
    return x < 0 || y < 0 || x >= a.w || y >= a.h ? 0.0f : a.p[(size_t)y * a.w + x];
}

/* Reads the options. `white` is the name of the option for the white level, and `value` is its default. */
static Param read_options(int argc, char **argv, const char *white, double value)
{
    Param o = {0, 0, 0, 0, 0, value};
    for (int i = 4; i < argc; i++) {
        const char *v;
        if ((v = option(argv[i], "matrix")))
            o.matrix = pick(v, matrices);
        else if ((v = option(argv[i], "range")))
            o.full = pick(v, ranges);
        else if ((v = option(argv[i], "transfer")))
            o.transfer = pick(v, transfers);
        else if ((v = option(argv[i], "primaries")))
            o.primaries = pick(v, gamuts);
        else if ((v = option(argv[i], "chroma_location")))
            o.location = pick(v, locations);
        else if ((v = option(argv[i], white)))
            o.white = positive(v);
        else
            die("unknown option");
    }
    make_curve(&o);
    return o;
}
