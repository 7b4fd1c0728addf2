/*
 * SSIMULACRA 2, from its specification. Run it as the checker does: ssimulacra2 ssimulacra2 REF.y4m DIS.y4m
 * [NAME=VALUE...] Build: cc -O2 -ffp-contract=off -o ssimulacra2 ssimulacra2.c -lm
 */
#include "light.h"

static float vcbrt(float x)
{
    const float third = 0x1.555556p-2f, two_thirds = 0x1.555556p-1f;
    float r = from_bits(0x54A21D2Au - (uint32_t)(int32_t)((float)(int32_t)bits(x) * third));
    for (int i = 0; i < 2; i++) {
        float e = 1.0f - ((x * r) * r) * r;
        r = r + (r * third) * e;
    }
    float y = (x * r) * r;
    return y + (y * two_thirds) * (1.0f - y * r);
}

/* ---- 7 XYB ---- */

static void to_xyb(const Plane in[3], Plane out[3])
{
    const float bias = 0x1.f12a6cp-9f, root = -0x1.3f64eap-3f;
    for (size_t n = 0; n < (size_t)in[0].w * in[0].h; n++) {
        float r = in[0].p[n], g = in[1].p[n], b = in[2].p[n];
        float l = 0.3f * r + (0.622f * g + (0.078f * b + bias));
        float m = 0.23f * r + (0.692f * g + (0.078f * b + bias));
        float s = 0x1.f28798p-3f * r + (0x1.a35d1ep-3f * g + (0x1.1a86d2p-1f * b + bias));
        l = vcbrt(max32(l, 0.0f)) + root;
        m = vcbrt(max32(m, 0.0f)) + root;
        s = vcbrt(max32(s, 0.0f)) + root;
        float x = 0.5f * (l - m), y = 0.5f * (l + m);
        out[0].p[n] = x * 14.0f + 0.42f;
        out[1].p[n] = y + 0.01f;
        out[2].p[n] = (s - y) + 0.55f;
    }
}

/* ---- 8 blur ---- */

static const float tap[5] = {0x1.0ef8d4p-2f, 0x1.b413e8p-3f, 0x1.bfd674p-4f, 0x1.2700c8p-5f, 0x1.347d8p-7f};

static Plane blur(Plane a)
{
    Plane rows = plane(a.w, a.h), out = plane(a.w, a.h);
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = tap[0] * at(a, x, y);
            for (int k = 1; k <= 4; k++)
                s = s + tap[k] * (at(a, x - k, y) + at(a, x + k, y));
            rows.p[(size_t)y * a.w + x] = s;
        }
    for (int y = 0; y < a.h; y++)
        for (int x = 0; x < a.w; x++) {
            float s = tap[0] * at(rows, x, y);
            for (int k = 1; k <= 4; k++)
                s = s + tap[k] * (at(rows, x, y - k) + at(rows, x, y + k));
            out.p[(size_t)y * a.w + x] = s;
        }
    free(rows.p);
    return out;
}

/* ---- 10 sums ---- */

typedef struct {
    uint64_t limb[3];
} Sum;

static void add_group(Sum *sum, float s)
{
    float t = s * 0x1p11f;
    for (int i = 0; i < 3; i++) {
        int32_t n = (int32_t)t;
        sum->limb[i] += (uint64_t)n;
        t = (t - (float)n) * 0x1p30f;
    }
}

static double value(const Sum *s)
{
    return ((double)s->limb[0] * 0x1p-11 + (double)s->limb[1] * 0x1p-41) + (double)s->limb[2] * 0x1p-71;
}

static Sum sum_plane(Plane a, int fourth)
{
    Sum sum = {{0, 0, 0}};
    for (int y0 = 0; y0 < a.h; y0 += 8)
        for (int x = 0; x < a.w; x++) {
            float s = 0;
            for (int y = y0; y < a.h && y < y0 + 8; y++) {
                float v = a.p[(size_t)y * a.w + x], u = v * v;
                if (fourth)
                    v = u * u;
                s = y == y0 ? v : s + v;
            }
            add_group(&sum, s);
        }
    return sum;
}

/* ---- 9 maps, 11 score ---- */

static const double weight[108] = {0.0,
                                   0.0007376606707406586,
                                   0.0,
                                   0.0,
                                   0.0007793481682867309,
                                   0.0,
                                   0.0,
                                   0.0004371155730107379,
                                   0.0,
                                   1.1041726426657346,
                                   0.00066284834129271,
                                   0.00015231632783718752,
                                   0.0,
                                   0.0016406437456599754,
                                   0.0,
                                   1.8422455520539298,
                                   11.441172603757666,
                                   0.0,
                                   0.0007989109436015163,
                                   0.000176816438078653,
                                   0.0,
                                   1.8787594979546387,
                                   10.94906990605142,
                                   0.0,
                                   0.0007289346991508072,
                                   0.9677937080626833,
                                   0.0,
                                   0.00014003424285435884,
                                   0.9981766977854967,
                                   0.00031949755934435053,
                                   0.0004550992113792063,
                                   0.0,
                                   0.0,
                                   0.0013648766163243398,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   7.466890328078848,
                                   0.0,
                                   17.445833984131262,
                                   0.0006235601634041466,
                                   0.0,
                                   0.0,
                                   6.683678146179332,
                                   0.00037724407979611296,
                                   1.027889937768264,
                                   225.20515300849274,
                                   0.0,
                                   0.0,
                                   19.213238186143016,
                                   0.0011401524586618361,
                                   0.001237755635509985,
                                   176.39317598450694,
                                   0.0,
                                   0.0,
                                   24.43300999870476,
                                   0.28520802612117757,
                                   0.0004485436923833408,
                                   0.0,
                                   0.0,
                                   0.0,
                                   34.77906344483772,
                                   44.835625328877896,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0008680556573291698,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0005313191874358747,
                                   0.0,
                                   0.00016533814161379112,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0004179171803251336,
                                   0.0017290828234722833,
                                   0.0,
                                   0.0020827005846636437,
                                   0.0,
                                   0.0,
                                   8.826982764996862,
                                   23.19243343998926,
                                   0.0,
                                   95.1080498811086,
                                   0.9863978034400682,
                                   0.9834382792465353,
                                   0.0012286405048278493,
                                   171.2667255897307,
                                   0.9807858872435379,
                                   0.0,
                                   0.0,
                                   0.0,
                                   0.0005130064588990679,
                                   0.0,
                                   0.00010854057858411537};

typedef struct {
    double score;
    Sum sums[6][3][6];
    int scales, w[6], h[6];
} Result;

static void measure(Plane ref[3], Plane dis[3], Result *r, Plane *map)
{
    Plane a[3], b[3], each[6][3][3];
    memset(each, 0, sizeof each);
    memset(r, 0, sizeof *r);
    for (int s = 0; s < 6; s++) {
        if (ref[0].w < 8 || ref[0].h < 8)
            break;
        for (int c = 0; c < 3 && s; c++) {
            Plane old[2] = {ref[c], dis[c]};
            ref[c] = halve(ref[c]);
            dis[c] = halve(dis[c]);
            free(old[0].p);
            free(old[1].p);
        }
        int w = ref[0].w, h = ref[0].h;
        r->scales = s + 1;
        r->w[s] = w;
        r->h[s] = h;
        for (int c = 0; c < 3; c++) {
            a[c] = plane(w, h);
            b[c] = plane(w, h);
        }
        to_xyb(ref, a);
        to_xyb(dis, b);
        for (int c = 0; c < 3; c++) {
            Plane dd = plane(w, h), ab = plane(w, h), d = plane(w, h), ring = plane(w, h), lost = plane(w, h);
            size_t count = (size_t)w * h;
            for (size_t n = 0; n < count; n++) {
                float e = a[c].p[n] - b[c].p[n];
                dd.p[n] = e * e;
                ab.p[n] = a[c].p[n] * b[c].p[n];
            }
            Plane ma = blur(a[c]), mb = blur(b[c]), sdd = blur(dd), sab = blur(ab);
            for (size_t n = 0; n < count; n++) {
                float m1 = ma.p[n], m2 = mb.p[n], e = m1 - m2, t = e * e;
                float v = max32(sdd.p[n] - t, 0.0f);
                float cov = 2.0f * (sab.p[n] - m1 * m2) + 0.0009f;
                float den = max32(cov + v, 0x1p-11f);
                d.p[n] = min32(max32((v + t * cov) * vrcp(den), 0.0f), 16.0f);
                float e1 = fabsf(a[c].p[n] - m1), e2 = fabsf(b[c].p[n] - m2);
                float q = (e2 - e1) * vrcp(1.0f + e1);
                ring.p[n] = min32(max32(q, 0.0f), 16.0f);
                lost.p[n] = min32(max32(0.0f - q, 0.0f), 16.0f);
            }
            for (int k = 0; k < 2; k++) {
                r->sums[s][c][3 * k + 0] = sum_plane(d, k);
                r->sums[s][c][3 * k + 1] = sum_plane(ring, k);
                r->sums[s][c][3 * k + 2] = sum_plane(lost, k);
            }
            free(dd.p);
            free(ab.p);
            free(ma.p);
            free(mb.p);
            free(sdd.p);
            free(sab.p);
            each[s][c][0] = d;
            each[s][c][1] = ring;
            each[s][c][2] = lost;
        }
        for (int c = 0; c < 3; c++) {
            free(a[c].p);
            free(b[c].p);
        }
    }
    int i = 0;
    float local[6][3][3] = {{{0}}};
    double raw = 0;
    for (int c = 0; c < 3; c++)
        for (int s = 0; s < r->scales; s++)
            for (int k = 0; k < 6; k++, i++) {
                double mean = value(&r->sums[s][c][k]) / ((double)r->w[s] * r->h[s]);
                double norm = k < 3 ? mean : sqrt(sqrt(mean));
                double used = weight[i] >= 0.01 ? weight[i] : 0;
                if (used != 0)
                    raw = raw + used * norm;
                local[s][c][k % 3] += (float)used;
            }
    double x = raw * 0.9562382616834844;
    x = (2.326765642916932 * x - 0.020884521182843837 * x * x) + 6.248496625763138e-05 * x * x * x;
    r->score = x > 0 ? 100.0 - 10.0 * dpow(x, 0.6276336467831387) : 100.0;
    Plane acc = {0, 0, 0};
    for (int s = r->scales - 1; s >= 0; s--) {
        Plane o = plane(r->w[s], r->h[s]);
        for (int y = 0; y < o.h; y++)
            for (int x = 0; x < o.w; x++) {
                size_t n = (size_t)y * o.w + x;
                float v = acc.p ? acc.p[(size_t)(y >> 1) * acc.w + (x >> 1)] : 0.0f;
                for (int c = 0; c < 3; c++)
                    for (int k = 0; k < 3; k++)
                        if (local[s][c][k] != 0.0f)
                            v = v + local[s][c][k] * each[s][c][k].p[n];
                o.p[n] = v;
            }
        free(acc.p);
        acc = o;
    }
    *map = acc;
    for (int s = 0; s < 6; s++)
        for (int c = 0; c < 3; c++)
            for (int k = 0; k < 3; k++)
                free(each[s][c][k].p);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        die("usage: ssimulacra2 METRIC REF DIS [NAME=VALUE...]");
    Param o = read_options(argc, argv, "white", 100);
    Clip ca, cb;
    open_pair(argv, &ca, &cb);
    if (ca.w < 8 || ca.h < 8)
        die("ssimulacra2 needs pictures of at least 8x8");
    Picture a, b;
    for (int n = 0; read_picture(&ca, &a) && read_picture(&cb, &b); n++) {
        Plane x[3], y[3], map;
        for (int c = 0; c < 3; c++) {
            x[c] = plane(a.w, a.h);
            y[c] = plane(a.w, a.h);
        }
        to_linear(&a, &o, x);
        to_linear(&b, &o, y);
        Result r;
        measure(x, y, &r, &map);
        printf("frame %d ssimulacra2 %a\nmap %d error %016" PRIx64 "\n", n, r.score, n, hash(map));
        free(map.p);
        for (int c = 0; c < 3; c++) {
            free(x[c].p);
            free(y[c].p);
            free(a.p[c]);
            free(b.p[c]);
        }
    }
    return 0;
}
