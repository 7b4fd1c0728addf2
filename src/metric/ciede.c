/* CIEDE2000: colour difference of all pixels, as a level. docs/metrics/ciede.md */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arith/exact.h"
#include "base/error.h"
#include "feature/ciede.h"
#include "metric/light.h"
#include "picture/colour.h"

typedef struct CiedeOptions {
    FvCiedeOptions feature;
    bool any_transfer;
} CiedeOptions;

#define OPTION_LIST(X)                                                                                               \
    X(CiedeOptions, feature.peer_layout, BOOL, FV_CIEDE_PEER_LAYOUT)                                                 \
    X(CiedeOptions, any_transfer, BOOL,                                                                              \
      ("any_transfer", "", 0,                                                                                        \
       "take PQ, HLG and other transfers for the transfer of BT.709, instead of refusing them"))
FV_OPTIONS(ciede_options, OPTION_LIST);

static const FvOutputInfo outputs[] = {
    {"ciede2000", "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, false,
     "45 - 20 log10 of the mean colour difference; infinite for equal pictures"},
};

static void features(const FvMetricInstance *run, FvWants *wants)
{
    fv_want(wants, &fv_feature_ciede, &((const CiedeOptions *)run->options)->feature);
}

/* libvmaf's formula assumes BT.709 of limited range for all videos. */
static FvStatus init(FvMetricInstance *run, FvError *error)
{
    const CiedeOptions *options = run->options;
    const int transfer = FV_TAG_OF(run, transfer), matrix = FV_TAG_OF(run, matrix);
    const int primaries = FV_TAG_OF(run, primaries);
    const char *near = fv_light_primaries_of(primaries);
    char name[32];
    if (!options->any_transfer && !fv_light_is_sdr(transfer))
        return fv_fail(error, FV_ERROR_USAGE,
                       "ciede: the videos are tagged with the transfer characteristics %s, which the metric has no "
                       "model for; cvvdp compares the colours of HDR, and any_transfer=true takes them for BT.709's",
                       fv_colour_name(FV_TAG_TRANSFER, transfer, name, sizeof name));
    if (matrix > FV_H273_BT709 || transfer > FV_H273_BT709 || !near || strcmp(near, "bt709") != 0 ||
        FV_TAG_OF(run, range) == FV_RANGE_FULL)
        snprintf(run->note, sizeof run->note,
                 "the videos have other tags, and count as BT.709 of limited range, as in libvmaf");
    return FV_OK;
}

static FvStatus score(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values, FvError *error)
{
    const FvCiede *ciede = run->feature[0]->state;
    double pixels = (double)run->dis.width * run->dis.height;
    double mean = (double)fv_rows_at(rows, 0, frame)->integer / ciede->unit / pixels;
    values[0] = 45 - 20 * fv_log10_exact(mean);
    return FV_OK;
}

const FvMetric fv_metric_ciede = {
    .info = {.name = "ciede",
             .title = "CIEDE2000 colour difference",
             .citation =
                 "Sharma et al., The CIEDE2000 color-difference formula, 2005; weights and level as in libvmaf",
             .needs_reference = true,
             .outputs = outputs,
             .output_count = sizeof outputs / sizeof *outputs},
    FV_METRIC_OPTIONS(ciede_options, CiedeOptions),
    .features = features,
    .init = init,
    .score = score,
};
