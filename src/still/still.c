/* Computes the map of one pair again when options change, and reuses the results that the options do not affect. */
#include "fovea/still.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "device/instances.h"
#include "device_select/devices.h"
#include "gpu/still.h"
#include "metric/metric.h"
#include "os/cancel.h"
#include "os/memory.h"
#include "os/workers.h"
#include "picture/colour.h"
#include "picture/format.h"

/* A metric with its options, and the feature instance and map that it needs. */
typedef struct View {
    FvMetricInstance metric;
    FvFeatureInstances runs;
    bool open;
} View;

struct FvStill {
    FvFrame *given[2];              /* the caller's pair */
    FvFrame *reference, *distorted; /* the frames for the current metric: the pair, or its Y'CbCr variant */
    FvIsa isa;
    int threads;
    const FvCancel *cancel;
    FvWorkers *workers;
    FvGpuStill *gpu; /* the pair on a GPU; NULL: the CPU computes */
    View view[2];
    int shown;    /* index of the view that owns the memory below */
    bool current; /* `frame` is complete for view[shown] */
    void *frame;
    size_t frame_bytes;
    uint8_t *scratch; /* scratch memory of each thread */
    size_t scratch_bytes;
    FvMapPlane *maps; /* planes of all maps of the feature; only the requested one has memory */
    float *map;
    size_t map_bytes;
    FvTerm *terms;
    size_t term_bytes;
    double values[64];
};

static void close_view(View *view)
{
    if (!view->open)
        return;
    fv_instances_close(&view->runs);
    fv_metric_close(&view->metric);
    view->open = false;
}

/* ---- Open and close ------------------------------------------------------------------------------------------- */

static FvStatus check_frames(const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    const FvFormat *ref = reference ? &reference->format : &distorted->format, *dis = &distorted->format;
    if (ref->width != dis->width || ref->height != dis->height || ref->chroma != dis->chroma ||
        ref->depth != dis->depth)
        return fv_fail(error, FV_ERROR_INPUT, "the two frames of a still differ in size, chroma or depth");
    return fv_format_check_scored(dis, error);
}

static void drop_frames(FvStill *still)
{
    fv_frame_unref(&still->reference);
    fv_frame_unref(&still->distorted);
    still->current = false;
}

static void keep_given(FvStill *still, const FvFrame *reference, const FvFrame *distorted)
{
    FvFrame *given[2] = {reference ? fv_frame_ref((FvFrame *)reference) : NULL,
                         distorted ? fv_frame_ref((FvFrame *)distorted) : NULL};
    for (int side = 0; side < 2; side++) {
        fv_frame_unref(&still->given[side]);
        still->given[side] = given[side];
    }
}

static void hold_frames(FvStill *still, const FvFrame *reference, const FvFrame *distorted)
{
    still->reference = reference ? fv_frame_ref((FvFrame *)reference) : NULL;
    still->distorted = fv_frame_ref((FvFrame *)distorted);
}

FvStatus fv_still_open(FvStill **still, const FvStillParams *params, const FvFrame *reference,
                       const FvFrame *distorted, FvError *error)
{
    FV_FLOAT_MODE;
    if (!still || !params || !distorted)
        return fv_fail(error, FV_ERROR_USAGE, "fv_still_open: still, params or distorted is NULL");
    *still = NULL;
    if (params->threads < 0 || params->threads > 256)
        return fv_fail(error, FV_ERROR_USAGE, "fv_still_open: %d threads; from 1 to 256 are possible, 0 for one",
                       params->threads);
    FvStatus status = check_frames(reference, distorted, error);
    if (status)
        return status;
    FvStill *s = fv_alloc_zero(sizeof *s);
    if (!s)
        return fv_fail_memory(error, sizeof *s);
    s->threads = params->threads ? params->threads : 1;
    s->cancel = params->cancel;
    s->maps = fv_alloc_zero(FV_MAX_MAPS * sizeof *s->maps);
    status =
        s->maps ? fv_isa_parse(params->isa, &s->isa, error) : fv_fail_memory(error, FV_MAX_MAPS * sizeof *s->maps);
    if (!status)
        status = fv_workers_open(&s->workers, s->threads, error);
    bool cpu = !params->device || !strcmp(params->device, "cpu");
    FvGpu *gpu = NULL; /* also called in builds without GPUs, to tell a wrong name from an unsupported device */
    if (!status && !cpu)
        status = fv_devices_open_gpu(&gpu, params->device, error);
#if FV_HAVE_GPU
    if (!status && !cpu)
        status = fv_gpu_still_open(&s->gpu, gpu, reference, distorted, error);
#endif
    if (!status) {
        hold_frames(s, reference, distorted);
        keep_given(s, reference, distorted);
        *still = s;
        return FV_OK;
    }
    fv_still_close(&s);
    return status;
}

/*
 * Returns whether a new pair has the formats of the current pair, so that everything that depends only on formats can
 * be kept.
 */
static bool same_formats(const FvStill *still, const FvFrame *reference, const FvFrame *distorted)
{
    return still->distorted && !still->reference == !reference &&
           !memcmp(&still->distorted->format, &distorted->format, sizeof distorted->format) &&
           (!reference || !memcmp(&still->reference->format, &reference->format, sizeof reference->format));
}

static FvStatus show_pair(FvStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    if (!same_formats(still, reference, distorted)) {
        close_view(&still->view[0]);
        close_view(&still->view[1]);
    }
    drop_frames(still);
    FvStatus status = check_frames(reference, distorted, error);
#if FV_HAVE_GPU
    if (!status && still->gpu)
        status = fv_gpu_still_pair(still->gpu, reference, distorted, error);
#endif
    if (!status)
        hold_frames(still, reference, distorted);
    return status;
}

FvStatus fv_still_pair(FvStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error)
{
    FV_FLOAT_MODE;
    if (!still || !distorted)
        return fv_fail(error, FV_ERROR_USAGE, "fv_still_pair: still or distorted is NULL");
    const FvStatus status = show_pair(still, reference, distorted, error);
    keep_given(still, status ? NULL : reference, status ? NULL : distorted);
    return status;
}

/* Chooses the frames for a metric: the Y'CbCr variant of the pair if it does not accept RGB, else the pair. */
static FvStatus suit_metric(FvStill *still, const char *text, FvError *error)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, "="), text);
    const FvMetric *metric = fv_metric_find(name);
    FvFrame *pair[2] = {still->given[FV_REFERENCE], still->given[FV_DISTORTED]};
    for (int side = 0; side < 2 && metric && !metric->info.takes_rgb; side++)
        pair[side] = fv_frame_ycbcr(pair[side]) ? fv_frame_ycbcr(pair[side]) : pair[side];
    return !metric || pair[FV_DISTORTED] == still->distorted
               ? FV_OK
               : show_pair(still, pair[FV_REFERENCE], pair[FV_DISTORTED], error);
}

void fv_still_close(FvStill **still)
{
    FvStill *s = still ? *still : NULL;
    if (!s)
        return;
    close_view(&s->view[0]);
    close_view(&s->view[1]);
#if FV_HAVE_GPU
    fv_gpu_still_close(&s->gpu);
#endif
    fv_workers_close(&s->workers);
    fv_free(s->map);
    fv_free(s->maps);
    fv_free(s->terms);
    fv_free(s->frame);
    fv_free(s->scratch);
    drop_frames(s);
    keep_given(s, NULL, NULL);
    fv_free(s);
    *still = NULL;
}

/* ---- A metric and its map -------------------------------------------------------------------------------------- */

static FvStatus find_map(const FvMetric *metric, const char *name, int *map, FvError *error)
{
    *map = -1;
    for (int i = 0; name && i < metric->info.map_count; i++)
        if (!strcmp(metric->info.maps[i].name, name))
            *map = i;
    if (name && *map < 0)
        return fv_fail(error, FV_ERROR_USAGE, "%s has no map '%s'", metric->info.name, name);
    return FV_OK;
}

/* Adds the instance of the metric's only feature, which is initialised later. */
static FvStatus add_feature(View *view, FvError *error)
{
    const FvMetric *metric = view->metric.metric;
    FvWants *wants = fv_alloc_zero(sizeof *wants);
    if (!wants)
        return fv_fail_memory(error, sizeof *wants);
    fv_metric_want(&view->metric, wants);
    FvStatus status = FV_OK;
    int position = 0;
    if (wants->failed)
        status = fv_fail_memory(error, sizeof *wants);
    else if (wants->count != 1)
        status = fv_fail(error, FV_ERROR_USAGE, "%s is made of %d features; a still shows metrics of one",
                         metric->info.name, wants->count);
    else
        status =
            fv_instances_add(&view->runs, wants->item[0].feature, wants->item[0].options, false, &position, error);
    if (!status && view->runs.count != 1)
        status = fv_fail(error, FV_ERROR_USAGE,
                         "%s reads the results of other features; a still shows metrics of one", metric->info.name);
    fv_wants_free(wants);
    fv_free(wants);
    return status;
}

static FvStatus open_view(FvStill *s, View *view, const char *text, const char *map_name, int *map, FvError *error)
{
    *view = (View){.open = false};
    FvStatus status = fv_metric_open(&view->metric, text, error);
    if (status)
        return status;
    view->open = true;
    const FvMetric *metric = view->metric.metric;
    view->metric.dis = fv_colour_known(&s->distorted->format);
    view->metric.ref = s->reference ? fv_colour_known(&s->reference->format) : view->metric.dis;
    view->metric.has_reference = s->reference != NULL;
    status = find_map(metric, map_name, map, error);
    if (!status)
        status = fv_metric_check_rgb(&view->metric, true, error);
    if (!status && fv_metric_needs_reference(&view->metric) && !s->reference)
        status =
            fv_fail(error, FV_ERROR_USAGE, "%s compares with a reference, and the still has none", metric->info.name);
    if (!status && view->metric.maps)
        status = fv_fail(error, FV_ERROR_USAGE,
                         "%s writes maps to files, which a still does not; leave that option out", metric->info.name);
    if (!status)
        status = add_feature(view, error);
    if (status)
        return status;
    FvFeatureInstance *run = &view->runs.run[0];
    run->isa = s->isa;
    run->threads = s->threads;
    const View *before = &s->view[s->shown];
    run->before = before->open && before->runs.run[0].feature == run->feature ? &before->runs.run[0] : NULL;
    if (*map >= 0)
        run->wanted_maps = (uint64_t)1 << metric->maps[*map].map;
    status =
        fv_instances_init(&view->runs, s->reference ? &s->reference->format : NULL, &s->distorted->format, error);
    if (!status && (run->behind || run->lasting_bytes))
        status =
            fv_fail(error, FV_ERROR_USAGE, "%s needs earlier frames, so it has no still map; use fv_session_want_map",
                    metric->info.name);
    view->metric.feature[0] = run;
    view->metric.feature_count = 1;
    if (!status && metric->init)
        status = metric->init(&view->metric, error);
    return status;
}

/* ---- Computing ------------------------------------------------------------------------------------------------- */

typedef struct Jobs {
    FvStill *still;
    const FvFeatureInstance *run;
    const FvStage *stage;
    FvWork work;
} Jobs;

static void run_job(void *opaque, int i, int worker)
{
    const Jobs *jobs = opaque;
    FvWork work = jobs->work;
    if (fv_cancel_requested(jobs->still->cancel))
        return;
    work.scratch = jobs->still->scratch + (size_t)worker * jobs->run->scratch_bytes;
    jobs->stage->job(jobs->run, &work, i);
}

static FvStatus grow_memory(void **memory, size_t *have, size_t need, FvError *error)
{
    if (*memory && *have == need)
        return FV_OK;
    fv_free(*memory);
    *have = 0;
    *memory = fv_alloc_zero(need);
    if (!*memory)
        return fv_fail_memory(error, need);
    *have = need;
    return FV_OK;
}

/* Returns the first stage whose result the new options change. */
static int first_stage(const FvStill *s, const FvFeatureInstance *before, const FvFeatureInstance *run)
{
    bool same_shape = s->current && before && before->feature == run->feature &&
                      before->frame_bytes == run->frame_bytes && before->wanted_maps == run->wanted_maps;
    return same_shape && run->feature->resume ? run->feature->resume(before, run) : 0;
}

static FvStatus compute_on_cpu(FvStill *s, const FvFeatureInstance *run, FvWork *work, int first, int map,
                               FvStillMap *where, FvError *error)
{
    FvStatus status =
        grow_memory((void **)&s->scratch, &s->scratch_bytes, run->scratch_bytes * (size_t)s->threads, error);
    for (int m = 0; m < FV_MAX_MAPS; m++)
        s->maps[m] = (FvMapPlane){NULL, 0};
    if (!status && map >= 0) {
        size_t samples = (size_t)run->map[map].width * (size_t)run->map[map].height;
        status = grow_memory((void **)&s->map, &s->map_bytes, samples * sizeof(float), error);
        s->maps[map] = (FvMapPlane){s->map, run->map[map].width};
        *where = (FvStillMap){s->map, (uint64_t)(uintptr_t)s->map};
        work->map = s->maps;
    }
    for (int i = first; !status && i < run->feature->stage_count; i++) {
        const FvStage *stage = &run->feature->stages[i];
        Jobs jobs = {s, run, stage, *work};
        jobs.work.level = stage->level;
        if (!stage->maps || map >= 0)
            fv_workers_run(s->workers, run->jobs[i], run_job, &jobs);
    }
    return status;
}

static FvStatus compute(FvStill *s, const FvFeatureInstance *run, int first, int map, bool fetch, FvStillMap *where,
                        FvError *error)
{
    size_t terms = (size_t)run->term_count * sizeof(FvTerm);
    FvStatus status = grow_memory(&s->frame, &s->frame_bytes, run->frame_bytes, error);
    if (!status)
        status = grow_memory((void **)&s->terms, &s->term_bytes, terms + sizeof(FvTerm), error);
    if (status)
        return status;
    memset(s->terms, 0, terms);
    FvWork work = {.ref = s->reference, .dis = s->distorted, .frame = s->frame};
#if FV_HAVE_GPU
    if (s->gpu)
        status = fv_gpu_still_run(s->gpu, run, first, &work, map, fetch, where, error);
#else
#endif
    if (!s->gpu)
        status = compute_on_cpu(s, run, &work, first, map, where, error);
    if (!status && fv_cancel_requested(s->cancel))
        status = fv_fail_cancelled(error, run->feature->name);
    return status ? status : fv_instance_terms(run, &work, s->terms, error);
}

static FvStatus score_view(FvStill *s, View *view, FvError *error)
{
    static const int first_run = 0;
    const FvMetric *metric = view->metric.metric;
    FvRowTable table = {.width = view->runs.run[0].term_count};
    FvTerm *row;
    FvStatus status = fv_rows_reserve(&table, &row, error);
    if (!status) {
        memcpy(row, s->terms, (size_t)table.width * sizeof *row);
        fv_rows_commit(&table, 0, false);
        FvRows rows = {.table = &table, .run = &first_run, .first = 0, .last = 0};
        status = metric->score(&view->metric, &rows, 0, s->values, error);
    }
    fv_rows_free(&table);
    return status;
}

/* The current map, as the caller gets it. */
typedef struct Shown {
    int map, origin; /* indices of the map in the metric (`map`) and in the feature (`origin`); -1: none */
    FvStillMap where;
} Shown;

static FvStatus show_map(FvStill *still, const char *metric, const char *name, bool fetch, Shown *shown,
                         FvError *error)
{
    *shown = (Shown){-1, -1, {NULL, 0}};
    if (!still->distorted)
        return fv_fail(error, FV_ERROR_USAGE, "the still has no pair: give it one with fv_still_pair");
    FvStatus status = suit_metric(still, metric, error);
    if (status)
        return status;
    View *view = &still->view[!still->shown], *before = &still->view[still->shown];
    status = open_view(still, view, metric, name, &shown->map, error);
    if (status) { /* the current map remains */
        close_view(view);
        return status;
    }
    const FvFeatureInstance *run = &view->runs.run[0];
    if (shown->map >= 0)
        shown->origin = view->metric.metric->maps[shown->map].map;
    int first = first_stage(still, before->open ? &before->runs.run[0] : NULL, run);
    still->current = false;
    status = compute(still, run, first, shown->origin, fetch, &shown->where, error);
    close_view(before);
    still->shown = !still->shown;
    if (!status)
        status = score_view(still, view, error);
    still->current = !status;
    return status;
}

FvStatus fv_still_map(FvStill *still, const char *metric, const char *name, FvMap *map, FvError *error)
{
    FV_FLOAT_MODE;
    if (!still || !metric)
        return fv_fail(error, FV_ERROR_USAGE, "fv_still_map: still or metric is NULL");
    Shown shown;
    FvStatus status = show_map(still, metric, name, true, &shown, error);
    if (status || !map)
        return status;
    *map = (FvMap){.metric = 0, .map = shown.map, .reference = still->reference, .distorted = still->distorted};
    if (shown.map < 0)
        return FV_OK;
    const View *view = &still->view[still->shown];
    const FvMapShape *shape = &view->runs.run[0].map[shown.origin];
    map->info = &view->metric.metric->info.maps[shown.map];
    map->minimum = shape->minimum;
    map->maximum = shape->maximum;
    map->width = shape->width;
    map->height = shape->height;
    map->data = shown.where.host;
    map->stride = shape->width;
    return FV_OK;
}

FvStatus fv_still_map_on_device(FvStill *still, const char *metric, const char *name, FvDeviceMap *map,
                                FvError *error)
{
    FV_FLOAT_MODE;
    if (!still || !metric || !name || !map)
        return fv_fail(error, FV_ERROR_USAGE, "fv_still_map_on_device: still, metric, name or map is NULL");
    Shown shown;
    FvStatus status = show_map(still, metric, name, false, &shown, error);
    if (status)
        return status;
    const View *view = &still->view[still->shown];
    const FvMapShape *shape = &view->runs.run[0].map[shown.origin];
    *map = (FvDeviceMap){.info = &view->metric.metric->info.maps[shown.map],
                         .minimum = shape->minimum,
                         .maximum = shape->maximum,
                         .width = shape->width,
                         .height = shape->height,
                         .address = shown.where.address,
                         .stride = shape->width};
    return FV_OK;
}

void fv_still_device(const FvStill *still, FvDeviceHandles *handles)
{
    if (!handles)
        return;
    *handles = (FvDeviceHandles){.kind = still ? "cpu" : NULL};
#if FV_HAVE_GPU
    if (still && still->gpu)
        fv_gpu_still_handles(still->gpu, handles);
#endif
}

/* Returns whether a mask video weights the metric, whose frame for a single pair is unknown. */
static bool is_by_mask(const View *view)
{
    const FvRegionOptions *region = fv_region_among(view->metric.options, &view->metric.metric->options);
    return region && region->mask && !region->mask->weight;
}

double fv_still_value(const FvStill *still, const char *output)
{
    FV_FLOAT_MODE;
    const View *view = still ? &still->view[still->shown] : NULL;
    if (!view || !view->open || !still->current || !output || is_by_mask(view))
        return NAN;
    const FvMetricInstance *run = &view->metric;
    const FvOutputInfo *outputs = run->outputs ? run->outputs : run->metric->info.outputs;
    int count = run->outputs ? run->output_count : run->metric->info.output_count;
    for (int i = 0; i < count && i < 64; i++)
        if (!strcmp(outputs[i].name, output) && !outputs[i].sequence)
            return still->values[i];
    return NAN;
}
