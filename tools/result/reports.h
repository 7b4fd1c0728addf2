/* Where reports go and in which format, from the options. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"
#include "result/gate.h"

typedef struct Report {
    const char *path; /* "-": standard output, in place of the table */
    FvReportFormat format;
    bool junit; /* in place of the format: the gates as JUnit has them */
} Report;

#define REPORTS 16 /* of one run */

/* The reports that the options ask for, in order, and how many: each -o by its ending, or by --format. */
int reports_list(const Options *options, Report reports[REPORTS]);

/* FV_ERROR_USAGE after a message when a file has no format, or two reports go to one place. */
FvStatus reports_check(const Options *options);

/* Writes one of them. A page needs its pictures before. */
FvStatus reports_write(const Report *report, FvSession *session, const Gates *gates, FvError *error);

/* Whether one of them is standard output. */
bool reports_take_output(const Options *options);

/* Whether an output of several encodes is a folder: it exists as one, ends with '/', or has no ending. */
bool reports_is_folder(const char *output);
