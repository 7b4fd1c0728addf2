#include "result/reports.h"

#include <string.h>

#include "cli/message.h"

static const FvReportFormat formats[] = {FV_REPORT_JSON, FV_REPORT_CSV, FV_REPORT_NDJSON, FV_REPORT_HTML};

/* Names below /dev have none: NULL. */
static const char *ending_of(const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    const char *name = slash ? slash + 1 : output, *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot != name && strncmp(output, "/dev/", 5) ? dot + 1 : NULL;
}

/* -1: unknown. */
static int find_format(const char *name)
{
    for (int i = 0; options_formats[i]; i++)
        if (!strcmp(name, options_formats[i]))
            return i;
    return -1;
}

FvReportFormat report_format(const Options *options)
{
    const char *name = options->format ? options->format : ending_of(options->output);
    const int found = name ? find_format(name) : -1;
    return found < 0 ? FV_REPORT_JSON : formats[found];
}

FvStatus report_check_ending(const Options *options)
{
    const char *ending = options->format ? NULL : ending_of(options->output);
    if (!ending || find_format(ending) >= 0)
        return FV_OK;
    return complain(FV_ERROR_USAGE,
                    "-o %s: no report ends with .%s; the endings are .json, .csv, .ndjson and .html, and "
                    "--format sets the format for any ending",
                    options->output, ending);
}

const char *report_path(const Options *options)
{
    return options->output ? options->output : options->format ? "-" : NULL;
}
