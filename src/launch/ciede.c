/* CIEDE2000 on GPUs. */
#include <stdio.h>
#include <string.h>

#include "feature/ciede.h"

#include "gpu/launches.h"
#include "kernel/ciede.h"

extern const FvKernel fv_kernel_ciede8, fv_kernel_ciede16;
static const FvKernel *const kernels[] = {&fv_kernel_ciede8, &fv_kernel_ciede16, NULL};

static uint32_t groups_across(const FvFeatureInstance *run)
{
    return fv_gpu_groups(run->dis.width, FV_CIEDE_WIDTH);
}

static uint32_t groups_down(const FvFeatureInstance *run)
{
    return fv_gpu_groups(run->dis.height, FV_CIEDE_ROWS);
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvCiede *ciede = run->state;
    plan->result_bytes = (size_t)groups_across(run) * groups_down(run) * sizeof(uint64_t);
    if (ciede->peer_layout) {
        snprintf(why, size, "its kernels do not have peer_layout of 4:2:2 and of odd widths");
        return false;
    }
    return true;
}

static void set_words(fv_u32 to[2], double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    to[0] = (fv_u32)bits;
    to[1] = (fv_u32)(bits >> 32);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCiede *ciede = run->state;
    const FvFormat *format = &run->dis;
    int zero = 1 << (format->depth - 8);
    FvCiedeArgs args = {.pairs = batch->pairs,
                        .sums = batch->results,
                        .sums_stride = batch->result_stride,
                        .width = format->width,
                        .height = format->height,
                        .across = format->chroma != FV_CHROMA_444,
                        .down = format->chroma == FV_CHROMA_420,
                        .zero = zero};
    set_words(args.luma_scale, 1.0 / (219 * zero));
    set_words(args.chroma_scale, 1.0 / (224 * zero));
    set_words(args.unit, ciede->unit);
    fv_gpu_launch(batch, format->depth == 8 ? &fv_kernel_ciede8 : &fv_kernel_ciede16, &args, groups_across(run),
                  groups_down(run));
}

/* The GPU's total goes to the first band of rows; the other bands are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const int64_t *part = result;
    int64_t *sums = work->frame;
    memset(sums, 0, (size_t)run->jobs[0] * sizeof *sums);
    for (size_t i = 0; i < (size_t)groups_across(run) * groups_down(run); i++)
        sums[0] += part[i];
}

const FvGpuFeature fv_ciede_gpu = {
    .kernels = kernels,
    .float64 = true,
    .plan = plan,
    .record = record,
    .results = results,
};
