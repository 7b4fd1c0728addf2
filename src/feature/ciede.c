/* CIEDE2000 as a feature: sums the colour differences of all pixels. docs/metrics/ciede.md */
#include "feature/ciede.h"

#include <math.h>

#include "base/error.h"
#include "os/memory.h"

#define OPTION_LIST(X) X(FvCiedeOptions, peer_layout, BOOL, FV_CIEDE_PEER_LAYOUT)
FV_OPTIONS(ciede_options, OPTION_LIST);

static const FvTermInfo terms_info[] = {{"difference", FV_TERM_INTEGER}};

/* Number of rows per job. */
#define BAND 16

static void job(const FvFeatureInstance *run, const FvWork *work, int band)
{
    const FvCiede *ciede = run->state;
    const FvFormat *format = &run->dis;
    FvCiedePictures pictures = {.width = format->width,
                                .height = format->height,
                                .across = format->chroma == FV_CHROMA_444 ? 1 : 2,
                                .down = format->chroma == FV_CHROMA_420 ? 2 : 1,
                                .depth = format->depth,
                                .peer_layout = ciede->peer_layout};
    for (int plane = 0; plane < 3; plane++) {
        pictures.data[0][plane] = work->ref->data[plane];
        pictures.data[1][plane] = work->dis->data[plane];
        pictures.stride[0][plane] = work->ref->stride[plane];
        pictures.stride[1][plane] = work->dis->stride[plane];
    }
    int first = band * BAND, rows = format->height - first;
    ((int64_t *)work->frame)[band] =
        ciede->kernels->sum(&pictures, first, rows < BAND ? rows : BAND, ciede->unit, work->scratch);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvFormat *format = &run->dis;
    const FvCiedeOptions *options = run->options;
    int depth = format->depth;
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "ciede: the metric is not defined for %d bits per sample; convert to 10, 12 or 16 bits with "
                       "`convert=depth`",
                       depth);
    if (format->chroma == FV_CHROMA_400)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "ciede: the metric needs chroma; convert both videos to 4:2:0, 4:2:2 or 4:4:4");
    bool whole = format->chroma == FV_CHROMA_444, halved = format->chroma == FV_CHROMA_420;
    if (options->peer_layout && !whole && ((halved && format->height % 2) || format->width < 2))
        return fv_fail(
            error, FV_FAIL_UNDEFINED_METRIC,
            "ciede: peer_layout is not defined for %dx%d, where libvmaf reads outside of its buffers; leave "
            "it out",
            format->width, format->height);
    FvCiede *ciede = run->state;
    ciede->kernels = fv_ciede_kernels(run->isa);
    ciede->peer_layout = options->peer_layout && !whole && (!halved || format->width % 2);
    run->jobs[0] = (format->height + BAND - 1) / BAND;
    /* Differences are below 2^9. Their sum must fit 63 bits, and one difference times the unit 51 bits. */
    int bits = 0;
    while ((int64_t)1 << bits < (int64_t)format->width * format->height)
        bits++;
    ciede->unit = ldexp(1, bits > 17 ? 53 - bits : 36);
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(int64_t);
    run->scratch_bytes = fv_ciede_scratch_bytes(format->width);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    for (int band = 0; band < run->jobs[0]; band++)
        row->integer += ((const int64_t *)work->frame)[band];
    return FV_OK;
}

static const FvStage stages[] = {{"differences", job, 0, false}};

const FvFeature fv_feature_ciede = {
    .name = "ciede",
    .cost = 24000,
    FV_FEATURE_OPTIONS(ciede_options, FvCiedeOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvCiede),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_ciede_gpu),
    .terms = terms,
};
