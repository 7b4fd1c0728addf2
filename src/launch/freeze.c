/* Comparison with the previous frame on GPUs. */
#include <string.h>

#include "launch/check.h"

extern const FvKernel fv_kernel_freeze8, fv_kernel_freeze16, fv_kernel_freeze_cells8, fv_kernel_freeze_cells16;
static const FvKernel *const kernels[] = {&fv_kernel_freeze8, &fv_kernel_freeze16, &fv_kernel_freeze_cells8,
                                          &fv_kernel_freeze_cells16, NULL};

/* Words of the result of a workgroup that compares, and of one that sums a cell. */
enum { CHANGE_WORDS = 3, CELL_WORDS = 2 * FV_CHECK_CELL_SUMS };

static FvCheckArgs split(const FvFeatureInstance *run)
{
    return fv_check_split(run, FV_CHECK_THREADS * (16 / fv_format_sample_bytes(&run->dis)), FV_CHECK_BLOCK);
}

static size_t words(const FvFeatureInstance *run)
{
    return (size_t)split(run).groups * CHANGE_WORDS + FV_CHECK_CELLS * CELL_WORDS;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    fv_check_results(run, plan, words(run));
    return true;
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvCheckArgs args = split(run);
    fv_check_launch(run, batch, kernels, args, args.groups, words(run));
    if (fv_check_has_cells(run))
        fv_check_launch(run, batch, kernels + 2, args, FV_CHECK_CELLS, words(run));
}

static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvCheckArgs args = split(run);
    const uint32_t *part = result;
    uint64_t *cells = fv_freeze_cells(run, work);
    memset(work->frame, 0, run->frame_bytes);
    for (int side = 0; side < fv_check_sides(run); side++) {
        FvFreezeBand *band = (FvFreezeBand *)work->frame + fv_check_first_band(run, side);
        for (int group = 0; group < args.groups; group++, part += CHANGE_WORDS) {
            const int plane = group >= args.first[2] ? 2 : group >= args.first[1];
            band->sad[plane] += part[0];
            band->differ += part[1];
            band->peak = !plane && part[2] > band->peak ? part[2] : band->peak;
        }
        for (int i = 0; i < FV_CHECK_CELLS && cells; i++)
            cells[i] = fv_check_sum(part + CELL_WORDS * i);
        for (int row = 0; row < FV_CHECK_ROWS && cells; row++, cells += FV_CHECK_COLUMNS)
            fv_freeze_divide(run, row, cells);
        part += FV_CHECK_CELLS * CELL_WORDS;
    }
}

const FvGpuFeature fv_freeze_gpu = {
    .kernels = kernels,
    .plan = plan,
    .record = record,
    .results = results,
};
