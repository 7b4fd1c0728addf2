/* Counts black samples, and finds the extremes of each plane and the widths of black bars. docs/metrics/black.md */
#include <string.h>

#include "feature/check.h"
#include "os/memory.h"
#include "picture/bars.h"

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

static size_t band_bytes(const FvFeatureInstance *run)
{
    return FV_ROUND_UP(sizeof(FvBlackBand) + (size_t)run->dis.width * sizeof(uint32_t), 64);
}

FvBlackBand *fv_black_band(const FvFeatureInstance *run, const FvWork *work, int job)
{
    return (FvBlackBand *)((char *)work->frame + (size_t)job * band_bytes(run));
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    Black *black = run->state;
    FvStatus status = fv_check_plan(&black->plan, run, error);
    run->frame_bytes = (size_t)run->jobs[0] * band_bytes(run);
    run->jobs[1] = black->plan.sides;
    run->scratch_bytes = (size_t)(run->dis.height + run->dis.width) * sizeof(uint32_t);
    return status;
}

int fv_black_limit(const FvFeatureInstance *run, int side)
{
    const FvBlackOptions *options = run->options;
    const FvCheckRange range = fv_check_range(fv_check_format(run, side));
    return range.low + (int)((int64_t)(range.high - range.low) * options->pixel / 1000);
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const Black *black = run->state;
    const FvCheckBand part = fv_check_band(&black->plan, run, job);
    const FvFrame *frame = fv_check_frame(work, part.side);
    FvBlackBand *band = fv_black_band(run, work, job);
    memset(band->column, 0, (size_t)run->dis.width * sizeof *band->column);
    for (int plane = 0; plane < fv_format_planes(&run->dis); plane++) {
        int width, height, down = plane && run->dis.chroma == FV_CHROMA_420;
        fv_format_plane_size(&run->dis, plane, &width, &height);
        const int end = (part.first + FV_CHECK_BAND) >> down;
        band->level[plane] = (FvCheckLevels){.least = 65535, .most = 0};
        for (int y = part.first >> down; y < end && y < height; y += FV_CHECK_BLOCK)
            black->plan.kernels->levels(frame->data[plane] + y * frame->stride[plane], frame->stride[plane], width,
                                        height - y < FV_CHECK_BLOCK ? height - y : FV_CHECK_BLOCK,
                                        fv_format_sample_bytes(&run->dis),
                                        plane ? -1 : fv_black_limit(run, part.side), 65536, &band->level[plane],
                                        plane ? NULL : &band->row[y - part.first], plane ? NULL : band->column);
    }
}

void fv_black_set_bars(const FvFeatureInstance *run, const FvWork *work, int side, const uint32_t *rows,
                       const uint32_t *columns)
{
    uint64_t *bars = fv_black_band(run, work, side * ((const Black *)run->state)->plan.bands)->row;
    int lines[FV_BARS];
    fv_find_black_lines(lines, fv_check_format(run, side), rows, columns);
    for (int i = 0; i < FV_BARS; i++)
        bars[i] = (uint64_t)lines[i];
}

/*
 * Collects the row sums, and adds up the column sums, of all bands of a side. Sums of 32768 samples of 16 bits have
 * 31 bits.
 */
static void finish_job(const FvFeatureInstance *run, const FvWork *work, int side)
{
    const int width = run->dis.width, height = run->dis.height, bands = ((const Black *)run->state)->plan.bands;
    uint32_t *rows = work->scratch, *columns = rows + height;
    for (int y = 0; y < height; y++)
        rows[y] = (uint32_t)fv_black_band(run, work, side * bands + y / FV_CHECK_BAND)->row[y % FV_CHECK_BAND];
    memset(columns, 0, (size_t)width * sizeof *columns);
    for (int i = 0; i < bands; i++)
        for (int x = 0; x < width; x++)
            columns[x] += fv_black_band(run, work, side * bands + i)->column[x];
    fv_black_set_bars(run, work, side, rows, columns);
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const Black *black = run->state;
    const int bands = black->plan.bands;
    for (int side = 0; side < black->plan.sides; side++, row += FV_BLACK_TERMS) {
        for (int i = 0; i < 4; i++)
            row[FV_BLACK_BARS + i].integer = (int64_t)fv_black_band(run, work, side * bands)->row[i];
        for (int plane = 0; plane < fv_format_planes(&run->dis); plane++) {
            row[FV_BLACK_LEAST + plane].integer = 65535;
            for (int i = 0; i < bands; i++) {
                const FvCheckLevels *level = &fv_black_band(run, work, side * bands + i)->level[plane];
                FvTerm *least = &row[FV_BLACK_LEAST + plane], *most = &row[FV_BLACK_MOST + plane];
                row[FV_BLACK_SAMPLES].integer += plane ? 0 : (int64_t)level->few;
                least->integer = level->least < least->integer ? level->least : least->integer;
                most->integer = level->most > most->integer ? level->most : most->integer;
            }
        }
    }
    return FV_OK;
}

static const FvStage stages[] = {{"levels", band_job, 0, false}, {"bars", finish_job, 0, false}};

const FvFeature fv_feature_black = {
    .name = "black",
    .cost = 250,
    FV_FEATURE_OPTIONS(black_options, FvBlackOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(Black),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_black_gpu),
    .terms = terms,
};
