/* Measures how well the fields of consecutive frames fit together, and counts combed pixels. docs/metrics/scan.md */
#include "feature/check.h"

#define TERMS(side)                                                                                                  \
    {"moving" side, FV_TERM_INTEGER}, {"own" side, FV_TERM_INTEGER}, {"top" side, FV_TERM_INTEGER},                  \
        {"bottom" side, FV_TERM_INTEGER},                                                                            \
    {                                                                                                                \
        "comb" side, FV_TERM_INTEGER                                                                                 \
    }
static const FvTermInfo terms_info[] = {TERMS(""), TERMS("_ref")};

typedef struct Scan {
    FvCheckPlan plan;
} Scan;

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    Scan *scan = run->state;
    FvStatus status = fv_check_plan(&scan->plan, run, error);
    run->planes = 1;
    run->behind = 1;
    run->frame_bytes = (size_t)run->jobs[0] * sizeof(FvScanBand);
    run->scratch_bytes = (size_t)scan->plan.blocks * sizeof(uint32_t);
    return status;
}

static void band_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvCheckPlan *plan = &((const Scan *)run->state)->plan;
    const FvCheckBand part = fv_check_band(plan, run, job);
    FvScanBand *band = (FvScanBand *)work->frame + job;
    const uint32_t *block = work->scratch;
    *band = (FvScanBand){{0}, 0};
    for (int y = part.first; y < part.first + part.rows && run->dis.height >= 5; y += FV_CHECK_BLOCK) {
        const int left = part.first + part.rows - y;
        plan->kernels->scan(fv_check_frame(work, part.side), fv_check_before(work, part.side), y,
                            left < FV_CHECK_BLOCK ? left : FV_CHECK_BLOCK, &band->scan, work->scratch);
        for (int i = 0; i * FV_CHECK_BLOCK < run->dis.width; i++)
            band->comb = block[i] > band->comb ? block[i] : band->comb;
    }
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const Scan *scan = run->state;
    const FvScanBand *band = work->frame;
    for (int job = 0; job < run->jobs[0]; job++, band++) {
        FvTerm *at = row + fv_check_band(&scan->plan, run, job).side * FV_SCAN_TERMS;
        at[FV_SCAN_MOVING].integer += (int64_t)band->scan.moving;
        at[FV_SCAN_OWN].integer += (int64_t)band->scan.own;
        at[FV_SCAN_TOP].integer += (int64_t)band->scan.top;
        at[FV_SCAN_BOTTOM].integer += (int64_t)band->scan.bottom;
        if (band->comb > at[FV_SCAN_COMB].integer)
            at[FV_SCAN_COMB].integer = band->comb;
    }
    return FV_OK;
}

static const FvStage stages[] = {{"fields", band_job, 0, false}};

const FvFeature fv_feature_scan = {
    .name = "scan",
    .cost = 400,
    FV_FEATURE_TERMS(terms_info),
    .every_frame = true,
    .state_size = sizeof(Scan),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_scan_gpu),
    .terms = terms,
};
