/* The visual discrimination model as a feature: maps of just noticeable differences, and their statistics. */
#include "feature/vdm.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "feature/vdm_region.h"
#include "feature/vdm_steps.h"

/*
 * The feature does not check the ranges of its options: the metric of the same name has the same options and checks
 * them. The defaults are the same as well.
 */
#define ANY_REAL(name, value) (name, NULL, value, -INFINITY, INFINITY, NULL, "")
#define ANY_INT(name, value) (name, NULL, value, 0, 1024, NULL, "")
#define ANY_BOOL(name, value) (name, NULL, value, "")
#define OPTION_LIST(X)                                                                                               \
    X(FvVdmParameters, eotf, INT, ANY_INT("eotf", 0))                                                                \
    X(FvVdmParameters, full_range, BOOL, ANY_BOOL("full_range", 0))                                                  \
    X(FvVdmParameters, lw, REAL, ANY_REAL("lw", 100))                                                                \
    X(FvVdmParameters, lb, REAL, ANY_REAL("lb", 0.1))                                                                \
    X(FvVdmParameters, ambient_lux, REAL, ANY_REAL("ambient_lux", 0))                                                \
    X(FvVdmParameters, reflectance, REAL, ANY_REAL("reflectance", 0.01))                                             \
    X(FvVdmParameters, distance_h, REAL, ANY_REAL("distance_h", 3))                                                  \
    X(FvVdmParameters, ppd, REAL, ANY_REAL("ppd", 0))                                                                \
    X(FvVdmParameters, max_ppd, REAL, ANY_REAL("max_ppd", 160))                                                      \
    X(FvVdmParameters, retinal_ppd, REAL, ANY_REAL("retinal_ppd", 0))                                                \
    X(FvVdmParameters, levels, INT, ANY_INT("levels", 7))                                                            \
    X(FvVdmParameters, optics, BOOL, ANY_BOOL("optics", 1))                                                          \
    X(FvVdmParameters, barten03, BOOL, ANY_BOOL("barten03", 0))                                                      \
    X(FvVdmParameters, csf_width, REAL, ANY_REAL("csf_width", 10))                                                   \
    X(FvVdmParameters, csf_gain, REAL, ANY_REAL("csf_gain", 0.6))                                                    \
    X(FvVdmParameters, n, REAL, ANY_REAL("n", 2.4))                                                                  \
    X(FvVdmParameters, w, REAL, ANY_REAL("w", 0.4))                                                                  \
    X(FvVdmParameters, kappa, REAL, ANY_REAL("kappa", 2.5))                                                          \
    X(FvVdmParameters, q, REAL, ANY_REAL("q", 2.4))                                                                  \
    X(FvVdmParameters, pool, INT, ANY_INT("pool", 5))                                                                \
    X(FvVdmParameters, psych_slope, REAL, ANY_REAL("psych_slope", 1.3))                                              \
    X(FvVdmParameters, temporal, BOOL, ANY_BOOL("temporal", 0))                                                      \
    X(FvVdmParameters, fps, REAL, ANY_REAL("fps", 25))                                                               \
    X(FvVdmParameters, tau_s, REAL, ANY_REAL("tau_s", 0.04))                                                         \
    X(FvVdmParameters, tau_f, REAL, ANY_REAL("tau_f", 0.01))                                                         \
    X(FvVdmParameters, transient_sens, REAL, ANY_REAL("transient_sens", 100))                                        \
    FV_REGION_OPTIONS(X, FvVdmParameters, region)
FV_OPTIONS(vdm_options, OPTION_LIST);

static const FvTermInfo terms_info[FV_VDM_TERMS + 1] = {
    {"jnd", FV_TERM_REAL},      {"jnd_square", FV_TERM_REAL}, {"jnd_fourth", FV_TERM_REAL}, {"least", FV_TERM_REAL},
    {"greatest", FV_TERM_REAL}, {"visible", FV_TERM_INTEGER}, {"median", FV_TERM_REAL},     {"p95", FV_TERM_REAL},
    {"p99", FV_TERM_REAL},      {"weight", FV_TERM_INTEGER},
};

#define LEVEL(k)                                                                                                     \
    {                                                                                                                \
        "level" #k, "JND", 0, INFINITY, "what level " #k " alone would make of the pair", 8, true                    \
    }
#define RESPONSE(k, o)                                                                                               \
    {                                                                                                                \
        "response" #k "_" #o, "response", -INFINITY, INFINITY,                                                       \
            "level " #k ", " #o " degrees: response to the reference minus that to the distorted picture", 8, true   \
    }
#define RESPONSES(k) RESPONSE(k, 0), RESPONSE(k, 45), RESPONSE(k, 90), RESPONSE(k, 135)
const FvMapInfo fv_vdm_maps[FV_VDM_MAPS] = {
    {"jnd", "JND", 0, INFINITY, "just noticeable differences", 8, false},
    {"probability", "probability", 0, 1, "chance of seeing the difference, corrected for guessing", 0, true},
    LEVEL(0),
    LEVEL(1),
    LEVEL(2),
    LEVEL(3),
    LEVEL(4),
    LEVEL(5),
    LEVEL(6),
    RESPONSES(0),
    RESPONSES(1),
    RESPONSES(2),
    RESPONSES(3),
    RESPONSES(4),
    RESPONSES(5),
    RESPONSES(6),
};

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    FvVdmPlan *plan = run->state;
    bool seen = run->wanted_maps >> FV_VDM_MAP_RESPONSE;
    FvStatus status = fv_vdm_plan_open(plan, run->options, run->dis.width, run->dis.height, run->dis.depth,
                                       fv_format_sample_bytes(&run->dis), seen, run->isa,
                                       run->before ? run->before->state : NULL, error);
    if (!status)
        status = fv_vdm_region_open(plan, error);
    if (status)
        return status;
    run->planes = 1;
    run->term_count = FV_VDM_TERMS + plan->region.moving;
    run->frame_bytes = plan->floats * sizeof(float);
    run->scratch_bytes = plan->scratch_floats * sizeof(float);
    run->lasting_bytes = plan->lasting_floats * sizeof(float);
    for (FvVdmStep s = 0; s < FV_VDM_STEPS; s++)
        run->jobs[s] = fv_vdm_jobs(plan, s);
    for (int k = 0; k < FV_VDM_LEVELS; k++) {
        /* The map of a level that the options exclude is one sample, 0. */
        bool there = k < plan->parameters.levels;
        for (int i = -1; i < 4; i++) {
            FvMapShape *shape = &run->map[i < 0 ? FV_VDM_MAP_LEVEL + k : FV_VDM_MAP_RESPONSE + 4 * k + i];
            shape->width = there ? plan->level[k].width : 1;
            shape->height = there ? plan->level[k].height : 1;
        }
    }
    return FV_OK;
}

static void step_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvVdmPlan *plan = run->state;
    const FvVdmStep step = (FvVdmStep)work->level;
    if (work->skipped && step > FV_VDM_STEP_TIME)
        return;
    FvVdmPair pair = {.samples = {work->ref->data[0], work->dis->data[0]},
                      .stride = {work->ref->stride[0], work->dis->stride[0]},
                      .frame = work->frame,
                      .scratch = work->scratch,
                      .lasting = work->lasting,
                      .first = work->index == 0,
                      .mask = work->mask,
                      .maps = work->map};
    fv_vdm_job(plan, &pair, step, job);
}

static const FvStage stages[FV_VDM_STEPS] = {
    {"optics", step_job, FV_VDM_STEP_OPTICS, false},
    {"retina", step_job, FV_VDM_STEP_RETINA, false},
    {"time", step_job, FV_VDM_STEP_TIME, false},
    {"first level", step_job, FV_VDM_STEP_REDUCE, false},
    {"pyramid", step_job, FV_VDM_STEP_PYRAMID, false},
    {"responses", step_job, FV_VDM_STEP_RESPOND, false},
    {"transients", step_job, FV_VDM_STEP_TRANSIENT, false},
    {"weights", step_job, FV_VDM_STEP_WEIGH, false},
    {"levels", step_job, FV_VDM_STEP_LEVELS, true},
    {"sum", step_job, FV_VDM_STEP_ADD, false},
    {"enlarge", step_job, FV_VDM_STEP_ENLARGE, false},
    {"map", step_job, FV_VDM_STEP_MAP, false},
};

/*
 * Returns the first stage to compute again. The pyramids stay valid if the options of display and eye, on which they
 * depend, are the same.
 */
static int resume(const FvFeatureInstance *before, const FvFeatureInstance *run)
{
    FvVdmParameters a = *(const FvVdmParameters *)before->options, b = *(const FvVdmParameters *)run->options;
    const FvVdmPlan *p = before->state, *q = run->state;
    bool same_eye = !memcmp(&p->optics.spread, &q->optics.spread, sizeof p->optics.spread);
    bool same_display = fv_vdm_same_display(&a, &b);
    bool same_retina = p->halvings == q->halvings && !p->resampled && !q->resampled && a.levels == b.levels;
    return same_eye && same_display && same_retina ? FV_VDM_STEP_RESPOND : 0;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvVdmPlan *plan = run->state;
    if (work->skipped)
        memset(row, 0, (size_t)run->term_count * sizeof *row);
    if (!work->skipped && plan->region.moving) {
        const FvWeights *weights = fv_weights_of(&plan->region, work->frame);
        FvStatus status = fv_weights_check(&plan->region, weights, work->mask_number, error);
        if (status)
            return status;
        row[FV_VDM_TERM_WEIGHT].integer = (int64_t)weights->sum;
    }
    if (!work->skipped)
        fv_vdm_terms(plan, work->frame, row);
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    fv_vdm_plan_close(run->state);
}

const FvFeature fv_feature_vdm = {
    .name = "vdm",
    .cost = 45000,
    FV_FEATURE_OPTIONS(vdm_options, FvVdmParameters),
    FV_FEATURE_TERMS(terms_info),
    .maps = fv_vdm_maps,
    .map_count = FV_VDM_MAPS,
    .state_size = sizeof(FvVdmPlan),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .stage_in_order = FV_VDM_STEP_TIME,
    .gpu = FV_GPU_FEATURE(fv_vdm_gpu),
    .resume = resume,
    .terms = terms,
    .close = close_run,
};
