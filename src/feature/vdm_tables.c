#include "feature/vdm_tables.h"

#include "arith/transfer.h"

double fv_vdm_ppd(const FvVdmParameters *p, int height)
{
    return p->ppd > 0 ? p->ppd : height * p->distance_h * 0.017453292519943295;
}

/* ---- Display -------------------------------------------------------------------------------------------------- */

static double limited(const FvVdmParameters *p, double light)
{
    light = light > p->lb ? light : p->lb;
    return light < p->lw ? light : p->lw;
}

static double emitted(const FvVdmParameters *p, FvBt1886 display, double v)
{
    switch (p->eotf) {
    case FV_VDM_BT1886:
        return fv_bt1886_light(display, v);
    case FV_VDM_SRGB:
        return p->lb + (p->lw - p->lb) * fv_srgb(v);
    case FV_VDM_PQ:
        return limited(p, 10000 * fv_pq(fv_d_pow, v));
    case FV_VDM_HLG: /* gray: HLG's system gamma (BT.2390) depends on luminance alone */
        return limited(p, p->lw * fv_d_pow(fv_hlg(v), 1.2 * fv_d_pow(1.111, fv_d_log2(p->lw / 1000))));
    default:
        return p->lb + (p->lw - p->lb) * v;
    }
}

bool fv_vdm_same_display(const FvVdmParameters *a, const FvVdmParameters *b)
{
    return a->eotf == b->eotf && a->full_range == b->full_range && a->lw == b->lw && a->lb == b->lb &&
           a->ambient_lux * a->reflectance == b->ambient_lux * b->reflectance;
}

void fv_vdm_display(const FvVdmParameters *p, int depth, float *table)
{
    int codes = 1 << depth;
    double step = 1 << (depth - 8), reflected = p->ambient_lux * p->reflectance / 3.141592653589793;
    const FvBt1886 display = fv_bt1886(fv_d_pow, p->lw, p->lb);
    for (int code = 0; code < codes; code++) {
        double v = p->full_range ? code / (double)(codes - 1) : (code - 16 * step) / (219 * step);
        double light = emitted(p, display, v < 0 ? 0 : v > 1 ? 1 : v) + reflected;
        table[code] = (float)(light > 0x1p-10 ? light : 0x1p-10);
    }
}

/* ---- Optics --------------------------------------------------------------------------------------------------- */

/* Returns Westheimer's point spread at a distance in minutes of arc. */
static double westheimer(double distance)
{
    if (distance <= 0)
        return 1;
    double log = fv_d_log2(distance);
    return 0.952 * fv_d_exp(-2.59 * fv_d_exp2(1.36 * log)) + 0.048 * fv_d_exp(-2.43 * fv_d_exp2(1.74 * log));
}

FvVdmSpread fv_vdm_spread_at(const FvVdmParameters *p, double ppd)
{
    FvVdmSpread spread = {.radius = 0};
    if (!p->optics)
        return spread;
    double cell[15] = {0}, total = 0, minutes = 60 / ppd, radius = ceil(ppd / 60 - 1e-9);
    spread.radius = radius < 1 ? 1 : radius > FV_VDM_RADIUS ? FV_VDM_RADIUS : (int)radius;
    for (int a = 0; a <= spread.radius; a++)
        for (int b = 0; b <= a; b++) {
            int members = a == 0 ? 1 : b == 0 || a == b ? 4 : 8;
            double *sum = &cell[a * (a + 1) / 2 + b];
            for (int v = 0; v < 8; v++) {
                double dy = (b + (v + 0.5) / 8 - 0.5) * minutes;
                for (int u = 0; u < 8; u++) {
                    double dx = (a + (u + 0.5) / 8 - 0.5) * minutes;
                    *sum += westheimer(sqrt(dx * dx + dy * dy));
                }
            }
            total += members * *sum;
        }
    for (int i = 0; i < (spread.radius + 1) * (spread.radius + 2) / 2; i++)
        spread.weight[i] = (float)(cell[i] / total);
    return spread;
}

/* Modulation transfer of the point spread at 0, 1, ... 64 cycles per degree. */
static const double modulation[65] = {
    1.000000, 0.998566, 0.994278, 0.987185, 0.977360, 0.964910, 0.949964, 0.932676, 0.913220, 0.891788, 0.868585,
    0.843824, 0.817727, 0.790516, 0.762412, 0.733634, 0.704392, 0.674888, 0.645309, 0.615832, 0.586618, 0.557813,
    0.529544, 0.501926, 0.475054, 0.449009, 0.423857, 0.399648, 0.376420, 0.354199, 0.332999, 0.312824, 0.293669,
    0.275522, 0.258366, 0.242175, 0.226920, 0.212571, 0.199093, 0.186447, 0.174597, 0.163504, 0.153128, 0.143432,
    0.134376, 0.125923, 0.118037, 0.110682, 0.103826, 0.097435, 0.091479, 0.085929, 0.080756, 0.075936, 0.071443,
    0.067255, 0.063350, 0.059708, 0.056310, 0.053139, 0.050178, 0.047412, 0.044827, 0.042411, 0.040150};

static double modulation_at(double frequency)
{
    if (frequency >= 64)
        return modulation[64];
    int i = (int)floor(frequency);
    return modulation[i] + (frequency - i) * (modulation[i + 1] - modulation[i]);
}

/* ---- Sensitivity ---------------------------------------------------------------------------------------------- */

void fv_vdm_nodes(const FvVdmParameters *p, FvVdmNodes *nodes)
{
    for (int i = 0; i < FV_VDM_NODES; i++) {
        double luminance = ldexp(1 + (i % 8) / 8.0, i / 8 - 10);
        nodes->first[i] =
            p->barten03 ? fv_d_pow(1 + 100 / luminance, 0.08) : 540 * fv_d_pow(1 + 0.7 / luminance, -0.2);
        nodes->second[i] = p->barten03 ? 63 / fv_d_pow(luminance, 0.83) : 0.3 * fv_d_pow(1 + 100 / luminance, 0.15);
    }
}

/* Barten's square-root integral, 1989. f: cycles per degree; width: degrees. */
static double barten89(double f, double first, double second, double width)
{
    double a = first / (1 + 12 / (width * (1 + f / 3) * (1 + f / 3)));
    double e = fv_d_exp(second * f);
    return a * f * sqrt(1 + 0.06 * e) / e;
}

/* Barten's formula of 2004. f: cycles per degree; width: degrees. */
static double barten03(double f, double first, double second, double width)
{
    double top = 5200 * fv_d_exp(-(0.0016 * f * f * first));
    double below = (1 + 144 / (width * width) + 0.64 * f * f) * (second + 1 / (1 - fv_d_exp(-0.02 * f * f)));
    return top / sqrt(below);
}

void fv_vdm_weights(const FvVdmParameters *p, const FvVdmNodes *nodes, double ppd, int level, float *weights)
{
    /*
     * The peak frequency of a level in cycles per sample, and the gain of the linear filters there. The last entries
     * are also for coarser levels.
     */
    static const double peak[] = {0.2475, 0.2275, 0.2225}, gain[] = {0.9045, 0.6890, 0.6440};
    int kind = level < 2 ? level : 2;
    double f = peak[kind] * ppd / (1 << level), inverse = 1 / (gain[kind] * (p->optics ? modulation_at(f) : 1));
    for (int i = 0; i < FV_VDM_NODES; i++) {
        double s = (p->barten03 ? barten03 : barten89)(f, nodes->first[i], nodes->second[i], p->csf_width) *
                   p->csf_gain * inverse;
        double square = s * s;
        weights[i] = (float)(square > 0x1p-100 ? square : 0x1p-100);
    }
}

FvVdmTransducer fv_vdm_transducer(const FvVdmParameters *p)
{
    double difference = p->n - p->w;
    return (FvVdmTransducer){(float)(0.5 * p->n), (float)(0.5 * difference), (float)p->kappa, (float)(1 + p->kappa),
                             fabs(difference - 2) < 1e-9};
}

float fv_vdm_share(const FvVdmParameters *p, double tau)
{
    return (float)(1 - fv_d_exp(-1 / (p->fps * tau)));
}
