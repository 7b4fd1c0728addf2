/* The visual discrimination model of Lubin: just noticeable differences. docs/metrics/vdm.md */
#include "metric/vdm.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "metric/light.h"
#include "picture/colour.h"

typedef struct VdmOptions {
    const char *preset, *eotf, *csf;
    double lw, lb, ambient_lux, reflectance, distance_h, ppd, max_ppd, retinal_ppd, csf_width, csf_gain, n, w, kappa,
        q;
    double psych_slope, fps, tau_s, tau_f, transient_sens;
    int full_range, levels, pool;
    bool optics, temporal;
    FvRegionOptions region;
} VdmOptions;

static const char *const presets[] = {"fovea", "lubin95", NULL};
static const char *const eotfs[] = {"auto", "bt1886", "srgb", "pq", "linear", "hlg", NULL};
static const char *const csfs[] = {"barten89", "barten03", NULL};

#define OF_PRESET -1 /* option value: taken from the preset */
#define OF_SIGNAL -1 /* option value: taken from the signal's tags */

/*
 * Peak luminance in cd/m2: of SDR displays; of PQ if the mastering display is unknown; the nominal one of HLG
 * (BT.2100).
 */
enum { PEAK_SDR = 100, PEAK_PQ = 1000, PEAK_HLG = 1000 };

#define OPTION_LIST(X)                                                                                               \
    X(VdmOptions, preset, TEXT,                                                                                      \
      ("preset", NULL, "fovea", presets,                                                                             \
       "decides n, w, kappa and csf_gain where they are -1; lubin95: the parameters of 1995"))                       \
    X(VdmOptions, eotf, TEXT, ("eotf", NULL, "auto", eotfs, "transfer function of the display; auto: by the tags"))  \
    X(VdmOptions, full_range, INT,                                                                                   \
      ("full_range", NULL, -1, -1, 1, NULL, "1: codes from 0 to the greatest; 0: video levels; -1: by the tags"))    \
    X(VdmOptions, lw, REAL,                                                                                          \
      ("lw", NULL, OF_SIGNAL, OF_SIGNAL, 10000, "cd/m2",                                                             \
       "peak luminance of the display, from 1; -1: 100; PQ: the mastering display's or 1000; HLG: 1000"))            \
    X(VdmOptions, lb, REAL, ("lb", NULL, 0.1, 0, 5000, "cd/m2", "black level of the display; at most half of lw"))   \
    X(VdmOptions, ambient_lux, REAL, ("ambient_lux", NULL, 0, 0, 10000, "lx", "light that falls on the display"))    \
    X(VdmOptions, reflectance, REAL,                                                                                 \
      ("reflectance", NULL, 0.01, 0, 1, NULL, "share of that light that the display reflects"))                      \
    X(VdmOptions, distance_h, REAL, ("distance_h", "dist", 3, 0.3, 20, "picture heights", "viewing distance"))       \
    X(VdmOptions, ppd, REAL,                                                                                         \
      ("ppd", NULL, 0, 0, 480, "pixels per degree", "density, from 5; 0: it follows from distance_h"))               \
    X(VdmOptions, max_ppd, REAL,                                                                                     \
      ("max_ppd", NULL, 160, 40, 240, "pixels per degree", "the picture is halved while its density exceeds this"))  \
    X(VdmOptions, retinal_ppd, REAL,                                                                                 \
      ("retinal_ppd", NULL, 0, 0, 240, "pixels per degree", "from 5: resamples to this density instead of halving")) \
    X(VdmOptions, levels, INT, ("levels", NULL, 7, 1, 7, NULL, "number of channels, which are an octave apart"))     \
    X(VdmOptions, optics, BOOL, ("optics", NULL, 1, "the eye blurs the picture"))                                    \
    X(VdmOptions, csf, TEXT, ("csf", NULL, "barten89", csfs, "formula of contrast sensitivity"))                     \
    X(VdmOptions, csf_width, REAL,                                                                                   \
      ("csf_width", NULL, 10, 0.5, 60, "degrees", "width of the field in the formula of csf"))                       \
    X(VdmOptions, csf_gain, REAL, ("csf_gain", NULL, -1, -1, 4, NULL, "scales sensitivity, from 0.05; fovea: 0.6"))  \
    X(VdmOptions, n, REAL, ("n", NULL, -1, -1, 4, NULL, "transducer's exponent near threshold, from 1; fovea: 2.4")) \
    X(VdmOptions, w, REAL,                                                                                           \
      ("w", NULL, -1, -1, 1, NULL, "transducer's exponent far above threshold, from 0; fovea: 0.4"))                 \
    X(VdmOptions, kappa, REAL,                                                                                       \
      ("kappa", NULL, -1, -1, 20, NULL, "contrast where the transducer bends, from 0.1; fovea: 2.5"))                \
    X(VdmOptions, q, REAL, ("q", NULL, 2.4, 1, 8, NULL, "exponent of the distance over channels"))                   \
    X(VdmOptions, pool, INT,                                                                                         \
      ("pool", NULL, 5, 1, 5, "px", "side of the square that responses are averaged over: 1 or 5"))                  \
    X(VdmOptions, psych_slope, REAL,                                                                                 \
      ("psych_slope", NULL, 1.3, 0.5, 5, NULL, "exponent of the chance of detection"))                               \
    X(VdmOptions, temporal, BOOL,                                                                                    \
      ("temporal", NULL, 0, "measure the sustained and the transient part of the change separately"))                \
    X(VdmOptions, fps, REAL,                                                                                         \
      ("fps", NULL, 0, 0, 1000, "1/s", "frames a second for temporal, from 1; 0: the video's"))                      \
    X(VdmOptions, tau_s, REAL, ("tau_s", NULL, 0.04, 0.001, 10, "s", "time constant of the sustained part"))         \
    X(VdmOptions, tau_f, REAL, ("tau_f", NULL, 0.01, 0.001, 10, "s", "time constant of the transient part"))         \
    X(VdmOptions, transient_sens, REAL,                                                                              \
      ("transient_sens", NULL, 100, 0, 10000, NULL, "sensitivity to the contrast of the transient part"))            \
    FV_REGION_OPTIONS(X, VdmOptions, region)
FV_OPTIONS(vdm_options, OPTION_LIST);

static const FvOutputInfo outputs[FV_VDM_SCORES] = {
    {"vdm_mean", "JND", 0, 63, FV_LOWER_IS_BETTER, false, "mean of the map, values limited to 63"},
    {"vdm_min", "JND", 0, INFINITY, FV_LOWER_IS_BETTER, false, "least value of the map"},
    {"vdm_max", "JND", 0, INFINITY, FV_LOWER_IS_BETTER, false, "greatest value of the map"},
    {"vdm_p50", "JND", 0, INFINITY, FV_LOWER_IS_BETTER, false, "median of the map, to 1 part in 128"},
    {"vdm_p95", "JND", 0, INFINITY, FV_LOWER_IS_BETTER, false, "95th percentile of the map"},
    {"vdm_p99", "JND", 0, INFINITY, FV_LOWER_IS_BETTER, false, "99th percentile of the map"},
    {"vdm_minkowski", "JND", 0, 63, FV_LOWER_IS_BETTER, false, "fourth root of the mean fourth power of the map"},
    {"vdm_detect", "JND degrees", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "visibility summed over the area; 1: the difference as a whole is just seen"},
    {"vdm_visible", NULL, 0, 1, FV_LOWER_IS_BETTER, false, "share of the picture with 1 JND or more"},
    {"vdm_correct_2afc", "probability", 0.5, 1, FV_LOWER_IS_BETTER, false,
     "chance of a right forced choice between the pictures at the worst place"},
};

#define MAP(i)                                                                                                       \
    {                                                                                                                \
        0, i                                                                                                         \
    }
#define FOUR(i) MAP(i), MAP(i + 1), MAP(i + 2), MAP(i + 3)
static const FvMapOrigin maps[] = {MAP(0),   FOUR(1),  FOUR(5),  FOUR(9),  FOUR(13),
                                   FOUR(17), FOUR(21), FOUR(25), FOUR(29), FOUR(33)};
_Static_assert(sizeof maps / sizeof *maps == FV_VDM_MAPS, "every map of the feature is one of the metric");

static FvStatus check_black(double lw, double lb, FvError *error)
{
    if (lw < 0 || lb <= lw / 2)
        return FV_OK;
    return fv_fail(error, FV_ERROR_USAGE,
                   "vdm: lb=%g is more than half of lw=%g; the black of a display is far below its peak", lb, lw);
}

static FvStatus open_run(FvMetricInstance *run, FvError *error)
{
    const VdmOptions *o = run->options;
    const FvLeast rows[] = {{"ppd", o->ppd, 0, 5},
                            {"lw", o->lw, OF_SIGNAL, 1},
                            {"retinal_ppd", o->retinal_ppd, 0, 5},
                            {"csf_gain", o->csf_gain, OF_PRESET, 0.05},
                            {"n", o->n, OF_PRESET, 1},
                            {"w", o->w, OF_PRESET, 0},
                            {"kappa", o->kappa, OF_PRESET, 0.1},
                            {"fps", o->fps, 0, 1}};
    FvStatus status = fv_metric_check_least(run, rows, sizeof rows / sizeof *rows, error);
    if (!status && o->temporal && o->levels <= FV_VDM_TRANSIENT_LEVEL)
        status =
            fv_fail(error, FV_ERROR_USAGE, "vdm: temporal=true needs levels=%d or more", FV_VDM_TRANSIENT_LEVEL + 1);
    if (!status && o->pool != 1 && o->pool != 5)
        status = fv_fail(error, FV_ERROR_USAGE, "vdm: pool=%d is neither 1 nor 5", o->pool);
    return status ? status : check_black(o->lw, o->lb, error);
}

static int place_of(const char *name)
{
    int i = 1;
    while (eotfs[i] && strcmp(eotfs[i], name))
        i++;
    return eotfs[i] ? i - 1 : -1;
}

/* Returns the model's display function for a transfer tag of H.273, or -1. */
static int eotf_of(int transfer)
{
    const char *name = fv_light_transfer_of(transfer);
    return !name ? -1 : !strcmp(name, "bt709") ? FV_VDM_BT1886 : place_of(name);
}

static double peak_of(const FvMetricInstance *run, int eotf)
{
    const double set = ((const VdmOptions *)run->options)->lw, stated = FV_TAG_OF(run, peak);
    return set > 0 ? set : eotf == FV_VDM_HLG ? PEAK_HLG : eotf != FV_VDM_PQ ? PEAK_SDR : stated ? stated : PEAK_PQ;
}

static FvVdmParameters parameters_of(const FvMetricInstance *run)
{
    const VdmOptions *o = run->options;
    const bool lubin = !strcmp(o->preset, "lubin95"), tagged = !strcmp(o->eotf, "auto");
    const int eotf = tagged ? eotf_of(FV_TAG_OF(run, transfer)) : place_of(o->eotf);
    FvVdmParameters p = {
        .eotf = eotf,
        .full_range = o->full_range < 0 ? FV_TAG_OF(run, range) == FV_RANGE_FULL : o->full_range,
        .lw = peak_of(run, eotf),
        .lb = o->lb,
        .ambient_lux = o->ambient_lux,
        .reflectance = o->reflectance,
        .distance_h = o->distance_h,
        .ppd = o->ppd,
        .max_ppd = o->max_ppd,
        .retinal_ppd = o->retinal_ppd,
        .levels = o->levels,
        .optics = o->optics,
        .barten03 = !strcmp(o->csf, "barten03"),
        .csf_width = o->csf_width,
        .csf_gain = o->csf_gain == OF_PRESET ? (lubin ? 1 : 0.6) : o->csf_gain,
        .n = o->n == OF_PRESET ? (lubin ? 1.5 : 2.4) : o->n,
        .w = o->w == OF_PRESET ? (lubin ? 0.068 : 0.4) : o->w,
        .kappa = o->kappa == OF_PRESET ? (lubin ? 1 : 2.5) : o->kappa,
        .q = o->q,
        .pool = o->pool,
        .psych_slope = o->psych_slope,
        .temporal = o->temporal,
        .fps = o->fps > 0 ? o->fps : fv_metric_rate(run),
        .tau_s = o->tau_s,
        .tau_f = o->tau_f,
        .transient_sens = o->transient_sens,
        .region = o->region,
    };
    if (!p.temporal) /* ignored options must not prevent sharing of instances */
        p.fps = p.tau_s = p.tau_f = p.transient_sens = 1;
    return p;
}

static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvVdmParameters parameters = parameters_of(run);
    fv_want(wants, &fv_feature_vdm, &parameters);
}

static FvStatus check_tags(const FvMetricInstance *run, FvError *error)
{
    const VdmOptions *o = run->options;
    const int ref = run->ref.transfer, dis = run->dis.transfer;
    char names[2][32];
    fv_colour_name(FV_TAG_TRANSFER, ref, names[0], sizeof names[0]);
    fv_colour_name(FV_TAG_TRANSFER, dis, names[1], sizeof names[1]);
    if (strcmp(o->eotf, "auto"))
        return FV_OK;
    if (ref && dis && eotf_of(ref) != eotf_of(dis))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "vdm: the reference is tagged with the transfer characteristics %s and the distorted video with %s; say "
            "which display shows both with eotf=bt1886, srgb, pq, linear or hlg",
            names[0], names[1]);
    if (eotf_of(FV_TAG_OF(run, transfer)) < 0)
        return fv_fail(error, FV_ERROR_USAGE,
                       "vdm: the video is tagged with the transfer characteristics %s, and the model has no display "
                       "for them; choose eotf=bt1886, srgb, pq, linear or hlg",
                       names[dis ? FV_DISTORTED : FV_REFERENCE]);
    return FV_OK;
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const VdmOptions *o = run->options;
    const FvVdmPlan *plan = run->feature[0]->state;
    const FvVdmParameters *p = &plan->parameters;
    const int tag = FV_TAG_OF(run, transfer), eotf = p->eotf;
    FvStatus status = check_tags(run, error);
    if (!status)
        status = check_black(p->lw, p->lb, error);
    if (status)
        return status;
    char by[64] = "no tag tells";
    if (strcmp(o->eotf, "auto"))
        snprintf(by, sizeof by, "as set");
    else if (tag)
        snprintf(by, sizeof by, "tagged %d of H.273", tag);
    const char *range = o->full_range >= 0 ? "as set" : FV_TAG_OF(run, range) ? "as tagged" : "no tag tells";
    const char *peak = o->lw > 0 || (eotf != FV_VDM_PQ && eotf != FV_VDM_HLG) ? ""
                       : eotf == FV_VDM_HLG                                   ? " (nominal)"
                       : FV_TAG_OF(run, peak)                                 ? " (the mastering display's)"
                                                                              : " (no mastering display is stated)";
    snprintf(run->note, sizeof run->note,
             "the display is %s (%s) with %s range (%s), %g cd/m2%s; %.2f pixels per degree", eotfs[eotf + 1], by,
             p->full_range ? "full" : "limited", range, p->lw, peak, plan->ppd);
    size_t used = strlen(run->note);
    if (o->temporal)
        snprintf(run->note + used, sizeof run->note - used, "; temporal channels at %g frames a second (%s)",
                 plan->parameters.fps, o->fps > 0 ? "as set" : "as tagged");
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvVdmPlan *plan = run->feature[0]->state;
    const FvTerm *row = fv_rows_at(rows, 0, frame);
    double samples = (double)(plan->region.moving ? row[FV_VDM_TERM_WEIGHT].integer : (int64_t)plan->region.all.sum);
    fv_vdm_scores(row, samples, plan->ppd, plan->parameters.psych_slope, values);
    return FV_OK;
}

const FvMetric fv_metric_vdm = {
    .info = {.name = "vdm",
             .title = "Visual discrimination model: just noticeable differences",
             .citation = "Lubin, A visual discrimination model for imaging system design and evaluation, 1995",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = FV_VDM_SCORES,
             .maps = fv_vdm_maps,
             .map_count = FV_VDM_MAPS},
    FV_METRIC_OPTIONS(vdm_options, VdmOptions),
    .open = open_run,
    .features = features,
    .init = init,
    .score = score,
    .maps = maps,
};
