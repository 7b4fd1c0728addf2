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
#include "mem.h"
#include "source.h"

#define MAX_THREADS 1024
#define DEFAULT_IN_FLIGHT 16

static int processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MAX_THREADS ? MAX_THREADS : (int)count;
}

FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error)
{
    *session = NULL;
    if (params->threads < 0 || params->threads > MAX_THREADS)
        return fv_fail(error, FV_ERROR_USAGE, "%d threads are outside 0 to %d", params->threads, MAX_THREADS);
    if (params->in_flight < 0 || params->in_flight > MAX_THREADS)
        return fv_fail(error, FV_ERROR_USAGE, "%d frames in flight are outside 0 to %d", params->in_flight,
                       MAX_THREADS);
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
    status = fv_device_open(&s->devices[0], &(FvDeviceParams){s->device_name, isa, s->threads}, error);
    if (status) {
        fv_session_close(&s);
        return status;
    }
    *session = s;
    return FV_OK;
}

static FvStatus unknown_metric(const char *name, FvError *error)
{
    const char *names[FV_MAX_RUNS];
    int count = fv_metric_count() < FV_MAX_RUNS ? fv_metric_count() : FV_MAX_RUNS;
    for (int i = 0; i < count; i++)
        names[i] = fv_metric_info(i)->name;
    const char *near = fv_nearest(name, names, count);
    return fv_fail(error, FV_ERROR_USAGE, "unknown metric '%s'; %s%s%s 'fovea metrics' lists them", name,
                   near ? "did you mean '" : "", near ? near : "", near ? "'?" : "");
}

FvStatus fv_session_add(FvSession *session, const char *text, FvError *error)
{
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "metrics are added before the first frame");
    if (session->run_count == FV_MAX_RUNS)
        return fv_fail(error, FV_ERROR_USAGE, "one session carries at most %d metrics", FV_MAX_RUNS);
    char *spec = strdup(text);
    if (!spec)
        return fv_fail_memory(error, strlen(text) + 1);
    char *options_text = strchr(spec, '=');
    if (options_text)
        *options_text++ = '\0';
    const FvMetric *metric = fv_metric_find(spec);
    void *options = metric ? fv_alloc_zero(metric->options_size) : NULL;
    FvStatus status = !metric    ? unknown_metric(spec, error)
                      : !options ? fv_fail_memory(error, metric->options_size)
                                 : FV_OK;
    if (!status) {
        fv_options_default(options, &metric->options);
        status = fv_options_parse(options, &metric->options, spec, options_text, error);
    }
    if (status) {
        free(options);
        free(spec);
        return status;
    }
    session->spec[session->run_count] = spec;
    session->runs[session->run_count++] = (FvRun){.metric = metric, .options = options};
    session->keeps_previous |= metric->previous;
    return FV_OK;
}

static bool run_needs_reference(const FvRun *run)
{
    return run->metric->needs_reference ? run->metric->needs_reference(run->options)
                                        : run->metric->info.needs_reference;
}

bool fv_session_needs_reference(const FvSession *session)
{
    for (int i = 0; i < session->run_count; i++)
        if (run_needs_reference(&session->runs[i]))
            return true;
    return false;
}

FvStatus fv_session_decide(FvSession *session, FvError *error, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (int i = 0; i < session->decision_count; i++)
        if (!strcmp(session->decisions[i], text))
            return FV_OK;
    char **grown = realloc(session->decisions, (size_t)(session->decision_count + 1) * sizeof *grown);
    char *copy = strdup(text);
    if (grown)
        session->decisions = grown;
    if (!grown || !copy) {
        free(copy);
        return fv_fail_memory(error, sizeof text);
    }
    session->decisions[session->decision_count++] = copy;
    if (session->params.log)
        session->params.log(session->params.opaque, FV_LOG_INFO, text);
    return FV_OK;
}

int fv_session_decisions(const FvSession *session)
{
    return session->decision_count;
}

const char *fv_session_decision(const FvSession *session, int i)
{
    return i >= 0 && i < session->decision_count ? session->decisions[i] : NULL;
}

void fv_session_mark_partial(FvSession *session, const FvError *reason)
{
    session->partial = true;
    session->failure = *reason;
}

FvStatus fv_session_set_input(FvInput *input, const FvSource *source, FvError *error)
{
    const FvSourceInfo *info = fv_source_info(source);
    *input = (FvInput){
        .present = true,
        .path = strdup(info->path),
        .reader = strdup(info->reader),
        .container = strdup(info->container),
        .codec = strdup(info->codec),
        .id = source->stream.id,
        .format = info->format,
        .frames = info->frames,
    };
    if (!input->path || !input->reader || !input->container || !input->codec)
        return fv_fail_memory(error, 256);
    return FV_OK;
}

static void free_input(FvInput *input)
{
    free(input->path);
    free(input->reader);
    free(input->container);
    free(input->codec);
    *input = (FvInput){0};
}

/* Gives each run to the chosen device or, if that declines, to the CPU. */
static FvStatus distribute(FvSession *session, FvError *error)
{
    for (int i = 0; i < session->run_count; i++) {
        char why[256] = "";
        FvStatus status = FV_OK;
        if (session->devices[0]->ops->supports(session->devices[0], &session->runs[i], why, sizeof why)) {
            session->carries[0][i] = true;
            if (*why)
                status = fv_session_decide(session, error, "%s: %s", session->runs[i].metric->info.name, why);
            if (status)
                return status;
            continue;
        }
        if (!session->devices[1])
            status =
                fv_device_open(&session->devices[1], &(FvDeviceParams){"cpu", session->isa, session->threads}, error);
        if (!status)
            status = fv_session_decide(session, error, "%s is computed on the CPU: %s",
                                       session->runs[i].metric->info.name, why);
        if (status)
            return status;
        session->carries[1][i] = true;
    }
    return FV_OK;
}

static FvStatus start_devices(FvSession *session, FvError *error)
{
    FvStatus status = distribute(session, error);
    session->in_flight = session->params.in_flight;
    FvDevice *chosen = session->devices[0];
    if (!session->in_flight && chosen->ops->in_flight)
        session->in_flight = chosen->ops->in_flight(chosen, session->runs, session->run_count);
    if (!session->in_flight)
        session->in_flight = session->threads + 1 < DEFAULT_IN_FLIGHT ? session->threads + 1 : DEFAULT_IN_FLIGHT;
    for (int d = 0; d < 2 && !status; d++)
        if (session->devices[d])
            status = session->devices[d]->ops->start(session->devices[d], session->runs, session->carries[d],
                                                     session->run_count, &session->in_flight, error);
    return status;
}

static FvStatus allocate_tasks(FvSession *session, FvError *error)
{
    session->tasks = calloc((size_t)session->in_flight, sizeof *session->tasks);
    if (!session->tasks)
        return fv_fail_memory(error, (size_t)session->in_flight * sizeof *session->tasks);
    for (int t = 0; t < session->in_flight; t++)
        for (int i = 0; i < session->run_count; i++) {
            size_t bytes = session->runs[i].frame_bytes;
            if (!(session->tasks[t].frame[i] = fv_alloc(bytes)))
                return fv_fail_memory(error, bytes);
        }
    return FV_OK;
}

/* The same metric twice: the later outputs get the changed options as a suffix, then a number. */
static char *column_name(const FvSession *session, int run, const FvOutputInfo *info)
{
    const FvRun *r = &session->runs[run];
    char name[512];
    snprintf(name, sizeof name, "%s", info->name);
    int copies = 0;
    for (int i = 0; i < run; i++)
        copies += session->runs[i].metric == r->metric;
    if (copies) {
        char suffix[256];
        fv_options_suffix(r->options, &r->metric->options, suffix, sizeof suffix);
        snprintf(name, sizeof name, "%s%s", info->name, suffix);
    }
    for (int i = 0; i < session->column_count; i++)
        if (!strcmp(session->columns[i].info.name, name)) {
            size_t used = strlen(name);
            snprintf(name + used, sizeof name - used, "_%d", copies + 1);
        }
    return strdup(name);
}

static FvStatus make_columns(FvSession *session, FvError *error)
{
    session->columns = calloc((size_t)session->run_count * FV_MAX_OUTPUTS, sizeof *session->columns);
    if (!session->columns)
        return fv_fail_memory(error, sizeof *session->columns);
    for (int i = 0; i < session->run_count; i++) {
        const FvMetricInfo *info = &session->runs[i].metric->info;
        for (int o = 0; o < info->output_count; o++) {
            if (!(session->runs[i].outputs >> o & 1))
                continue;
            char *name = column_name(session, i, &info->outputs[o]);
            if (!name)
                return fv_fail_memory(error, 64);
            FvColumn *column = &session->columns[session->column_count++];
            *column = (FvColumn){.run = i, .output = o, .info = info->outputs[o], .sequence = NAN};
            column->info.name = name;
        }
    }
    return FV_OK;
}

static FvStatus check_pair(const FvFormat *ref, const FvFormat *dis, FvError *error)
{
    if (ref->width != dis->width || ref->height != dis->height)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "the reference is %dx%d and the distorted video %dx%d: scale one of them first, fovea never does",
            ref->width, ref->height, dis->width, dis->height);
    if (ref->chroma != dis->chroma)
        return fv_fail(error, FV_ERROR_INPUT,
                       "the reference is %s and the distorted video %s: convert one of them first, fovea never does",
                       fv_chroma_name(ref->chroma), fv_chroma_name(dis->chroma));
    if (ref->depth != dis->depth)
        return fv_fail(error, FV_ERROR_INPUT, "the reference has %d bits per sample and the distorted video %d",
                       ref->depth, dis->depth);
    return FV_OK;
}

static FvStatus init_runs(FvSession *session, const FvFormat *ref, const FvFormat *dis, FvError *error)
{
    for (int i = 0; i < session->run_count; i++) {
        FvRun *run = &session->runs[i];
        run->has_reference = ref != NULL;
        run->dis = *dis;
        run->ref = ref ? *ref : *dis;
        run->isa = session->isa;
        run->threads = session->threads;
        if (!ref && run_needs_reference(run))
            return fv_fail(error, FV_ERROR_USAGE, "%s compares with a reference: give one with --reference",
                           run->metric->info.name);
        FvStatus status = run->metric->init(run, error);
        if (status)
            return status;
    }
    return FV_OK;
}

FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted, FvError *error)
{
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "a session is started once");
    if (!session->run_count)
        return fv_fail(error, FV_ERROR_USAGE, "no metric was chosen; 'fovea metrics' lists them");
    session->state = FV_SESSION_FAILED;
    FvStatus status = fv_format_check(distorted, error);
    if (!status && reference)
        status = fv_format_check(reference, error);
    if (!status && reference)
        status = check_pair(reference, distorted, error);
    if (!status)
        status = init_runs(session, reference, distorted, error);
    if (!status)
        status = start_devices(session, error);
    if (!status)
        status = allocate_tasks(session, error);
    if (!status)
        status = make_columns(session, error);
    if (!status)
        session->state = FV_SESSION_STARTED;
    return status;
}

uint64_t fv_session_memory(const FvSession *session)
{
    if (!session->tasks)
        return 0;
    const FvRun *run = &session->runs[0];
    uint64_t pair = fv_format_bytes(&run->dis) + (run->has_reference ? fv_format_bytes(&run->ref) : 0);
    uint64_t per_frame = 0, scratch = 0;
    for (int i = 0; i < session->run_count; i++) {
        per_frame += session->runs[i].frame_bytes;
        if (session->runs[i].scratch_bytes > scratch)
            scratch = session->runs[i].scratch_bytes;
    }
    return (uint64_t)(session->in_flight + 4) * pair + (uint64_t)session->in_flight * per_frame +
           (uint64_t)session->threads * scratch;
}

static FvStatus reserve_frame(FvSession *session, FvError *error)
{
    if (session->frames < session->capacity)
        return FV_OK;
    int64_t capacity = session->capacity ? 2 * session->capacity : 256;
    size_t bytes = (size_t)capacity * (size_t)session->column_count * sizeof(double);
    double *values = realloc(session->values, bytes);
    if (values)
        session->values = values;
    int64_t *number = realloc(session->number, (size_t)capacity * sizeof *number);
    if (number)
        session->number = number;
    if (!values || !number)
        return fv_fail_memory(error, bytes);
    session->capacity = capacity;
    return FV_OK;
}

static void release_task(FvTask *task)
{
    fv_frame_unref(&task->ref);
    fv_frame_unref(&task->dis);
    fv_frame_unref(&task->prev_ref);
    fv_frame_unref(&task->prev_dis);
}

/* The last step of a frame: numbers from the metrics' working memory into the table of scores. */
static FvStatus score_task(FvSession *session, FvTask *task, FvError *error)
{
    FvStatus status = reserve_frame(session, error);
    if (status)
        return status;
    double row[FV_MAX_RUNS][FV_MAX_OUTPUTS];
    for (int i = 0; i < session->run_count; i++) {
        FvRun *run = &session->runs[i];
        bool previous = run->metric->previous;
        FvWork work = {.ref = task->ref,
                       .dis = task->dis,
                       .prev_ref = previous ? task->prev_ref : NULL,
                       .prev_dis = previous ? task->prev_dis : NULL,
                       .index = task->index,
                       .frame = task->frame[i]};
        status = run->metric->score(run, &work, row[i], error);
        if (status)
            return status;
    }
    for (int c = 0; c < session->column_count; c++) {
        const FvColumn *column = &session->columns[c];
        session->values[session->frames * session->column_count + c] =
            column->info.sequence ? NAN : row[column->run][column->output];
    }
    session->number[session->frames++] = task->number;
    return FV_OK;
}

static FvStatus fail_session(FvSession *session, FvStatus status)
{
    if (status)
        session->state = FV_SESSION_FAILED;
    return status;
}

static FvStatus retire(FvSession *session, FvError *error)
{
    FvTask *task = &session->tasks[session->retired % session->in_flight];
    FvStatus status = FV_OK;
    for (int d = 0; d < 2 && !task->skipped; d++)
        if (session->devices[d]) {
            FvStatus waited = session->devices[d]->ops->wait(session->devices[d], task, status ? NULL : error);
            status = status ? status : waited;
        }
    if (!status && !task->skipped)
        status = score_task(session, task, error);
    release_task(task);
    session->retired++;
    return fail_session(session, status);
}

static FvStatus check_frame(const FvSession *session, const FvFrame *frame, const FvFormat *format, const char *which,
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
    return FV_OK;
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

static FvStatus push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted, bool skipped,
                     FvError *error)
{
    if (session->state != FV_SESSION_STARTED)
        return fv_fail(error, FV_ERROR_USAGE,
                       "frames are pushed into a session that is started and has not ended or failed");
    const FvRun *run = &session->runs[0];
    FvStatus status = check_frame(session, distorted, &run->dis, "distorted", number, error);
    if (!status && run->has_reference)
        status = check_frame(session, reference, &run->ref, "reference", number, error);
    while (!status && session->pushed - session->retired >= session->in_flight)
        status = retire(session, error);
    if (status)
        return status;
    FvTask *task = &session->tasks[session->pushed % session->in_flight];
    task->index = session->pushed;
    task->number = number;
    task->skipped = skipped;
    task->ref = run->has_reference ? fv_frame_ref(reference) : NULL;
    task->dis = fv_frame_ref(distorted);
    task->prev_ref = session->prev_ref;
    task->prev_dis = session->prev_dis;
    session->prev_ref = session->keeps_previous ? fv_frame_ref(task->ref) : NULL;
    session->prev_dis = session->keeps_previous ? fv_frame_ref(task->dis) : NULL;
    session->pushed++;
    for (int d = 0; d < 2 && !skipped && !status; d++)
        if (session->devices[d])
            status = session->devices[d]->ops->submit(session->devices[d], task, error);
    return status ? fail_push(session, status, error) : FV_OK;
}

void fv_session_device(const FvSession *session, FvDeviceHandles *handles)
{
    const FvDevice *device = session->devices[0];
    *handles = (FvDeviceHandles){.kind = device->ops->kind};
    if (device->ops->handles)
        device->ops->handles(device, handles);
}

FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                          FvError *error)
{
    FvDevice *device = session->devices[0];
    return device->ops->frame ? device->ops->frame(device, frame, format, memory, error)
                              : fv_frame_alloc(frame, format, error);
}

FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                         FvError *error)
{
    FvDevice *device = session->devices[0];
    if (device->ops->wrap)
        return device->ops->wrap(device, frame, format, where, error);
    *frame = NULL;
    if (where->release)
        where->release(where->opaque);
    return fv_fail(error, FV_ERROR_USAGE, "the session runs on the CPU, which cannot read a device's memory");
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

FvStatus fv_session_finish(FvSession *session, FvError *error)
{
    if (session->state != FV_SESSION_STARTED)
        return fv_fail(error, FV_ERROR_USAGE, "only a session that is started and has not failed can be finished");
    FvStatus status = fv_session_drain(session, error);
    if (status)
        return status;
    for (int i = 0; i < session->run_count; i++) {
        FvRun *run = &session->runs[i];
        double values[FV_MAX_OUTPUTS];
        if (!run->metric->pool || !session->frames)
            continue;
        run->metric->pool(run, values);
        for (int c = 0; c < session->column_count; c++)
            if (session->columns[c].run == i && session->columns[c].info.sequence)
                session->columns[c].sequence = values[session->columns[c].output];
    }
    session->state = FV_SESSION_FINISHED;
    return FV_OK;
}

int64_t fv_session_frames(const FvSession *session)
{
    return session->frames;
}

int64_t fv_session_frame_number(const FvSession *session, int64_t frame)
{
    return frame >= 0 && frame < session->frames ? session->number[frame] : -1;
}

int fv_session_outputs(const FvSession *session)
{
    return session->column_count;
}

const FvOutputInfo *fv_session_output(const FvSession *session, int output)
{
    return output >= 0 && output < session->column_count ? &session->columns[output].info : NULL;
}

double fv_session_value(const FvSession *session, int64_t frame, int output)
{
    if (output < 0 || output >= session->column_count)
        return NAN;
    if (session->columns[output].info.sequence)
        return session->columns[output].sequence;
    return frame >= 0 && frame < session->frames ? session->values[frame * session->column_count + output] : NAN;
}

/* Ends all work, lets go of the frames, then of the devices whose memory they may lie in. */
static void close_devices(FvSession *s)
{
    FvDevice *chosen = s->devices[0];
    bool owns_frames = chosen && chosen->ops->frame;
    FvError ignored;
    for (int64_t t = s->retired; owns_frames && s->tasks && t < s->pushed; t++)
        if (!s->tasks[t % s->in_flight].skipped)
            chosen->ops->wait(chosen, &s->tasks[t % s->in_flight], &ignored);
    for (int d = owns_frames; d < 2; d++)
        if (s->devices[d])
            s->devices[d]->ops->close(&s->devices[d]);
    for (int t = 0; t < s->in_flight && s->tasks; t++)
        release_task(&s->tasks[t]);
    fv_frame_unref(&s->prev_ref);
    fv_frame_unref(&s->prev_dis);
    if (owns_frames)
        s->devices[0]->ops->close(&s->devices[0]);
}

void fv_session_close(FvSession **session)
{
    FvSession *s = *session;
    *session = NULL;
    if (!s)
        return;
    close_devices(s);
    for (int t = 0; t < s->in_flight && s->tasks; t++)
        for (int i = 0; i < s->run_count; i++)
            free(s->tasks[t].frame[i]);
    for (int i = 0; i < s->run_count; i++) {
        if (s->runs[i].metric->close)
            s->runs[i].metric->close(&s->runs[i]);
        free((void *)s->runs[i].options);
        free(s->spec[i]);
    }
    for (int c = 0; c < s->column_count; c++)
        free((void *)s->columns[c].info.name);
    for (int i = 0; i < s->decision_count; i++)
        free(s->decisions[i]);
    free_input(&s->reference);
    free_input(&s->distorted);
    free(s->decisions);
    free(s->columns);
    free(s->values);
    free(s->number);
    free(s->tasks);
    free(s);
}
