/* XPSNR as a feature. The jobs measure blocks; the weights are computed after all blocks are measured. */
#include <math.h>

#include "base/error.h"
#include "cpu/psnr.h"
#include "feature/xpsnr.h"
#include "os/memory.h"
#include "picture/frame.h"

FV_OPTIONS(xpsnr_options, FV_XPSNR_OPTIONS);

static const FvTermInfo terms_info[] = {{"wsse_y", FV_TERM_INTEGER},    {"wsse_cb", FV_TERM_INTEGER},
                                        {"wsse_cr", FV_TERM_INTEGER},   {"weight_y", FV_TERM_INTEGER},
                                        {"weight_cb", FV_TERM_INTEGER}, {"weight_cr", FV_TERM_INTEGER}};

const FvMapInfo fv_xpsnr_maps[] = {
    {"weight", "1 / activity", 0, 1, "weight of an error in the block of each sample of luma", 0, false}};

static uint64_t squares(const FvXpsnr *xpsnr, const FvWork *work, int plane, int k)
{
    FvXpsnrBox box = fv_xpsnr_block(&xpsnr->grid, plane, k);
    if (box.x1 <= box.x0 || box.y1 <= box.y0)
        return 0;
    int bytes = fv_format_sample_bytes(&work->ref->format);
    ptrdiff_t ref_stride = work->ref->stride[plane], dis_stride = work->dis->stride[plane];
    const uint8_t *ref = work->ref->data[plane] + box.y0 * ref_stride + box.x0 * bytes;
    const uint8_t *dis = work->dis->data[plane] + box.y0 * dis_stride + box.x0 * bytes;
    const FvWeights *weights = fv_weights_of(&xpsnr->weigher[plane], work->frame);
    const int width = box.x1 - box.x0, rows = box.y1 - box.y0;
    if (!weights->weight)
        return xpsnr->sse(ref, ref_stride, dis, dis_stride, width, rows);
    return fv_weighted_sse(ref, ref_stride, dis, dis_stride, bytes,
                           weights->weight + box.y0 * weights->stride + box.x0, weights->stride, width, rows);
}

static void weigh_job(const FvFeatureInstance *run, const FvWork *work, int plane)
{
    const FvXpsnr *xpsnr = run->state;
    fv_weigher_weigh(&xpsnr->weigher[plane], work->mask, work->frame);
}

static void measure_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvXpsnr *xpsnr = run->state;
    const FvXpsnrGrid *grid = &xpsnr->grid;
    FvXpsnrBlock block = {.luma = work->ref->data[0],
                          .stride = work->ref->stride[0],
                          .width = grid->width,
                          .height = grid->height,
                          .order = grid->order};
    for (int i = 0; i < grid->order; i++) {
        block.before[i] = work->prev_ref[i] ? work->prev_ref[i]->data[0] : xpsnr->zero;
        block.before_stride[i] = work->prev_ref[i] ? work->prev_ref[i]->stride[0] : 0;
    }
    int first = grid->side ? job * grid->across : 0, end = grid->side ? first + grid->across : 1;
    FvXpsnrSums *sums = work->frame;
    for (int k = first; k < end; k++) {
        for (int plane = 0; plane < grid->planes; plane++)
            sums[k].sse[plane] = squares(xpsnr, work, plane, k);
        if (!grid->side)
            continue;
        block.block = fv_xpsnr_block(grid, 0, k);
        block.window = fv_xpsnr_window(grid, k);
        sums[k].activity = xpsnr->activity(&block);
    }
}

static double *weigh(const FvXpsnr *xpsnr, const FvWork *work)
{
    const FvXpsnrSums *sums = work->frame;
    double *weights = (double *)(void *)((FvXpsnrSums *)work->frame + fv_xpsnr_blocks(&xpsnr->grid));
    fv_xpsnr_weights(&xpsnr->grid, sums, weights);
    return weights;
}

static void draw_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvXpsnr *xpsnr = run->state;
    const FvXpsnrGrid *grid = &xpsnr->grid;
    const double *weights = weigh(xpsnr, work);
    for (int k = 0; work->map[0].data && k < fv_xpsnr_blocks(grid); k++) {
        FvXpsnrBox box = fv_xpsnr_block(grid, 0, k);
        for (int y = box.y0; y < box.y1; y++)
            for (int x = box.x0; x < box.x1; x++)
                work->map[0].data[y * work->map[0].stride + x] = grid->side ? (float)weights[k] : 1;
    }
}

/* Returns the maximum weight that a block of the frame can have. */
static double most_weight(const FvXpsnrGrid *grid)
{
    double most = grid->side ? ldexp(1, 6 - grid->depth) : 1;
    for (int k = 0; k < grid->across * grid->down; k++)
        if (fv_xpsnr_window(grid, k).x1 == 0)
            most = 1;
    return most;
}

/* With unequal weights of samples, refuses a sum of weights for which a weighted error may not fit 63 bits. */
static FvStatus check_weights(const FvXpsnr *xpsnr, int plane, const FvWeights *weights, int64_t number,
                              FvError *error)
{
    const FvXpsnrGrid *grid = &xpsnr->grid;
    const double peak = (double)((1u << grid->depth) - 1);
    const double most = weights->weight ? 0x1p63 / (peak * peak * most_weight(grid) * grid->factor) : INFINITY;
    return fv_weights_check_sum(&xpsnr->weigher[plane], weights, most, grid->depth, number, error);
}

static FvStatus open_weigher(FvFeatureInstance *run, int plane, FvError *error)
{
    const FvXpsnrOptions *options = run->options;
    FvXpsnr *xpsnr = run->state;
    const FvXpsnrGrid *grid = &xpsnr->grid;
    FvWeigher *weigher = &xpsnr->weigher[plane];
    FvStatus status = fv_weigher_open_plane(weigher, &options->region, &run->ref, plane, grid->plane_width[plane],
                                            grid->plane_height[plane], "xpsnr", &run->frame_bytes, error);
    return status || weigher->moving ? status : check_weights(xpsnr, plane, &weigher->all, -1, error);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvXpsnrOptions *options = run->options;
    FvXpsnr *xpsnr = run->state;
    FvXpsnrGrid *grid = &xpsnr->grid;
    fv_xpsnr_grid(grid, &run->ref, options->chroma, options->rate);
    int depth = grid->depth;
    const FvXpsnrKernels *kernels = fv_xpsnr_kernels(run->isa);
    xpsnr->activity = grid->coarse ? (depth > 8 ? kernels->coarse16 : kernels->coarse8)
                                   : (depth > 12  ? kernels->fine16
                                      : depth > 8 ? kernels->fine12
                                                  : kernels->fine8);
    const FvPsnrKernels *psnr = fv_psnr_kernels(run->isa);
    xpsnr->sse = depth > 12 ? psnr->sse16 : depth > 8 ? psnr->sse12 : psnr->sse8;
    size_t row = (size_t)grid->width * (size_t)fv_format_sample_bytes(&run->ref) + FV_ROW_PADDING;
    if (!(xpsnr->zero = fv_alloc_zero(row)))
        return fv_fail_memory(error, row);
    run->planes = grid->planes == 1 ? 1 : 7;
    run->behind = grid->side ? grid->order : 0;
    run->map[0].maximum = most_weight(grid);
    run->frame_bytes = (size_t)fv_xpsnr_blocks(grid) * (sizeof(FvXpsnrSums) + sizeof(double));
    FvStatus status = FV_OK;
    for (int plane = 0; plane < grid->planes && !status; plane++)
        status = open_weigher(run, plane, error);
    run->jobs[0] = xpsnr->weigher[0].moving ? grid->planes : 0;
    run->jobs[1] = grid->side ? grid->down : 1; /* a job is a row of blocks */
    if (!xpsnr->weigher[0].moving)
        run->term_count = grid->planes;
    return status;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvXpsnr *xpsnr = run->state;
    const FvXpsnrSums *sums = work->frame;
    const double *weights = weigh(xpsnr, work);
    for (int plane = 0; plane < xpsnr->grid.planes; plane++)
        row[plane].integer = (int64_t)fv_xpsnr_wsse(&xpsnr->grid, sums, weights, plane);
    FvStatus status = FV_OK;
    for (int plane = 0; plane < xpsnr->grid.planes && xpsnr->weigher[0].moving && !status; plane++) {
        const FvWeights *region = fv_weights_of(&xpsnr->weigher[plane], work->frame);
        row[FV_XPSNR_WEIGHT + plane].integer = (int64_t)region->sum;
        status = check_weights(xpsnr, plane, region, work->mask_number, error);
    }
    return status;
}

static void close_run(FvFeatureInstance *run)
{
    FvXpsnr *xpsnr = run->state;
    for (int plane = 0; plane < 3; plane++)
        fv_weigher_close(&xpsnr->weigher[plane]);
    fv_free(xpsnr->zero);
}

static const FvStage stages[] = {
    {"weights", weigh_job, 0, false},
    {"blocks", measure_job, 0, false},
    {"map", draw_job, 0, true},
};

const FvFeature fv_feature_xpsnr = {
    .name = "xpsnr",
    .cost = 3200,
    FV_FEATURE_OPTIONS(xpsnr_options, FvXpsnrOptions),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_xpsnr_maps,
    .map_count = 1,
    .state_size = sizeof(FvXpsnr),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_xpsnr_gpu),
    .terms = terms,
    .close = close_run,
};
