/* XPSNR on GPUs. */
#include "feature/xpsnr.h"

#include "gpu/launches.h"
#include "kernel/xpsnr.h"

extern const FvKernel fv_kernel_xpsnr_fine8, fv_kernel_xpsnr_fine16, fv_kernel_xpsnr_coarse8,
    fv_kernel_xpsnr_coarse16, fv_kernel_xpsnr_chroma8, fv_kernel_xpsnr_chroma16;
static const FvKernel *const kernels[] = {&fv_kernel_xpsnr_fine8,
                                          &fv_kernel_xpsnr_fine16,
                                          &fv_kernel_xpsnr_coarse8,
                                          &fv_kernel_xpsnr_coarse16,
                                          &fv_kernel_xpsnr_chroma8,
                                          &fv_kernel_xpsnr_chroma16,
                                          NULL};
/* Trials of the kernels for frames above 2048x1152, at a frame rate for each order of the temporal difference. */
static const FvGpuTrial trials[] = {
    {.options = "rate=25", .width = 2113, .height = 1153},
    {.options = "rate=60", .width = 2113, .height = 1153},
    {.options = "rate=60", .width = 2113, .height = 1153, .depth = 8},
    {0},
};

static int slices_of(const FvXpsnrArgs *args, int plane)
{
    return (args->block_height[plane] + args->rows - 1) / args->rows;
}

/*
 * Divides planes into blocks and slices. Pointers in the result stay 0. A frame that is too small for weights is one
 * block.
 */
static FvXpsnrArgs divide(const FvXpsnr *xpsnr, size_t *words)
{
    const FvXpsnrGrid *grid = &xpsnr->grid;
    FvXpsnrArgs args = {.across = grid->side ? grid->across : 1, .order = grid->order};
    for (int plane = 0; plane < grid->planes; plane++) {
        args.width[plane] = grid->plane_width[plane];
        args.height[plane] = grid->plane_height[plane];
        args.block_width[plane] = grid->side ? grid->block_width[plane] : grid->plane_width[plane];
        args.block_height[plane] = grid->side ? grid->block_height[plane] : grid->plane_height[plane];
    }
    args.rows = FV_XPSNR_SLICE / args.block_width[0] / 2 * 2;
    uint32_t used = 0;
    for (int plane = 0; plane < grid->planes; plane++) {
        args.sums_first[plane] = used;
        used += (uint32_t)(fv_xpsnr_blocks(grid) * slices_of(&args, plane) * (plane ? 1 : FV_XPSNR_LUMA_SUMS) * 2);
    }
    *words = used;
    return args;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    size_t words;
    divide(run->state, &words);
    plan->result_bytes = words * sizeof(uint32_t);
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvXpsnr *xpsnr = run->state;
    const FvXpsnrGrid *grid = &xpsnr->grid;
    bool words = grid->depth > 8;
    size_t unused;
    FvXpsnrArgs args = divide(xpsnr, &unused);
    args.pairs = batch->pairs;
    args.sums = batch->results;
    args.sums_stride = batch->result_stride;
    const FvKernel *luma = grid->coarse ? (words ? &fv_kernel_xpsnr_coarse16 : &fv_kernel_xpsnr_coarse8)
                                        : (words ? &fv_kernel_xpsnr_fine16 : &fv_kernel_xpsnr_fine8);
    uint32_t blocks = (uint32_t)fv_xpsnr_blocks(grid);
    fv_gpu_launch(batch, luma, &args, blocks, (uint32_t)slices_of(&args, 0));
    if (grid->planes > 1 && slices_of(&args, 1))
        fv_gpu_launch(batch, words ? &fv_kernel_xpsnr_chroma16 : &fv_kernel_xpsnr_chroma8, &args, blocks,
                      2 * (uint32_t)slices_of(&args, 1));
}

static uint64_t sum_of(const uint32_t *words, int slices, int sums, int sum)
{
    uint64_t total = 0;
    for (int slice = 0; slice < slices; slice++) {
        const uint32_t *part = words + (slice * sums + sum) * 2;
        total += ((uint64_t)part[1] << 16) + part[0];
    }
    return total;
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvXpsnr *xpsnr = run->state;
    size_t unused;
    FvXpsnrArgs args = divide(xpsnr, &unused);
    FvXpsnrSums *blocks = work->frame;
    for (int k = 0; k < fv_xpsnr_blocks(&xpsnr->grid); k++)
        for (int plane = 0; plane < xpsnr->grid.planes; plane++) {
            int slices = slices_of(&args, plane), sums = plane ? 1 : FV_XPSNR_LUMA_SUMS;
            const uint32_t *words = (const uint32_t *)result + args.sums_first[plane] + k * slices * sums * 2;
            blocks[k].sse[plane] = sum_of(words, slices, sums, 0);
            if (!plane)
                blocks[k].activity =
                    (FvXpsnrActivity){sum_of(words, slices, sums, 1), sum_of(words, slices, sums, 2)};
        }
}

const FvGpuFeature fv_xpsnr_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .record = record,
    .results = results,
};
