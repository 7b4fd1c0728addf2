/* Where a report goes and in which format, from the options. */
#ifndef REPORTS_H
#define REPORTS_H

#include "cli/options.h"
#include "fovea/fovea.h"

/* By --format, else by the ending of the file. */
FvReportFormat report_format(const Options *options);

/* FV_ERROR_USAGE after a message when neither gives a format. */
FvStatus report_check_ending(const Options *options);

/* The file of -o; "-" when only a format was given; NULL: no report. */
const char *report_path(const Options *options);

#endif
