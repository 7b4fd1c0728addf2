#include "feature/vdm_region.h"

#include <math.h>
#include <string.h>

#include "arith/scalar.h"
#include "arith/vdm.h"
#include "base/error.h"
#include "os/memory.h"

__extension__ typedef unsigned __int128 Wide;

/* The sums of a band of rows, in units of 2^-26. */
typedef struct Band {
    Wide jnd, square, fourth;
    uint64_t visible;
    float least, greatest;
} Band;

#define BIN_FLOATS (FV_VDM_BINS * sizeof(uint64_t) / sizeof(float))

static int bands_of(const FvVdmPlan *plan)
{
    return (plan->optics.height + FV_VDM_MAP_BAND - 1) / FV_VDM_MAP_BAND;
}

static uint64_t *bins_of(const FvVdmPlan *plan, const float *frame)
{
    return (uint64_t *)(void *)(frame + plan->region_bins);
}

FvStatus fv_vdm_region_open(FvVdmPlan *plan, FvError *error)
{
    const FvRegionOptions *region = &plan->parameters.region;
    const int width = plan->optics.width, height = plan->optics.height;
    const FvRegionGrid grid = {.width = width, .height = height, .across = 1, .down = 1, .each = "sample of luma"};
    FvWeigher *weigher = &plan->region;
    size_t bytes = plan->floats * sizeof(float);
    FvStatus status = fv_weigher_open(weigher, region, width, height, &grid, "vdm", &bytes, error);
    if (status || !fv_weigher_weighs(weigher))
        return status;
    plan->floats = bytes / sizeof(float);
    plan->region_bins = FV_ROUND_UP(plan->floats, 16);
    plan->region_bands = plan->region_bins + BIN_FLOATS;
    plan->floats = plan->region_bands + FV_ROUND_UP((size_t)bands_of(plan) * sizeof(Band) / sizeof(float), 16);
    plan->region_scratch = FV_ROUND_UP(plan->scratch_floats, 16);
    plan->scratch_floats = plan->region_scratch + BIN_FLOATS;
    return FV_OK;
}

void fv_vdm_region_begin(const FvVdmPlan *plan, float *frame)
{
    if (fv_weights_of(&plan->region, frame)->weight)
        memset(frame + plan->region_bins, 0, BIN_FLOATS * sizeof(float));
}

static void count_row(Band *band, uint64_t *bins, const float *row, const uint32_t *weight, int width)
{
    for (int x = 0; x < width; x++) {
        if (!weight[x])
            continue;
        const FvVdmSums own = fv_vdm_summands(row[x], FV_VDM_LIMIT);
        band->jnd += (Wide)own.jnd * weight[x];
        band->square += (Wide)own.square * weight[x];
        band->fourth += (Wide)own.fourth * weight[x];
        band->visible += row[x] >= 1 ? weight[x] : 0;
        band->least = row[x] < band->least ? row[x] : band->least;
        band->greatest = row[x] > band->greatest ? row[x] : band->greatest;
        bins[fv_bits(row[x]) >> 16] += weight[x];
    }
}

void fv_vdm_region_count(const FvVdmPlan *plan, const FvVdmPair *pair, int band, int first, int count,
                         const FvVdmPlane *rows)
{
    const FvWeights *weights = fv_weights_of(&plan->region, pair->frame);
    uint64_t *bins = (uint64_t *)(void *)(pair->scratch + plan->region_scratch), *all = bins_of(plan, pair->frame);
    Band counted = {.least = INFINITY};
    memset(bins, 0, FV_VDM_BINS * sizeof *bins);
    for (int y = 0; y < count; y++)
        count_row(&counted, bins, fv_vdm_row(rows, y), weights->weight + (first + y) * weights->stride, rows->width);
    ((Band *)(void *)(pair->frame + plan->region_bands))[band] = counted;
    for (int i = 0; i < FV_VDM_BINS; i++)
        if (bins[i])
            __atomic_fetch_add(&all[i], bins[i], __ATOMIC_RELAXED);
}

/* Returns the lower edge of the bin that has the sample of rank `fraction`. */
static double percentile(const uint32_t *counts, const uint64_t *weights, int64_t total, double fraction)
{
    const double rank = ceil(fraction * (double)total - 1e-9);
    const int64_t need = rank < 1 ? 1 : (int64_t)rank;
    uint32_t bin = 0;
    for (int64_t seen = 0; (seen += counts ? counts[bin] : (int64_t)weights[bin]) < need;)
        bin++;
    const uint32_t bits = bin << 16;
    float edge;
    memcpy(&edge, &bits, sizeof edge);
    return edge;
}

void fv_vdm_percentiles(const uint32_t *counts, const uint64_t *weights, int64_t total, FvTerm *row)
{
    row[FV_VDM_TERM_P50].real = percentile(counts, weights, total, 0.5);
    row[FV_VDM_TERM_P95].real = percentile(counts, weights, total, 0.95);
    row[FV_VDM_TERM_P99].real = percentile(counts, weights, total, 0.99);
}

void fv_vdm_region_terms(const FvVdmPlan *plan, const float *frame, FvTerm *row)
{
    const FvWeights *weights = fv_weights_of(&plan->region, frame);
    const Band *band = (const Band *)(const void *)(frame + plan->region_bands);
    Band all = {.least = INFINITY};
    for (int i = 0; i < bands_of(plan); i++) {
        all.jnd += band[i].jnd;
        all.square += band[i].square;
        all.fourth += band[i].fourth;
        all.visible += band[i].visible;
        all.least = band[i].least < all.least ? band[i].least : all.least;
        all.greatest = band[i].greatest > all.greatest ? band[i].greatest : all.greatest;
    }
    row[FV_VDM_TERM_JND].real = (double)all.jnd;
    row[FV_VDM_TERM_SQUARE].real = (double)all.square / weights->most;
    row[FV_VDM_TERM_FOURTH].real = (double)all.fourth;
    row[FV_VDM_TERM_LEAST].real = all.least;
    row[FV_VDM_TERM_GREATEST].real = all.greatest;
    row[FV_VDM_TERM_VISIBLE].integer = (int64_t)all.visible;
    fv_vdm_percentiles(NULL, bins_of(plan, frame), (int64_t)weights->sum, row);
}
