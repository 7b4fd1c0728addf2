/* Compares each frame with the previous one, and sums the luma of cells. docs/metrics/freeze.md */
#include <string.h>

#include "feature/check.h"

#define CELL(i)                                                                                                      \
    {                                                                                                                \
        "cells_" #i, FV_TERM_INTEGER                                                                                 \
    }
#define CELL_REF(i)                                                                                                  \
    {                                                                                                                \
        "cells_" #i "_ref", FV_TERM_INTEGER                                                                          \
    }
#define FOUR_ROWS(X, row) X(row##0), X(row##1), X(row##2), X(row##3)
#define CELLS(X)                                                                                                     \
    FOUR_ROWS(X, 0), FOUR_ROWS(X, 1), FOUR_ROWS(X, 2), FOUR_ROWS(X, 3), FOUR_ROWS(X, 4), FOUR_ROWS(X, 5),            \
        FOUR_ROWS(X, 6), FOUR_ROWS(X, 7), FOUR_ROWS(X, 8)
#define CHANGES(side)                                                                                                \
    {"differ" side, FV_TERM_INTEGER}, {"sad_y" side, FV_TERM_INTEGER}, {"sad_cb" side, FV_TERM_INTEGER},             \
        {"sad_cr" side, FV_TERM_INTEGER},                                                                            \
    {                                                                                                                \
        "peak" side, FV_TERM_INTEGER                                                                                 \
    }
static const FvTermInfo terms_info[] = {CHANGES(""), CELLS(CELL), CHANGES("_ref"), CELLS(CELL_REF)};

/* State of an instance. Jobs are bands of rows first, then rows of cells. */
typedef struct Freeze {
    FvCheckPlan plan;
} Freeze;

uint64_t *fv_freeze_cells(const FvFeatureInstance *run, const FvWork *work)
{
    return fv_check_has_cells(run) ? (uint64_t *)((FvFreezeBand *)work->frame + run->jobs[0]) : NULL;
}

void fv_freeze_divide(const FvFeatureInstance *run, int row, uint64_t *cells)
{
    const FvCheckPlan *plan = run->state;
    const int rows = plan->edge_y[row + 1] - plan->edge_y[row];
    for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
        const uint64_t samples = (uint64_t)rows * (uint64_t)(plan->edge_x[i + 1] - plan->edge_x[i]);
        cells[i] = ((cells[i] << 8) / samples) >> (run->dis.depth - 8);
    }
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    Freeze *freeze = run->state;
    FvStatus status = fv_check_plan(&freeze->plan, run, error);
    const int cell_rows = freeze->plan.sides * FV_CHECK_ROWS;
    run->jobs[1] = fv_check_has_cells(run) ? cell_rows : 0;
    run->behind = 1;
    run->frame_bytes =
        (size_t)run->jobs[0] * sizeof(FvFreezeBand) + (size_t)cell_rows * FV_CHECK_COLUMNS * sizeof(uint64_t);
    run->scratch_bytes = (size_t)freeze->plan.blocks * sizeof(uint32_t);
    return status;
}

/* Returns the maximum mean difference of a block of luma, times 256. */
static uint64_t peak_of(const uint32_t *block, int width, int rows)
{
    uint64_t peak = 0;
    for (int x = 0; x < width; x += FV_CHECK_BLOCK) {
        const int columns = width - x < FV_CHECK_BLOCK ? width - x : FV_CHECK_BLOCK;
        const uint64_t mean = (uint64_t)block[x / FV_CHECK_BLOCK] * 256 / (uint64_t)(columns * rows);
        peak = mean > peak ? mean : peak;
    }
    return peak;
}

/* Compares rows [first, end) of a plane, block by block. */
static void compare_rows(const FvCheckKernels *kernels, const FvFrame *now, const FvFrame *before, int plane,
                         int first, int end, uint32_t *block, FvFreezeBand *change)
{
    int width, height;
    fv_format_plane_size(&now->format, plane, &width, &height);
    for (int y = first; y < end && y < height; y += FV_CHECK_BLOCK) {
        const int last = end < height ? end : height, rows = last - y < FV_CHECK_BLOCK ? last - y : FV_CHECK_BLOCK;
        change->differ += kernels->differences(now->data[plane] + y * now->stride[plane], now->stride[plane],
                                               before->data[plane] + y * before->stride[plane], before->stride[plane],
                                               width, rows, fv_format_sample_bytes(&now->format), block);
        for (int i = 0; i * FV_CHECK_BLOCK < width; i++)
            change->sad[plane] += block[i];
        const uint64_t peak = plane ? 0 : peak_of(block, width, rows);
        change->peak = peak > change->peak ? peak : change->peak;
    }
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const Freeze *freeze = run->state;
    const FvCheckBand band = fv_check_band(&freeze->plan, run, job);
    const FvFrame *now = fv_check_frame(work, band.side), *before = fv_check_before(work, band.side);
    FvFreezeBand *change = (FvFreezeBand *)work->frame + job;
    *change = (FvFreezeBand){0};
    for (int plane = 0; plane < fv_format_planes(&run->dis) && before; plane++) {
        const int down = plane && run->dis.chroma == FV_CHROMA_420;
        compare_rows(freeze->plan.kernels, now, before, plane, band.first >> down,
                     (band.first + FV_CHECK_BAND) >> down, work->scratch, change);
    }
}

static void cell_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCheckPlan *plan = &((const Freeze *)run->state)->plan;
    const FvFrame *now = fv_check_frame(work, job / FV_CHECK_ROWS);
    const int *edge = plan->edge_y + job % FV_CHECK_ROWS;
    uint64_t *cells = fv_freeze_cells(run, work) + job * FV_CHECK_COLUMNS;
    memset(cells, 0, FV_CHECK_COLUMNS * sizeof *cells);
    plan->kernels->cells(now->data[0] + edge[0] * now->stride[0], now->stride[0], run->dis.width, edge[1] - edge[0],
                         fv_format_sample_bytes(&run->dis), plan->edge_x, cells);
    fv_freeze_divide(run, job % FV_CHECK_ROWS, cells);
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const Freeze *freeze = run->state;
    const FvFreezeBand *change = work->frame;
    for (int job = 0; job < run->jobs[0]; job++, change++) {
        FvTerm *at = row + fv_check_band(&freeze->plan, run, job).side * FV_FREEZE_TERMS;
        at[FV_FREEZE_DIFFER].integer += (int64_t)change->differ;
        for (int plane = 0; plane < 3; plane++)
            at[FV_FREEZE_SAD + plane].integer += (int64_t)change->sad[plane];
        if ((int64_t)change->peak > at[FV_FREEZE_PEAK].integer)
            at[FV_FREEZE_PEAK].integer = (int64_t)change->peak;
    }
    for (int job = 0; job < run->jobs[1]; job++)
        for (int i = 0; i < FV_CHECK_COLUMNS; i++) {
            const int cell = job % FV_CHECK_ROWS * FV_CHECK_COLUMNS + i;
            row[job / FV_CHECK_ROWS * FV_FREEZE_TERMS + FV_FREEZE_CELLS + cell / 4].integer |=
                (int64_t)(fv_freeze_cells(run, work)[job * FV_CHECK_COLUMNS + i] << cell % 4 * 16);
        }
    return FV_OK;
}

static const FvStage stages[] = {{"changes", band_job, 0, false}, {"cells", cell_job, 0, false}};

const FvFeature fv_feature_freeze = {
    .name = "freeze",
    .cost = 400,
    FV_FEATURE_TERMS(terms_info),
    .every_frame = true,
    .state_size = sizeof(Freeze),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_freeze_gpu),
    .terms = terms,
};
