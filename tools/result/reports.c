#include "result/reports.h"

#include <string.h>

#include "cli/message.h"
#include "scoring/pairing.h"

const char *const report_formats[] = {"json", "csv", "xml", "ndjson", "libvmaf-json", "html", NULL};

/* NULL: what lies below /dev has none. */
static const char *ending_of(const char *output)
{
    const char *slash = output ? strrchr(output, '/') : NULL;
    const char *name = slash ? slash + 1 : output, *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot != name && strncmp(output, "/dev/", 5) ? dot + 1 : NULL;
}

FvReportFormat report_format(const char *output, const char *format)
{
    const char *name = format ? format : ending_of(output);
    for (int i = 0; name && report_formats[i]; i++)
        if (!strcmp(name, report_formats[i]))
            return (FvReportFormat)i;
    return FV_REPORT_JSON;
}

FvStatus report_check_ending(const char *output, const char *format)
{
    const char *ending = format ? NULL : ending_of(output);
    for (int i = 0; ending && report_formats[i]; i++)
        if (!strcmp(ending, report_formats[i]))
            return FV_OK;
    return !ending ? FV_OK
                   : complain(FV_ERROR_USAGE,
                              "-o %s: no report ends with .%s; the endings are .json, .csv, .xml, .ndjson and "
                              ".html, and --format chooses whatever the ending is",
                              output, ending);
}

FvStatus report_interval(const char *text, int64_t *interval)
{
    *interval = 0;
    if (!text || (pairing_time(text, interval) && *interval))
        return FV_OK;
    return complain(FV_ERROR_USAGE, "--intervals takes seconds or [HOURS:]MINUTES:SECONDS, not '%s'", text);
}

const char *report_path(const char *output, const char *format)
{
    return output ? output : format ? "-" : NULL;
}
