/* Determines from the options where reports are written, and in which format. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"
#include "table/gate.h"

typedef struct Report {
    const char *path; /* "-": standard output, in place of the table */
    FvReportFormat format;
    bool junit; /* write the gates as JUnit instead of `format` */
} Report;

#define REPORTS 16 /* maximum number of reports of one run */

/*
 * Lists the reports that the options ask for, in order, each with the format of its ending or of --format. Returns
 * their number.
 */
int reports_list(const Options *options, Report reports[REPORTS]);

/*
 * Checks the reports. If a file's format is unknown, or two reports have the same path, prints a message and returns
 * FV_ERROR_USAGE.
 */
FvStatus reports_check(const Options *options);

/* Writes a report. For a page, add its pictures to the session first; the package of --embed is added here. */
FvStatus reports_write(const Options *options, const Report *report, FvSession *session, const Gates *gates,
                       FvError *error);

/* Returns whether a report is written to standard output. */
bool reports_take_output(const Options *options);

/* Returns whether an output of several encodes is a folder: it exists as one, ends with '/', or has no ending. */
bool reports_is_folder(const char *output);
