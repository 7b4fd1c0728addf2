/* Counts black samples, and finds the spread of planes and bars. docs/metrics/black.md */
#include <string.h>

#include "feature/check.h"
#include "os/memory.h"

#define OPTION_LIST(X) X(FvBlackOptions, pixel, INT, FV_BLACK_PIXEL)
FV_OPTIONS(black_options, OPTION_LIST);

#define TERMS(side)                                                                                                  \
    {"black" side, FV_TERM_INTEGER}, {"bar_top" side, FV_TERM_INTEGER}, {"bar_bottom" side, FV_TERM_INTEGER},        \
        {"bar_left" side, FV_TERM_INTEGER}, {"bar_right" side, FV_TERM_INTEGER}, {"min_y" side, FV_TERM_INTEGER},    \
        {"min_cb" side, FV_TERM_INTEGER}, {"min_cr" side, FV_TERM_INTEGER}, {"max_y" side, FV_TERM_INTEGER},         \
        {"max_cb" side, FV_TERM_INTEGER},                                                                            \
    {                                                                                                                \
        "max_cr" side, FV_TERM_INTEGER                                                                               \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

typedef struct Black {
    FvCheckPlan plan;
} Black;

/* The memory of a band: its levels, sums of rows, and sums of columns. */
typedef struct Band {
    FvCheckLevels level[3];
    uint64_t row[FV_CHECK_BAND];
    uint32_t column[];
} Band;

static size_t band_bytes(const FvRun *run)
{
    return FV_ROUND_UP(sizeof(Band) + (size_t)run->dis.width * sizeof(uint32_t), 64);
}

static Band *band_of(const FvRun *run, const FvWork *work, int job)
{
    return (Band *)((char *)work->frame + (size_t)job * band_bytes(run));
}

static FvStatus init(FvRun *run, FvError *error)
{
    Black *black = run->state;
    FvStatus status = fv_check_plan(&black->plan, run, error);
    run->frame_bytes = (size_t)fv_check_band_jobs(run) * band_bytes(run);
    run->scratch_bytes =
        (size_t)(run->dis.width > run->dis.height ? run->dis.width : run->dis.height) * sizeof(uint64_t);
    return status;
}

/* Returns the greatest code that counts as black. */
static int limit_of(const FvRun *run, int side)
{
    const FvBlackOptions *options = run->options;
    const FvCheckRange range = fv_check_range(fv_check_format(run, side));
    return range.low + (int)((int64_t)(range.high - range.low) * options->pixel / 1000);
}

static void band_job(const FvRun *run, const FvWork *work, int job)
{
    const Black *black = run->state;
    const FvCheckBand part = fv_check_band(&black->plan, run, job);
    const FvFrame *frame = fv_check_frame(work, part.side);
    Band *band = band_of(run, work, job);
    memset(band->column, 0, (size_t)run->dis.width * sizeof *band->column);
    for (int plane = 0; plane < fv_format_planes(&run->dis); plane++) {
        int width, height, down = plane && run->dis.chroma == FV_CHROMA_420;
        fv_format_plane_size(&run->dis, plane, &width, &height);
        const int end = (part.first + FV_CHECK_BAND) >> down;
        band->level[plane] = (FvCheckLevels){.least = 65535, .most = 0};
        for (int y = part.first >> down; y < end && y < height; y += FV_CHECK_BLOCK)
            black->plan.kernels->levels(frame->data[plane] + y * frame->stride[plane], frame->stride[plane], width,
                                        height - y < FV_CHECK_BLOCK ? height - y : FV_CHECK_BLOCK,
                                        fv_format_sample_bytes(&run->dis), plane ? -1 : limit_of(run, part.side),
                                        65536, &band->level[plane], plane ? NULL : &band->row[y - part.first],
                                        plane ? NULL : band->column);
    }
}

/* Returns the width of a bar in columns or rows: the number of sums from an edge on that do not exceed the limit. */
static int bar(const uint64_t *sum, int count, int step, uint64_t limit)
{
    int bars = 0;
    while (bars < count && sum[step > 0 ? bars : count - 1 - bars] <= limit)
        bars++;
    return bars;
}

static int finish_jobs(const FvRun *run)
{
    return ((const Black *)run->state)->plan.sides;
}

/* Adds the columns of all bands of a side and finds the bars, which replace the rows of the first band. */
static void finish_job(const FvRun *run, const FvWork *work, int side)
{
    const Black *black = run->state;
    const FvCheckRange range = fv_check_range(fv_check_format(run, side));
    const int width = run->dis.width, height = run->dis.height, bands = black->plan.bands;
    const uint64_t most = (uint64_t)range.low + (8u << (run->dis.depth - 8));
    uint64_t *sum = work->scratch;
    for (int y = 0; y < height; y++)
        sum[y] = band_of(run, work, side * bands + y / FV_CHECK_BAND)->row[y % FV_CHECK_BAND];
    int bars[4] = {bar(sum, height, 1, most * (uint64_t)width), bar(sum, height, -1, most * (uint64_t)width)};
    memset(sum, 0, (size_t)width * sizeof *sum);
    for (int i = 0; i < bands; i++)
        for (int x = 0; x < width; x++)
            sum[x] += band_of(run, work, side * bands + i)->column[x];
    bars[2] = bar(sum, width, 1, most * (uint64_t)height);
    bars[3] = bar(sum, width, -1, most * (uint64_t)height);
    for (int i = 0; i < 4; i++)
        band_of(run, work, side * bands)->row[i] = (uint64_t)bars[i];
}

static FvStatus terms(const FvRun *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const Black *black = run->state;
    const int bands = black->plan.bands;
    for (int side = 0; side < black->plan.sides; side++, row += FV_BLACK_TERMS) {
        for (int i = 0; i < 4; i++)
            row[FV_BLACK_BARS + i].integer = (int64_t)band_of(run, work, side * bands)->row[i];
        for (int plane = 0; plane < fv_format_planes(&run->dis); plane++) {
            row[FV_BLACK_LEAST + plane].integer = 65535;
            for (int i = 0; i < bands; i++) {
                const FvCheckLevels *level = &band_of(run, work, side * bands + i)->level[plane];
                FvTerm *least = &row[FV_BLACK_LEAST + plane], *most = &row[FV_BLACK_MOST + plane];
                row[FV_BLACK_SAMPLES].integer += plane ? 0 : (int64_t)level->few;
                least->integer = level->least < least->integer ? level->least : least->integer;
                most->integer = level->most > most->integer ? level->most : most->integer;
            }
        }
    }
    return FV_OK;
}

static const FvStage stages[] = {{"levels", fv_check_band_jobs, band_job, false},
                                 {"bars", finish_jobs, finish_job, false}};

const FvFeature fv_feature_black = {
    .name = "black",
    .cost = 200,
    FV_FEATURE_OPTIONS(black_options, FvBlackOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(Black),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .terms = terms,
};
