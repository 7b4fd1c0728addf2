/* Delta E ITP on GPUs. */
#include "feature/itp.h"

#include <string.h>

#include "kernel/host.h"
#include "kernel/pair.h"
#include "arith/itp.h"
#include "kernel/itp.h"
#include "launch/light.h"

extern const FvKernel fv_kernel_itp_8, fv_kernel_itp_16;
static const FvKernel *const kernels[] = {&fv_kernel_itp_8, &fv_kernel_itp_16, NULL};

static const FvGpuTrial trials[] = {
    {.options = "transfer=pq", .width = 320, .height = 180, .fill = FV_FILL_NOISE},
    {.options = "transfer=hlg", .width = 320, .height = 180, .fill = FV_FILL_NOISE},
    {.options = "primaries=p3", .width = 320, .height = 180, .fill = FV_FILL_EXTREMES},
    {0},
};

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    plan->result_bytes = sizeof(FvItpSum);
    plan->constant_bytes = FV_LIGHT_CONSTANT_BYTES + (FV_ITP_STEPS + 1) * sizeof(float);
    plan->maps = 1;
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    const FvItp *itp = run->state;
    fv_light_constants(&itp->light, memory);
    memcpy((uint8_t *)memory + FV_LIGHT_CONSTANT_BYTES, itp->curves.signal, (FV_ITP_STEPS + 1) * sizeof(float));
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvItp *itp = run->state;
    const FvItpArgs args = {.pairs = batch->pairs,
                            .constants = batch->constants,
                            .curve = batch->constants + FV_LIGHT_CURVE_OFFSET,
                            .signal = batch->constants + FV_LIGHT_CONSTANT_BYTES,
                            .sums = batch->results,
                            .map = batch->map[0],
                            .sums_stride = batch->result_stride,
                            .map_stride = batch->map_stride[0],
                            .map_pitch = batch->map[0] ? run->dis.width : 0,
                            .width = run->dis.width,
                            .height = run->dis.height,
                            .gamma = itp->curves.gamma,
                            .peak = itp->curves.peak};
    fv_gpu_fill(batch, batch->results, (size_t)batch->count * batch->result_stride * 256, 0);
    fv_gpu_launch(batch, run->dis.depth > 8 ? &fv_kernel_itp_16 : &fv_kernel_itp_8, &args,
                  fv_gpu_groups(args.width, 2 * FV_LIGHT_QUADS_ACROSS),
                  fv_gpu_groups(args.height, 2 * FV_LIGHT_QUADS_DOWN));
}

/* The GPU's total goes to the first band of rows; the other bands are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    memset(work->frame, 0, run->frame_bytes);
    memcpy(work->frame, result, sizeof(FvItpSum));
}

const FvGpuFeature fv_itp_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
