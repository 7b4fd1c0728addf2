/* Finds extremes and percentiles of samples, and counts samples outside the legal range. docs/metrics/levels.md */
#include <string.h>

#include "feature/check.h"
#include "os/memory.h"

#define TERMS(side)                                                                                                  \
    {"min_y" side, FV_TERM_INTEGER}, {"min_cb" side, FV_TERM_INTEGER}, {"min_cr" side, FV_TERM_INTEGER},             \
        {"max_y" side, FV_TERM_INTEGER}, {"max_cb" side, FV_TERM_INTEGER}, {"max_cr" side, FV_TERM_INTEGER},         \
        {"p1" side, FV_TERM_INTEGER}, {"p5" side, FV_TERM_INTEGER}, {"p50" side, FV_TERM_INTEGER},                   \
        {"p95" side, FV_TERM_INTEGER}, {"p99" side, FV_TERM_INTEGER}, {"sum_y" side, FV_TERM_INTEGER},               \
        {"low" side, FV_TERM_INTEGER}, {"high" side, FV_TERM_INTEGER}, {"below" side, FV_TERM_INTEGER},              \
        {"above" side, FV_TERM_INTEGER}, {"reserved" side, FV_TERM_INTEGER},                                         \
    {                                                                                                                \
        "illegal" side, FV_TERM_INTEGER                                                                              \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

static size_t band_bytes(const FvFeatureInstance *run)
{
    return FV_ROUND_UP(sizeof(FvLevelsBand) + (sizeof(uint32_t) << run->dis.depth), 64);
}

FvLevelsBand *fv_levels_band(const FvFeatureInstance *run, const FvWork *work, int job)
{
    return (FvLevelsBand *)((char *)work->frame + (size_t)job * band_bytes(run));
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    FvLevels *levels = run->state;
    FvStatus status = fv_check_plan(&levels->plan, run, error);
    for (int side = 0; side < levels->plan.sides && !status; side++)
        status = fv_check_light_open(&levels->light[side], fv_check_format(run, side), 0, 0, error);
    run->frame_bytes = (size_t)run->jobs[0] * band_bytes(run);
    run->jobs[1] = levels->plan.sides;
    run->scratch_bytes = 4 * 256 * sizeof(uint32_t);
    return status;
}

/*
 * Counts in four tables in turn, because two equal neighbouring codes in one table would wait for each other's count.
 */
static void count8(const FvFrame *frame, int first, int rows, uint32_t *codes, uint32_t *table)
{
    memset(table, 0, 4 * 256 * sizeof *table);
    for (int y = first; y < first + rows; y++) {
        const uint8_t *row = frame->data[0] + y * frame->stride[0];
        int x = 0;
        for (; x + 8 <= frame->format.width; x += 8) {
            uint64_t codes8;
            memcpy(&codes8, row + x, sizeof codes8); /* one load instead of eight */
            for (int i = 0; i < 8; i++)
                table[256 * (i & 3) + (codes8 >> 8 * i & 255)]++;
        }
        for (; x < frame->format.width; x++)
            table[row[x]]++;
    }
    for (int i = 0; i < 256; i++)
        codes[i] += table[i] + table[256 + i] + table[512 + i] + table[768 + i];
}

static void count16(const FvFrame *frame, int first, int rows, uint32_t *codes)
{
    for (int y = first; y < first + rows; y++) {
        const uint16_t *row = (const uint16_t *)(frame->data[0] + y * frame->stride[0]);
        for (int x = 0; x < frame->format.width; x++)
            codes[row[x]]++;
    }
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvLevels *levels = run->state;
    const FvCheckBand part = fv_check_band(&levels->plan, run, job);
    const FvFrame *frame = fv_check_frame(work, part.side);
    const int shift = run->dis.depth - 8, down = run->dis.chroma == FV_CHROMA_420;
    FvLevelsBand *band = fv_levels_band(run, work, job);
    memset(band->codes, 0, sizeof(uint32_t) << run->dis.depth);
    if (run->dis.depth == 8)
        count8(frame, part.first, part.rows, band->codes, work->scratch);
    else
        count16(frame, part.first, part.rows, band->codes);
    for (int plane = 1; plane < fv_format_planes(&run->dis); plane++) {
        int width, height;
        fv_format_plane_size(&run->dis, plane, &width, &height);
        const int end = (part.first + FV_CHECK_BAND) >> down;
        band->chroma[plane - 1] = (FvCheckLevels){.least = 65535, .most = 0};
        for (int y = part.first >> down; y < end && y < height; y += FV_CHECK_BLOCK)
            levels->plan.kernels->levels(frame->data[plane] + y * frame->stride[plane], frame->stride[plane], width,
                                         height - y < FV_CHECK_BLOCK ? height - y : FV_CHECK_BLOCK,
                                         fv_format_sample_bytes(&run->dis), (1 << shift) - 1, 255 << shift,
                                         &band->chroma[plane - 1], NULL, NULL);
    }
    band->illegal = fv_check_format(run, part.side)->range == FV_RANGE_FULL
                        ? 0
                        : levels->plan.kernels->illegal(&levels->light[part.side], frame, part.first, part.rows);
}

/* Computes the terms that depend on the counts of codes. */
static void count_terms(const FvFeatureInstance *run, int side, const uint32_t *codes, FvTerm *row)
{
    static const uint64_t percent[] = {1, 5, 50, 95, 99};
    const FvCheckRange range = fv_check_range(fv_check_format(run, side));
    const int shift = run->dis.depth - 8, top = 1 << run->dis.depth, coarse = run->dis.depth > 12 ? 4 : 0;
    const uint64_t samples = (uint64_t)run->dis.width * (uint64_t)run->dis.height;
    uint64_t below = 0;
    int rank = 0, least = -1, most = 0;
    for (int code = 0; code < top; code++) {
        const int64_t count = codes[code];
        if (!count)
            continue;
        below += (uint64_t)count;
        least = least < 0 ? code : least;
        most = code;
        for (; rank < 5 && below * 100 >= percent[rank] * samples; rank++)
            row[FV_LEVELS_RANKS + rank].integer = ((code >> coarse) + 1) * (1 << coarse) - 1;
        row[FV_LEVELS_SUM].integer += count * code;
        row[FV_LEVELS_LOW].integer += code <= range.low ? count : 0;
        row[FV_LEVELS_HIGH].integer += code >= range.high ? count : 0;
        row[FV_LEVELS_BELOW].integer += code < range.low ? count : 0;
        row[FV_LEVELS_ABOVE].integer += code > range.high ? count : 0;
        row[FV_LEVELS_RESERVED].integer += code < 1 << shift || code >= 255 << shift ? count : 0;
    }
    row[FV_LEVELS_LEAST].integer = least;
    row[FV_LEVELS_MOST].integer = most;
}

/* Adds the counts of all bands of a side to its first band. */
static void finish_job(const FvFeatureInstance *run, const FvWork *work, int side)
{
    const FvLevels *levels = run->state;
    const int bands = levels->plan.bands;
    FvLevelsBand *all = fv_levels_band(run, work, side * bands);
    for (int i = 1; i < bands; i++) {
        const FvLevelsBand *band = fv_levels_band(run, work, side * bands + i);
        for (int code = 0; code < 1 << run->dis.depth; code++)
            all->codes[code] += band->codes[code];
        all->illegal += band->illegal;
        for (int plane = 0; plane < fv_format_planes(&run->dis) - 1; plane++) {
            FvCheckLevels *sum = &all->chroma[plane];
            const FvCheckLevels *part = &band->chroma[plane];
            sum->few += part->few;
            sum->many += part->many;
            sum->least = part->least < sum->least ? part->least : sum->least;
            sum->most = part->most > sum->most ? part->most : sum->most;
        }
    }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvLevels *levels = run->state;
    for (int side = 0; side < levels->plan.sides; side++, row += FV_LEVELS_TERMS) {
        const FvLevelsBand *all = fv_levels_band(run, work, side * levels->plan.bands);
        count_terms(run, side, all->codes, row);
        for (int plane = 1; plane < fv_format_planes(&run->dis); plane++) {
            const FvCheckLevels *chroma = &all->chroma[plane - 1];
            row[FV_LEVELS_LEAST + plane].integer = chroma->least;
            row[FV_LEVELS_MOST + plane].integer = chroma->most;
            row[FV_LEVELS_RESERVED].integer += (int64_t)(chroma->few + chroma->many);
        }
        row[FV_LEVELS_ILLEGAL].integer = (int64_t)all->illegal;
    }
    return FV_OK;
}

static const FvStage stages[] = {{"codes and legal colours", band_job, 0, false},
                                 {"sums of bands", finish_job, 0, false}};

const FvFeature fv_feature_levels = {
    .name = "levels",
    .cost = 800,
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvLevels),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_levels_gpu),
    .terms = terms,
};
