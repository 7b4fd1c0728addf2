/*
 * ColorVideoVDP, from its specification. Run it as the checker does: cvvdp cvvdp REF.y4m DIS.y4m [NAME=VALUE...]
 * Build: cc -O2 -ffp-contract=off -o cvvdp cvvdp.c -lm
 */
#include "common.h"

/* log10 of sensitivity in units of 10^-8, by channel, luminance and frequency (cvvdp.md 7). */
static const int32_t csf[4][32][32] = {
#include "../spec/cvvdp_csf.h"
};

static double dexp(double x)
{
    return dexp2(x * 1.4426950408889634);
}
static double dlog10(double x)
{
    return dlog2(x) * 0.30102999566398120;
}
static double dpow10(double y)
{
    return dexp2(y * 3.3219280948873623);
}

/* Returns cos(2 pi m / n) for 0 <= 2m <= n. */
static double dcos_turn(int m, int n)
{
    double y = 6.283185307179586 * m / n / 4, z = y * y, p = 1;
    for (int k = 24; k >= 2; k -= 2)
        p = 1 - (p * z) / (double)(k * (k - 1));
    for (int i = 0; i < 2; i++)
        p = 2 * p * p - 1;
    return p;
}

/* Returns the arc tangent of x, 0 <= x <= 0.25. */
static double datan(double x)
{
    double z = x * x, p = 0;
    for (int k = 27; k >= 1; k -= 2)
        p = 1.0 / k - p * z;
    return x * p;
}

/* ---- 3 parameters ---- */

typedef struct {
    int matrix, full, transfer, primaries, location;
    double peak, black, ambient, refl, exposure, ppd, fps;
} Param;

static const char *const transfers[] = {"srgb", "bt1886", "gamma22", "gamma24", "pq", "hlg", 0};
static const char *const gamuts[] = {"bt709", "bt2020", "p3", 0};

typedef struct {
    const char *name;
    int w, h;
    double distance, diagonal, ppd, peak, black, ambient;
    int transfer, primaries;
} Display;

static const double inch = 0.0254;
static const Display displays[] = {
    /* name, resolution, distance m, diagonal inches, ppd (0: computed), peak, black, ambient, transfer, primaries */
    {"standard_4k", 3840, 2160, 0.7472, 30, 0, 200, 200 / 1000.0, 250, 0, 0},
    {"standard_fhd", 1920, 1080, 0.6, 24, 0, 200, 200 / 1000.0, 250, 0, 0},
    {"standard_hdr_pq", 3840, 2160, 0.7472, 30, 0, 1500, 1500 / 1e6, 10, 4, 1},
    {"standard_hdr_hlg", 3840, 2160, 0.7472, 30, 0, 1500, 1500 / 1e6, 10, 5, 1},
    {"standard_hmd", 1440, 1600, 0, 0, 13.153262507309297, 100, 0.1, 0, 0, 0},
    {"standard_phone", 2400, 1080, 0.4, 6, 0, 500, 0.05, 250, 0, 0},
    {"sdr_4k_30", 3840, 2160, 0.6, 30, 0, 100, 100 / 1000.0, 250, 0, 0},
    {"sdr_fhd_24", 1920, 1080, 0.6, 24, 0, 100, 100 / 1000.0, 250, 0, 0},
    {"htc_vive_pro", 1440, 1600, 0, 0, 13.153262507309297, 133.3, 0.1, 0, 0, 0},
    {"iphone_12_pro", 2532, 1170, 20 * 0.0254, 6.1, 0, 825, 0.0004, 250, 0, 0},
    {"iphone_14_pro", 2532, 1170, 20 * 0.0254, 6.1, 0, 1025, 0.0004, 250, 0, 0},
    {"iphone_14_pro_hdr", 2532, 1170, 20 * 0.0254, 6.1, 0, 1590, 0.0004, 10, 5, 1},
    {"ipad_pro_12_9", 2732, 2048, 20 * 0.0254, 12.9, 0, 600, 0.37, 250, 0, 0},
    {"macbook_pro_16", 3072, 1920, 25 * 0.0254, 16, 0, 500, 0.37, 250, 0, 0},
    {"lg_oled_2017_sdr", 3840, 2160, 101 * 0.0254, 64.5, 0, 272, 0.014, 100, 0, 0},
    {"lg_oled_2017_hdr", 3840, 2160, 101 * 0.0254, 64.5, 0, 754, 0.038, 100, 0, 0},
    {"eizo_CG3146", 4096, 2160, 0.73406, 31.063, 0, 300, 300 / 3000.0, 0, 0, 0},
};

static double density(const Display *d)
{
    if (d->ppd > 0)
        return d->ppd;
    double ar = (double)d->w / (double)d->h;
    double height = sqrt((d->diagonal * inch) * (d->diagonal * inch) / (1 + ar * ar));
    return 1 / (2 * datan(0.5 * (ar * height) / d->w / d->distance) * 57.29577951308232);
}

/* ---- 4 input ---- */

#define STEPS 4096
static float curve[STEPS + 2], hlg_scale, hlg_base, hlg_gamma, dkl[3][3];

static void make_display(const Param *o)
{
    double lb = o->black, lr = o->ambient / 3.141592653589793 * o->refl, span = o->peak - lb, base = lb + lr;
    double rw = dpow(o->peak, 1 / 2.4), rb = dpow(lb, 1 / 2.4), a = dpow(rw - rb, 2.4), b = rb / (rw - rb);
    for (int i = 0; i <= STEPS; i++) {
        double v = i / (double)STEPS, e = 0;
        if (o->transfer == 0)
            e = v <= 0.04045 ? v / 12.92 : dpow((v + 0.055) / 1.055, 2.4);
        else if (o->transfer == 2 || o->transfer == 3)
            e = dpow(v, o->transfer == 2 ? 2.2 : 2.4);
        else if (o->transfer == 4) {
            double t = dpow(v, 1 / 78.84375), n = t - 0.8359375;
            e = 10000 * dpow((n > 0 ? n : 0) / (18.8515625 - 18.6875 * t), 1 / 0.1593017578125);
        } else if (o->transfer == 5)
            e = v <= 0.5 ? v * v / 3 : (dexp((v - 0.55991072952956202) / 0.17883277) + 0.28466892) / 12;
        if (o->transfer == 1)
            e = (a * dpow(v + b, 2.4)) * o->exposure, e = (e > o->peak ? o->peak : e) + lr;
        else if (o->transfer == 4)
            e = e * o->exposure, e = (e > o->peak ? o->peak : e < 0.005 ? 0.005 : e) + base;
        else if (o->transfer != 5)
            e = e * o->exposure, e = span * (e > 1 ? 1 : e) + base;
        curve[i] = (float)e;
    }
    curve[STEPS + 1] = curve[STEPS];
    double gamma = 1.2;
    if (o->peak > 1000)
        gamma = 1.2 + 0.42 * dlog10(o->peak / 1000) - (o->ambient > 0 ? 0.07623 * dlog10(o->ambient / 5) : 0);
    hlg_gamma = (float)(gamma - 1);
    hlg_scale = (float)span;
    hlg_base = (float)base;
    static const double xyz[3][3][3] = {
        {{0.4124564, 0.3575761, 0.1804375}, {0.2126729, 0.7151522, 0.0721750}, {0.0193339, 0.1191920, 0.9503041}},
        {{0.6370, 0.1446, 0.1689}, {0.2627, 0.6780, 0.0593}, {0.0000, 0.0281, 1.0610}},
        {{0.4866, 0.2657, 0.1982}, {0.2290, 0.6917, 0.0793}, {0.0000, 0.0451, 1.0437}}};
    static const double lms[3][3] = {{0.187596268556126, 0.585168649077728, -0.026384263306304},
                                     {-0.133397430663221, 0.405505777260049, 0.034502127690364},
                                     {0.000244379021663, -0.000542995890619, 0.019406849066323}};
    static const double opp[3][3] = {{1, 1, 0}, {1, -2.311130179947035, 0}, {-1, -1, 50.977571328718781}};
    double t[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            t[i][j] = (opp[i][0] * lms[0][j] + opp[i][1] * lms[1][j]) + opp[i][2] * lms[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            dkl[i][j] = (float)((t[i][0] * xyz[o->primaries][0][j] + t[i][1] * xyz[o->primaries][1][j]) +
                                t[i][2] * xyz[o->primaries][2][j]);
}

static float look_up(float v)
{
    float t = v * (float)STEPS;
    int32_t i = (int32_t)t;
    float f = t - (float)i;
    return curve[i] + f * (curve[i + 1] - curve[i]);
}

/* Converts a picture to the opponent planes Y, rg, yv. */
static void to_opponent(const Picture *a, const Param *o, Plane out[3])
{
    for (int y = 0; y < a->h; y++)
        for (int x = 0; x < a->w; x++) {
            size_t n = (size_t)y * a->w + x;
            float c[3];
            to_rgb(a, o->matrix, o->full, o->location, x, y, c);
            for (int k = 0; k < 3; k++)
                c[k] = look_up(min32(max32(c[k], 0.0f), 1.0f));
            if (o->transfer == 5) {
                float ys = (0.2627f * c[0] + 0.678f * c[1]) + 0.0593f * c[2];
                float g = vexp2(hlg_gamma * vlog2(max32(ys, 0x1p-20f))), e = (float)o->exposure;
                for (int k = 0; k < 3; k++)
                    c[k] = hlg_scale * min32((g * c[k]) * e, 1.0f) + hlg_base;
            }
            for (int k = 0; k < 3; k++)
                out[k].p[n] = (dkl[k][0] * c[0] + dkl[k][1] * c[1]) + dkl[k][2] * c[2];
        }
}

/* ---- 5 temporal filters ---- */

static int taps_half;     // h: the filters have 2h + 1 taps
static float tap[4][256]; // tap[channel][distance from the centre]

static void make_filters(double fps)
{
    static const double sigma[4] = {5.79336, 14.1255, 6.63661, 0.12314}, beta[4] = {1.3314, 1.1196, 0.947901, 0.1898};
    int h = (int)ceil(fps / 8), n = 2 * h + 1;
    taps_half = h;
    double r[4][256];
    for (int c = 0; c < 4; c++)
        for (int i = 0; i <= h; i++) {
            double w = fps / 2 * i / h, e = dpow(w, beta[c]);
            if (c == 3) {
                e = e - dpow(5, beta[c]);
                e = e * e;
            }
            r[c][i] = dexp(-(e / sigma[c]));
        }
    for (int c = 0; c < 4; c++)
        for (int k = 0; k <= h; k++) {
            double s = 0;
            for (int i = 1; i <= h; i++) {
                int m = (int)((int64_t)i * k % n);
                s = s + r[c][i] * dcos_turn(2 * m > n ? n - m : m, n);
            }
            tap[c][k] = (float)((r[c][0] + 2 * s) / n);
        }
}

/* ---- 6 pyramid ---- */

static Plane reduce(Plane a)
{
    const float k0 = 0.4f, k1 = 0.25f, k2 = 0.05f;
    int w = a.w, h = a.h, w2 = (w + 1) >> 1, h2 = (h + 1) >> 1;
    Plane v = plane(w, h2), o = plane(w2, h2);
    for (int y = 0; y < h2; y++)
        for (int x = 0; x < w; x++) {
#define V(i) a.p[(size_t)((i) < 0 ? -1 - (i) : (i) >= h ? 2 * h - 1 - (i) : (i)) * w + x]
            int c = 2 * y;
            v.p[(size_t)y * w + x] = (k0 * V(c) + k1 * (V(c - 1) + V(c + 1))) + k2 * (V(c - 2) + V(c + 2));
        }
    for (int y = 0; y < h2; y++)
        for (int x = 0; x < w2; x++) {
            const float *r = v.p + (size_t)y * w;
            int c = 2 * x;
            float l1 = r[c < 1 ? 0 : c - 1], l2 = r[c < 2 ? 1 - c : c - 2], r1, r2, more = 0;
            if (x < w2 - 1) {
                r1 = r[c + 1];
                r2 = r[c + 2];
            } else if (w & 1) {
                r1 = h & 1 ? r[w - 1] : 0.0f;
                r2 = h & 1 ? r[w - 2] : r[w - 1];
            } else {
                r1 = r[w - 1];
                r2 = h & 1 ? r[w - 2] : r[w - 1];
                more = h & 1 ? k1 * r[w - 1] : 0.0f;
            }
            o.p[(size_t)y * w2 + x] = ((k0 * r[c] + k1 * (l1 + r1)) + k2 * (l2 + r2)) + more;
        }
    free(v.p);
    return o;
}

static Plane expand(Plane a, int w, int h)
{
    Plane v = plane(a.w, h), o = plane(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < a.w; x++) {
#define A(i) a.p[(size_t)clampi(i, a.h) * a.w + x]
            int i = y >> 1;
            v.p[(size_t)y * a.w + x] = y & 1 ? 0.5f * (A(i) + A(i + 1)) : 0.8f * A(i) + 0.1f * (A(i - 1) + A(i + 1));
        }
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const float *r = v.p + (size_t)y * a.w;
            int i = x >> 1;
#define B(i) r[clampi(i, a.w)]
            o.p[(size_t)y * w + x] = x & 1 ? 0.5f * (B(i) + B(i + 1)) : 0.8f * B(i) + 0.1f * (B(i - 1) + B(i + 1));
        }
    free(v.p);
    return o;
}

/* ---- 7 sensitivity ---- */

#define MAX_BANDS 16
#define CURVE_STEPS 672
static int bands;
static double freq[MAX_BANDS], base_log[4][32];
static float sens[MAX_BANDS][4][CURVE_STEPS + 1];

static const double correction = -0.2797423303127289, gain[4] = {1, 1.45, 1, 1};

static void log_sensitivity(int c, double rho, double out[32])
{
    double at = dlog2(rho * 10) / dlog2(640) * 31;
    int j = (int)at;
    j = j < 0 ? 0 : j > 30 ? 30 : j;
    for (int i = 0; i < 32; i++)
        out[i] = csf[c][i][j] / 1e8 + (csf[c][i][j + 1] / 1e8 - csf[c][i][j] / 1e8) * (at - j);
}

static double sensitivity(const double line[32], double lum)
{
    double at = dlog2(lum / 0.005) / dlog2(2000000) * 31;
    at = at < 0 ? 0 : at > 31 ? 31 : at;
    int i = (int)at;
    i = i > 30 ? 30 : i;
    return dpow10(line[i] * (1 - (at - i)) + line[i + 1] * (at - i) + correction / 20);
}

static void make_bands(int w, int h, double ppd)
{
    int side = w < h ? w : h, most = -1, below = 0;
    while (side >> (most + 2))
        most++; // floor(log2(side)) - 1
    while (below ? 0.3228 * ldexp(1, 1 - below) * ppd / 2 > 0.2 : ppd / 2 > 0.2)
        below++;
    int height = below + 1 < most ? below + 1 : most;
    bands = height + 1;
    for (int b = 0; b < height; b++) {
        freq[b] = (b ? 0.3228 * ldexp(1, 1 - b) : 1.0) * ppd / 2;
        for (int c = 0; c < 4; c++) {
            double line[32];
            log_sensitivity(c, freq[b], line);
            for (int i = 0; i <= CURVE_STEPS; i++) {
                double lum = ldexp(1 + (i & 31) / 32.0, (i >> 5) - 7);
                sens[b][c][i] = (float)(sensitivity(line, lum) * gain[c] * (b ? 2 : 1));
            }
        }
    }
    freq[height] = 0.1;
    for (int c = 0; c < 4; c++)
        log_sensitivity(c, 0.1, base_log[c]);
}

/* ---- 8 masking ---- */

static const double mask_p = 2.264355182647705, mask_c = -0.7954971194267273, d_max = 2.5642454624176025;
static const double mask_q[4] = {1.302622675895691, 2.8885908126831055, 3.6807713508605957, 3.588787317276001};
static const double cross[4][4] = {
    {-0.18950104713439941, -5.962151050567627, -4.31834602355957, -1.9321587085723877},
    {2.5655593872070312, 0.34406712651252747, -2.719646453857422, -0.4970424771308899},
    {3.8118371963500977, -1.0051705837249756, -0.5193376541137695, -0.5653647780418396},
    {-7.054771423339844, -5.527150630950928, -3.5106418132781982, -2.08804988861084}};
static float blur_tap[7], cross_w[4][4], exp_p, exp_q[4], zero_p, zero_q[4], contrast_gain, ceiling;
static const float eps = 1e-5f;

static float vpow(float x, float y)
{
    return vexp2(y * vlog2(x));
}

static void make_masking(void)
{
    double t[7], s;
    for (int k = 0; k < 7; k++)
        t[k] = dexp(-0.5 * (k / 3.0) * (k / 3.0));
    s = t[0];
    for (int k = 1; k < 7; k++)
        s = s + 2 * t[k];
    for (int k = 0; k < 7; k++)
        blur_tap[k] = (float)(t[k] / s);
    for (int i = 0; i < 16; i++)
        cross_w[i / 4][i % 4] = (float)dexp2(cross[i / 4][i % 4]);
    exp_p = (float)mask_p;
    zero_p = vpow(eps, exp_p);
    for (int c = 0; c < 4; c++) {
        exp_q[c] = (float)mask_q[c];
        zero_q[c] = vpow(eps, exp_q[c]);
    }
    contrast_gain = (float)dpow10(mask_c);
    ceiling = (float)dpow10(d_max);
}

static int mirror(int i, int n)
{
    return i < 0 ? -i : i >= n ? 2 * n - 2 - i : i;
}

static void blur(Plane a)
{
    Plane v = plane(a.w, a.h);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = blur_tap[0] * a.p[(size_t)y * a.w + x];
            for (int k = 1; k < 7; k++)
                s = s + blur_tap[k] *
                            (a.p[(size_t)mirror(y - k, a.h) * a.w + x] + a.p[(size_t)mirror(y + k, a.h) * a.w + x]);
            v.p[(size_t)y * a.w + x] = s;
        }
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            const float *r = v.p + (size_t)y * a.w;
            float s = blur_tap[0] * r[x];
            for (int k = 1; k < 7; k++)
                s = s + blur_tap[k] * (r[mirror(x - k, a.w)] + r[mirror(x + k, a.w)]);
            a.p[(size_t)y * a.w + x] = s;
        }
    free(v.p);
}

/* ---- 9 sums ---- */

typedef struct {
    uint64_t limb[2];
} Sum;

static Sum sum_plane(Plane a)
{
    Sum sum = {{0, 0}};
    for (int y0 = 0; y0 < a.h; y0 += 8)
        for (int x = 0; x < a.w; x++) {
            float s = 0;
            for (int y = y0; y < a.h && y < y0 + 8; y++) {
                float d = a.p[(size_t)y * a.w + x], v = d * (d + 2e-5f);
                s = y == y0 ? v : s + v;
            }
            float t = s * 0x1p10f;
            for (int i = 0; i < 2; i++) {
                int32_t n = (int32_t)t;
                sum.limb[i] += (uint64_t)n;
                t = (t - (float)n) * 0x1p30f;
            }
        }
    return sum;
}

/* ---- 8, 9 one frame ---- */

typedef struct {
    double q[4][MAX_BANDS]; // pooled difference per channel and band
    int w[MAX_BANDS], h[MAX_BANDS];
} Frame;

static double grow(double x, double p)
{
    return dpow(x + 1e-5, p) - dpow(1e-5, p);
}

static const double baseband[4] = {0.0036334486212581396, 1.6627724170684814, 4.11874532699585, 25.25969886779785};
static const double chan_w[4] = {1, 1, 1, 0.8081134557723999};
static const double image_int = 0.577918291091919, jod_a = 0.0439569391310215, jod_exp = 0.9302042722702026;

static double to_jod(double q)
{
    return 10 - (q <= 0.1 ? jod_a * dpow(0.1, jod_exp - 1) * q : jod_a * dpow(q, jod_exp));
}

/* planes: test and reference of channel 0, then of channel 1, ...; map may be NULL. */
static void measure(Plane *planes, int channels, Frame *f, Plane *map)
{
    Plane g[MAX_BANDS][8], norm[MAX_BANDS];
    memset(f, 0, sizeof *f);
    float weight[4], last[4], zero4 = (eps * eps) * (eps * eps), root = vpow(eps, 0.25f);
    for (int c = 0; c < channels; c++) {
        double t = chan_w[c] * (channels == 3 ? image_int : 1);
        weight[c] = (float)t;
        last[c] = (float)(t * baseband[c]);
    }
    for (int i = 0; i < 2 * channels; i++) {
        g[0][i] = planes[i];
        for (int b = 1; b < bands; b++)
            g[b][i] = reduce(g[b - 1][i]);
    }
    for (int b = 0; b < bands; b++) {
        int w = g[b][0].w, h = g[b][0].h;
        size_t count = (size_t)w * h;
        f->w[b] = w;
        f->h[b] = h;
        Plane d[4];
        if (map)
            norm[b] = plane(w, h);
        if (b == bands - 1) {
            double mean[2];
            for (int v = 0; v < 2; v++) {
                double s = 0;
                for (size_t n = 0; n < count; n++)
                    s = s + (double)max32(g[b][v].p[n], 0.01f);
                mean[v] = s / (double)count;
            }
            for (int c = 0; c < channels; c++) {
                double sens0 = sensitivity(base_log[c], mean[1]), s = 0;
                if (map)
                    d[c] = plane(w, h);
                for (size_t n = 0; n < count; n++) {
                    double t = (double)g[b][2 * c].p[n] / mean[0], r = (double)g[b][2 * c + 1].p[n] / mean[1];
                    double e = (t > 1000 ? 1000 : t) - (r > 1000 ? 1000 : r);
                    e = (e < 0 ? 0 - e : e) * sens0;
                    s = s + e * (e + 2e-5);
                    if (map)
                        d[c].p[n] = (float)e;
                }
                f->q[c][b] = dpow(s / (double)count + 1e-5, 0.5) - dpow(1e-5, 0.5);
            }
        } else {
            Plane e[8], m[4], tp[4], rp[4];
            for (int i = 0; i < 2 * channels; i++)
                e[i] = expand(g[b + 1][i], w, h);
            for (int c = 0; c < channels; c++) {
                m[c] = plane(w, h);
                tp[c] = plane(w, h);
                rp[c] = plane(w, h);
                d[c] = plane(w, h);
            }
            for (size_t n = 0; n < count; n++) {
                float lt = max32(e[0].p[n], 0.01f), lr = max32(e[1].p[n], 0.01f), it = vrcp(lt), ir = vrcp(lr);
                uint32_t at = bits(min32(lr, 0x1.fffffep13f)) - 0x3C000000u; // 2^-7
                int j = (int)(at >> 18);
                float fr = (float)(at & 0x3FFFFu) * 0x1p-18f;
                for (int c = 0; c < channels; c++) {
                    const float *table = sens[b][c];
                    float s = table[j] + fr * (table[j + 1] - table[j]);
                    float t = (g[b][2 * c].p[n] - e[2 * c].p[n]) * it,
                          r = (g[b][2 * c + 1].p[n] - e[2 * c + 1].p[n]) * ir;
                    t = min32(max32(t, -32768.0f), 1000.0f) * s;
                    r = min32(max32(r, -32768.0f), 1000.0f) * s;
                    tp[c].p[n] = t;
                    rp[c].p[n] = r;
                    m[c].p[n] = min32(fabsf(t), fabsf(r));
                }
            }
            for (int c = 0; c < channels; c++)
                if (w > 6 && h > 6)
                    blur(m[c]);
            for (size_t n = 0; n < count; n++) {
                float k[4];
                for (int c = 0; c < channels; c++)
                    k[c] = max32(vpow(m[c].p[n] * contrast_gain + eps, exp_q[c]) - zero_q[c], 0.0f);
                for (int c = 0; c < channels; c++) {
                    float s = cross_w[0][c] * k[0];
                    for (int i = 1; i < channels; i++)
                        s = s + cross_w[i][c] * k[i];
                    float a = max32(vpow(fabsf(tp[c].p[n] - rp[c].p[n]) + eps, exp_p) - zero_p, 0.0f);
                    d[c].p[n] = (ceiling * a) * vrcp((1.0f + s) * ceiling + a);
                }
            }
            for (int c = 0; c < channels; c++) {
                Sum sum = sum_plane(d[c]);
                double s = (double)sum.limb[0] * 0x1p-10 + (double)sum.limb[1] * 0x1p-40;
                f->q[c][b] = dpow(s / (double)count + 1e-5, 0.5) - dpow(1e-5, 0.5);
                free(m[c].p);
                free(tp[c].p);
                free(rp[c].p);
            }
            for (int i = 0; i < 2 * channels; i++)
                free(e[i].p);
        }
        for (size_t n = 0; map && n < count; n++) {
            float s = 0;
            for (int c = 0; c < channels; c++) {
                float u = d[c].p[n] * (b == bands - 1 ? last[c] : weight[c]) + eps, v = u * u;
                v = max32(v * v - zero4, 0.0f);
                s = c ? s + v : v;
            }
            float v = max32(vpow(s + eps, 0.25f) - root, 0.0f);
            norm[b].p[n] = b == 0 || b == bands - 1 ? v : 0.5f * v;
        }
        if (map || b < bands - 1)
            for (int c = 0; c < channels; c++)
                free(d[c].p);
    }
    if (map) {
        Plane m = norm[bands - 1];
        for (int b = bands - 2; b >= 0; b--) {
            Plane e = expand(m, f->w[b], f->h[b]);
            for (size_t n = 0; n < (size_t)e.w * e.h; n++)
                e.p[n] = e.p[n] + norm[b].p[n];
            free(m.p);
            free(norm[b].p);
            m = e;
        }
        float slope = (float)(jod_a * dpow(0.1, jod_exp - 1) * 0.1), a = (float)(jod_a * 0.1), ex = (float)jod_exp;
        for (size_t n = 0; n < (size_t)m.w * m.h; n++) {
            float q = m.p[n];
            m.p[n] = q <= 0.1f ? slope * q : a * vpow(q, ex);
        }
        *map = m;
    }
    for (int i = 0; i < 2 * channels; i++)
        for (int b = 1; b < bands; b++)
            free(g[b][i].p);
}

/* ---- 10 pooling ---- */

static double pool_frame(const Frame *f, int channels)
{
    double all = 0;
    for (int c = 0; c < channels; c++) {
        double s = 0;
        for (int b = 0; b < bands; b++)
            s = s + grow(f->q[c][b] * chan_w[c] * (b == bands - 1 ? baseband[c] : 1), 4);
        all = all + grow(grow(s, 0.25), 4);
    }
    return grow(all, 0.25);
}

int main(int argc, char **argv)
{
    Param o = {0, 0, -1, -1, 0, -1, -1, -1, 0.005, 1, -1, 0};
    const char *name = "standard_4k";
    double contrast = -1;
    int still = 0;
    if (argc < 4)
        die("usage: cvvdp METRIC REF DIS [NAME=VALUE...]");
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
        else if ((v = option(argv[i], "display")))
            name = v;
        else if ((v = option(argv[i], "peak")))
            o.peak = atof(v);
        else if ((v = option(argv[i], "black")))
            o.black = atof(v);
        else if ((v = option(argv[i], "contrast")))
            contrast = atof(v);
        else if ((v = option(argv[i], "ambient")))
            o.ambient = atof(v);
        else if ((v = option(argv[i], "reflectance")))
            o.refl = atof(v);
        else if ((v = option(argv[i], "exposure")))
            o.exposure = atof(v);
        else if ((v = option(argv[i], "ppd")))
            o.ppd = atof(v);
        else if ((v = option(argv[i], "fps")))
            o.fps = positive(v);
        else if ((v = option(argv[i], "still")))
            still = !strcmp(v, "true");
        else
            die("unknown option");
    }
    const Display *d = 0;
    for (size_t i = 0; i < sizeof displays / sizeof *displays; i++)
        if (!strcmp(displays[i].name, name))
            d = &displays[i];
    if (!d)
        die("unknown display");
    double old_peak = d->peak;
    if (o.peak < 0)
        o.peak = d->peak;
    if (contrast > 0)
        o.black = o.peak / contrast;
    if (o.black < 0)
        o.black = o.peak == old_peak ? d->black : d->black * (o.peak / old_peak);
    if (o.ambient < 0)
        o.ambient = d->ambient;
    if (o.transfer < 0)
        o.transfer = d->transfer;
    if (o.primaries < 0)
        o.primaries = d->primaries;
    if (o.ppd < 0)
        o.ppd = density(d);
    Clip ca, cb;
    open_pair(argv, &ca, &cb);
    if (!(o.fps > 0))
        o.fps = ca.rate;
    if (ca.w < 8 || ca.h < 8)
        die("cvvdp needs pictures of at least 8x8");
    make_display(&o);
    make_masking();
    make_bands(ca.w, ca.h, o.ppd);

    /* This program keeps all frames as opponent planes; a session needs only the last 2h + 1. */
    Plane *x[2] = {take(sizeof(Plane) * 3 * 4096), take(sizeof(Plane) * 3 * 4096)};
    int n = 0;
    for (; n < 4096; n++) {
        Picture p[2];
        if (!read_picture(&cb, &p[0]) || !read_picture(&ca, &p[1]))
            break;
        for (int v = 0; v < 2; v++) {
            for (int c = 0; c < 3; c++)
                x[v][3 * n + c] = plane(ca.w, ca.h);
            to_opponent(&p[v], &o, x[v] + 3 * n);
            for (int c = 0; c < 3; c++)
                free(p[v].p[c]);
        }
    }
    if (!n)
        die("no frames");
    if (still && n > 1)
        die("a still is one picture");
    int channels = n == 1 ? 3 : 4;
    if (n > 1) {
        if (!(o.fps >= 1 && o.fps <= 480))
            die("fps must be 1 to 480");
        make_filters(o.fps);
    }
    Plane y[8];
    for (int i = 0; i < 2 * channels; i++)
        y[i] = plane(ca.w, ca.h);
    double total = 0;
    Frame *list = take(sizeof *list * n);
    for (int f = 0; f < n; f++) {
        for (int c = 0; c < channels; c++)
            for (int v = 0; v < 2; v++) {
                Plane *src = x[v] + (c == 3 ? 0 : c), r = y[2 * c + v];
                if (channels == 3) {
                    memcpy(r.p, src[0].p, sizeof(float) * ca.w * ca.h);
                    continue;
                }
                int mid = f - taps_half;
#define AT(i) src[3 * ((i) < 0 ? 0 : (i))].p[k]
                for (size_t k = 0; k < (size_t)ca.w * ca.h; k++) {
                    float s = tap[c][0] * AT(mid);
                    for (int i = 1; i <= taps_half; i++)
                        s = s + tap[c][i] * (AT(mid - i) + AT(mid + i));
                    r.p[k] = s;
                }
            }
        Plane map;
        int mapped = !f || f == n - 1;
        measure(y, channels, &list[f], mapped ? &map : 0);
        if (mapped) {
            printf("map %d difference %016" PRIx64 "\n", f, hash(map));
            free(map.p);
        }
    }
    double q = 0;
    for (int f = 0; f < n; f++) {
        double one = pool_frame(&list[f], channels);
        if (n == 1)
            q = one * image_int;
        else
            total = total + grow(one, 2);
        printf("frame %d cvvdp_q %a\n", f, one);
    }
    if (n > 1)
        q = grow(total / n, 0.5);
    printf("clip cvvdp %a\n", to_jod(q));
    return 0;
}
