/* Writes the results of checks: as members of a report, as lines of NDJSON, and as a table. docs/check.md */
#include <inttypes.h>
#include <math.h>

#include "report/report.h"

static void write_detail(FvJson *json, const FvCheckDetail *detail)
{
    if (detail->type == FV_CHECK_DETAIL_TEXT)
        fv_json_text(json, detail->name, detail->text);
    else if (detail->type == FV_CHECK_DETAIL_BOOL)
        fv_json_bool(json, detail->name, detail->integer[0]);
    else if (detail->count == 1)
        fv_json_int(json, detail->name, detail->integer[0]);
    else {
        fv_json_open_line(json, detail->name, '[');
        for (int i = 0; i < detail->count; i++)
            fv_json_int(json, NULL, detail->integer[i]);
        fv_json_close(json);
    }
}

static const char *side_name(const FvCheckEvent *event)
{
    return event->side == FV_REFERENCE ? "reference" : "distorted";
}

static void write_event(FvJson *json, const char *key, const FvSession *session, const FvCheckEvent *event)
{
    char timecode[FV_TIMECODE_TEXT];
    fv_json_open_line(json, key, '{');
    fv_json_text(json, "check", fv_check_info(event->check)->name);
    fv_json_text(json, "severity", fv_severity_name(event->severity));
    if (fv_session_format(session, FV_REFERENCE)) {
        fv_json_text(json, "side", side_name(event));
        fv_json_bool(json, "new", event->added);
    }
    fv_json_int(json, "first", event->first);
    fv_json_int(json, "last", event->last);
    fv_json_int(json, "frames", event->frames);
    fv_json_number(json, "time", event->time);
    fv_json_real(json, "duration", event->duration);
    if (fv_session_timecode(session, event->first, timecode))
        fv_json_text(json, "timecode", timecode);
    for (int i = 0; i < event->details; i++)
        write_detail(json, &event->detail[i]);
    fv_json_close(json);
}

void fv_report_checks(FvJson *json, const FvSession *of)
{
    FvSession *session = (FvSession *)of; /* the const is cast away because events are found on request */
    const char *verdict = fv_session_check_verdict(session);
    if (!verdict)
        return;
    fv_json_open(json, "check", '{');
    fv_json_text(json, "verdict", verdict);
    fv_json_open(json, "checks", '[');
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (!fv_session_check(session, i, &result))
            continue;
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "name", fv_check_info(i)->name);
        fv_json_text(json, "metric", fv_check_info(i)->metric);
        fv_json_text(json, "verdict", result.verdict);
        fv_json_int(json, "events", result.events);
        fv_json_int(json, "frames", result.frames);
        fv_json_text(json, "reason", result.reason);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_open(json, "events", '[');
    for (int i = 0; i < fv_session_check_events(session); i++)
        write_event(json, NULL, session, fv_session_check_event(session, i));
    fv_json_close(json);
    fv_json_close(json);
}

/* ---- Lines of NDJSON ------------------------------------------------------------------------------------------ */

const FvCheckEvent *fv_report_next_event(const FvSession *of, const FvCheckEvent *before, int64_t after)
{
    FvSession *session = (FvSession *)of;
    const FvCheckEvent *next = NULL;
    for (int i = 0; i < fv_session_check_events(session); i++) {
        const FvCheckEvent *event = fv_session_check_event(session, i);
        const bool later = before ? event->last > before->last || (event->last == before->last && event > before)
                                  : event->last > after;
        if (later && (!next || event->last < next->last))
            next = event;
    }
    return next;
}

void fv_report_event_line(FILE *file, const FvSession *session, const FvCheckEvent *event)
{
    FvJson json = {.file = file};
    fv_json_open_line(&json, NULL, '{');
    write_event(&json, "event", session, event);
    fv_json_close(&json);
    fputc('\n', file);
}

/* ---- The table of events -------------------------------------------------------------------------------------- */

/* Writes the details as one field: "period=5 repeats=3", "bars=140:140:0:0". */
static void write_details(FILE *file, const FvCheckEvent *event)
{
    for (int i = 0; i < event->details; i++) {
        const FvCheckDetail *detail = &event->detail[i];
        fprintf(file, "%s%s=", i ? " " : "", detail->name);
        if (detail->type == FV_CHECK_DETAIL_TEXT)
            fputs(detail->text, file);
        else if (detail->type == FV_CHECK_DETAIL_BOOL)
            fputs(detail->integer[0] ? "true" : "false", file);
        for (int k = 0; detail->type == FV_CHECK_DETAIL_INTEGERS && k < detail->count; k++)
            fprintf(file, "%s%" PRId64, k ? ":" : "", detail->integer[k]);
    }
}

void fv_report_events(FILE *file, const FvSession *of)
{
    FvSession *session = (FvSession *)of;
    fputs("Check,Severity,Side,New,First,Last,Frames,Time,Duration,Timecode,Details\n", file);
    for (int i = 0; i < fv_session_check_events(session); i++) {
        const FvCheckEvent *event = fv_session_check_event(session, i);
        char timecode[FV_TIMECODE_TEXT] = "";
        fv_session_timecode(session, event->first, timecode);
        fprintf(file, "%s,%s,%s,%d,%" PRId64 ",%" PRId64 ",%" PRId64 ",", fv_check_info(event->check)->name,
                fv_severity_name(event->severity), side_name(event), event->added, event->first, event->last,
                event->frames);
        if (!isnan(event->time))
            fprintf(file, "%.6f", event->time);
        fprintf(file, ",%.6f,%s,", event->duration, timecode);
        write_details(file, event);
        fputc('\n', file);
    }
    fv_report_csv_end(file, session);
}
