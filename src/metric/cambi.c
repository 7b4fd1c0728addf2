/* CAMBI: contrast-aware multiscale banding index. docs/metrics/cambi.md */
#include <string.h>

#include "base/error.h"
#include "feature/cambi.h"
#include "metric/cambi_heatmap.h"
#include "metric/light.h"
#include "picture/colour.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvCambiOptions, max_val, REAL,                                                                                 \
      ("cambi_max_val", "cmxv", 1000, 0, 1000, "score", "scores are clipped to this"))                               \
    FV_CAMBI_PICTURE_OPTIONS(X)                                                                                      \
    X(FvCambiOptions, heatmaps_path, TEXT,                                                                           \
      ("heatmaps_path", NULL, NULL, NULL, "folder for heat maps of every frame"))                                    \
    FV_CAMBI_DISPLAY_OPTIONS(X)
FV_OPTIONS(cambi_options, OPTION_LIST);

enum { DISTORTED, SOURCE, FULL_REFERENCE, OUTPUTS };

#define OUTPUT(name, help)                                                                                           \
    {                                                                                                                \
        name, "score", 0, 1000, FV_LOWER_IS_BETTER, false, help                                                      \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    OUTPUT("cambi", "banding in the distorted video"),
    OUTPUT("cambi_source", "banding in the reference"),
    OUTPUT("cambi_full_reference", "banding that the reference does not have"),
};

static const FvMapOrigin map_origins[FV_CAMBI_SCALES] = {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}};

static FvStatus open_metric(FvMetricInstance *run, FvError *error)
{
    run->maps = ((const FvCambiOptions *)run->options)->heatmaps_path ? (1u << FV_CAMBI_SCALES) - 1 : 0;
    return FV_OK;
}

static bool needs_reference(const FvMetricInstance *run)
{
    return ((const FvCambiOptions *)run->options)->full_ref;
}

/* Returns whether eotf is auto and the tags choose PQ. */
static bool takes_pq(const FvMetricInstance *run)
{
    const FvCambiOptions *options = run->options;
    const int transfer = FV_TAG_OF(run, transfer);
    return !strcmp(options->eotf, "auto") && strcmp(options->cambi_eotf, "pq") && transfer == FV_H273_PQ;
}

static void features(const FvMetricInstance *run, FvWants *wants)
{
    FvCambiOptions options = *(const FvCambiOptions *)run->options;
    if (takes_pq(run))
        options.eotf = "pq";
    else if (!strcmp(options.eotf, "auto"))
        options.eotf = "bt1886";
    fv_want(wants, &fv_feature_cambi, &options);
}

static FvStatus check_transfer(const FvMetricInstance *run, FvError *error)
{
    const FvCambiOptions *options = run->options;
    const int transfer = FV_TAG_OF(run, transfer);
    char name[32];
    if (fv_light_is_sdr(transfer) || transfer == FV_H273_PQ || strcmp(options->eotf, "auto") ||
        !strcmp(options->cambi_eotf, "pq"))
        return FV_OK;
    return fv_fail(
        error, FV_ERROR_USAGE,
        "cambi: the video is tagged with the transfer characteristics %s, and the metric has no display for "
        "them; choose eotf=bt1886 or pq",
        fv_colour_name(FV_TAG_TRANSFER, transfer, name, sizeof name));
}

static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const FvCambiOptions *options = run->options;
    FvStatus status = check_transfer(run, error);
    if (status)
        return status;
    run->present = options->full_ref ? (1u << OUTPUTS) - 1 : 1u << DISTORTED;
    if (takes_pq(run))
        snprintf(run->note, sizeof run->note, "the display is pq (tagged %d of H.273)", FV_H273_PQ);
    if (!options->heatmaps_path)
        return FV_OK;
    const FvCambi *cambi = run->feature[0]->state;
    FvCambiHeatmap *heatmap = NULL;
    FvCambiHeatmapParams params = {.picture = &cambi->picture[0],
                                   .folder = options->heatmaps_path,
                                   .guard = run->guard,
                                   .cancel = run->cancel,
                                   .overwrite = run->overwrite};
    status = fv_cambi_heatmap_open(&heatmap, &params, &run->folder, error);
    run->state = heatmap;
    return status;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvCambi *cambi = run->feature[0]->state;
    const FvCambiOptions *options = run->options;
    const FvTerm *term = fv_rows_at(rows, 0, frame);
    double score[2] = {0};
    for (int i = 0; i < cambi->pictures; i++) {
        uint64_t sum[FV_CAMBI_SCALES];
        for (int s = 0; s < FV_CAMBI_SCALES; s++)
            sum[s] = (uint64_t)term[i * FV_CAMBI_SCALES + s].integer;
        score[i] = fv_cambi_score(sum, cambi->pooled[i], cambi->picture[i].window);
    }
    values[DISTORTED] = least(score[0], options->max_val);
    values[SOURCE] = least(score[1], options->max_val);
    values[FULL_REFERENCE] = least(score[0] > score[1] ? score[0] - score[1] : 0, options->max_val);
    return FV_OK;
}

static FvStatus map(FvMetricInstance *run, const FvMap *map, FvError *error)
{
    return fv_cambi_heatmap_write(run->state, map, error);
}

static FvStatus end(FvMetricInstance *run, bool whole, char *kept, size_t size, FvError *error)
{
    if (!run->state)
        return FV_OK;
    return whole ? fv_cambi_heatmap_finish(run->state, error) : fv_cambi_heatmap_keep(run->state, kept, size, error);
}

static void close_metric(FvMetricInstance *run)
{
    FvCambiHeatmap *heatmap = run->state;
    fv_cambi_heatmap_close(&heatmap);
}

const FvMetric fv_metric_cambi = {
    .info = {.name = "cambi",
             .title = "Contrast-aware multiscale banding index",
             .citation = "Tandon et al., CAMBI: contrast-aware multiscale banding index, PCS 2021; as in libvmaf",
             .needs_reference = false,
             .outputs = outputs,
             .output_count = OUTPUTS,
             .maps = fv_cambi_maps,
             .map_count = FV_CAMBI_SCALES},
    FV_METRIC_OPTIONS(cambi_options, FvCambiOptions),
    .needs_reference = needs_reference,
    .open = open_metric,
    .features = features,
    .init = init,
    .score = score,
    .maps = map_origins,
    .map = map,
    .end = end,
    .close = close_metric,
};
