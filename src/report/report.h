/* The writers of reports. Each prints one format of a session to a stream, in the C locale. */
#pragma once

#include <stdio.h>

#include "json.h"
#include "session/session.h"

/* Parameters of a run that decide how frames are prepared; the member "scoring" has those that were set, as text that
 * fv_run_set() takes. Ends with NULL. */
extern const char *const fv_report_params[];

/* The member "alignment" of the object that is open. */
void fv_report_alignment(FvJson *json, const FvSession *session);

/* The member "check" of that object, where a metric has checks. */
void fv_report_checks(FvJson *json, const FvSession *session);

void fv_report_json(FILE *file, const FvSession *session);
void fv_report_ndjson(FILE *file, const FvSession *session);
void fv_report_csv(FILE *file, const FvSession *session);
void fv_report_html(FILE *file, const FvSession *session);

/* Everything of the JSON report but its frames, as members of the object that is open. */
void fv_report_head(FvJson *json, const FvSession *session);
