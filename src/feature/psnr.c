/* Exact sums of squared differences of planes. docs/metrics/psnr.md */

#include "feature/psnr.h"
#include "base/error.h"
#include "os/memory.h"

#define OPTION_LIST(X)                                                                                               \
    X(FvPsnrOptions, chroma, BOOL, FV_PSNR_CHROMA)                                                                   \
    FV_REGION_OPTIONS(X, FvPsnrOptions, region)
FV_OPTIONS(psnr_options, OPTION_LIST);

static const FvTermInfo terms_info[] = {
    {"sse_y", FV_TERM_INTEGER},     {"sse_cb", FV_TERM_INTEGER},     {"sse_cr", FV_TERM_INTEGER},
    {"weight_y", FV_TERM_INTEGER},  {"weight_cb", FV_TERM_INTEGER},  {"weight_cr", FV_TERM_INTEGER},
    {"divisor_y", FV_TERM_INTEGER}, {"divisor_cb", FV_TERM_INTEGER}, {"divisor_cr", FV_TERM_INTEGER},
};

/* Number of rows per job: enough work to outweigh the cost of a job. */
#define BAND 128

static int plane_of_job(const FvPsnr *psnr, int *job)
{
    int plane = 0;
    while (*job >= psnr->bands[plane])
        *job -= psnr->bands[plane++];
    return plane;
}

static void sse_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvPsnr *psnr = run->state;
    int band = job, plane = plane_of_job(psnr, &band);
    int first = band * BAND, rows = psnr->height[plane] - first < BAND ? psnr->height[plane] - first : BAND;
    ptrdiff_t ref_stride = work->ref->stride[plane], dis_stride = work->dis->stride[plane];
    const uint8_t *ref = work->ref->data[plane] + first * ref_stride;
    const uint8_t *dis = work->dis->data[plane] + first * dis_stride;
    const FvWeights *weights = fv_weights_of(&psnr->weigher[plane], work->frame);
    uint64_t *sse = work->frame;
    if (weights->weight)
        sse[job] =
            fv_weighted_sse(ref, ref_stride, dis, dis_stride, fv_format_sample_bytes(&run->dis),
                            weights->weight + first * weights->stride, weights->stride, psnr->width[plane], rows);
    else
        sse[job] = psnr->sse(ref, ref_stride, dis, dis_stride, psnr->width[plane], rows);
}

static void weigh_job(const FvFeatureInstance *run, const FvWork *work, int plane)
{
    const FvPsnr *psnr = run->state;
    fv_weigher_weigh(&psnr->weigher[plane], work->mask, work->frame);
}

static FvStatus open_weigher(FvFeatureInstance *run, int plane, FvError *error)
{
    const FvPsnrOptions *options = run->options;
    FvPsnr *psnr = run->state;
    FvWeigher *weigher = &psnr->weigher[plane];
    const int depth = run->dis.depth;
    const uint64_t peak = (1u << depth) - 1;
    psnr->most[plane] = (double)(INT64_MAX / (peak * peak));
    FvStatus status = fv_weigher_open_plane(weigher, &options->region, &run->dis, plane, psnr->width[plane],
                                            psnr->height[plane], "psnr", &run->frame_bytes, error);
    return status || weigher->moving
               ? status
               : fv_weights_check_sum(weigher, &weigher->all, psnr->most[plane], depth, -1, error);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvPsnrOptions *options = run->options;
    int depth = run->dis.depth;
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "psnr: the metric is not defined for %d bits per sample; convert to 10, 12 or 16 bits with "
                       "`convert=depth`",
                       depth);
    FvPsnr *psnr = run->state;
    const FvPsnrKernels *kernels = fv_psnr_kernels(run->isa);
    psnr->sse = depth == 8 ? kernels->sse8 : depth <= 12 ? kernels->sse12 : kernels->sse16;
    psnr->planes = options->chroma ? fv_format_planes(&run->dis) : 1;
    for (int plane = 0; plane < psnr->planes; plane++) {
        bool half_width = plane && run->dis.chroma != FV_CHROMA_444;
        bool half_height = plane && run->dis.chroma == FV_CHROMA_420;
        psnr->width[plane] = run->dis.width >> half_width;
        psnr->height[plane] = run->dis.height >> half_height;
        psnr->bands[plane] = (psnr->height[plane] + BAND - 1) / BAND;
    }
    run->planes = (1u << psnr->planes) - 1;
    run->jobs[1] = psnr->bands[0] + psnr->bands[1] + psnr->bands[2];
    run->frame_bytes = (size_t)run->jobs[1] * sizeof(uint64_t);
    FvStatus status = FV_OK;
    for (int plane = 0; plane < psnr->planes && !status; plane++)
        status = open_weigher(run, plane, error);
    run->jobs[0] = psnr->weigher[0].moving ? psnr->planes : 0;
    if (!psnr->weigher[0].moving)
        run->term_count = psnr->planes;
    return status;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvPsnr *psnr = run->state;
    const uint64_t *band = work->frame;
    for (int plane = 0; plane < psnr->planes; plane++)
        for (int i = 0; i < psnr->bands[plane]; i++)
            row[plane].integer += (int64_t)*band++;
    FvStatus status = FV_OK;
    for (int plane = 0; plane < psnr->planes && psnr->weigher[0].moving && !status; plane++) {
        const FvWeights *weights = fv_weights_of(&psnr->weigher[plane], work->frame);
        row[FV_PSNR_WEIGHT + plane].integer = (int64_t)weights->sum;
        row[FV_PSNR_DIVISOR + plane].integer = (int64_t)weights->divisor;
        status = fv_weights_check_sum(&psnr->weigher[plane], weights, psnr->most[plane], run->dis.depth,
                                      work->mask_number, error);
    }
    return status;
}

static void close_run(FvFeatureInstance *run)
{
    FvPsnr *psnr = run->state;
    for (int plane = 0; plane < 3; plane++)
        fv_weigher_close(&psnr->weigher[plane]);
}

static const FvStage stages[] = {{"weights", weigh_job, 0, false}, {"sum of squares", sse_job, 0, false}};

const FvFeature fv_feature_psnr = {
    .name = "psnr",
    .cost = 300,
    FV_FEATURE_OPTIONS(psnr_options, FvPsnrOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvPsnr),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_psnr_gpu),
    .terms = terms,
    .close = close_run,
};
