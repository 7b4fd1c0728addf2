/* PSNR and SSIM of luminance in the perceptually uniform units of PU21, for HDR and SDR. docs/metrics/pu.md */
#include <math.h>
#include <string.h>

#include "arith/dmath.h"
#include "base/error.h"
#include "feature/ssim.h"
#include "metric/light.h"
#include "picture/colour.h"

#define LIMIT 120 /* dB, of equal pictures */

typedef struct PsnrOptions {
    FvPuOptions display;
    double psnr_peak;
} PsnrOptions;

#define PSNR_OPTION_LIST(X)                                                                                          \
    FV_PU_OPTIONS(X, PsnrOptions)                                                                                    \
    X(PsnrOptions, psnr_peak, REAL,                                                                                  \
      ("psnr_peak", NULL, 256, 1, 1000, "PU", "peak of the PSNR; about SDR white, not the display's peak"))
FV_OPTIONS(psnr_options, PSNR_OPTION_LIST);

#define SSIM_OPTION_LIST(X) FV_PU_OPTIONS(X, FvPuSsimOptions) X(FvPuSsimOptions, scale, INT, FV_PU_SSIM_SCALE)
FV_OPTIONS(ssim_options, SSIM_OPTION_LIST);

enum { PSNR, APSNR, PSNR_OUTPUTS };
static const FvOutputInfo psnr_outputs[PSNR_OUTPUTS] = {
    {"pu_psnr", "dB", -56, LIMIT, FV_HIGHER_IS_BETTER, false, "PSNR of luminance in PU21; its peak is SDR white"},
    {"pu_apsnr", "dB", -56, LIMIT, FV_HIGHER_IS_BETTER, true, "PSNR of the clip's mean squared error in PU21"},
};
static const FvOutputInfo ssim_outputs[] = {
    {"pu_ssim", "", -1, 1, FV_HIGHER_IS_BETTER, false, "structural similarity of luminance in PU21"},
};

/* ---- The display -------------------------------------------------------------------------------------------- */

/* The curve of the display for a tag of the transfer; NULL: there is none. */
static const char *transfer_of(int tag)
{
    const char *name = fv_light_transfer_of(tag);
    if (!name)
        return NULL;
    if (!strcmp(name, "bt709"))
        return "bt1886";
    return !strcmp(name, "pq") || !strcmp(name, "hlg") || !strcmp(name, "srgb") ? name : NULL;
}

static bool is_hdr(const char *transfer)
{
    return !strcmp(transfer, "pq") || !strcmp(transfer, "hlg");
}

/* The options of a run with "auto" and -1 replaced. */
static FvPuOptions display_of(const FvMetricRun *run)
{
    const FvPuOptions *o = run->options;
    FvPuOptions display = *o;
    FvLightOptions light = o->light;
    light.transfer = light.primaries = "bt709";
    display.light = fv_light_by_tags(run, &light);
    const char *transfer = o->light.transfer, *primaries = o->light.primaries;
    if (!strcmp(transfer, "auto"))
        transfer = transfer_of(FV_TAG_OF(run, transfer));
    transfer = transfer ? transfer : "bt1886";
    const bool hdr = is_hdr(transfer);
    if (!strcmp(primaries, "auto"))
        primaries = FV_TAG_OF(run, primaries) ? fv_light_primaries_of(FV_TAG_OF(run, primaries))
                    : hdr                     ? "bt2020"
                                              : "bt709";
    display.light.transfer = transfer;
    display.light.primaries = primaries ? primaries : "bt709";
    if (o->peak == FV_PU_OF_TRANSFER)
        display.peak = !strcmp(transfer, "pq") ? 10000 : hdr ? 1000 : 100;
    if (o->black == FV_PU_OF_TRANSFER)
        display.black = hdr ? 0 : 0.1;
    return display;
}

/* One of the two tags that have other names here than elsewhere, unless an option overrides it. */
static FvStatus check_tag(const FvMetricRun *run, const char *given, FvColourTag tag, int ref, int dis,
                          const char *(*name_of)(int), FvError *error)
{
    const char *metric = run->metric->info.name, *noun[2] = {"transfer characteristics", "primaries"};
    const char *option[2] = {"transfer=pq, hlg, bt1886 or srgb", "primaries=bt709, bt2020 or p3"};
    const int which = tag == FV_TAG_PRIMARIES;
    const char *names[2] = {name_of(ref), name_of(dis)};
    char text[2][32];
    const char *tags[2] = {fv_colour_name(tag, ref, text[0], sizeof text[0]),
                           fv_colour_name(tag, dis, text[1], sizeof text[1])};
    if (strcmp(given, "auto"))
        return FV_OK;
    if (!names[0] || !names[1])
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: the videos are tagged with the %s %s, which the metric has no display for; say what "
                       "counts instead with %s",
                       metric, noun[which], tags[names[0] != NULL], option[which]);
    if (ref && dis && strcmp(names[0], names[1]))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: the reference is tagged with the %s %s and the distorted video with %s; say which counts "
                       "for both with %s",
                       metric, noun[which], tags[0], tags[1], option[which]);
    return FV_OK;
}

static FvStatus check_display(const FvMetricRun *run, const FvPuOptions *display, FvError *error)
{
    const FvPuOptions *o = run->options;
    const char *metric = run->metric->info.name, *transfer = display->light.transfer;
    const bool hlg = !strcmp(transfer, "hlg");
    const double least = hlg ? 400 : 1, most = hlg ? 2000 : 10000;
    FvStatus status =
        check_tag(run, o->light.transfer, FV_TAG_TRANSFER, run->ref.transfer, run->dis.transfer, transfer_of, error);
    if (!status)
        status = check_tag(run, o->light.primaries, FV_TAG_PRIMARIES, run->ref.primaries, run->dis.primaries,
                           fv_light_primaries_of, error);
    if (status)
        return status;
    if (hlg && strcmp(display->light.primaries, "bt2020"))
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: hlg is defined for the primaries of BT.2020, and these are %s; if the videos are of "
                       "BT.2020, say primaries=bt2020",
                       metric, display->light.primaries);
    if (!(display->peak >= least && display->peak <= most))
        return fv_fail(error, FV_ERROR_USAGE, "%s: peak=%g is not from %g to %g cd/m2, which %s takes", metric,
                       display->peak, least, most, transfer);
    if (!(display->black >= 0 && display->black <= display->peak / 2))
        return fv_fail(error, FV_ERROR_USAGE, "%s: black=%g is not from 0 to half of peak=%g", metric, display->black,
                       display->peak);
    return FV_OK;
}

static FvStatus init(FvMetricRun *run, FvError *error)
{
    const FvPuOptions *o = run->options;
    const FvPuOptions display = display_of(run);
    FvLightOptions light = o->light;
    light.transfer = light.primaries = NULL;
    FvStatus status = fv_light_check(run, &light, error);
    if (!status)
        status = check_display(run, &display, error);
    if (status)
        return status;
    light.transfer = display.light.transfer;
    light.primaries = display.light.primaries;
    fv_light_note(run, &light);
    const bool guessed[2] = {!strcmp(o->light.transfer, "auto") && !FV_TAG_OF(run, transfer),
                             !strcmp(o->light.primaries, "auto") && !FV_TAG_OF(run, primaries)};
    const size_t used = strlen(run->note);
    snprintf(run->note + used, sizeof run->note - used, "; the display shows %g to %g cd/m2%s", display.black,
             display.peak,
             guessed[0] && guessed[1] ? "; no tag tells transfer and primaries"
             : guessed[0]             ? "; no tag tells the transfer"
             : guessed[1]             ? "; no tag tells the primaries"
                                      : "");
    return FV_OK;
}

/* ---- PSNR --------------------------------------------------------------------------------------------------- */

static void want_units(const FvMetricRun *run, FvWants *wants)
{
    const FvPuOptions display = display_of(run);
    fv_want(wants, &fv_feature_pu21, &display);
}

/* Of the sum of squares over some samples. */
static double decibels(const FvMetricRun *run, FvPuSum sum, double samples)
{
    const double peak = ((const PsnrOptions *)run->options)->psnr_peak;
    const uint64_t high = sum.high + (sum.low >> 32), low = sum.low & 0xffffffff;
    if (!(high | low))
        return LIMIT;
    const double mse = (((double)high * 4294967296. + (double)low) / samples) / 268435456;
    return fmin(10 * fv_d_log10(peak * peak / mse), LIMIT);
}

static FvPuSum sum_of(const FvTerm *terms)
{
    return (FvPuSum){(uint64_t)terms[FV_PU_LOW].integer, (uint64_t)terms[FV_PU_HIGH].integer};
}

static FvStatus score_psnr(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    values[PSNR] = decibels(run, sum_of(fv_rows_at(rows, 0, frame)), (double)run->dis.width * run->dis.height);
    return FV_OK;
}

static FvStatus pool_psnr(const FvMetricRun *run, const FvRows *rows, double *values, FvError *error)
{
    FvPuSum total = {0, 0};
    int64_t frames = 0;
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame);
        if (!terms)
            continue;
        const FvPuSum sum = sum_of(terms);
        total.high += sum.high + (sum.low >> 32);
        total.low += sum.low & 0xffffffff;
        frames++;
    }
    values[APSNR] = frames ? decibels(run, total, (double)run->dis.width * run->dis.height * (double)frames) : NAN;
    return FV_OK;
}

const FvMetric fv_metric_pu_psnr = {
    .info = {.name = "pu_psnr",
             .title = "PSNR of luminance in perceptually uniform units, for HDR and SDR",
             .citation = "Mantiuk and Azimi, PU21, Picture Coding Symposium 2021",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = psnr_outputs,
             .output_count = PSNR_OUTPUTS},
    FV_METRIC_OPTIONS(psnr_options, PsnrOptions),
    .features = want_units,
    .init = init,
    .score = score_psnr,
    .pool = pool_psnr,
};

/* ---- SSIM --------------------------------------------------------------------------------------------------- */

static void want_ssim(const FvMetricRun *run, FvWants *wants)
{
    const FvPuSsimOptions *o = run->options;
    const FvPuSsimOptions options = {display_of(run), o->scale};
    fv_want(wants, &fv_feature_pu_ssim, &options);
}

static FvStatus score_ssim(const FvMetricRun *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    values[0] = fv_ssim_mean(run->feature[0]->state, 0, 3, fv_rows_at(rows, 0, frame));
    return FV_OK;
}

const FvMetric fv_metric_pu_ssim = {
    .info = {.name = "pu_ssim",
             .title = "Structural similarity of luminance in perceptually uniform units, for HDR and SDR",
             .citation = "Mantiuk and Azimi, PU21, Picture Coding Symposium 2021; Wang et al., 2004",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = ssim_outputs,
             .output_count = 1},
    FV_METRIC_OPTIONS(ssim_options, FvPuSsimOptions),
    .features = want_ssim,
    .init = init,
    .score = score_ssim,
};
