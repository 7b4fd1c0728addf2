/*
 * Butteraugli, from its specification. Run it as the checker does: butteraugli butteraugli REF.y4m DIS.y4m
 * [NAME=VALUE...] Build: cc -O2 -ffp-contract=off -o butteraugli butteraugli.c -lm
 */
#include "light.h"

static size_t area(Plane a)
{
    return (size_t)a.w * a.h;
}
static Plane copy(Plane a)
{
    Plane o = plane(a.w, a.h);
    memcpy(o.p, a.p, sizeof(float) * area(a));
    return o;
}
static void drop(Plane *a, int n)
{
    for (int i = 0; i < n; i++) {
        free(a[i].p);
        a[i].p = 0;
    }
}

/* ---- 5 blurs ---- */

/* Taps 0..radius, and per position the inverse of the share of the kernel that lies inside. */
typedef struct {
    int radius;
    double exact[17], total;
    float tap[17];
} Kernel;

static Kernel kernel(double sigma)
{
    Kernel k;
    k.radius = (int)(2.25 * sigma);
    k.total = 0;
    for (int i = 0; i <= k.radius; i++) {
        k.exact[i] = dexp2(-(double)(i * i) / (2 * sigma * sigma) * 1.4426950408889634);
        k.total = k.total + (i ? 2 : 1) * k.exact[i];
    }
    for (int i = 0; i <= k.radius; i++)
        k.tap[i] = (float)(k.exact[i] / k.total);
    return k;
}

static float *gains(const Kernel *k, int n)
{
    float *g = take(sizeof(float) * n);
    for (int x = 0; x < n; x++) {
        double s = 0;
        int inside = 1;
        for (int i = -k->radius; i <= k->radius; i++)
            if (x + i >= 0 && x + i < n)
                s = s + k->exact[i < 0 ? -i : i];
            else
                inside = 0;
        g[x] = inside ? 1.0f : (float)(k->total / s);
    }
    return g;
}

static Plane blur_open(Plane a, const Kernel *k)
{
    Plane rows = plane(a.w, a.h), out = plane(a.w, a.h);
    float *gx = gains(k, a.w), *gy = gains(k, a.h);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = k->tap[0] * at(a, x, y);
            for (int i = 1; i <= k->radius; i++)
                s = s + k->tap[i] * (at(a, x - i, y) + at(a, x + i, y));
            rows.p[(size_t)y * a.w + x] = s * gx[x];
        }
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = k->tap[0] * at(rows, x, y);
            for (int i = 1; i <= k->radius; i++)
                s = s + k->tap[i] * (at(rows, x, y - i) + at(rows, x, y + i));
            out.p[(size_t)y * a.w + x] = s * gy[y];
        }
    free(rows.p);
    free(gx);
    free(gy);
    return out;
}

static int mirror(int i, int n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

static Plane blur_mirrored(Plane a, const Kernel *k)
{
    Plane rows = plane(a.w, a.h), out = plane(a.w, a.h);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            const float *r = a.p + (size_t)y * a.w;
            float s = k->tap[0] * r[x];
            for (int i = 1; i <= k->radius; i++)
                s = s + k->tap[i] * (r[mirror(x - i, a.w)] + r[mirror(x + i, a.w)]);
            rows.p[(size_t)y * a.w + x] = s;
        }
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = k->tap[0] * rows.p[(size_t)y * a.w + x];
            for (int i = 1; i <= k->radius; i++)
                s = s + k->tap[i] * (rows.p[(size_t)mirror(y - i, a.h) * a.w + x] +
                                     rows.p[(size_t)mirror(y + i, a.h) * a.w + x]);
            out.p[(size_t)y * a.w + x] = s;
        }
    free(rows.p);
    return out;
}

static Kernel k_opsin, k_lf, k_mf, k_hf, k_mask;

/* ---- 6 opsin ---- */

static void absorb(const float c[3], float o[3])
{
    o[0] = 0.29956550340058319f * c[0] +
           (0.63373087833825936f * c[1] + (0.077705617820981968f * c[2] + 1.7557483643287353f));
    o[1] =
        0.22158691104574774f * c[0] + (0.69391388044116142f * c[1] + (0.0987313588422f * c[2] + 1.7557483643287353f));
    o[2] = 0.02f * c[0] + (0.02f * c[1] + (0.20480129041026129f * c[2] + 12.226454707163354f));
}

static void opsin(const Plane rgb[3], float nits, Plane xyb[3])
{
    static const float least[3] = {1.7557483643287353f, 1.7557483643287353f, 12.226454707163354f};
    Plane soft[3];
    for (int c = 0; c < 3; c++)
        soft[c] = blur_mirrored(rgb[c], &k_opsin);
    for (size_t n = 0; n < area(rgb[0]); n++) {
        float a[3], b[3], pre[3], cur[3];
        for (int c = 0; c < 3; c++) {
            a[c] = soft[c].p[n] * nits;
            b[c] = rgb[c].p[n] * nits;
        }
        absorb(a, pre);
        absorb(b, cur);
        for (int c = 0; c < 3; c++) {
            float p = max32(pre[c], least[c]);
            float gamma = 0x1.aade38p+3f * vlog2(p + 9.9710635769299145f) + -23.16046239805755f;
            float sense = max32(gamma * vrcp(p), 1e-4f);
            cur[c] = max32(cur[c] * sense, least[c]);
        }
        xyb[0].p[n] = cur[0] - cur[1];
        xyb[1].p[n] = cur[0] + cur[1];
        xyb[2].p[n] = cur[2];
    }
    drop(soft, 3);
}

/* ---- 7 bands ---- */

static float shrink(float x, float w)
{
    return x > w ? x - w : x < -w ? x + w : 0.0f;
}
static float grow(float x, float w)
{
    return x > w ? x + w : x < -w ? x - w : x + x;
}
static float soften(float x, float m)
{
    return x >= m ? (x - m) * 0.724216145665f + m : x < -m ? (x + m) * 0.724216145665f - m : x;
}

typedef struct {
    Plane lf[3], mf[3], hf[2], uhf[2];
} Bands;

static Bands separate(const Plane xyb[3])
{
    Bands s;
    size_t count = area(xyb[0]);
    for (int c = 0; c < 3; c++) {
        s.lf[c] = blur_open(xyb[c], &k_lf);
        Plane rest = plane(xyb[0].w, xyb[0].h);
        for (size_t n = 0; n < count; n++)
            rest.p[n] = xyb[c].p[n] - s.lf[c].p[n];
        s.mf[c] = blur_open(rest, &k_mf);
        if (c < 2) {
            for (size_t n = 0; n < count; n++) {
                rest.p[n] = rest.p[n] - s.mf[c].p[n];
                s.mf[c].p[n] = c ? grow(s.mf[c].p[n], 0.1f) : shrink(s.mf[c].p[n], 0.29f);
            }
            s.uhf[c] = rest; /* the bands HF and UHF are not separated yet */
        } else
            free(rest.p);
    }
    for (size_t n = 0; n < count; n++) {
        float x = s.lf[0].p[n], y = s.lf[1].p[n], b = s.lf[2].p[n], v = s.uhf[1].p[n];
        s.lf[0].p[n] = x * 33.832837186260f;
        s.lf[1].p[n] = y * 14.458268100570f;
        s.lf[2].p[n] = (-0.362267051518f * y + b) * 49.87984651440f;
        float k = (46.0f * vrcp(v * v + 46.0f)) * 0.346979443743f + 0.653020556257f;
        s.uhf[0].p[n] = k * s.uhf[0].p[n];
    }
    for (int c = 0; c < 2; c++) {
        s.hf[c] = blur_open(s.uhf[c], &k_hf);
        for (size_t n = 0; n < count; n++) {
            float h = s.hf[c].p[n], u;
            if (c == 0) {
                u = s.uhf[0].p[n] - h;
                s.hf[0].p[n] = shrink(h, 1.5f);
                s.uhf[0].p[n] = shrink(u, 0.04f);
            } else {
                h = soften(h, 28.4691806922f);
                u = soften(s.uhf[1].p[n] - h, 5.19175294647f);
                s.uhf[1].p[n] = u * 2.69313763794f;
                s.hf[1].p[n] = grow(h * 2.155f, 0.132f);
            }
        }
    }
    return s;
}

/* ---- 8 differences ---- */

/* Half of each line of the Malta filter: (dx, dy) of the samples on one side; the other side is point-symmetric. */
static const signed char fine[12][4][2] = {
    {{1, 0}, {2, 0}, {3, 0}, {4, 0}}, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}, {{1, 1}, {2, 2}, {3, 3}},
    {{-1, 1}, {-2, 2}, {-3, 3}},      {{1, 1}, {1, 2}, {2, 3}},         {{-1, 1}, {-1, 2}, {-2, 3}},
    {{1, 1}, {2, 1}, {3, 2}},         {{-1, 1}, {-2, 1}, {-3, 2}},      {{0, 1}, {-1, 2}, {-1, 3}, {-1, 4}},
    {{0, 1}, {1, 2}, {1, 3}, {1, 4}}, {{1, 0}, {2, 1}, {3, 1}, {4, 1}}, {{1, 0}, {2, -1}, {3, -1}, {4, -1}}};
static const signed char coarse[16][4][2] = {
    {{2, 0}, {4, 0}},   {{0, 2}, {0, 4}},   {{2, 2}, {3, 3}}, {{-2, 2}, {-3, 3}},
    {{-1, 2}, {-1, 4}}, {{1, 2}, {1, 4}},   {{2, 1}, {4, 1}}, {{2, -1}, {4, -1}},
    {{1, 2}, {2, 3}},   {{-1, 2}, {-2, 3}}, {{2, 1}, {3, 2}}, {{-2, 1}, {-3, 2}},
    {{-2, 1}, {-4, 2}}, {{2, 1}, {4, 2}},   {{1, 2}, {2, 4}}, {{-1, 2}, {-2, 4}}};

static void malta(Plane a, Plane b, double w, double norm, int is_fine, Plane sum)
{
    double mul = is_fine ? 0.39905817637 : 0.611612573796;
    float n1 = (float)norm;
    float k0 = (float)(mul * sqrt(0.5 * w) / 8.5 * norm), k1 = (float)(mul * sqrt(0x1.51eb86p-2 * w) / 8.5 * norm);
    Plane d = plane(a.w, a.h);
    for (size_t n = 0; n < area(a); n++) {
        float x = a.p[n], y = b.p[n], ax = fabsf(x), ay = fabsf(y);
        float r = vrcp(n1 + 0.5f * (ax + ay));
        float small = 0.55f * ax, big = 1.05f * ax, g = x < 0 ? -y : y;
        float miss = g < small ? small - g : g > big ? big - g : 0.0f;
        miss = (k1 * r) * miss;
        d.p[n] = (k0 * r) * (x - y) + (x < 0 ? -miss : miss);
    }
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float t = 0, c = at(d, x, y);
            for (int l = 0; l < (is_fine ? 12 : 16); l++) {
                const signed char(*line)[2] = is_fine ? fine[l] : coarse[l];
                float s = c;
                for (int i = 0; i < 4 && (line[i][0] || line[i][1]); i++)
                    s = s + (at(d, x + line[i][0], y + line[i][1]) + at(d, x - line[i][0], y - line[i][1]));
                float q = s * s;
                t = l == 0 ? q : t + (is_fine && l >= 8 ? 2.0f * q : q);
            }
            sum.p[(size_t)y * a.w + x] = sum.p[(size_t)y * a.w + x] + t;
        }
    free(d.p);
}

static void square(Plane a, Plane b, float w, Plane sum)
{
    for (size_t n = 0; n < area(a); n++) {
        float e = a.p[n] - b.p[n];
        sum.p[n] = sum.p[n] + (e * e) * w;
    }
}

static void square_uneven(Plane a, Plane b, float w, Plane sum)
{
    for (size_t n = 0; n < area(a); n++) {
        float x = a.p[n], y = b.p[n], e = x - y, big = fabsf(x), small = 0.4f * big, g = x < 0 ? -y : y;
        float v = g < small ? small - g : g > big ? g - big : 0.0f;
        sum.p[n] = (sum.p[n] + (e * e) * w) + (v * v) * w;
    }
}

/* ---- 9 masking ---- */

static Plane activity(const Bands *s)
{
    const float bias = 0x1.387336p+6f, root = 0x1.1ad1f2p+3f;
    Plane o = plane(s->hf[0].w, s->hf[0].h);
    for (size_t n = 0; n < area(o); n++) {
        float x = (s->uhf[0].p[n] + s->hf[0].p[n]) * 2.5f, y = s->uhf[1].p[n] * 0.4f + s->hf[1].p[n] * 0.4f;
        float q = x * x + y * y, m = q < 0x1p-60f ? 0.0f : sqrtf(q);
        o.p[n] = max32(sqrtf(6.19424080439f * m + bias) - root, 0.0f);
    }
    Plane b = blur_open(o, &k_mask);
    free(o.p);
    return b;
}

static Plane erode(Plane a)
{
    Plane o = plane(a.w, a.h);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float c = at(a, x, y), m[3] = {c, 2.0f * c, 2.0f * c};
            for (int dy = -3; dy <= 3; dy += 3)
                for (int dx = -3; dx <= 3; dx += 3) {
                    if ((!dx && !dy) || x + dx < 0 || x + dx >= a.w || y + dy < 0 || y + dy >= a.h)
                        continue;
                    float v = at(a, x + dx, y + dy);
                    for (int i = 0; i < 3; i++)
                        if (v < m[i]) {
                            float t = m[i];
                            m[i] = v;
                            v = t;
                        }
                }
            o.p[(size_t)y * a.w + x] = (0.45f * m[0] + 0.3f * m[1]) + 0.25f * m[2];
        }
    return o;
}

static float mask_gain(float v, float offset, float scale, float mul)
{
    float c = mul * vrcp(scale * v + offset), r = 0x1.227f5cp-4f * (1.0f + c);
    return r * r;
}

static Plane difference(const Plane ref[3], const Plane dis[3], float nits)
{
    int w = ref[0].w, h = ref[0].h;
    size_t count = area(ref[0]);
    Plane xa[3], xb[3], ac[3], dc[3];
    for (int c = 0; c < 3; c++) {
        xa[c] = plane(w, h);
        xb[c] = plane(w, h);
        ac[c] = plane(w, h);
        dc[c] = plane(w, h);
        memset(ac[c].p, 0, sizeof(float) * count);
        memset(dc[c].p, 0, sizeof(float) * count);
    }
    opsin(ref, nits, xa);
    opsin(dis, nits, xb);
    Bands a = separate(xa), b = separate(xb);
    malta(a.uhf[1], b.uhf[1], 1.10039032555, 71.7800275169, 1, ac[1]);
    malta(a.uhf[0], b.uhf[0], 173.5, 5.0, 1, ac[0]);
    malta(a.hf[1], b.hf[1], 18.7237414387, 4498534.45232, 0, ac[1]);
    malta(a.hf[0], b.hf[0], 6923.99476109, 8051.15833247, 0, ac[0]);
    malta(a.mf[1], b.mf[1], 37.0819870399, 130262059.556, 0, ac[1]);
    malta(a.mf[0], b.mf[0], 8246.75321353, 1009002.70582, 0, ac[0]);
    static const float uneven[2] = {320.0f, 1.206525624944f}, mid[3] = {2150.0f, 10.6195433239f, 16.2176043152f};
    static const float low[3] = {29.2353797994f, 0.844626970982f, 0.703646627719f};
    for (int c = 0; c < 3; c++) {
        if (c < 2)
            square_uneven(a.hf[c], b.hf[c], uneven[c], ac[c]);
        square(a.mf[c], b.mf[c], mid[c], ac[c]);
        square(a.lf[c], b.lf[c], low[c], dc[c]);
    }
    Plane ma = activity(&a), mb = activity(&b), mask = erode(ma), out = plane(w, h);
    for (size_t n = 0; n < count; n++) {
        float e = ma.p[n] - mb.p[n];
        ac[1].p[n] = ac[1].p[n] + (10.0f * e) * e;
        float hi = mask_gain(mask.p[n], 0.829591754942f, 0.451936922203f, 2.5485944793f);
        float lo = mask_gain(mask.p[n], 0.20025578522f, 3.87449418804f, 0.505054525019f);
        float q = ((dc[0].p[n] + dc[1].p[n]) + dc[2].p[n]) * lo + ((ac[0].p[n] + ac[1].p[n]) + ac[2].p[n]) * hi;
        out.p[n] = q < 0x1p-60f ? 0.0f : sqrtf(q);
    }
    drop(xa, 3);
    drop(xb, 3);
    drop(ac, 3);
    drop(dc, 3);
    drop(a.lf, 3);
    drop(a.mf, 3);
    drop(a.hf, 2);
    drop(a.uhf, 2);
    drop(b.lf, 3);
    drop(b.mf, 3);
    drop(b.hf, 2);
    drop(b.uhf, 2);
    drop(&ma, 1);
    drop(&mb, 1);
    drop(&mask, 1);
    return out;
}

/* ---- 4, 10 sizes and the map ---- */

static Plane extend(Plane a, int w, int h, int bx, int by)
{
    Plane o = plane(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            o.p[(size_t)y * w + x] = at(a, clampi(x - bx, a.w), clampi(y - by, a.h));
    return o;
}

static Plane distance_map(const Plane ref[3], const Plane dis[3], float nits)
{
    int w = ref[0].w, h = ref[0].h, fw = w < 8 ? 8 : w, fh = h < 8 ? 8 : h, bx = (fw - w) / 2, by = (fh - h) / 2;
    Plane a[3], b[3];
    for (int c = 0; c < 3; c++) {
        a[c] = extend(ref[c], fw, fh, bx, by);
        b[c] = extend(dis[c], fw, fh, bx, by);
    }
    Plane full = difference(a, b, nits);
    if (fw >= 15 && fh >= 15) {
        Plane ha[3], hb[3];
        for (int c = 0; c < 3; c++) {
            ha[c] = halve(a[c]);
            hb[c] = halve(b[c]);
        }
        Plane half = difference(ha, hb, nits);
        for (int y = 0; y < fh; y++)
            for (int x = 0; x < fw; x++) {
                float *v = &full.p[(size_t)y * fw + x];
                *v = *v * 0.85f + 0.5f * half.p[(size_t)(y >> 1) * half.w + (x >> 1)];
            }
        drop(ha, 3);
        drop(hb, 3);
        drop(&half, 1);
    }
    drop(a, 3);
    drop(b, 3);
    Plane o = plane(w, h);
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            o.p[(size_t)y * w + x] = full.p[(size_t)(y + by) * fw + x + bx];
    free(full.p);
    return o;
}

/* ---- 11 scores ---- */

typedef struct {
    uint64_t digit[9];
} Digits;

static void add_digits(Digits *d, float s)
{
    uint32_t i = bits(s);
    if (!i)
        return;
    int place = (int)(i >> 23) - 30;
    uint64_t v = (uint64_t)((i & 0x7fffff) | 0x800000) << place % 30;
    d->digit[place / 30] += v & 0x3fffffff;
    d->digit[place / 30 + 1] += v >> 30;
}

static double digits_value(const Digits *d)
{
    double v = 0;
    for (int j = 8; j >= 0; j--)
        v = v + ldexp((double)d->digit[j], 30 * j - 120);
    return v;
}

typedef struct {
    double top, norm3, p3;
    Digits sum[3];
} Scores;

static Scores scores(Plane m)
{
    Scores r;
    memset(&r, 0, sizeof r);
    float top = 0;
    for (int y0 = 0; y0 < m.h; y0 += 8)
        for (int x = 0; x < m.w; x++) {
            float s[3] = {0, 0, 0};
            for (int y = y0; y < m.h && y < y0 + 8; y++) {
                float d = m.p[(size_t)y * m.w + x];
                top = max32(d, top);
                d = d < 0x1p-8f ? 0.0f : min32(d, 1024.0f);
                float p3 = d * (d * d), p6 = p3 * p3, p[3] = {p3, p6, p6 * p6};
                for (int k = 0; k < 3; k++)
                    s[k] = s[k] + p[k];
            }
            for (int k = 0; k < 3; k++)
                add_digits(&r.sum[k], s[k]);
        }
    double n = (double)m.w * m.h, v[3];
    for (int k = 0; k < 3; k++)
        v[k] = dpow(digits_value(&r.sum[k]) / n, 1.0 / (3 << k));
    r.top = top;
    r.p3 = v[0];
    r.norm3 = ((v[0] + v[1]) + v[2]) / 3;
    return r;
}

int main(int argc, char **argv)
{
    if (argc < 4)
        die("usage: butteraugli METRIC REF DIS [NAME=VALUE...]");
    Param o = read_options(argc, argv, "intensity_target", 80);
    Clip ca, cb;
    open_pair(argv, &ca, &cb);
    k_opsin = kernel(1.2);
    k_lf = kernel(7.15593339443);
    k_mf = kernel(3.22489901262);
    k_hf = kernel(1.56416327805);
    k_mask = kernel(2.7);
    Picture a, b;
    for (int n = 0; read_picture(&ca, &a) && read_picture(&cb, &b); n++) {
        Plane x[3], y[3];
        for (int c = 0; c < 3; c++) {
            x[c] = plane(a.w, a.h);
            y[c] = plane(a.w, a.h);
        }
        to_linear(&a, &o, x);
        to_linear(&b, &o, y);
        Plane map = distance_map(x, y, (float)o.white);
        Scores r = scores(map);
        printf("frame %d butteraugli %a\nframe %d butteraugli_3norm %a\nframe %d butteraugli_p3 %a\n", n, r.top, n,
               r.norm3, n, r.p3);
        printf("map %d distance %016" PRIx64 "\n", n, hash(map));
        drop(&map, 1);
        drop(x, 3);
        drop(y, 3);
        for (int c = 0; c < 3; c++)
            free(a.p[c]), free(b.p[c]);
    }
    return 0;
}
