/*
 * The pairs in flight: pushes them into a ring of tasks, submits them to devices, and makes rows of terms in order.
 */
#include "session/state.h"

#include "base/error.h"
#include "os/cancel.h"
#include "picture/frame.h"

static void release_task(FvTask *task)
{
    fv_frame_unref(&task->ref);
    fv_frame_unref(&task->dis);
    for (int r = 0; r < FV_MAX_INSTANCES; r++)
        fv_frame_unref(&task->mask[r]);
    for (int k = 0; k < FV_MAX_BEHIND; k++) {
        fv_frame_unref(&task->prev_ref[k]);
        fv_frame_unref(&task->prev_dis[k]);
    }
}

static bool device_handles_task(const FvSession *session, int device, const FvTask *task)
{
    if (!session->devices.opened[device] || fv_frame_is_undecoded(task->dis))
        return false;
    return !task->skipped || session->devices.every[device] ||
           (!device && (fv_frame_packet(task->ref) || fv_frame_packet(task->dis)));
}

/*
 * Completes a task: makes a row of terms from its features' memory, and scores all rows whose required later rows
 * exist.
 */
static FvStatus commit_task(FvSession *session, const FvTask *task, FvError *error)
{
    FvTerm *row;
    FvStatus status = fv_rows_reserve(&session->scores.rows, &row, error);
    for (int i = 0; i < session->runs.count && !status; i++) {
        const FvFeatureInstance *run = &session->runs.run[i];
        if (!session->metrics.wanted[i] || (task->skipped && !session->scores.rows.every[i]) ||
            fv_frame_is_undecoded(task->dis))
            continue;
        FvWork work = fv_task_work(task, session->runs.run, i);
        status = fv_instance_terms(run, &work, row + session->scores.rows.offset[i], error);
    }
    session->flight.delivering = true;
    if (!status)
        status = fv_maps_deliver(&session->flight.maps, task, error);
    session->flight.delivering = false;
    if (status)
        return status;
    fv_rows_commit(&session->scores.rows, task->number, task->skipped);
    return fv_session_score_rows(session, session->scores.rows.count - session->scores.ahead, error);
}

/* Ends every metric, also if one of them fails. */
static FvStatus end_metrics(FvSession *session, bool whole, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < session->metrics.count; i++) {
        FvMetricInstance *run = &session->metrics.run[i];
        char kept[512] = "";
        bool ends = run->ready && run->metric->end;
        run->ready = false;
        FvStatus ended = ends ? run->metric->end(run, whole && !status, kept, sizeof kept, status ? NULL : error) : 0;
        status = status ? status : ended;
        if (*kept)
            (void)fv_session_warn(session, NULL, "%s: %s", run->metric->info.name, kept);
    }
    return status;
}

static FvStatus fail_session(FvSession *session, FvStatus status)
{
    if (!status)
        return status;
    session->state = FV_SESSION_FAILED;
    end_metrics(session, false, NULL);
    return status;
}

static FvStatus retire(FvSession *session, FvError *error)
{
    FvTask *task = &session->flight.tasks[session->flight.retired % session->flight.most];
    FvStatus status = FV_OK;
    for (int d = 0; d < 2; d++)
        if (device_handles_task(session, d, task)) {
            FvStatus waited =
                session->devices.opened[d]->ops->wait(session->devices.opened[d], task, status ? NULL : error);
            status = status ? status : waited;
        }
    if (!status)
        status = commit_task(session, task, error);
    release_task(task);
    session->flight.retired++;
    return fail_session(session, status);
}

/*
 * Releases frames as soon as their tasks are done, so that the next frames are read into the same memory while it is
 * still in a cache. With one thread, a video thus needs the memory of one frame only.
 */
static FvStatus retire_done(FvSession *session, FvError *error)
{
    FvFlight *flight = &session->flight;
    FvStatus status = FV_OK;
    while (!status && flight->retired < flight->pushed) {
        const FvTask *oldest = &flight->tasks[flight->retired % flight->most];
        for (int d = 0; d < 2; d++) {
            FvDevice *device = session->devices.opened[d];
            if (device_handles_task(session, d, oldest) && !(device->ops->done && device->ops->done(device, oldest)))
                return FV_OK;
        }
        status = retire(session, error);
    }
    return status;
}

static bool is_running(const FvSession *session)
{
    return session->state == FV_SESSION_STARTED && !session->flight.delivering;
}

static FvStatus check_frame(const FvSession *session, FvFrame *frame, const FvFormat *format, const char *which,
                            int64_t number, FvError *error)
{
    char got[96], want[96];
    if (fv_frame_is_undecoded(frame))
        return FV_OK;
    if (!frame)
        return fv_fail(error, FV_ERROR_USAGE, "frame %lld: the %s frame is missing", (long long)number, which);
    if (!fv_format_same_shape(&frame->format, format))
        return fv_fail(error, FV_ERROR_INPUT, "frame %lld of the %s video is %s, and those before it were %s",
                       (long long)number, which, fv_format_describe(&frame->format, got, sizeof got),
                       fv_format_describe(format, want, sizeof want));
    if (!frame->data[0] && (!session->devices.opened[0]->ops->frame || session->devices.opened[1]))
        return fv_fail(
            error, FV_ERROR_USAGE,
            "frame %lld of the %s video is in device memory, which metrics on the CPU cannot read; push it in "
            "host memory, or leave out the metrics that the device does not compute",
            (long long)number, which);
    return fv_frame_check(frame, which, number, error);
}

static FvFrame *share(FvFrame *frame)
{
    return fv_frame_is_undecoded(frame) ? NULL : fv_frame_ref(frame);
}

/* Passes the previous frames to a task, and stores the task's frames for the next task. */
static void look_back(FvSession *session, FvTask *task)
{
    for (int k = 0; k < session->flight.behind; k++) {
        task->prev_ref[k] = session->flight.prev_ref[k] ? fv_frame_ref(session->flight.prev_ref[k]) : NULL;
        task->prev_dis[k] = session->flight.prev_dis[k] ? fv_frame_ref(session->flight.prev_dis[k]) : NULL;
    }
    for (int k = session->flight.behind - 1; k >= 0; k--) {
        fv_frame_unref(&session->flight.prev_ref[k]);
        fv_frame_unref(&session->flight.prev_dis[k]);
        session->flight.prev_ref[k] = k ? session->flight.prev_ref[k - 1] : share(task->ref);
        session->flight.prev_dis[k] = k ? session->flight.prev_dis[k - 1] : share(task->dis);
        if (k)
            session->flight.prev_ref[k - 1] = session->flight.prev_dis[k - 1] = NULL;
    }
}

FvStatus fv_session_hand_over(FvSession *session, int64_t number, int64_t mask, FvFrame *reference,
                              FvFrame *distorted, bool skipped, FvError *error)
{
    FvFlight *flight = &session->flight;
    if (session->state != FV_SESSION_STARTED || flight->delivering)
        return fv_fail(error, FV_ERROR_USAGE,
                       flight->delivering
                           ? "a map callback cannot push frames into its own session"
                           : "frames are pushed into a session that has been started and has not ended or failed");
    FvStatus status = check_frame(session, distorted, &session->dis, "distorted", number, error);
    if (!status && session->has_reference)
        status = check_frame(session, reference, &session->ref, "reference", number, error);
    if (!status && session->workload.has_variants)
        status = check_frame(session, fv_frame_ycbcr(distorted), &session->runs.ycbcr_variant[FV_DISTORTED],
                             "distorted", number, error);
    if (!status && session->workload.has_variants && session->has_reference)
        status = check_frame(session, fv_frame_ycbcr(reference), &session->runs.ycbcr_variant[FV_REFERENCE],
                             "reference", number, error);
    while (!status && flight->pushed - flight->retired >= flight->most)
        status = retire(session, error);
    if (!status)
        status = retire_done(session, error);
    if (status)
        return status;

    const int slot = (int)(flight->pushed % flight->most);
    FvTask *task = &flight->tasks[slot];
    task->index = flight->pushed;
    task->number = number;
    task->skipped = skipped;
    status = fv_maps_choose(&flight->maps, slot, task, error);
    if (status)
        return fail_session(session, status);
    task->ref = session->has_reference ? fv_frame_ref(reference) : NULL;
    task->dis = fv_frame_ref(distorted);
    look_back(session, task);
    flight->pushed++;
    if (!skipped)
        status = fv_masks_give(&flight->masks, task, mask, error);
    for (int d = 0; d < 2 && !status; d++)
        if (device_handles_task(session, d, task))
            status = session->devices.opened[d]->ops->submit(session->devices.opened[d], task, error);
    if (!status)
        return flight->most == 1 ? retire_done(session, error) : FV_OK;

    /* A device refused the task. Earlier tasks are still scored, and the first failure among them is reported. */
    FvError earlier;
    release_task(task);
    flight->pushed--;
    const FvStatus drained = fv_session_drain(session, &earlier);
    if (drained && error)
        *error = earlier;
    return fail_session(session, drained ? drained : status);
}

/* Ends a running session if a stop was requested. */
static FvStatus check_stop(FvSession *session, FvError *error)
{
    if (!is_running(session) || !fv_cancel_requested(session->params.cancel))
        return FV_OK;
    FvError reason;
    fail_session(session, fv_fail(&reason, FV_FAIL_STOPPED, "stopped on request"));
    fv_session_mark_partial(session, &reason);
    return fv_fail(error, FV_FAIL_STOPPED, "%s", reason.message);
}

FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    const FvStatus status = check_stop(session, error);
    return status ? status : fv_session_hand_over(session, number, number, reference, distorted, false, error);
}

FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    const FvStatus status = check_stop(session, error);
    return status ? status : fv_session_hand_over(session, number, number, reference, distorted, true, error);
}

FvStatus fv_session_drain(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    while (!status && session->flight.retired < session->flight.pushed)
        status = retire(session, error);
    return status;
}

static FvStatus drain_until_stop(FvSession *session, FvError *error)
{
    FvStatus status = check_stop(session, error);
    while (!status && session->flight.retired < session->flight.pushed) {
        status = retire(session, error);
        if (!status)
            status = check_stop(session, error);
    }
    return status;
}

FvStatus fv_session_wait(FvSession *session, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    if (!is_running(session))
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_wait: the session is not running, or this is a map callback");
    return drain_until_stop(session, error);
}

FvStatus fv_session_end(FvSession *session, bool whole, FvError *error)
{
    if (!is_running(session))
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_finish: the session is not running, or this is a map callback");
    FvStatus status = fv_session_drain(session, error);
    if (!status && whole)
        status = fv_session_score_rows(session, session->scores.rows.count, error);
    if (!status)
        status = fv_session_pool_rows(session, error);
    if (!status)
        status = end_metrics(session, whole, error);
    if (!status)
        session->state = FV_SESSION_FINISHED;
    return fail_session(session, status);
}

FvStatus fv_session_finish(FvSession *session, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    const FvStatus status = is_running(session) ? drain_until_stop(session, error) : FV_OK;
    return status ? status : fv_session_end(session, true, error);
}

/* Ends all work, releases the frames, and then closes the devices, whose memory frames may use. */
static void close_devices(FvSession *s)
{
    FvDevice *chosen = s->devices.opened[0];
    bool owns_frames = chosen && chosen->ops->frame;
    FvError ignored;
    for (int64_t t = s->flight.retired; owns_frames && s->flight.tasks && t < s->flight.pushed; t++)
        if (device_handles_task(s, 0, &s->flight.tasks[t % s->flight.most]))
            chosen->ops->wait(chosen, &s->flight.tasks[t % s->flight.most], &ignored);
    for (int d = owns_frames; d < 2; d++)
        if (s->devices.opened[d])
            s->devices.opened[d]->ops->close(&s->devices.opened[d]);
    for (int t = 0; t < s->flight.most && s->flight.tasks; t++)
        release_task(&s->flight.tasks[t]);
    for (int k = 0; k < FV_MAX_BEHIND; k++) {
        fv_frame_unref(&s->flight.prev_ref[k]);
        fv_frame_unref(&s->flight.prev_dis[k]);
    }
    if (owns_frames)
        s->devices.opened[0]->ops->close(&s->devices.opened[0]);
}

void fv_session_stop(FvSession *session)
{
    end_metrics(session, false, NULL);
    close_devices(session);
    session->devices.auto_pending = false; /* no device is left to choose */
}
