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

/* Returns the entries of a row of places, with room for whole vectors. */
static size_t row_of(const FvFeatureInstance *run)
{
    return FV_ROUND_UP((size_t)run->dis.width + 64, 32);
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
    run->scratch_bytes = 3 * row_of(run) * sizeof(uint16_t);
    return status;
}

uint64_t fv_flash_cell(const FvFeatureInstance *run, int cell, uint64_t luminance, uint64_t saturated)
{
    const FvCheckPlan *plan = run->state;
    const int *x = plan->edge_x + cell % FV_CHECK_COLUMNS, *y = plan->edge_y + cell / FV_CHECK_COLUMNS;
    const uint64_t samples = (uint64_t)(x[1] - x[0]) * (uint64_t)(y[1] - y[0]);
    return (luminance / samples) >> 8 | ((saturated / samples) >> 8) << 32;
}

/* The pixels of a row of cells: columns [edge[i], edge[i + 1]) of the rows [first, end) are those of cell i. */
typedef struct Pixels {
    const FvCheckKernels *kernels;
    const FvCheckLight *light;
    const FvFrame *frame;
    const int *edge;
    int first, end;
    uint16_t *place[3];
} Pixels;

/* Returns the sum of the luminance of the pixels of a cell. */
static uint64_t luminance_of(const Pixels *pixels, int i)
{
    const int x = pixels->edge[i], count = pixels->edge[i + 1] - x;
    uint64_t sum = 0;
    for (int y = pixels->first; y < pixels->end; y++) {
        pixels->kernels->places(pixels->light, pixels->frame, y, pixels->place);
        sum += fv_check_luminance(pixels->light, pixels->place, x, count);
    }
    return sum;
}

/*
 * Returns the term of cell i of a row. A pixel's luminance is its weighted light, rounded by at most half a unit, so
 * the sums of light alone bound the sum of the luminance. Only where the bounds have different terms, in about one
 * cell of 200, does the luminance of each pixel decide.
 */
static uint64_t term_of(const FvFeatureInstance *run, const Pixels *pixels, const FvCheckCell *sums, int row, int i)
{
    __extension__ typedef unsigned __int128 Wide;
    const Wide half =
        (Wide)((uint64_t)(pixels->edge[i + 1] - pixels->edge[i]) * (uint64_t)(pixels->end - pixels->first)) << 15;
    const int cell = row * FV_CHECK_COLUMNS + i;
    Wide whole = 0;
    for (int k = 0; k < 3; k++)
        whole += (Wide)sums->light[k] * pixels->light->weight[k];
    const uint64_t least = fv_flash_cell(run, cell, (uint64_t)((whole > half ? whole - half : 0) >> 16), sums->red);
    return least == fv_flash_cell(run, cell, (uint64_t)((whole + half) >> 16), sums->red)
               ? least
               : fv_flash_cell(run, cell, luminance_of(pixels, i), sums->red);
}

static void cell_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvFlash *flash = run->state;
    const int row = job % FV_CHECK_ROWS, side = job / FV_CHECK_ROWS;
    uint16_t *place = work->scratch;
    const Pixels pixels = {.kernels = flash->plan.kernels,
                           .light = &flash->light[side],
                           .frame = fv_check_frame(work, side),
                           .edge = flash->plan.edge_x,
                           .first = flash->plan.edge_y[row],
                           .end = flash->plan.edge_y[row + 1],
                           .place = {place, place + row_of(run), place + 2 * row_of(run)}};
    FvCheckCell sums[FV_CHECK_COLUMNS] = {{{0}, 0}};
    for (int y = pixels.first; y < pixels.end; y++) {
        pixels.kernels->places(pixels.light, pixels.frame, y, pixels.place);
        for (int i = 0; i < FV_CHECK_COLUMNS; i++)
            fv_check_add_light(pixels.light, pixels.place, pixels.edge[i], pixels.edge[i + 1] - pixels.edge[i],
                               &sums[i]);
    }
    for (int i = 0; i < FV_CHECK_COLUMNS; i++)
        ((Cells *)work->frame)[job][i] = term_of(run, &pixels, &sums[i], row, i);
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
