/* ColorVideoVDP: quality in just-objectionable differences. docs/metrics/cvvdp.md */
#include "metric/cvvdp.h"

#include <math.h>
#include <string.h>

#include "arith/dmath.h"
#include "base/error.h"
#include "metric/light.h"
#include "os/memory.h"
#include "picture/colour.h"

#define OF_DISPLAY -1 /* option value: taken from the display */

typedef struct CvvdpOptions {
    const char *display, *display_file, *display_name, *matrix, *range, *transfer, *primaries, *location;
    double peak, contrast, black, ambient, reflectance, exposure, ppd, distance, fps;
    bool still;
} CvvdpOptions;

static const char *const transfers[] = {"auto", "srgb", "bt1886", "gamma22", "gamma24", "pq", "hlg", NULL};
static const char *const primaries[] = {"auto", "bt709", "bt2020", "p3", NULL};

#define OPTION_LIST(X)                                                                                               \
    X(CvvdpOptions, display, TEXT,                                                                                   \
      ("display", "disp", "auto", fv_cvvdp_displays,                                                                 \
       "display that shows the videos; auto: standard_4k, or standard_hdr_pq or standard_hdr_hlg by their tags"))    \
    X(CvvdpOptions, display_file, PATH,                                                                              \
      ("display_file", "dispfile",                                                                                   \
       "file of displays, in the format of ColorVideoVDP's display_models.json; replaces display"))                  \
    X(CvvdpOptions, display_name, TEXT,                                                                              \
      ("display_name", "dispname", NULL, NULL,                                                                       \
       "name of the display in display_file; needed where the file has several"))                                    \
    X(CvvdpOptions, matrix, TEXT,                                                                                    \
      ("matrix", "mat", "auto", fv_light_matrices,                                                                   \
       "matrix by which R'G'B' follow from the planes; auto: by the tags, else bt709"))                              \
    X(CvvdpOptions, range, TEXT,                                                                                     \
      ("range", "rng", "auto", fv_light_ranges, "range of the samples; auto: the videos', else limited"))            \
    X(CvvdpOptions, transfer, TEXT,                                                                                  \
      ("transfer", "trc", "auto", transfers, "curve from R'G'B' to light; auto: the display's"))                     \
    X(CvvdpOptions, primaries, TEXT,                                                                                 \
      ("primaries", "prim", "auto", primaries, "primaries of R'G'B'; auto: by the tags, else the display's"))        \
    X(CvvdpOptions, location, TEXT,                                                                                  \
      ("chroma_location", "loc", "auto", fv_light_locations,                                                         \
       "where subsampled chroma lies; auto: by the tags, else left"))                                                \
    X(CvvdpOptions, peak, REAL,                                                                                      \
      ("peak", NULL, OF_DISPLAY, OF_DISPLAY, 10000, "cd/m2", "peak luminance, from 1; -1: the display's"))           \
    X(CvvdpOptions, contrast, REAL,                                                                                  \
      ("contrast", NULL, OF_DISPLAY, OF_DISPLAY, 1e9, NULL, "ratio of peak to black, from 2; -1: the display's"))    \
    X(CvvdpOptions, black, REAL,                                                                                     \
      ("black", NULL, OF_DISPLAY, OF_DISPLAY, 5000, "cd/m2",                                                         \
       "black level, from 0 to half the peak; replaces contrast; -1: the display's"))                                \
    X(CvvdpOptions, ambient, REAL,                                                                                   \
      ("ambient", NULL, OF_DISPLAY, OF_DISPLAY, 10000, "lx",                                                         \
       "light that falls on the display, from 0; -1: the display's"))                                                \
    X(CvvdpOptions, reflectance, REAL,                                                                               \
      ("reflectance", NULL, 0.005, 0, 1, NULL, "share of that light that the display reflects"))                     \
    X(CvvdpOptions, exposure, REAL, ("exposure", NULL, 1, 0.01, 100, NULL, "factor on light before it is clipped"))  \
    X(CvvdpOptions, ppd, REAL,                                                                                       \
      ("ppd", NULL, 0, 0, 480, "pixels per degree", "density, from 5; 0: by display and distance"))                  \
    X(CvvdpOptions, distance, REAL, ("distance", "dist", 0, 0, 100, "m", "viewing distance; 0: the display's"))      \
    X(CvvdpOptions, fps, REAL, ("fps", NULL, 0, 0, 480, "1/s", "frames a second, from 1; 0: the videos'"))           \
    X(CvvdpOptions, still, BOOL,                                                                                     \
      ("still", NULL, 0, "the clip is one still picture, even if its file states a frame rate"))
FV_OPTIONS(cvvdp_options, OPTION_LIST);

enum { OPTION_FILE = 1 };

enum { FRAME, CLIP, OUTPUTS };
static const FvOutputInfo outputs[OUTPUTS] = {
    {"cvvdp_q", "difference", 0, INFINITY, FV_LOWER_IS_BETTER, false,
     "the frame's pooled difference: a part of the clip's score"},
    {"cvvdp", "JOD", -INFINITY, 10, FV_HIGHER_IS_BETTER, true,
     "the score; 10: no difference is seen; 9: 75 % of observers prefer the reference"},
};

/* ---- Tags --------------------------------------------------------------------------------------------------- */

static const char *display_name(const FvMetricInstance *run)
{
    const CvvdpOptions *o = run->options;
    const FvCvvdpOwnDisplay *own = run->state;
    if (own)
        return own->name;
    if (strcmp(o->display, "auto"))
        return o->display;
    int tag = FV_TAG_OF(run, transfer);
    return tag == FV_H273_PQ ? "standard_hdr_pq" : tag == FV_H273_HLG ? "standard_hdr_hlg" : "standard_4k";
}

static const FvCvvdpDisplay *display_of(const FvMetricInstance *run)
{
    const FvCvvdpOwnDisplay *own = run->state;
    return own ? &own->display : fv_cvvdp_display(display_name(run));
}

static FvCvvdpPrimaries primaries_of(const FvMetricInstance *run, const FvCvvdpDisplay *display)
{
    const CvvdpOptions *o = run->options;
    int chosen = fv_choice_index(primaries, o->primaries) - 1;
    if (chosen >= 0)
        return (FvCvvdpPrimaries)chosen;
    const int tag = FV_TAG_OF(run, primaries);
    return tag == FV_H273_DISPLAY_P3 ? FV_CVVDP_P3
           : tag == FV_H273_BT2020   ? FV_CVVDP_BT2020
           : tag                     ? FV_CVVDP_BT709
                                     : display->primaries;
}

/* Returns the options that FvCvvdpParameters shares with the metrics on linear light. */
static FvLightOptions light_of(const FvMetricInstance *run)
{
    const CvvdpOptions *o = run->options;
    return (FvLightOptions){.matrix = o->matrix, .range = o->range, .location = o->location};
}

/* Returns the FvCvvdpTransfer for a transfer tag, or -1 if no display has such a curve. */
static int kind_of(int transfer)
{
    return transfer == FV_H273_PQ      ? (int)FV_CVVDP_PQ
           : transfer == FV_H273_HLG   ? (int)FV_CVVDP_HLG
           : fv_light_is_sdr(transfer) ? (int)FV_CVVDP_SRGB
                                       : -1;
}

/* Refuses tags that the metric cannot follow, unless an option overrides them. */
static FvStatus check_tags(const FvMetricInstance *run, FvError *error)
{
    const CvvdpOptions *o = run->options;
    const FvCvvdpTransfer shown = display_of(run)->transfer;
    const int kind = shown == FV_CVVDP_PQ || shown == FV_CVVDP_HLG ? (int)shown : (int)FV_CVVDP_SRGB;
    const FvLightOptions light = light_of(run);
    char name[32];
    for (int side = 0; side < 2; side++) {
        const FvFormat *format = side ? &run->dis : &run->ref;
        if (!strcmp(o->transfer, "auto") && format->transfer && kind_of(format->transfer) != kind)
            return fv_fail(
                error, FV_ERROR_USAGE,
                "cvvdp: the %s is tagged with the transfer characteristics %s, and %s shows %s; choose another "
                "display, or say what counts with transfer=srgb, bt1886, gamma22, gamma24, pq or hlg",
                side ? "distorted video" : "reference",
                fv_colour_name(FV_TAG_TRANSFER, format->transfer, name, sizeof name), display_name(run),
                transfers[shown + 1]);
        const int tag = format->primaries;
        if (!strcmp(o->primaries, "auto") && !fv_light_primaries_of(tag))
            return fv_fail(error, FV_ERROR_USAGE,
                           "cvvdp: the videos are tagged with the primaries %s, which the metric has no model for; "
                           "say what counts instead with primaries=bt709, bt2020 or p3",
                           fv_colour_name(FV_TAG_PRIMARIES, tag, name, sizeof name));
    }
    return fv_light_check(run, &light, error);
}

/* ---- The run ------------------------------------------------------------------------------------------------ */

static FvStatus open_file(FvMetricInstance *run, FvError *error)
{
    const CvvdpOptions *o = run->options;
    if (o->display_name && !o->display_file)
        return fv_fail(error, FV_ERROR_USAGE,
                       "cvvdp: display_name chooses a display of a file: name it with display_file");
    if (!o->display_file)
        return FV_OK;
    if (strcmp(o->display, "auto"))
        return fv_fail(error, FV_ERROR_USAGE, "cvvdp: display and display_file exclude each other; give one of them");
    FvCvvdpOwnDisplay *own = run->state = fv_alloc(sizeof *own);
    return own ? fv_cvvdp_display_read(own, o->display_file, &run->files[OPTION_FILE].content, o->display_name, error)
               : fv_fail_memory(error, sizeof *own);
}

static FvStatus open_run(FvMetricInstance *run, FvError *error)
{
    const CvvdpOptions *o = run->options;
    const FvLeast rows[] = {{"peak", o->peak, OF_DISPLAY, 1},
                            {"contrast", o->contrast, OF_DISPLAY, 2},
                            {"black", o->black, OF_DISPLAY, 0},
                            {"ambient", o->ambient, OF_DISPLAY, 0},
                            {"ppd", o->ppd, 0, 5},
                            {"fps", o->fps, 0, 1}};
    FvStatus status = fv_metric_check_least(run, rows, sizeof rows / sizeof *rows, error);
    if (!status && o->black >= 0 && o->contrast >= 0)
        status = fv_fail(error, FV_ERROR_USAGE, "cvvdp: black and contrast exclude each other; give one of them");
    return status ? status : open_file(run, error);
}

static FvCvvdpParameters parameters_of(const FvMetricInstance *run)
{
    const CvvdpOptions *o = run->options;
    const FvCvvdpDisplay *display = display_of(run);
    double peak = o->peak > 0 ? o->peak : display->peak, black = o->black;
    int transfer = fv_choice_index(transfers, o->transfer) - 1;
    const FvLightOptions light = light_of(run);
    if (o->contrast > 0)
        black = peak / o->contrast;
    else if (black < 0)
        black = peak == display->peak ? display->black : display->black * (peak / display->peak);
    return (FvCvvdpParameters){
        .light = fv_light_by_tags(run, &light),
        .transfer = transfer < 0 ? (int)display->transfer : transfer,
        .primaries = (int)primaries_of(run, display),
        .peak = peak,
        .black = black,
        .ambient = o->ambient < 0 ? display->ambient : o->ambient,
        .reflectance = o->reflectance,
        .exposure = o->exposure,
        .ppd = o->ppd > 0 ? o->ppd : fv_cvvdp_ppd(display, o->distance),
        .fps = o->still     ? 0
               : o->fps > 0 ? o->fps
                            : fv_metric_rate(run),
        .still = o->still,
    };
}

static FvStatus check_parameters(const FvMetricInstance *run, const FvCvvdpParameters *p, FvError *error)
{
    const CvvdpOptions *o = run->options;
    if (o->distance > 0 && o->ppd > 0)
        return fv_fail(error, FV_ERROR_USAGE, "cvvdp: ppd and distance exclude each other; give one of them");
    if (isnan(p->ppd))
        return fv_fail(error, FV_ERROR_USAGE,
                       "cvvdp: the size of %s is unknown, so distance gives no ppd; give ppd instead",
                       display_name(run));
    if (p->black > p->peak / 2)
        return fv_fail(error, FV_ERROR_USAGE,
                       "cvvdp: black=%g is more than half of peak=%g; the black of a display is far below its peak",
                       p->black, p->peak);
    return check_tags(run, error);
}

static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvCvvdpParameters parameters = parameters_of(run);
    fv_want(wants, &fv_feature_cvvdp, &parameters);
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const FvCvvdp *cvvdp = run->feature[0]->state;
    const FvCvvdpParameters *p = &cvvdp->parameters;
    FvStatus status = check_parameters(run, p, error);
    if (status)
        return status;
    char rate[64] = "a picture";
    if (cvvdp->clip)
        snprintf(rate, sizeof rate, "%g frames a second", p->fps);
    snprintf(run->note, sizeof run->note,
             "the display is %s, %g to %g cd/m2 (%s, %s), in %g lx, %.2f pixels per degree; matrix %s, %s",
             display_name(run), p->black, p->peak, transfers[p->transfer + 1], primaries[p->primaries + 1],
             p->ambient, p->ppd, p->light.matrix, rate);
    run->ahead = 1;
    return FV_OK;
}

/* ---- Scores ------------------------------------------------------------------------------------------------- */

/* Returns the difference of a frame. In a clip of one frame, the difference as a still picture counts. */
static double difference(const FvMetricInstance *run, const FvRows *rows, const FvTerm *terms)
{
    const FvCvvdp *cvvdp = run->feature[0]->state;
    return terms[cvvdp->clip && rows->table->count > 1 ? FV_CVVDP_TERM_CLIP : FV_CVVDP_TERM_STILL].real;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    values[FRAME] = difference(run, rows, fv_rows_at(rows, 0, frame));
    return FV_OK;
}

static double jod(double q)
{
    double slope = FV_CVVDP_JOD_SCALE * fv_d_pow(0.1, FV_CVVDP_JOD_EXPONENT - 1);
    return 10 - (q <= 0.1 ? slope * q : FV_CVVDP_JOD_SCALE * fv_d_pow(q, FV_CVVDP_JOD_EXPONENT));
}

static FvStatus pool(const FvMetricInstance *run, const FvRows *rows, double *values, FvError *error)
{
    double sum = 0, last = 0;
    int64_t frames = 0;
    for (int64_t frame = rows->first; frame <= rows->last; frame++) {
        const FvTerm *terms = fv_rows_at(rows, 0, frame);
        if (!terms || rows->table->skipped[frame])
            continue;
        last = difference(run, rows, terms);
        sum = sum + fv_cvvdp_power(last, 2);
        frames++;
    }
    bool clip = rows->table->count > 1;
    values[CLIP] = frames ? jod(clip ? fv_cvvdp_power(sum / (double)frames, 0.5) : last * FV_CVVDP_STILL) : NAN;
    return FV_OK;
}

static const FvMapOrigin map_origins[] = {{0, 0}};

static void close_run(FvMetricInstance *run)
{
    fv_free(run->state);
}

const FvMetric fv_metric_cvvdp = {
    .info = {.name = "cvvdp",
             .title = "ColorVideoVDP: colour, space and time as the eye sees them",
             .citation = "Mantiuk et al., ColorVideoVDP, SIGGRAPH 2024; version 0.5.6",
             .needs_reference = true,
             .takes_rgb = true,
             .outputs = outputs,
             .output_count = OUTPUTS,
             .maps = fv_cvvdp_maps,
             .map_count = 1},
    FV_METRIC_OPTIONS(cvvdp_options, CvvdpOptions),
    .open = open_run,
    .close = close_run,
    .features = features,
    .init = init,
    .score = score,
    .pool = pool,
    .maps = map_origins,
};
