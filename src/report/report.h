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

/* Writes the frames [first, end) of a report, in any thread. `opaque` is that of fv_report_frames(). */
typedef void FvFrameWriter(FILE *file, const FvSession *session, int64_t first, int64_t end, const void *opaque);

/*
 * Writes all frames in their order. The threads of the session format those of a long report side by side; the
 * calling thread formats what they cannot for lack of memory.
 */
void fv_report_frames(FILE *file, const FvSession *session, FvFrameWriter *write, const void *opaque);

/* Ends a table: if the run is partial, writes a comment that gives the reason. */
void fv_report_csv_end(FILE *file, const FvSession *session);

/*
 * Returns the event after `before` in the order of the events' ends. before NULL: returns the first event that ends
 * after frame `after`; -1: the first of all. Returns NULL after the last event.
 */
const FvCheckEvent *fv_report_next_event(const FvSession *session, const FvCheckEvent *before, int64_t after);

/* Writes an event of a check as a line of NDJSON. */
void fv_report_event_line(FILE *file, const FvSession *session, const FvCheckEvent *event);

/* Writes everything of the JSON report except its frames, as members of the open object. */
void fv_report_head(FvJson *json, const FvSession *session);
