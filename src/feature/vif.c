/* Sums of information at four scales. docs/metrics/vif.md */
#include "feature/vif.h"

#include <string.h>

#include "base/error.h"
#include "cpu/vif.h"
#include "os/memory.h"

#define OPTION_LIST(X) FV_VIF_OPTIONS(X, FvVifOptions, )
FV_OPTIONS(vif_options, OPTION_LIST);

#define SCALE_TERMS(scale)                                                                                           \
    {"numerator_scale" #scale, FV_TERM_INTEGER}, {"denominator_scale" #scale, FV_TERM_INTEGER},                      \
        {"flat_variance_scale" #scale, FV_TERM_INTEGER}, {"flat_scale" #scale, FV_TERM_INTEGER},
static const FvTermInfo terms_info[] = {SCALE_TERMS(0) SCALE_TERMS(1) SCALE_TERMS(2) SCALE_TERMS(3)};

#define BAND 128 /* rows per job */

static FvVifPlanes planes_of(const FvFeatureInstance *run, const FvWork *work, int scale)
{
    const FvVif *vif = run->state;
    FvVifPlanes planes = {
        .width = vif->width[scale], .height = vif->height[scale], .depth = run->dis.depth, .scale = scale};
    planes.ref = scale ? (uint8_t *)work->frame + vif->ref[scale] : work->ref->data[0];
    planes.dis = scale ? (uint8_t *)work->frame + vif->dis[scale] : work->dis->data[0];
    planes.ref_stride = scale ? vif->stride[scale] : work->ref->stride[0];
    planes.dis_stride = scale ? vif->stride[scale] : work->dis->stride[0];
    return planes;
}

/* Computes a band's sums, and its part of the next scale's frames. */
static void scale_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const int scale = work->level;
    const FvVif *vif = run->state;
    const FvVifOptions *options = run->options, *twin = run->twin;
    const double limit[] = {options->enhn_gain_limit, twin ? twin->enhn_gain_limit : 0};
    const FvVifKernels *kernels = fv_vif_kernels(run->isa);
    FvVifPlanes planes = planes_of(run, work, scale);
    int first = job * BAND, rows = planes.height - first < BAND ? planes.height - first : BAND;
    FvVifSums *sums = (FvVifSums *)((uint8_t *)work->frame + vif->sums[scale]) + job;
    *sums = (FvVifSums){.flat = 0};
    if (scale || !options->skip_scale0)
        kernels->sums(&planes, first, rows, vif->logs, limit, sums, work->scratch);
    if (scale < 3)
        kernels->reduce(&planes, first / 2, rows / 2, (uint16_t *)((uint8_t *)work->frame + vif->ref[scale + 1]),
                        (uint16_t *)((uint8_t *)work->frame + vif->dis[scale + 1]), vif->stride[scale + 1],
                        work->scratch);
}

/* Returns whether the options differ in the limit alone, which decides nothing but the numerator. */
static bool computes_both(const void *options, const void *other)
{
    const FvVifOptions *one = options, *two = other;
    return one->skip_scale0 == two->skip_scale0;
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    if (run->input_count) {
        memset(run->jobs, 0, sizeof run->jobs);
        run->reads = 0;
        run->frame_bytes = 64;
        return FV_OK;
    }
    if (run->dis.width < FV_VIF_SMALLEST || run->dis.height < FV_VIF_SMALLEST)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "vif: %dx%d is too small; the metric takes pictures from 16x16", run->dis.width,
                       run->dis.height);
    FvVif *vif = run->state;
    fv_vif_log_table(vif->logs);
    run->planes = 1;
    for (int scale = 0; scale < 4; scale++) {
        vif->width[scale] = run->dis.width >> scale;
        vif->height[scale] = run->dis.height >> scale;
        run->jobs[scale] = (vif->height[scale] + BAND - 1) / BAND;
        vif->sums[scale] = run->frame_bytes;
        run->frame_bytes += FV_ROUND_UP((size_t)run->jobs[scale] * sizeof(FvVifSums), 64);
        if (!scale)
            continue;
        vif->stride[scale] = FV_ROUND_UP(2 * vif->width[scale] + 64, 64);
        size_t bytes = (size_t)vif->stride[scale] * (size_t)vif->height[scale];
        vif->ref[scale] = run->frame_bytes;
        vif->dis[scale] = run->frame_bytes + bytes;
        run->frame_bytes += 2 * bytes;
    }
    run->scratch_bytes = fv_vif_scratch(run->dis.width);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const bool second = run->input_count > 0; /* the input has both sums */
    const FvFeatureInstance *instance = second ? run->input[0] : run;
    const FvVif *vif = instance->state;
    const uint8_t *frame = second ? work->input[0] : work->frame;
    for (int scale = 0; scale < 4; scale++, row += FV_VIF_TERMS) {
        const FvVifSums *sums = (const FvVifSums *)(frame + vif->sums[scale]);
        for (int band = 0; band < instance->jobs[scale]; band++) {
            row[FV_VIF_NUMERATOR].integer += sums[band].numerator[second];
            row[FV_VIF_DENOMINATOR].integer += sums[band].denominator;
            row[FV_VIF_FLAT_VARIANCE].integer += sums[band].flat_variance;
            row[FV_VIF_FLAT].integer += sums[band].flat;
        }
    }
    return FV_OK;
}

static const FvStage stages[] = {
    {"scale 0", scale_job, 0, false},
    {"scale 1", scale_job, 1, false},
    {"scale 2", scale_job, 2, false},
    {"scale 3", scale_job, 3, false},
};

const FvFeature fv_feature_vif = {
    .name = "vif",
    .cost = 7200,
    FV_FEATURE_OPTIONS(vif_options, FvVifOptions),
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvVif),
    .computes_both = FV_VIF_LIMITS > 1 ? computes_both : NULL,
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_vif_gpu),
    .terms = terms,
};
