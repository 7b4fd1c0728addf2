/* Sums the luminance and the saturated red of cells, for the detection of flashes. docs/metrics/flash.md */
#include "base/error.h"
#include "feature/check.h"
#include "os/memory.h"

#define CELL(row, column)                                                                                            \
    {                                                                                                                \
        "cell_" #row "_" #column, FV_TERM_INTEGER                                                                    \
    }
#define CELL_REF(row, column)                                                                                        \
    {                                                                                                                \
        "cell_" #row "_" #column "_ref", FV_TERM_INTEGER                                                             \
    }
#define ROW(X, row)                                                                                                  \
    X(row, 0), X(row, 1), X(row, 2), X(row, 3), X(row, 4), X(row, 5), X(row, 6), X(row, 7), X(row, 8), X(row, 9),    \
        X(row, 10), X(row, 11), X(row, 12), X(row, 13), X(row, 14), X(row, 15)
#define CELLS(X) ROW(X, 0), ROW(X, 1), ROW(X, 2), ROW(X, 3), ROW(X, 4), ROW(X, 5), ROW(X, 6), ROW(X, 7), ROW(X, 8)
static const FvTermInfo terms_info[] = {CELLS(CELL), CELLS(CELL_REF)};

#define OPTION_LIST(X)                                                                                               \
    X(FvFlashOptions, white, INT, FV_FLASH_WHITE)                                                                    \
    X(FvFlashOptions, hlg_peak, INT, FV_PEAKS_HLG_PEAK)
FV_OPTIONS(flash_options, OPTION_LIST);

typedef uint64_t Cells[FV_CHECK_COLUMNS];

static size_t row_of(const FvFeatureInstance *run)
{
    return FV_ROUND_UP((size_t)run->dis.width + 64, 16);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvFlashOptions *options = run->options;
    FvFlash *flash = run->state;
    FvStatus status = fv_check_plan(&flash->plan, run, error);
    for (int side = 0; side < flash->plan.sides && !status; side++)
        status = fv_check_light_open(&flash->light[side], fv_check_format(run, side), options->white,
                                     options->hlg_peak, error);
    run->jobs[0] = fv_check_has_cells(run) ? flash->plan.sides * FV_CHECK_ROWS : 0;
    run->frame_bytes = (size_t)(flash->plan.sides * FV_CHECK_ROWS) * sizeof(Cells);
    run->scratch_bytes = 3 * row_of(run) * sizeof(uint32_t);
    return status;
}

uint64_t fv_flash_cell(const FvFeatureInstance *run, int cell, uint64_t luminance, uint64_t saturated)
{
    const FvCheckPlan *plan = run->state;
    const int *x = plan->edge_x + cell % FV_CHECK_COLUMNS, *y = plan->edge_y + cell / FV_CHECK_COLUMNS;
    const uint64_t samples = (uint64_t)(x[1] - x[0]) * (uint64_t)(y[1] - y[0]);
    return (luminance / samples) >> 8 | ((saturated / samples) >> 8) << 32;
}

static void cell_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvFlash *flash = run->state;
    const FvCheckPlan *plan = &flash->plan;
    const FvCheckLight *light = &flash->light[job / FV_CHECK_ROWS];
    const int first = plan->edge_y[job % FV_CHECK_ROWS], end = plan->edge_y[job % FV_CHECK_ROWS + 1];
    uint32_t *red = work->scratch, *green = red + row_of(run), *blue = green + row_of(run);
    Cells luminance = {0}, saturated = {0}, *cells = (Cells *)work->frame + job;
    for (int y = first; y < end; y++) {
        plan->kernels->linear(light, fv_check_frame(work, job / FV_CHECK_ROWS), y, red, green, blue);
        plan->kernels->flash(light, red, green, blue, plan->edge_x, luminance, saturated);
    }
    for (int i = 0; i < FV_CHECK_COLUMNS; i++)
        (*cells)[i] = fv_flash_cell(run, job % FV_CHECK_ROWS * FV_CHECK_COLUMNS + i, luminance[i], saturated[i]);
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const uint64_t *cell = work->frame;
    for (int i = 0; i < run->jobs[0] * FV_CHECK_COLUMNS; i++)
        row[i].integer = (int64_t)cell[i];
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvFlash *flash = run->state;
    for (int side = 0; side < FV_CHECK_SIDES; side++)
        fv_check_light_close(&flash->light[side]);
}

static const FvStage stages[] = {{"light of cells", cell_job, 0, false}};

const FvFeature fv_feature_flash = {
    .name = "flash",
    .cost = 1300,
    FV_FEATURE_OPTIONS(flash_options, FvFlashOptions),
    FV_FEATURE_TERMS(terms_info),
    .every_frame = true,
    .state_size = sizeof(FvFlash),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_flash_gpu),
    .terms = terms,
    .close = close_run,
};
