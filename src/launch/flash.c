/* The light of cells on GPUs. */
#include <string.h>

#include "launch/check.h"
#include "picture/colour.h"

extern const FvKernel fv_kernel_flash8, fv_kernel_flash16;
static const FvKernel *const kernels[] = {&fv_kernel_flash8, &fv_kernel_flash16, NULL};
static const FvGpuTrial trials[] = {
    {.options = "white=200", .width = 130, .height = 70, .fill = FV_FILL_NOISE, .transfer = FV_H273_PQ},
    {.options = "hlg_peak=600", .width = 130, .height = 70, .fill = FV_FILL_NOISE, .transfer = FV_H273_HLG},
    {0},
};

enum { CELL_WORDS = 2 * FV_CHECK_FLASH_SUMS, WORDS = FV_CHECK_CELLS * CELL_WORDS };

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, WORDS);
    plan->constant_bytes = fv_check_constant_bytes(run);
    return true;
}

static void constants(const FvFeatureInstance *run, void *memory)
{
    fv_check_constants(run, ((const FvFlash *)run->state)->light, memory);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvCheckArgs args = fv_check_split(run, run->dis.width, run->dis.height);
    fv_check_set_light(&args, batch);
    if (fv_check_has_cells(run))
        fv_check_launch(run, batch, kernels, args, FV_CHECK_CELLS, WORDS);
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const int sides = fv_check_sides(run);
    const uint32_t *part = result;
    uint64_t *cell = work->frame;
    for (int i = 0; i < sides * FV_CHECK_CELLS && fv_check_has_cells(run); i++, part += CELL_WORDS)
        cell[i] = fv_flash_cell(run, i % FV_CHECK_CELLS, fv_check_sum(part), fv_check_sum(part + 2));
}

const FvGpuFeature fv_flash_gpu = {
    .kernels = kernels,
    .trials = trials,
    .plan = plan,
    .constants = constants,
    .record = record,
    .results = results,
};
