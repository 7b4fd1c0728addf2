/* Starts a session: lists the features of its metrics, chooses the device of each feature, and allocates memory. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device_select/devices.h"
#include "fovea/rgb.h"
#include "os/guard.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "session/state.h"

#define DEFAULT_IN_FLIGHT 16

static FvStatus check_pair(const FvFormat *ref, const FvFormat *dis, FvError *error)
{
    if (ref->width != dis->width || ref->height != dis->height)
        return fv_fail(error, FV_FAIL_SIZE,
                       "the reference is %dx%d and the distorted video %dx%d: frames that are pushed need one size, "
                       "as `scale` prepares them",
                       ref->width, ref->height, dis->width, dis->height);
    if (ref->chroma != dis->chroma)
        return fv_fail(
            error, FV_FAIL_FORMAT,
            "the reference is %s and the distorted video %s: frames that are pushed need one chroma format, "
            "as `convert=chroma` prepares them",
            fv_chroma_name(ref->chroma), fv_chroma_name(dis->chroma));
    if (ref->depth != dis->depth)
        return fv_fail(
            error, FV_FAIL_FORMAT,
            "the reference has %d bits per sample and the distorted video %d: frames that are pushed need one "
            "depth, as `convert=depth` prepares them",
            ref->depth, dis->depth);
    return FV_OK;
}

/* ---- Metrics and their features ----------------------------------------------------------------------------- */

/* Returns whether the metric scores the Y'CbCr variant of the frames. */
static bool reads_variant(const FvSession *session, const FvMetricInstance *run)
{
    return session->workload.has_variants && !run->metric->info.takes_rgb;
}

static FvStatus add_features(FvSession *session, int metric, FvError *error)
{
    FvMetricInstance *run = &session->metrics.run[metric];
    FvWants *wants = fv_alloc_zero(sizeof *wants);
    if (!wants)
        return fv_fail_memory(error, sizeof *wants);
    fv_metric_want(run, wants);
    FvStatus status = FV_OK;
    if (wants->failed)
        status = wants->count == FV_MAX_WANTS ? fv_fail(error, FV_ERROR_USAGE, "%s: more than %d features",
                                                        run->metric->info.name, FV_MAX_WANTS)
                                              : fv_fail_memory(error, sizeof *wants);
    for (int w = 0; w < wants->count && !status; w++) {
        int *position = &session->metrics.want[metric][w];
        status = fv_instances_add(&session->runs, wants->item[w].feature, wants->item[w].options,
                                  reads_variant(session, run), position, error);
        if (status)
            break;
        session->metrics.wanted[*position] = true;
        run->feature[w] = &session->runs.run[*position];
    }
    run->feature_count = wants->count;
    fv_wants_free(wants);
    fv_free(wants);
    return status;
}

/* Adds the maps that metrics need for themselves, and finds the feature instance of each map. */
static FvStatus find_maps(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < session->metrics.count && !status; i++)
        for (int m = 0; m < session->metrics.run[i].metric->info.map_count && !status; m++)
            if (session->metrics.run[i].maps >> m & 1)
                status = fv_maps_add(&session->flight.maps, &(FvMapRequest){.metric = i, .map = m}, error);
    for (int i = 0; i < session->flight.maps.count && !status; i++) {
        FvMapWanted *want = &session->flight.maps.wants[i];
        want->owner = &session->metrics.run[want->request.metric];
        const FvMapOrigin *origin = &want->owner->metric->maps[want->request.map];
        want->position = session->metrics.want[want->request.metric][origin->want];
        want->origin = origin->map;
        want->run = &session->runs.run[want->position];
        session->runs.run[want->position].wanted_maps |= (uint64_t)1 << origin->map;
    }
    return status;
}

/* Initialises a metric, after its features. */
static FvStatus init_metric(FvSession *session, int i, FvError *error)
{
    FvMetricInstance *run = &session->metrics.run[i];
    const char *name = run->metric->info.name;
    run->guard = &session->facts.read;
    run->cancel = session->params.cancel;
    run->overwrite = session->params.overwrite;
    FvStatus status = run->metric->init ? run->metric->init(run, error) : FV_OK;
    for (int other = 0; other < i && !status; other++)
        if (fv_file_same(run->folder, session->metrics.run[other].folder))
            status =
                fv_fail(error, FV_ERROR_USAGE,
                        "%s: another metric of this session writes to the same folder; name a folder for each", name);
    run->ready = !status;
    const FvRegionOptions *region = fv_region_among(run->options, &run->metric->options);
    if (!status && fv_region_given(region))
        status = fv_session_decide(
            session, error, region->path ? "%s: the samples of '%s' are weights" : "%s: only the rectangle %s counts",
            name, region->path ? region->path : region->rectangle);
    if (!status && *run->warning)
        status = fv_session_decide(session, error, "warning: %s", run->warning);
    return status || !*run->note ? status : fv_session_decide(session, error, "%s: %s", name, run->note);
}

static FvStatus init_metrics(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    const FvFormat *ref = session->has_reference ? &session->ref : NULL;
    for (int i = 0; i < session->metrics.count && !status; i++) {
        FvMetricInstance *run = &session->metrics.run[i];
        run->has_reference = session->has_reference;
        run->ref = reads_variant(session, run) ? session->runs.ycbcr_variant[FV_REFERENCE] : session->ref;
        run->dis = reads_variant(session, run) ? session->runs.ycbcr_variant[FV_DISTORTED] : session->dis;
        if (!ref && fv_metric_needs_reference(run))
            return fv_fail(error, FV_ERROR_USAGE, "%s compares with a reference: give one (`reference`)",
                           run->metric->info.name);
        status = fv_metric_check_rgb(run, session->workload.arrival == FV_ARRIVES_PUSHED, error);
        if (!status)
            status = add_features(session, i, error);
    }
    for (int r = 0; r < session->runs.count; r++) {
        session->runs.run[r].isa = session->devices.isa;
        session->runs.run[r].threads = session->devices.threads;
    }
    if (!status)
        status = find_maps(session, error);
    if (!status)
        status = fv_instances_init(&session->runs, ref, &session->dis, error);
    for (int i = 0; i < session->metrics.count && !status; i++) {
        status = init_metric(session, i, error);
        session->scores.ahead = session->metrics.run[i].ahead > session->scores.ahead ? session->metrics.run[i].ahead
                                                                                      : session->scores.ahead;
    }
    return status;
}

/*
 * Lays out rows. A row has the terms of the feature instances that metrics use. The inputs of an instance that needs
 * every frame also need every frame.
 */
static void lay_out_rows(FvSession *session)
{
    FvFeatureInstance *runs = session->runs.run;
    FvRowTable *rows = &session->scores.rows;
    for (int r = session->runs.count - 1; r >= 0; r--) {
        rows->every[r] |= runs[r].feature->every_frame || runs[r].lasting_bytes;
        for (int i = 0; i < runs[r].input_count && rows->every[r]; i++)
            rows->every[fv_instance_input(runs, r, i)] = true;
    }
    for (int r = 0; r < session->runs.count; r++) {
        runs[r].every_frame = rows->every[r];
        rows->offset[r] = session->metrics.wanted[r] ? rows->width : -1;
        rows->width += session->metrics.wanted[r] ? runs[r].term_count : 0;
        session->flight.behind = runs[r].behind > session->flight.behind ? runs[r].behind : session->flight.behind;
    }
}

/* ---- Devices ------------------------------------------------------------------------------------------------ */

/*
 * Returns whether the chosen device can compute a feature instance without its maps, and some frames need no maps:
 * the device then computes those frames. Instances that read other instances or remember frames stay on one device.
 */
static bool lacks_maps_only(const FvSession *session, int r)
{
    FvFeatureInstance plain = session->runs.run[r];
    char ignored[256];
    for (int i = 0; i < session->flight.maps.count; i++)
        if (session->flight.maps.wants[i].position == r && !session->flight.maps.wants[i].request.filter)
            return false;
    if (!plain.wanted_maps || plain.input_count || plain.lasting_bytes || !session->metrics.wanted[r])
        return false;
    plain.wanted_maps = 0;
    return session->devices.opened[0]->ops->supports(session->devices.opened[0], &plain, ignored, sizeof ignored);
}

typedef enum Able { UNABLE, ABLE_WITHOUT_MAPS, ABLE } Able;

/*
 * Decides which device computes a feature instance. Records why the chosen device cannot compute it, or an instance
 * that it reads.
 */
static FvStatus ask_device(FvSession *session, int r, Able *able, FvError *error)
{
    FvFeatureInstance *runs = session->runs.run;
    const char *name = runs[r].feature->name;
    char why[256] = "";
    for (int i = 0; i < runs[r].input_count; i++)
        if (!able[fv_instance_input(runs, r, i)])
            snprintf(why, sizeof why, "it reads %s, which is computed there", runs[r].input[i]->feature->name);
    able[r] =
        !*why && session->devices.opened[0]->ops->supports(session->devices.opened[0], &runs[r], why, sizeof why)
            ? ABLE
            : UNABLE;
    if (able[r] == ABLE)
        return *why ? fv_session_decide(session, error, "%s: %s", name, why) : FV_OK;
    if (lacks_maps_only(session, r))
        able[r] = ABLE_WITHOUT_MAPS;
    FvStatus status = FV_OK;
    if (!session->devices.opened[1])
        status = fv_device_open(
            &session->devices.opened[1],
            &(FvDeviceParams){.name = "cpu", .isa = session->devices.isa, .threads = session->devices.threads},
            error);
    /* A caller who names a device expects it to compute everything, so the sentence is a warning. */
    bool named = strcmp(session->devices.name, "auto") != 0;
    return status ? status
                  : (named ? fv_session_warn : fv_session_decide)(session, error, "%s is computed on the CPU%s: %s",
                                                                  name, able[r] ? " for frames with maps" : "", why);
}

/*
 * Places each feature instance on the chosen device or, if that cannot compute it, on the CPU. An instance whose
 * memory is read on both devices is computed on both; the terms are then the CPU's.
 */
static FvStatus distribute(FvSession *session, FvError *error)
{
    FvFeatureInstance *runs = session->runs.run;
    Able able[FV_MAX_INSTANCES];
    FvStatus status = FV_OK;
    if (session->devices.opened[0]->ops->expect)
        session->devices.opened[0]->ops->expect(session->devices.opened[0], runs, session->runs.count,
                                                &session->workload.observer);
    for (int r = 0; r < session->runs.count && !status; r++)
        status = ask_device(session, r, able, error);
    for (int r = session->runs.count - 1; r >= 0 && !status; r--) {
        bool inner[2] = {session->devices.placement[0][r] != FV_NOT_PLACED,
                         session->devices.placement[1][r] != FV_NOT_PLACED};
        if (able[r] == ABLE_WITHOUT_MAPS && !inner[1]) {
            session->devices.placement[0][r] = FV_PLACED_WITHOUT_MAPS;
            session->devices.placement[1][r] = FV_PLACED_FOR_MAPS;
        } else if (session->metrics.wanted[r] || runs[r].wanted_maps)
            session->devices.placement[able[r] != ABLE || inner[1]][r] = FV_PLACED;
        for (int d = 0; d < 2; d++) {
            if (!session->devices.placement[d][r])
                continue;
            session->devices.every[d] |=
                runs[r].every_frame && session->devices.placement[d][r] != FV_PLACED_FOR_MAPS;
            for (int i = 0; i < runs[r].input_count; i++)
                session->devices.placement[d][fv_instance_input(runs, r, i)] = FV_PLACED_AS_INPUT;
        }
    }
    return status;
}

static FvStatus start_devices(FvSession *session, FvError *error)
{
    FvStatus status = fv_session_choose_device(session, error);
    if (!status)
        status = distribute(session, error);
    if (status)
        return status;
    session->flight.most = session->params.in_flight;
    FvDevice *chosen = session->devices.opened[0];
    chosen->others = session->devices.others;
    FvFeatureInstance *runs = session->runs.run;
    int count = session->runs.count;
    if (!session->flight.most && chosen->ops->in_flight && count)
        session->flight.most = chosen->ops->in_flight(chosen, runs, count, session->workload.arrival);
    if (!session->flight.most)
        session->flight.most =
            session->devices.threads + 1 < DEFAULT_IN_FLIGHT ? session->devices.threads + 1 : DEFAULT_IN_FLIGHT;
    if (!session->params.in_flight && session->workload.pairs > 0 && session->flight.most > session->workload.pairs)
        session->flight.most = (int)session->workload.pairs;
    for (int d = 0; d < 2 && !status; d++)
        if (session->devices.opened[d])
            status = session->devices.opened[d]->ops->start(
                session->devices.opened[d], runs, session->devices.placement[d], count, &session->flight.most, error);
    return status;
}

/*
 * Returns whether stages on the host fill the instance's memory. false: a device with its own memory only copies
 * results there.
 */
static bool has_stages_here(const FvSession *session, int run)
{
    bool any = false;
    for (int d = 0; d < 2; d++)
        any |= session->devices.opened[d] && session->devices.placement[d][run] &&
               !session->devices.opened[d]->ops->room;
    return any;
}

/*
 * Allocates the memory of tasks. Zeroes it if stages run on the host, because they read SIMD lanes after the end of a
 * row. Otherwise most of it is never touched.
 */
static FvStatus allocate_tasks(FvSession *session, FvError *error)
{
    session->flight.tasks = calloc((size_t)session->flight.most, sizeof *session->flight.tasks);
    if (!session->flight.tasks)
        return fv_fail_memory(error, (size_t)session->flight.most * sizeof *session->flight.tasks);
    for (int t = 0; t < session->flight.most; t++)
        for (int i = 0; i < session->runs.count; i++) {
            size_t bytes = session->runs.run[i].frame_bytes;
            session->flight.tasks[t].frame[i] = has_stages_here(session, i) ? fv_alloc_zero(bytes) : fv_alloc(bytes);
            if (!session->flight.tasks[t].frame[i])
                return fv_fail_memory(error, bytes);
        }
    return fv_maps_start(&session->flight.maps, session->runs.run, session->runs.count, session->flight.most, error);
}

/* ---- All together ------------------------------------------------------------------------------------------- */

FvStatus fv_session_start_frames(FvSession *session, const FvFrame *reference, const FvFrame *distorted,
                                 FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, distorted);
    const FvFrame *ycbcr[2] = {fv_frame_ycbcr(reference), fv_frame_ycbcr(distorted)};
    if (reference && !ycbcr[0] != !ycbcr[1])
        return fv_fail(error, FV_ERROR_USAGE, "the %s video has no Y'CbCr beside its RGB, and the other one has",
                       ycbcr[0] ? "distorted" : "reference");
    if (ycbcr[1] && session->state == FV_SESSION_OPEN) {
        session->workload.has_variants = true;
        session->workload.ycbcr_variant[FV_DISTORTED] = ycbcr[1]->format;
        session->workload.ycbcr_variant[FV_REFERENCE] = ycbcr[reference ? 0 : 1]->format;
    }
    return fv_session_start(session, reference ? &reference->format : NULL, &distorted->format, error);
}

FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, distorted);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "fv_session_start: the session has been started before");
    if (!session->metrics.count)
        return fv_fail(error, FV_ERROR_USAGE, "no metric was chosen; 'fovea metrics' lists them");
    session->state = FV_SESSION_FAILED;
    FvStatus status = fv_format_check_scored(distorted, error);
    if (!status && reference)
        status = fv_format_check_scored(reference, error);
    if (!status && reference)
        status = check_pair(reference, distorted, error);
    if (status)
        return status;
    session->has_reference = reference != NULL;
    session->dis = fv_colour_known(distorted);
    session->ref = reference ? fv_colour_known(reference) : session->dis;
    for (int side = 0; side < 2 && session->workload.has_variants; side++)
        session->runs.ycbcr_variant[side] = fv_colour_known(&session->workload.ycbcr_variant[side]);
    status = init_metrics(session, error);
    if (status)
        return status;
    lay_out_rows(session);
    const bool computes = session->workload.arrival != FV_ARRIVES_AS_ROWS;
    if (computes)
        status = fv_masks_open(&session->flight.masks, &session->runs, session->devices.threads,
                               session->params.cancel, error);
    if (computes && !status)
        status = start_devices(session, error);
    if (!status && session->flight.most)
        status = allocate_tasks(session, error);
    if (!status)
        status = fv_session_make_columns(session, error);
    if (!status)
        session->state = FV_SESSION_STARTED;
    return status;
}
