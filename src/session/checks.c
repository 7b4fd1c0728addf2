/* Events of a session that has finished, and the outcome of its checks. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "session/state.h"

/* Returns the index of the first instance of a metric; -1: the session has none. */
static int metric_named(const FvSession *session, const char *name)
{
    for (int i = 0; i < session->metrics.count; i++)
        if (!strcmp(session->metrics.run[i].metric->info.name, name))
            return i;
    return -1;
}

static bool is_chosen(const FvSession *session, int check)
{
    return !session->checked.chosen || session->checked.chosen >> check & 1;
}

/* Returns why events of the session cannot be found; NULL: they can. */
static const char *hindrance(const FvSession *session)
{
    const FvRowTable *rows = &session->scores.rows;
    for (int64_t i = 0; i < rows->count; i++)
        if (rows->skipped[i])
            return "frames were left out";
    return session->state != FV_SESSION_FINISHED && !session->facts.partial ? "the session was not finished"
           : !rows->count || session->scores.scored < rows->count           ? "no frame was scored to the end"
           : session->facts.score.fields                                    ? "fields were scored apart"
           : session->checked.list.failed                                   ? "memory ran out"
                                                                            : NULL;
}

/* Returns the time of each frame and of the end of the last, in seconds; NULL: they follow from the frame rate. */
static double *times_of(FvSession *session)
{
    const int64_t frames = session->scores.frames;
    const FvFormat *format = &session->dis;
    if (!session->facts.times || frames != session->scores.rows.count)
        return NULL;
    double *times = malloc((size_t)(frames + 1) * sizeof *times);
    if (!times) {
        session->checked.list.failed = true;
        return NULL;
    }
    memcpy(times, session->facts.times, (size_t)frames * sizeof *times);
    const double mean = frames > 1 ? (times[frames - 1] - times[0]) / (double)(frames - 1) : 0;
    times[frames] = times[frames - 1] +
                    (format->rate_num && format->rate_den ? (double)format->rate_den / format->rate_num : mean);
    return times;
}

static void make_side(FvSession *session, FvSide side, const double *times)
{
    const FvInput *input = side == FV_REFERENCE ? &session->facts.reference : &session->facts.distorted;
    FvCheckEventInput of = {.side = side,
                            .format = side == FV_REFERENCE ? &session->ref : &session->dis,
                            .frames = session->scores.rows.count,
                            .times = times};
    of.facts = fv_check_event_facts(input->mastering, input->present ? (int)input->info.fields : 0, of.format->peak);
    for (int m = 0; m < FV_EVENT_METRICS; m++) {
        const int i = metric_named(session, fv_check_event_metric_name(m));
        of.metric[m].want = i < 0 ? -1 : 0;
        of.metric[m].asked = i >= 0;
        if (i < 0)
            continue;
        of.metric[m].rule = session->metrics.run[i].options;
        of.metric[m].rows = (FvRows){&session->scores.rows, session->metrics.want[i], 0, of.frames - 1};
    }
    /* The freeze metric also computes the terms of the black metric, with its default options. */
    FvBlackRule usual = {.feature = {0}};
    fv_options_default(&usual, &fv_metric_black.options);
    if (of.metric[FV_OF_BLACK].want < 0 && of.metric[FV_OF_FREEZE].want >= 0) {
        of.metric[FV_OF_BLACK].rule = &usual;
        of.metric[FV_OF_BLACK].rows = of.metric[FV_OF_FREEZE].rows;
        of.metric[FV_OF_BLACK].want = 1;
    }
    fv_check_events_make(&session->checked.list, &of);
}

/* Replaces the indices of frames in an event by numbers and times, and marks whether the event was expected. */
static void finish_event(FvSession *session, FvCheckEvent *event, const double *times)
{
    const FvFormat *format = &session->dis;
    const int64_t first = event->first, last = event->last;
    event->first = session->scores.rows.number[first];
    event->last = session->scores.rows.number[last];
    event->time = times ? times[first] : fv_session_time(session, event->first);
    event->duration = times ? times[last + 1] - times[first]
                            : (double)((last - first + 1) * (format->rate_den ? format->rate_den : 1)) /
                                  (format->rate_num ? format->rate_num : 25);
    event->severity = session->checked.expected >> event->check & 1 ? FV_SEVERITY_INFO : event->severity;
}

/* Marks the events of the distorted video that overlap no event of the same check in the reference. */
static void compare_sides(FvCheckEventList *list)
{
    for (int i = 0; i < list->count; i++) {
        FvCheckEvent *event = &list->event[i];
        event->added = event->side == FV_DISTORTED;
        for (int k = 0; k < list->count && event->added; k++) {
            const FvCheckEvent *other = &list->event[k];
            event->added = other->side == FV_DISTORTED || other->check != event->check ||
                           other->last < event->first || other->first > event->last;
        }
    }
}

int fv_session_check_events(FvSession *session)
{
    FV_FLOAT_MODE;
    if (!session || session->state == FV_SESSION_OPEN)
        return 0;
    if (session->checked.made || hindrance(session))
        return session->checked.list.count;
    FvCheckEventList *list = &session->checked.list;
    double *times = times_of(session);
    session->checked.made = true;
    make_side(session, FV_DISTORTED, times);
    if (session->has_reference)
        make_side(session, FV_REFERENCE, times);
    for (int i = 0; i < list->count; i++)
        finish_event(session, &list->event[i], times);
    if (session->has_reference)
        compare_sides(list);
    int kept = 0;
    for (int i = 0; i < list->count && !list->failed; i++)
        if (is_chosen(session, list->event[i].check))
            list->event[kept++] = list->event[i];
    list->count = kept;
    free(times);
    return list->count;
}

FvStatus fv_session_make_checks(FvSession *session, FvError *error)
{
    fv_session_check_events(session);
    return session->checked.list.failed ? fv_fail_memory(error, sizeof *session->checked.list.event) : FV_OK;
}

const FvCheckEvent *fv_session_check_event(FvSession *session, int i)
{
    return i >= 0 && i < fv_session_check_events(session) ? &session->checked.list.event[i] : NULL;
}

static size_t bytes_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

/* Copies *text to *place, points *text to the copy, and advances *place past it. */
static void copy_text(const char **text, char **place)
{
    const size_t bytes = bytes_of(*text);
    if (bytes)
        *text = memcpy(*place, *text, bytes);
    *place += bytes;
}

FvStatus fv_session_restore_checks(FvSession *session, const FvCheckEvent *events, int count,
                                   const char *const reasons[FV_CHECK_KINDS], FvError *error)
{
    FvChecked *checked = &session->checked;
    size_t bytes = 1;
    for (int i = 0; i < FV_CHECK_KINDS; i++)
        bytes += bytes_of(reasons[i]);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < events[i].details; k++)
            bytes += bytes_of(events[i].detail[k].name) + bytes_of(events[i].detail[k].text);
    FvCheckEvent *copies = malloc(((size_t)count + 1) * sizeof *copies);
    char *place = malloc(bytes);
    if (!copies || !place) {
        free(copies);
        free(place);
        return fv_fail_memory(error, (size_t)count * sizeof *copies + bytes);
    }
    checked->texts = place;
    checked->list = (FvCheckEventList){.event = copies, .count = count, .capacity = count + 1};
    checked->made = checked->restored = true;
    memcpy(copies, events, (size_t)count * sizeof *copies);
    for (int i = 0; i < FV_CHECK_KINDS; i++) {
        checked->reason[i] = reasons[i];
        copy_text(&checked->reason[i], &place);
    }
    for (int i = 0; i < count; i++)
        for (int k = 0; k < copies[i].details; k++) {
            copy_text(&copies[i].detail[k].name, &place);
            copy_text(&copies[i].detail[k].text, &place);
        }
    return FV_OK;
}

static FvStatus unknown_check(const char *name, FvError *error)
{
    char all[256] = "";
    for (int i = 0; i < FV_CHECK_KINDS; i++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", fv_check_info(i)->name);
    return fv_fail(error, FV_ERROR_USAGE, "unknown check '%s'; there are %s", name, all);
}

/* Sets the bits of the checks that a list names. */
static FvStatus parse_checks(uint64_t *set, const char *checks, FvError *error)
{
    for (const char *at = checks; *at;) {
        char name[64];
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, at);
        const int check = fv_check_find(name);
        if (check < 0)
            return unknown_check(name, error);
        *set |= UINT64_C(1) << check;
        at += length + (at[length] == ',');
    }
    return FV_OK;
}

FvStatus fv_session_intend(FvSession *session, const char *checks, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, checks);
    uint64_t expected = 0;
    FvStatus status = parse_checks(&expected, checks, error);
    session->checked.expected |= status ? 0 : expected;
    return status;
}

FvStatus fv_session_choose_checks(FvSession *session, const char *checks, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, checks);
    uint64_t chosen = 0;
    FvStatus status = parse_checks(&chosen, checks, error);
    session->checked.chosen = status ? session->checked.chosen : chosen;
    return status;
}

/* Returns why a check was not made; NULL: it was made. */
static const char *skip_reason(const FvSession *session, int check)
{
    const FvCheckEventMetric metric = fv_check_metric(check);
    const char *mastering = session->facts.distorted.mastering;
    const FvCheckEventFacts facts = fv_check_event_facts(mastering, 0, session->dis.peak);
    if (session->checked.restored)
        return session->checked.reason[check];
    if (metric_named(session, fv_check_event_metric_name(metric)) < 0 || !is_chosen(session, check))
        return "not asked for";
    if (hindrance(session))
        return hindrance(session);
    if (metric == FV_OF_LIGHT && !fv_check_is_hdr(&session->dis))
        return "the video is neither PQ nor HLG";
    if (check == FV_CHECK_LIGHT && !facts.max_cll && !facts.max_fall && !facts.peak)
        return "the file states no light levels";
    if (check == FV_CHECK_GAMUT && !(mastering && strstr(mastering, "primaries ")))
        return "the file states no mastering display";
    if (metric == FV_OF_LEVELS && session->dis.range == FV_RANGE_FULL)
        return "the video has full range";
    const bool cells = session->dis.width >= FV_CHECK_COLUMNS && session->dis.height >= FV_CHECK_ROWS;
    return metric == FV_OF_FLASH && !cells ? "the picture is too small" : NULL;
}

bool fv_session_check(FvSession *session, int check, FvCheckResult *result)
{
    if (!session || !result || check < 0 || check >= FV_CHECK_KINDS || session->state == FV_SESSION_OPEN)
        return false;
    const int events = fv_session_check_events(session);
    int worst = -1;
    *result = (FvCheckResult){.verdict = "pass", .reason = skip_reason(session, check)};
    for (int i = 0; i < events; i++) {
        const FvCheckEvent *event = &session->checked.list.event[i];
        if (event->check != check || event->side != FV_DISTORTED)
            continue;
        result->events++;
        result->frames += event->frames;
        worst = (int)event->severity > worst ? (int)event->severity : worst;
    }
    if (worst >= 0)
        result->verdict = fv_severity_name((FvSeverity)worst);
    if (result->reason)
        result->verdict = "skipped";
    return true;
}

const char *fv_session_check_verdict(FvSession *session)
{
    int worst = -2;
    for (int check = 0; check < FV_CHECK_KINDS; check++) {
        FvCheckResult result;
        if (!fv_session_check(session, check, &result) || result.reason)
            continue;
        worst = worst < -1 ? -1 : worst;
        for (int severity = FV_SEVERITY_INFO; severity <= FV_SEVERITY_FAIL; severity++)
            if (!strcmp(result.verdict, fv_severity_name((FvSeverity)severity)) && severity > worst)
                worst = severity;
    }
    if (worst == -2)
        return NULL;
    if (fv_session_partial(session) && worst < FV_SEVERITY_FAIL)
        return "partial";
    return worst == -1 ? "pass" : fv_severity_name((FvSeverity)worst);
}
