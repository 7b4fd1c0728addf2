/* Frames of a session on their way: pushed into a ring of tasks, given to devices, and made rows of terms in order.
 */
#include "session/session.h"

#include "base/error.h"
#include "picture/frame.h"

static void release_task(FvTask *task)
{
    fv_frame_unref(&task->ref);
    fv_frame_unref(&task->dis);
    for (int k = 0; k < FV_MAX_BEHIND; k++) {
        fv_frame_unref(&task->prev_ref[k]);
        fv_frame_unref(&task->prev_dis[k]);
    }
}

static bool is_packet(const FvFrame *frame)
{
    const FvFramePlace *place = frame ? fv_frame_place(frame) : NULL;
    return place && place->packet;
}

static bool takes(const FvSession *session, int device, const FvTask *task)
{
    if (!session->devices[device])
        return false;
    return !task->skipped || session->every[device] || (!device && (is_packet(task->ref) || is_packet(task->dis)));
}

/* The last step of a frame: from the memory of its features to a row of terms, and to scores as far as they go. */
static FvStatus commit_task(FvSession *session, const FvTask *task, FvError *error)
{
    FvTerm *row;
    FvStatus status = fv_rows_reserve(&session->rows, &row, error);
    for (int i = 0; i < session->runs.count && !status; i++) {
        const FvRun *run = &session->runs.run[i];
        if (!session->wanted[i] || (task->skipped && !session->rows.every[i]))
            continue;
        FvWork work = fv_task_work(task, session->runs.run, i);
        status = fv_run_terms(run, &work, row + session->rows.offset[i], error);
    }
    session->delivering = true;
    if (!status)
        status = fv_maps_deliver(&session->maps, task, error);
    session->delivering = false;
    if (status)
        return status;
    fv_rows_commit(&session->rows, task->number, task->skipped);
    return fv_session_score_rows(session, session->rows.count - session->ahead, error);
}

/* Whatever comes of the others, each metric ends. */
static FvStatus end_metrics(FvSession *session, bool whole, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < session->metric_count; i++) {
        FvMetricRun *run = &session->metrics[i];
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
    FvTask *task = &session->tasks[session->retired % session->in_flight];
    FvStatus status = FV_OK;
    for (int d = 0; d < 2; d++)
        if (takes(session, d, task)) {
            FvStatus waited = session->devices[d]->ops->wait(session->devices[d], task, status ? NULL : error);
            status = status ? status : waited;
        }
    if (!status)
        status = commit_task(session, task, error);
    release_task(task);
    session->retired++;
    return fail_session(session, status);
}

/* Whether the oldest task can be retired without waiting. */
static bool can_retire(const FvSession *session)
{
    if (session->pushed == session->retired)
        return false;
    const FvTask *task = &session->tasks[session->retired % session->in_flight];
    for (int d = 0; d < 2; d++)
        if (takes(session, d, task) &&
            !(session->devices[d]->ops->done && session->devices[d]->ops->done(session->devices[d], task)))
            return false;
    return true;
}

/* Frames of tasks that are done would only take up memory, and the next ones are read into theirs while that is still
 * in a cache: with one thread, a video needs the memory of one frame. */
static FvStatus retire_done(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    while (!status && can_retire(session))
        status = retire(session, error);
    return status;
}

static FvStatus check_frame(const FvSession *session, FvFrame *frame, const FvFormat *format, const char *which,
                            int64_t number, FvError *error)
{
    char got[96], want[96];
    if (!frame)
        return fv_fail(error, FV_ERROR_USAGE, "frame %lld: the %s frame is missing", (long long)number, which);
    if (!fv_format_same_shape(&frame->format, format))
        return fv_fail(error, FV_ERROR_INPUT, "frame %lld of the %s video is %s, the ones before were %s",
                       (long long)number, which, fv_format_describe(&frame->format, got, sizeof got),
                       fv_format_describe(format, want, sizeof want));
    if (!frame->data[0] && (!session->devices[0]->ops->frame || session->devices[1]))
        return fv_fail(error, FV_ERROR_USAGE,
                       "frame %lld of the %s video lies in a device's memory, which metrics on the CPU cannot read",
                       (long long)number, which);
    return fv_frame_check(frame, which, number, error);
}

/* No device took the last task: those before it are scored all the same, and the first of them that fails counts. */
static FvStatus fail_push(FvSession *session, FvStatus status, FvError *error)
{
    FvError earlier;
    release_task(&session->tasks[--session->pushed % session->in_flight]);
    FvStatus drained = fv_session_drain(session, &earlier);
    if (drained && error)
        *error = earlier;
    return fail_session(session, drained ? drained : status);
}

/* Gives a task the frames before it, and keeps its own for the next one. */
static void look_back(FvSession *session, FvTask *task)
{
    for (int k = 0; k < session->behind; k++) {
        task->prev_ref[k] = session->prev_ref[k] ? fv_frame_ref(session->prev_ref[k]) : NULL;
        task->prev_dis[k] = session->prev_dis[k] ? fv_frame_ref(session->prev_dis[k]) : NULL;
    }
    for (int k = session->behind - 1; k >= 0; k--) {
        fv_frame_unref(&session->prev_ref[k]);
        fv_frame_unref(&session->prev_dis[k]);
        session->prev_ref[k] = k ? session->prev_ref[k - 1] : task->ref ? fv_frame_ref(task->ref) : NULL;
        session->prev_dis[k] = k ? session->prev_dis[k - 1] : fv_frame_ref(task->dis);
        if (k)
            session->prev_ref[k - 1] = session->prev_dis[k - 1] = NULL;
    }
}

static FvStatus push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, bool skipped,
                     FvError *error)
{
    if (!session)
        return fv_fail_null(error, skipped ? "fv_session_skip" : "fv_session_push", "session");
    if (session->state != FV_SESSION_STARTED || session->delivering)
        return fv_fail(error, FV_ERROR_USAGE,
                       session->delivering
                           ? "whoever takes a map cannot push a frame into the same session"
                           : "frames are pushed into a session that is started and has not ended or failed");
    FvStatus status = check_frame(session, distorted, &session->dis, "distorted", number, error);
    if (!status && session->has_reference)
        status = check_frame(session, reference, &session->ref, "reference", number, error);
    while (!status && session->pushed - session->retired >= session->in_flight)
        status = retire(session, error);
    if (!status)
        status = retire_done(session, error);
    if (status)
        return status;
    int slot = (int)(session->pushed % session->in_flight);
    FvTask *task = &session->tasks[slot];
    task->index = session->pushed;
    task->number = number;
    task->skipped = skipped;
    status = fv_maps_choose(&session->maps, slot, task, error);
    if (status)
        return fail_session(session, status);
    task->ref = session->has_reference ? fv_frame_ref(reference) : NULL;
    task->dis = fv_frame_ref(distorted);
    look_back(session, task);
    session->pushed++;
    for (int d = 0; d < 2 && !status; d++)
        if (takes(session, d, task))
            status = session->devices[d]->ops->submit(session->devices[d], task, error);
    if (status)
        return fail_push(session, status, error);
    return session->in_flight == 1 ? retire_done(session, error) : FV_OK;
}

FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, FvError *error)
{
    return push(session, number, reference, distorted, false, error);
}

FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, FvError *error)
{
    return push(session, number, reference, distorted, true, error);
}

FvStatus fv_session_drain(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    while (!status && session->retired < session->pushed)
        status = retire(session, error);
    return status;
}

static bool runs(const FvSession *session)
{
    return session->state == FV_SESSION_STARTED && !session->delivering;
}

FvStatus fv_session_wait(FvSession *session, FvError *error)
{
    FV_REQUIRE(error, session);
    if (!runs(session))
        return fv_fail(error, FV_ERROR_USAGE,
                       "only for a session that is started, has not ended or failed and hands over no map can one "
                       "wait");
    return fv_session_drain(session, error);
}

FvStatus fv_session_end(FvSession *session, bool whole, FvError *error)
{
    if (!runs(session))
        return fv_fail(error, FV_ERROR_USAGE,
                       "only a session that is started, has not failed and hands over no map can be finished");
    FvStatus status = fv_session_drain(session, error);
    if (!status && whole)
        status = fv_session_score_rows(session, session->rows.count, error);
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
    FV_REQUIRE(error, session);
    return fv_session_end(session, true, error);
}

/* Ends all work, lets go of the frames, then of the devices whose memory they may lie in. */
static void close_devices(FvSession *s)
{
    FvDevice *chosen = s->devices[0];
    bool owns_frames = chosen && chosen->ops->frame;
    FvError ignored;
    for (int64_t t = s->retired; owns_frames && s->tasks && t < s->pushed; t++)
        if (takes(s, 0, &s->tasks[t % s->in_flight]))
            chosen->ops->wait(chosen, &s->tasks[t % s->in_flight], &ignored);
    for (int d = owns_frames; d < 2; d++)
        if (s->devices[d])
            s->devices[d]->ops->close(&s->devices[d]);
    for (int t = 0; t < s->in_flight && s->tasks; t++)
        release_task(&s->tasks[t]);
    for (int k = 0; k < FV_MAX_BEHIND; k++) {
        fv_frame_unref(&s->prev_ref[k]);
        fv_frame_unref(&s->prev_dis[k]);
    }
    if (owns_frames)
        s->devices[0]->ops->close(&s->devices[0]);
}

void fv_session_stop(FvSession *session)
{
    end_metrics(session, false, NULL);
    close_devices(session);
}
