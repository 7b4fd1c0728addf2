/* ColorVideoVDP: computes the tables of the display and of the eye in binary64. docs/metrics/cvvdp.md */
#include "arith/scalar.h"

#include "arith/cvvdp.h"
#include "arith/transfer.h"
#include "base/error.h"
#include "feature/cvvdp.h"
#include "os/memory.h"

static double power_of_10(double y)
{
    return fv_d_exp2(y * 3.3219280948873623);
}

/* Returns cos(2 pi m / n) for 0 <= 2 m <= n. */
static double cosine(int m, int n)
{
    double y = 6.283185307179586 * m / n / 4, z = y * y, p = 1;
    for (int k = 24; k >= 2; k -= 2)
        p = 1 - (p * z) / (double)(k * (k - 1));
    for (int i = 0; i < 2; i++)
        p = 2 * p * p - 1;
    return p;
}

/* ---- Display ------------------------------------------------------------------------------------------------ */

static double reflected(const FvCvvdpParameters *p)
{
    return p->ambient / 3.141592653589793 * p->reflectance;
}

static double bt1886(const FvCvvdpParameters *p, double v)
{
    double light = fv_bt1886_light(fv_bt1886(fv_d_pow, p->peak, p->black), v) * p->exposure;
    return (light > p->peak ? p->peak : light) + reflected(p);
}

double fv_cvvdp_light(const FvCvvdpParameters *p, double v)
{
    double span = p->peak - p->black, base = p->black + reflected(p), light = v;
    switch ((FvCvvdpTransfer)p->transfer) {
    case FV_CVVDP_BT1886:
        return bt1886(p, v);
    case FV_CVVDP_PQ:
        light = 10000 * fv_pq(fv_d_pow, v) * p->exposure;
        return (light > p->peak ? p->peak : light < 0.005 ? 0.005 : light) + base;
    case FV_CVVDP_HLG:
        return fv_hlg(v);
    case FV_CVVDP_SRGB:
        light = fv_srgb(v);
        break;
    case FV_CVVDP_GAMMA22:
        light = fv_d_pow(v, 2.2);
        break;
    case FV_CVVDP_GAMMA24:
        light = fv_d_pow(v, 2.4);
        break;
    }
    light = light * p->exposure;
    return span * (light > 1 ? 1 : light) + base;
}

/* Matrices from cones to opponent channels, from XYZ to cones, and from R, G, B to XYZ. */
static const double of_cones[3][3] = {{1, 1, 0}, {1, -2.311130179947035, 0}, {-1, -1, 50.977571328718781}};
static const double of_xyz[3][3] = {{0.187596268556126, 0.585168649077728, -0.026384263306304},
                                    {-0.133397430663221, 0.405505777260049, 0.034502127690364},
                                    {0.000244379021663, -0.000542995890619, 0.019406849066323}};
static const double of_rgb[3][3][3] = {
    {{0.4124564, 0.3575761, 0.1804375}, FV_LUMINANCE_709, {0.0193339, 0.1191920, 0.9503041}},
    {{0.6370, 0.1446, 0.1689}, FV_LUMINANCE_2020, {0, 0.0281, 1.0610}},
    {{0.4866, 0.2657, 0.1982}, FV_LUMINANCE_P3, {0, 0.0451, 1.0437}}};

static void multiply(const double a[3][3], const double b[3][3], double to[3][3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            to[i][j] = (a[i][0] * b[0][j] + a[i][1] * b[1][j]) + a[i][2] * b[2][j];
}

static FvCvvdpOpponent opponent_of(const FvCvvdpParameters *p)
{
    double gamma = 1.2, cones[3][3], matrix[3][3];
    if (p->peak > 1000)
        gamma = fv_hlg_gamma(p->peak) - (p->ambient > 0 ? 0.07623 * fv_d_log10(p->ambient / 5) : 0);
    FvCvvdpOpponent opponent = {.hlg = p->transfer == FV_CVVDP_HLG,
                                .gamma_1 = (float)(gamma - 1),
                                .exposure = (float)p->exposure,
                                .span = (float)(p->peak - p->black),
                                .base = (float)(p->black + reflected(p))};
    multiply(of_cones, of_xyz, cones);
    multiply((const double(*)[3])cones, of_rgb[p->primaries], matrix);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            opponent.matrix[i][j] = (float)matrix[i][j];
    return opponent;
}

/* ---- Time --------------------------------------------------------------------------------------------------- */

/* Returns a channel's response at frequency number i of 0 to `half`. */
static double response(int channel, double fps, int i, int half)
{
    static const double sigma[] = {5.79336, 14.1255, 6.63661, 0.12314}, beta[] = {1.3314, 1.1196, 0.947901, 0.1898};
    double e = fv_d_pow(fps / 2 * i / half, beta[channel]);
    if (channel == 3) {
        e = e - fv_d_pow(5, beta[channel]);
        e = e * e;
    }
    return fv_d_exp(-(e / sigma[channel]));
}

static FvCvvdpTime time_of(double fps)
{
    FvCvvdpTime time = {.half = (int)ceil(fps / 8)};
    const int half = time.half, n = 2 * half + 1;
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        double r[FV_CVVDP_HALF + 1];
        for (int i = 0; i <= half; i++)
            r[i] = response(c, fps, i, half);
        for (int k = 0; k <= half; k++) {
            double s = 0;
            for (int i = 1; i <= half; i++) {
                int m = i * k % n;
                s = s + r[i] * cosine(2 * m > n ? n - m : m, n);
            }
            time.tap[c][k] = (float)((r[0] + 2 * s) / n);
        }
    }
    return time;
}

/* ---- Bands -------------------------------------------------------------------------------------------------- */

#define LAST (FV_CVVDP_CSF - 1)

/* Fills log10 of the sensitivity to a frequency, at each luminance of the table. */
static void sensitivities(int channel, double frequency, double line[FV_CVVDP_CSF])
{
    double place = fv_d_log2(frequency * 10) / fv_d_log2(640) * LAST;
    int j = (int)place;
    j = j < 0 ? 0 : j >= LAST ? LAST - 1 : j;
    for (int i = 0; i < FV_CVVDP_CSF; i++) {
        double here = fv_cvvdp_csf[channel][i][j] / 1e8, next = fv_cvvdp_csf[channel][i][j + 1] / 1e8;
        line[i] = here + (next - here) * (place - j);
    }
}

double fv_cvvdp_sensitivity(const double line[FV_CVVDP_CSF], double luminance)
{
    double place = fv_d_log2(luminance / 0.005) / fv_d_log2(2000000) * LAST;
    place = place < 0 ? 0 : place > LAST ? LAST : place;
    int i = (int)place < LAST ? (int)place : LAST - 1;
    return power_of_10((line[i] * (1 - (place - i)) + line[i + 1] * (place - i)) + -0.2797423303127289 / 20);
}

static double frequency_of(double ppd, int band)
{
    return band ? 0.3228 * ldexp(1, 1 - band) * ppd / 2 : ppd / 2;
}

static void nodes_of(double ppd, int band, float (*nodes)[FV_CVVDP_CHANNELS][2])
{
    static const double gain[FV_CVVDP_CHANNELS] = {1, 1.45, 1, 1};
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        double line[FV_CVVDP_CSF];
        float here = 0;
        sensitivities(c, frequency_of(ppd, band), line);
        for (int i = 0; i <= FV_CVVDP_NODES; i++) {
            double luminance = ldexp(1 + (i & 31) / 32.0, (i >> 5) - 7);
            float next = (float)(fv_cvvdp_sensitivity(line, luminance) * gain[c] * (band ? 2 : 1));
            if (i) {
                nodes[i - 1][c][0] = here;
                nodes[i - 1][c][1] = next - here;
            }
            here = next;
        }
    }
}

static int bands_of(int width, int height, double ppd)
{
    int side = width < height ? width : height, most = -1, bands = 0;
    while (side >> (most + 2))
        most++;
    while (frequency_of(ppd, bands) > 0.2)
        bands++;
    return bands + 1 < most ? bands + 1 : most;
}

/* ---- Masking and the map ------------------------------------------------------------------------------------ */

static FvCvvdpMasking masking_of(void)
{
    static const double q[] = {1.302622675895691, 2.8885908126831055, 3.6807713508605957, 3.588787317276001};
    static const double cross[FV_CVVDP_CHANNELS][FV_CVVDP_CHANNELS] = {
        {-0.18950104713439941, -5.962151050567627, -4.31834602355957, -1.9321587085723877},
        {2.5655593872070312, 0.34406712651252747, -2.719646453857422, -0.4970424771308899},
        {3.8118371963500977, -1.0051705837249756, -0.5193376541137695, -0.5653647780418396},
        {-7.054771423339844, -5.527150630950928, -3.5106418132781982, -2.08804988861084}};
    FvCvvdpMasking m = {.gain = (float)power_of_10(-0.7954971194267273),
                        .p = (float)2.264355182647705,
                        .ceiling = (float)power_of_10(2.5642454624176025)};
    double weight[FV_CVVDP_RADIUS + 1], sum = 0;
    for (int k = 0; k <= FV_CVVDP_RADIUS; k++) {
        weight[k] = fv_d_exp(-0.5 * (k / 3.0) * (k / 3.0));
        sum = k ? sum + 2 * weight[k] : weight[k];
    }
    for (int k = 0; k <= FV_CVVDP_RADIUS; k++)
        m.blur[k] = (float)(weight[k] / sum);
    m.zero_p = fv_cvvdp_grow(0, m.p, 0);
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++) {
        m.q[c] = (float)q[c];
        m.zero_q[c] = fv_cvvdp_grow(0, m.q[c], 0);
        for (int i = 0; i < FV_CVVDP_CHANNELS; i++)
            m.cross[i][c] = (float)fv_d_exp2(cross[i][c]);
    }
    return m;
}

FvStatus fv_cvvdp_tables(FvCvvdp *cvvdp, int width, int height, FvError *error)
{
    const FvCvvdpParameters *p = &cvvdp->parameters;
    cvvdp->opponent = opponent_of(p);
    cvvdp->masking = masking_of();
    if (cvvdp->clip)
        cvvdp->time = time_of(p->fps);
    cvvdp->bands = bands_of(width, height, p->ppd);
    for (int b = 0; b < cvvdp->bands; b++) {
        size_t bytes = FV_CVVDP_NODES * sizeof *cvvdp->level[b].nodes;
        if (!(cvvdp->level[b].nodes = fv_alloc(bytes)))
            return fv_fail_memory(error, bytes);
        nodes_of(p->ppd, b, cvvdp->level[b].nodes);
    }
    for (int c = 0; c < FV_CVVDP_CHANNELS; c++)
        sensitivities(c, 0.1, cvvdp->base[c]);
    return FV_OK;
}
