/* Where a report goes, and in which form: options that several commands have. */
#ifndef REPORTS_H
#define REPORTS_H

#include "cli/args.h"
#include "fovea/fovea.h"

/* In the order of FvReportFormat. */
extern const char *const report_formats[];

/* By --format, or else by the ending of the file. Both may be NULL. */
FvReportFormat report_format(const char *output, const char *format);

/* Whether the ending says what --format does not. */
FvStatus report_check_ending(const char *output, const char *format);

/* What --intervals says, in microseconds; NULL: 0. FV_OK, or a status after a message. */
FvStatus report_interval(const char *text, int64_t *interval);

/* -o, or standard output when only a format was asked for, or nowhere: NULL. */
const char *report_path(const char *output, const char *format);

/* Rows of an option table. */
#define REPORT_ROWS(output_at, format_at, below_at, above_at, intervals_at)                                          \
    {.section = "Results",                                                                                           \
     .name = "output",                                                                                               \
     .letter = 'o',                                                                                                  \
     .kind = ARG_TEXT,                                                                                               \
     .offset = (output_at),                                                                                          \
     .value = "FILE",                                                                                                \
     .offer = OFFER_FILES,                                                                                           \
     .help = "write a report; - is standard output, in place of the table"},                                         \
        {.name = "format",                                                                                           \
         .kind = ARG_TEXT,                                                                                           \
         .offset = (format_at),                                                                                      \
         .value = "NAME",                                                                                            \
         .choices = report_formats,                                                                                  \
         .help = "the form of the report: json, csv, xml, ndjson, libvmaf-json, or html, a page with curves and "    \
                 "the worst "                                                                                        \
                 "frames; without it the ending of FILE decides, or else it is json"},                               \
        {.name = "json", .kind = ARG_TEXT, .offset = (format_at), .fixed = "json", .help = "--format json"},         \
        {.name = "csv", .kind = ARG_TEXT, .offset = (format_at), .fixed = "csv", .help = "--format csv"},            \
        {.name = "xml", .kind = ARG_TEXT, .offset = (format_at), .fixed = "xml", .help = "--format xml"},            \
        {.name = "fail-below",                                                                                       \
         .kind = ARG_LIST,                                                                                           \
         .offset = (below_at),                                                                                       \
         .value = "SCORE=VALUE[:POOL]",                                                                              \
         .offer = OFFER_OUTPUTS,                                                                                     \
         .help = "exit with 1 if a pooled score is lower than this; POOL is mean (the default), min, max, "          \
                 "harmonic_mean, "                                                                                   \
                 "stddev, p1, p5, p10, p25 or median; may be repeated"},                                             \
        {.name = "fail-above",                                                                                       \
         .kind = ARG_LIST,                                                                                           \
         .offset = (above_at),                                                                                       \
         .value = "SCORE=VALUE[:POOL]",                                                                              \
         .offer = OFFER_OUTPUTS,                                                                                     \
         .help = "the same for scores that are better when they are lower; exits with 1 if one is higher"},          \
    {                                                                                                                \
        .name = "intervals", .kind = ARG_TEXT, .offset = (intervals_at), .value = "TIME",                            \
        .help = "also pool the scores of every TIME, in seconds or as [HOURS:]MINUTES:SECONDS"                       \
    }

#endif
