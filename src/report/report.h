/* The writers of reports. Each prints one format of a session to a stream, in the C locale. */
#pragma once

#include <stdio.h>

#include "fovea/check.h"
#include "json.h"
#include "session/session.h"

/*
 * The parameters of a run that control how frames are prepared, ending with NULL. The report's member "scoring"
 * contains those that were set, as text for fv_run_set().
 */
extern const char *const fv_report_params[];

/* Writes the member "alignment" of the open object. */
void fv_report_alignment(FvJson *json, const FvSession *session);

/* Writes the member "check" of the open object if a metric has checks. */
void fv_report_checks(FvJson *json, const FvSession *session);

void fv_report_json(FILE *file, const FvSession *session);
void fv_report_ndjson(FILE *file, const FvSession *session);
void fv_report_csv(FILE *file, const FvSession *session);
void fv_report_events(FILE *file, const FvSession *session);
void fv_report_html(FILE *file, const FvSession *session);

/* Ends a table: if the run is partial, writes a comment that gives the reason. */
void fv_report_csv_end(FILE *file, const FvSession *session);

/*
 * Returns the event after `before` in the order of the events' ends. before NULL: returns the first event. Returns
 * NULL after the last event.
 */
const FvCheckEvent *fv_report_next_event(const FvSession *session, const FvCheckEvent *before);

/* Writes an event of a check as a line of NDJSON. */
void fv_report_event_line(FILE *file, const FvSession *session, const FvCheckEvent *event);

/* Writes everything of the JSON report except its frames, as members of the open object. */
void fv_report_head(FvJson *json, const FvSession *session);
