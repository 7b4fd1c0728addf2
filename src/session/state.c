/* Opens, configures and closes a session, which computes metrics for pairs of frames. */
#include "session/state.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device_select/devices.h"
#include "input/source.h"
#include "option_text.h"
#include "os/memory.h"
#include "os/processors.h"

#define MAX_THREADS 1024

static int processors(void)
{
    const int count = fv_processors();
    return count < MAX_THREADS ? count : MAX_THREADS;
}

FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error)
{
    FV_FLOAT_MODE;
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
    s->devices.isa = isa;
    s->devices.threads = params->threads ? params->threads : processors();
    snprintf(s->devices.name, sizeof s->devices.name, "%s", params->device ? params->device : "auto");
    s->workload.pairs = -1;
    s->devices.auto_pending = !strcmp(s->devices.name, "auto") && !params->cuda_context && fv_devices_may_have_gpu();
    status = fv_session_open_device(s, s->devices.auto_pending ? "cpu" : s->devices.name, error);
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
    if (session->metrics.count == FV_MAX_METRICS)
        return fv_fail(error, FV_ERROR_USAGE, "a session computes at most %d metrics", FV_MAX_METRICS);
    char *one = strndup(text, length);
    if (!one)
        return fv_fail_memory(error, length + 1);
    FvMetricInstance *run = &session->metrics.run[session->metrics.count];
    FvStatus status = fv_metric_open(run, one, error);
    session->metrics.count += !status;
    for (int i = 0; !status && run->files && i < run->metric->options.count; i++)
        fv_guard_add(&session->facts.read, run->files[i].content.id,
                     fv_option_path(run->options, &run->metric->options, i));
    free(one);
    return status;
}

FvStatus fv_session_add(FvSession *session, const char *text, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, text);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE, "fv_session_add: the session has been started; add metrics before");
    FvStatus status = FV_OK;
    int before = session->metrics.count;
    for (size_t length; !status; text += length + 1) {
        length = fv_option_span(text, ",");
        status = add_metric(session, text, length, error);
        if (!text[length])
            break;
    }
    while (status && session->metrics.count > before)
        fv_metric_close(&session->metrics.run[--session->metrics.count]);
    return status;
}

int fv_session_metrics(const FvSession *session)
{
    return session ? session->metrics.count : 0;
}

const FvMetricInfo *fv_session_metric(const FvSession *session, int metric)
{
    return session && metric >= 0 && metric < session->metrics.count ? &session->metrics.run[metric].metric->info
                                                                     : NULL;
}

FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, text);
    const FvMetricInfo *info = fv_session_metric(session, metric);
    if (!info || !size)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_metric_text: metric %d does not exist, or the text has no room", metric);
    const FvMetricInstance *run = &session->metrics.run[metric];
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
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, request);
    if (session->state != FV_SESSION_OPEN)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_want_map: the session has been started; ask for maps before");
    const FvMetricInfo *info = fv_session_metric(session, request->metric);
    if (!info || request->map < 0 || request->map >= info->map_count || !request->on_map)
        return fv_fail(error, FV_ERROR_USAGE,
                       "fv_session_want_map: map %d of metric %d does not exist, or take is NULL", request->map,
                       request->metric);
    return fv_maps_add(&session->flight.maps, request, error);
}

bool fv_session_needs_reference(const FvSession *session)
{
    for (int i = 0; session && i < session->metrics.count; i++)
        if (fv_metric_needs_reference(&session->metrics.run[i]))
            return true;
    return false;
}

FvSessionState fv_session_state(const FvSession *session)
{
    return session->state;
}

const FvSessionParams *fv_session_params(const FvSession *session)
{
    return &session->params;
}

const FvMetricInstance *fv_session_metric_instance(const FvSession *session, int metric)
{
    return &session->metrics.run[metric];
}

const FvFeatureInstances *fv_session_instances(const FvSession *session)
{
    return &session->runs;
}

const FvSessionDevices *fv_session_devices(const FvSession *session)
{
    return &session->devices;
}

const FvScores *fv_session_scores(const FvSession *session)
{
    return &session->scores;
}

bool fv_session_hands_maps(const FvSession *session)
{
    return session->flight.maps.count;
}

void fv_session_set_workload(FvSession *session, const FvWorkload *workload)
{
    session->workload = *workload;
}

void fv_session_set_others(FvSession *session, int others)
{
    session->devices.others = others;
}

void fv_session_rgb_metrics(const FvSession *session, bool takes_rgb, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < session->metrics.count; i++) {
        const FvMetricInfo *info = &session->metrics.run[i].metric->info;
        if (info->takes_rgb == takes_rgb && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", info->name);
    }
}

void fv_session_abandon(FvSession *session)
{
    if (session->state == FV_SESSION_OPEN)
        session->state = FV_SESSION_FAILED;
}

FvStatus fv_session_add_row(FvSession *session, int64_t number, const FvTerm *terms, bool skipped, FvError *error)
{
    FvRowTable *rows = &session->scores.rows;
    FvTerm *row;
    FvStatus status = fv_rows_reserve(rows, &row, error);
    if (status)
        return status;
    if (terms)
        memcpy(row, terms, (size_t)rows->width * sizeof *row);
    fv_rows_commit(rows, number, !terms || skipped);
    return terms ? FV_OK : fv_rows_lose(rows, rows->count - 1, error);
}

int64_t fv_session_lead(const FvSession *session)
{
    int64_t lead = 0;
    for (int r = 0; r < session->runs.count; r++) {
        const FvFeatureInstance *run = &session->runs.run[r];
        if (run->lasting_bytes && !run->remembers)
            return FV_EVERYTHING;
        lead = run->behind > lead ? run->behind : lead;
        lead = run->remembers > lead ? run->remembers : lead;
    }
    return lead;
}

bool fv_session_reach(const FvSession *session, int64_t *back, int64_t *ahead)
{
    int64_t window = 0, lead = 0;
    for (int r = 0; r < session->runs.count; r++) {
        if (session->runs.run[r].lasting_bytes)
            return false;
        lead = session->runs.run[r].behind > lead ? session->runs.run[r].behind : lead;
    }
    for (int i = 0; i < session->metrics.count; i++)
        window = session->metrics.run[i].behind > window ? session->metrics.run[i].behind : window;
    *back = lead + window;
    *ahead = session->scores.ahead;
    return true;
}

uint64_t fv_session_memory(const FvSession *session)
{
    if (!session || !session->flight.tasks)
        return 0;
    const FvFeatureInstance *runs = session->runs.run;
    uint64_t pair = fv_format_bytes(&session->dis) + (session->has_reference ? fv_format_bytes(&session->ref) : 0);
    if (session->workload.has_variants)
        pair += fv_format_bytes(&session->runs.ycbcr_variant[FV_DISTORTED]) +
                (session->has_reference ? fv_format_bytes(&session->runs.ycbcr_variant[FV_REFERENCE]) : 0);
    uint64_t per_frame = fv_maps_bytes(&session->flight.maps, runs, session->runs.count), scratch = 0, lasting = 0;
    for (int i = 0; i < session->runs.count; i++) {
        per_frame += runs[i].frame_bytes;
        lasting += runs[i].lasting_bytes;
        if (runs[i].scratch_bytes > scratch)
            scratch = runs[i].scratch_bytes;
    }
    return (uint64_t)(session->flight.most + 3 + (session->flight.behind > 1 ? session->flight.behind : 1)) * pair +
           (uint64_t)session->flight.most * per_frame + lasting + (uint64_t)session->devices.threads * scratch;
}

static void free_tasks(FvSession *session)
{
    for (int t = 0; t < session->flight.most && session->flight.tasks; t++)
        for (int i = 0; i < session->runs.count; i++)
            fv_free(session->flight.tasks[t].frame[i]);
    free(session->flight.tasks);
    session->flight.tasks = NULL;
    fv_maps_free(&session->flight.maps);
    fv_masks_close(&session->flight.masks);
}

FvStatus fv_session_release(FvSession *session, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    if (session->state < FV_SESSION_FINISHED || session->flight.delivering)
        return fv_fail(error, FV_ERROR_USAGE, "fv_session_release: the session has not ended");
    if (!session->devices.opened[0])
        return FV_OK;
    FvRecord *record = session->facts.imported ? NULL : fv_alloc_zero(sizeof *record);
    FvStatus status = session->facts.imported ? FV_OK
                      : record                ? fv_record_make(record, session, error)
                                              : fv_fail_memory(error, sizeof *record);
    if (status) {
        fv_free(record);
        return status;
    }
    session->facts.imported = record ? record : session->facts.imported;
    fv_session_stop(session);
    free_tasks(session);
    return FV_OK;
}

void fv_session_close(FvSession **session)
{
    FvSession *s = session ? *session : NULL;
    if (!s)
        return;
    *session = NULL;
    s->params.log = NULL;
    fv_session_stop(s);
    free_tasks(s);
    for (int i = 0; i < s->metrics.count; i++)
        fv_metric_close(&s->metrics.run[i]);
    fv_instances_close(&s->runs);
    fv_rows_free(&s->scores.rows);
    for (int c = 0; c < s->scores.column_count; c++)
        free((void *)s->scores.columns[c].info.name);
    fv_session_free_pictures(s);
    fv_facts_free(&s->facts);
    fv_verdict_free(&s->verdict);
    free(s->scores.columns);
    free(s->scores.outputs);
    free(s->scores.values);
    free(s->scores.number);
    free(s->checked.list.event);
    free(s->checked.texts);
    free(s);
}

const char *fv_session_note(const FvSession *session, int metric)
{
    const bool there = session && metric >= 0 && metric < session->metrics.count;
    return there && *session->metrics.run[metric].remark ? session->metrics.run[metric].remark : NULL;
}
