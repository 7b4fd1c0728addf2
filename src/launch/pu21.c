/* PU21 on GPUs. */
#include "feature/pu21.h"

#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "kernel/pu21.h"
#include "launch/light.h"

extern const FvKernel fv_kernel_pu21_8, fv_kernel_pu21_16;
static const FvKernel *const kernels[] = {&fv_kernel_pu21_8, &fv_kernel_pu21_16, NULL};

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    plan->work_bytes = 2 * (size_t)run->dis.width * (size_t)run->dis.height * sizeof(float);
    plan->result_bytes = sizeof(FvPuSum);
    plan->constant_bytes = FV_LIGHT_CONSTANT_BYTES + sizeof(FvPuConstants);
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvPu *pu = run->state;
    const FvPuEncoding *encoding = &pu->encoding;
    FvPuConstants *c = (void *)((uint8_t *)memory + FV_LIGHT_CONSTANT_BYTES);
    fv_light_constants(&pu->light, memory);
    c->gamma = encoding->gamma;
    c->peak = encoding->peak;
    memcpy(c->weight, encoding->weight, sizeof c->weight);
    memcpy(c->p, encoding->p, sizeof c->p);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvPuArgs args = {.pairs = batch->pairs,
                           .constants = batch->constants,
                           .curve = batch->constants + FV_LIGHT_CURVE_OFFSET,
                           .encoding = batch->constants + FV_LIGHT_CONSTANT_BYTES,
                           .work = batch->work,
                           .sums = batch->results,
                           .work_stride = batch->work_stride,
                           .sums_stride = batch->result_stride,
                           .width = run->dis.width,
                           .height = run->dis.height};
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    fv_gpu_launch(batch, run->dis.depth > 8 ? &fv_kernel_pu21_16 : &fv_kernel_pu21_8, &args,
                  fv_gpu_groups(args.width, 2 * FV_LIGHT_QUADS_ACROSS),
                  fv_gpu_groups(args.height, 2 * FV_LIGHT_QUADS_DOWN));
}

/* The GPU's total goes to the first band of rows; the other bands are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvPu *pu = run->state;
    memset(work->frame, 0, pu->plane[0]);
    memcpy(work->frame, result, sizeof(FvPuSum));
}

const FvGpuFeature fv_pu_gpu = {
    .kernels = kernels,
    .most_work = FV_GPU_FLOATS,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
