/* A session: metrics over one pair of videos, frame by frame. */
#include "session.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices.h"
#include "error.h"
#include "frame.h"
#include "plan.h"
#include "source.h"

#define MAX_THREADS 1024

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (int)count;
}

static FvStatus open_device(FvSession *session, const char *name, FvError *error)
{
    const FvDeviceParams params = {name, session->isa, session->threads, session->params.cuda_context};
    FvStatus status = fv_device_open(&session->devices[0], &params, error);
    const FvDevice *device = session->devices[0];
    if (status || !*device->passed)
        return status;
    return (device->failing ? fv_session_warn : fv_session_decide)(session, error, "the device is %s: %s",
                                                                   device->ops->kind, device->passed);
}

FvStatus fv_session_settle(FvSession *session, FvError *error)
{
    if (!session->undecided)
        return FV_OK;
    session->undecided = false;
    session->devices[0]->ops->close(&session->devices[0]);
    return open_device(session, session->device_name, error);
}

FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error)
{
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, params);
    if (params->threads < 0 || params->threads > MAX_THREADS)
        return fv_fail(error, FV_ERROR_USAGE, "%d threads are outside 0 to %d", params->threads, MAX_THREADS);
    if (params->in_flight < 0 || params->in_flight > MAX_THREADS)
        return fv_fail(error, FV_ERROR_USAGE, "%d frames in flight are outside 0 to %d", params->in_flight,
                       MAX_THREADS);
    if (params->interval < 0)
        return fv_fail(error, FV_ERROR_USAGE, "an interval of %lld microseconds is negative",
                       (long long)params->interval);
    FvIsa isa;
    FvStatus status = fv_isa_parse(params->isa, &isa, error);
    if (status)
        return status;
    FvSession *s = calloc(1, sizeof *s);
    if (!s)
        return fv_fail_memory(error, sizeof *s);
    s->params = *params;
    s->isa = isa;
    s->threads = params->threads ? params->threads : processors();
    snprintf(s->device_name, sizeof s->device_name, "%s", params->device ? params->device : "auto");
    s->pairs = -1;
    s->undecided = !strcmp(s->device_name, "auto") && !params->cuda_context && fv_devices_may_have_gpu();
    status = open_device(s, s->undecided ? "cpu" : s->device_name, error);
    if (status) {
        fv_session_close(&s);
        return status;
    }
    *session = s;
    return FV_OK;
}

static FvStatus add_metric(FvSession *session, const char *text, size_t length, FvError *error)
{
    if (!length)
        return fv_fail(error, FV_ERROR_USAGE, "a metric's name is missing; 'fovea metrics' lists all");
    if (session->metric_count == FV_MAX_METRICS)
        return fv_fail(error, FV_ERROR_USAGE, "one session carries at most %d metrics", FV_MAX_METRICS);
    char *one = strndup(text, length);
    if (!one)
        return fv_fail_memory(error, length + 1);
    FvStatus status = fv_metric_open(&session->metrics[session->metric_count], one, error);
    session->metric_count += !status;
    free(one);
    return status;
}

FvStatus fv_session_add(FvSession *session, const char *text, FvError *error)
{
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, text);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "metrics are added before the first frame");
    FvStatus status = FV_OK;
    int before = session->metric_count;
    for (size_t length; !status; text += length + 1) {
        length = fv_option_list_item(text);
        status = add_metric(session, text, length, error);
        if (!text[length])
            break;
    }
    while (status && session->metric_count > before)
        fv_metric_close(&session->metrics[--session->metric_count]);
    return status;
}

int fv_session_metrics(const FvSession *session)
{
    return session ? session->metric_count : 0;
}

const FvMetricInfo *fv_session_metric(const FvSession *session, int metric)
{
    return session && metric >= 0 && metric < session->metric_count ? &session->metrics[metric].metric->info : NULL;
}

FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error)
{
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, text);
    const FvMetricInfo *info = fv_session_metric(session, metric);
    if (!info || !size)
        return fv_fail(error, FV_ERROR_USAGE, "there is no metric %d, or no room for its text", metric);
    const FvMetricRun *run = &session->metrics[metric];
    char value[4352];
    bool first = true;
    size_t used = (size_t)snprintf(text, size, "%s", info->name);
    for (int i = 0; i < info->option_count && used < size; i++) {
        if (!fv_option_changed(run->options, &run->metric->options, i))
            continue;
        fv_option_print(run->options, &run->metric->options, i, value, sizeof value);
        used +=
            (size_t)snprintf(text + used, size - used, "%c%s=%s", first ? '=' : ':', info->options[i].name, value);
        first = false;
    }
    return used < size
               ? FV_OK
               : fv_fail(error, FV_ERROR_USAGE, "%s and its options do not fit into %zu bytes", info->name, size);
}

FvStatus fv_session_want_map(FvSession *session, const FvMapRequest *request, FvError *error)
{
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, request);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "maps are asked for before the session is started");
    const FvMetricInfo *info = fv_session_metric(session, request->metric);
    if (!info || request->map < 0 || request->map >= info->map_count || !request->take)
        return fv_fail(error, FV_ERROR_USAGE, "there is no map %d of metric %d, or nobody to take it", request->map,
                       request->metric);
    return fv_maps_add(&session->maps, request, error);
}

bool fv_session_needs_reference(const FvSession *session)
{
    for (int i = 0; session && i < session->metric_count; i++)
        if (fv_metric_needs_reference(&session->metrics[i]))
            return true;
    return false;
}

static FvStatus record(FvSession *session, FvLogLevel level, const char *text, FvError *error)
{
    for (int i = 0; i < session->decision_count; i++)
        if (!strcmp(session->decisions[i], text))
            return FV_OK;
    char **grown = realloc(session->decisions, (size_t)(session->decision_count + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        session->decisions = grown;
    if (!grown || !copy) {
        free(copy);
        return fv_fail_memory(error, strlen(text) + 1);
    }
    session->decisions[session->decision_count++] = copy;
    if (session->params.log)
        session->params.log(session->params.opaque, level, text);
    return FV_OK;
}

FvStatus fv_session_decide(FvSession *session, FvError *error, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return record(session, FV_LOG_INFO, text, error);
}

FvStatus fv_session_warn(FvSession *session, FvError *error, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return record(session, FV_LOG_WARNING, text, error);
}

FvStatus fv_session_warn_last(FvSession *session, FvError *error, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    free(session->last_decision);
    session->last_decision = strdup(text);
    if (!session->last_decision)
        return fv_fail_memory(error, strlen(text) + 1);
    if (session->params.log)
        session->params.log(session->params.opaque, FV_LOG_WARNING, text);
    return FV_OK;
}

int fv_session_decisions(const FvSession *session)
{
    return session ? session->decision_count : 0;
}

const char *fv_session_decision(const FvSession *session, int i)
{
    return session && i >= 0 && i < session->decision_count ? session->decisions[i] : NULL;
}

void fv_session_mark_partial(FvSession *session, const FvError *reason)
{
    session->partial = true;
    session->failure = *reason;
}

FvStatus fv_session_set_input(FvInput *input, const FvSourceInfo *info, FvFileId id, FvError *error)
{
    *input = (FvInput){
        .present = true,
        .path = strdup(info->path),
        .reader = strdup(info->reader),
        .container = strdup(info->container),
        .codec = strdup(info->codec),
        .mastering = info->mastering ? strdup(info->mastering) : NULL,
        .id = id,
        .info = *info,
    };
    input->info.path = input->info.reader = input->info.container = input->info.codec = input->info.mastering = NULL;
    if (!input->path || !input->reader || !input->container || !input->codec ||
        (info->mastering && !input->mastering))
        return fv_fail_memory(error, 256);
    return FV_OK;
}

static void free_input(FvInput *input)
{
    free(input->path);
    free(input->reader);
    free(input->container);
    free(input->codec);
    free(input->mastering);
    *input = (FvInput){0};
}

uint64_t fv_session_memory(const FvSession *session)
{
    if (!session || !session->tasks)
        return 0;
    const FvRun *runs = session->runs.run;
    uint64_t pair = fv_format_bytes(&session->dis) + (session->has_reference ? fv_format_bytes(&session->ref) : 0);
    uint64_t per_frame = fv_maps_bytes(&session->maps, runs, session->runs.count), scratch = 0, lasting = 0;
    for (int i = 0; i < session->runs.count; i++) {
        per_frame += runs[i].frame_bytes;
        lasting += runs[i].lasting_bytes;
        if (runs[i].scratch_bytes > scratch)
            scratch = runs[i].scratch_bytes;
    }
    return (uint64_t)(session->in_flight + 3 + (session->behind > 1 ? session->behind : 1)) * pair +
           (uint64_t)session->in_flight * per_frame + lasting + (uint64_t)session->threads * scratch;
}

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

int64_t fv_session_lead(const FvSession *session)
{
    int64_t lead = 0;
    for (int r = 0; r < session->runs.count; r++) {
        const FvRun *run = &session->runs.run[r];
        if (run->lasting_bytes)
            return FV_EVERYTHING;
        lead = run->behind > lead ? run->behind : lead;
    }
    return lead;
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

void fv_session_device(const FvSession *session, FvDeviceHandles *handles)
{
    if (!handles)
        return;
    *handles = (FvDeviceHandles){0};
    if (session && fv_session_settle((FvSession *)session, NULL))
        return;
    const FvDevice *device = session ? session->devices[0] : NULL;
    if (!device)
        return;
    *handles = (FvDeviceHandles){.kind = device->ops->kind};
    if (device->ops->handles)
        device->ops->handles(device, handles);
}

bool fv_session_takes_device_frames(const FvSession *session)
{
    return session && session->state == FV_SESSION_STARTED && session->devices[0]->ops->frame && !session->devices[1];
}

FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                          FvError *error)
{
    FV_REQUIRE(error, frame);
    *frame = NULL;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, format);
    if ((unsigned)memory > FV_MEMORY_DEVICE)
        return fv_fail(error, FV_ERROR_USAGE, "kind of memory number %d does not exist", (int)memory);
    FvStatus status = fv_session_settle(session, error);
    if (status)
        return status;
    FvDevice *device = session->devices[0];
    return device->ops->frame ? device->ops->frame(device, frame, format, memory, error)
                              : fv_frame_alloc(frame, format, error);
}

FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                         FvError *error)
{
    FV_REQUIRE(error, where);
    const char *missing = !session ? "session" : !frame ? "frame" : !format ? "format" : NULL;
    FvStatus settled = missing ? FV_OK : fv_session_settle(session, error);
    FvDevice *device = session && !settled ? session->devices[0] : NULL;
    if (!missing && device && device->ops->wrap)
        return device->ops->wrap(device, frame, format, where, error);
    if (frame)
        *frame = NULL;
    if (where->release)
        where->release(where->opaque);
    if (settled)
        return settled;
    return missing
               ? fv_fail_null(error, __func__, missing)
               : fv_fail(error, FV_ERROR_USAGE, "the session runs on the CPU, which cannot read a device's memory");
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

void fv_session_close(FvSession **session)
{
    FvSession *s = session ? *session : NULL;
    if (!s)
        return;
    *session = NULL;
    s->params.log = NULL;
    end_metrics(s, false, NULL);
    close_devices(s);
    for (int t = 0; t < s->in_flight && s->tasks; t++)
        for (int i = 0; i < s->runs.count; i++)
            free(s->tasks[t].frame[i]);
    for (int i = 0; i < s->metric_count; i++)
        fv_metric_close(&s->metrics[i]);
    if (s->imported)
        fv_record_free(s->imported);
    free(s->imported);
    fv_runs_close(&s->runs);
    fv_rows_free(&s->rows);
    fv_maps_free(&s->maps);
    for (int c = 0; c < s->column_count; c++)
        free((void *)s->columns[c].info.name);
    for (int i = 0; i < s->decision_count; i++)
        free(s->decisions[i]);
    free_input(&s->reference);
    free_input(&s->distorted);
    free(s->decisions);
    free(s->last_decision);
    free(s->gates);
    fv_session_free_pictures(s);
    free(s->pairing.found.events);
    fv_scenes_close(&s->scenes);
    free(s->columns);
    free(s->outputs);
    free(s->values);
    free(s->number);
    free(s->tasks);
    free(s);
}
