#include "report/reports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "path_names.h"
#include "report/command_line.h"
#include "report/junit.h"
#include "scoring/videos.h"
#include "table/file_text.h"

#define MOST_PACKAGE ((size_t)16 << 20) /* greatest size that fv_session_embed() takes */

/* The library's formats in the order of options_formats, whose last entry is junit. */
static const FvReportFormat formats[] = {FV_REPORT_JSON, FV_REPORT_CSV, FV_REPORT_NDJSON, FV_REPORT_HTML,
                                         FV_REPORT_EVENTS};

static Report report_of(const Options *options, const char *path, int found)
{
    const bool junit = found == sizeof formats / sizeof *formats;
    const FvReportFormat format = found < 0 || junit ? FV_REPORT_JSON : formats[found];
    return (Report){path, options->events_csv && format == FV_REPORT_CSV ? FV_REPORT_EVENTS : format, junit};
}

/* Returns the ending of a file's name; NULL: it has none, or is below /dev. */
static const char *ending_of(const char *output)
{
    const char *slash = output ? fv_last_slash(output) : NULL;
    const char *name = slash ? slash + 1 : output, *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot != name && strncmp(output, "/dev/", 5) ? dot + 1 : NULL;
}

/* Returns the index of a format's name in options_formats; -1: unknown. */
static int find_format(const char *name)
{
    if (!strcmp(name, "xml"))
        name = "junit";
    for (int i = 0; options_formats[i]; i++)
        if (!strcmp(name, options_formats[i]))
            return i;
    return -1;
}

int reports_list(const Options *options, Report reports[REPORTS])
{
    const ArgList *outputs = &options->outputs;
    int count = 0;
    for (int i = 0; i < outputs->count && count < REPORTS; i++) {
        const char *name = options->format ? options->format : ending_of(outputs->items[i]);
        const int found = name ? find_format(name) : -1;
        reports[count++] = report_of(options, outputs->items[i], found);
    }
    if (!outputs->count && options->format)
        reports[count++] = report_of(options, "-", find_format(options->format));
    return count;
}

bool reports_take_output(const Options *options)
{
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    for (int i = 0; i < count; i++)
        if (!strcmp(reports[i].path, "-"))
            return true;
    return false;
}

/*
 * Reads the npm package of this version, which the caller frees. Its gzip file has the name that scripts/npm gave the
 * archive inside. Prints a message before it fails.
 */
static FvStatus read_package(const char *path, char **package, size_t *bytes)
{
    static const unsigned char head[10] = {0x1f, 0x8b, 8, 8};
    char name[64];
    const int length = snprintf(name, sizeof name, "fovea-%s.tar", fv_version()) + 1;
    const FvStatus status = file_text(path, MOST_PACKAGE, package, bytes);
    if (status)
        return status;
    if (*bytes >= sizeof head + (size_t)length && !memcmp(*package, head, 4) &&
        !memcmp(*package + sizeof head, name, (size_t)length))
        return FV_OK;
    return report_error(
        FV_ERROR_INPUT,
        "--embed %s is not the npm package of fovea %s; give the fovea-%s.tgz that 'npm pack fovea@%s' "
        "fetches or scripts/npm makes",
        path, fv_version(), fv_version(), fv_version());
}

/*
 * Checks the package before frames are scored, so that a run does not end without its page, and that no report is
 * written over it.
 */
static FvStatus check_package(const char *path, const Report *reports, int count)
{
    char *package = NULL;
    size_t bytes;
    bool has_page = false;
    FvError error;
    for (int i = 0; i < count; i++) {
        const char *name = strcmp(reports[i].path, "-") ? reports[i].path : NULL;
        const FvOutputParams params = {.path = name, .files = &path, .file_count = 1};
        has_page |= !reports[i].junit && reports[i].format == FV_REPORT_HTML;
        if (report_error_if(outputs_check(&params, &error), &error))
            return error.status;
    }
    if (!has_page)
        return report_error(FV_ERROR_USAGE, "--embed is for a page: write one with -o FILE.html");
    const FvStatus status = read_package(path, &package, &bytes);
    free(package);
    return status;
}

FvStatus reports_check(const Options *options)
{
    const ArgList *outputs = &options->outputs;
    if (outputs->count > REPORTS)
        return report_error(FV_ERROR_USAGE, "-o is given %d times; one run writes at most %d reports", outputs->count,
                            REPORTS);
    if (outputs->count > 1 && options->format)
        return report_error(
            FV_ERROR_USAGE,
            "--format %s is for one report: leave it out, and each of the %d files has the format of its "
            "ending",
            options->format, outputs->count);
    for (int i = 0; i < outputs->count; i++) {
        const char *ending = options->format ? NULL : ending_of(outputs->items[i]);
        for (int k = 0; k < i; k++)
            if (!strcmp(outputs->items[k], outputs->items[i]))
                return report_error(FV_ERROR_USAGE, "-o %s is given twice: name two files, or leave one out",
                                    outputs->items[i]);
        if (ending && find_format(ending) < 0)
            return report_error(
                FV_ERROR_USAGE,
                "-o %s: no report ends with .%s; the endings are .json, .csv, .ndjson, .html and .xml, and "
                "--format sets the format for any ending",
                outputs->items[i], ending);
    }
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    const bool judged = options->fail_below.count || options->fail_above.count ||
                        (options->events_csv && (!options->fail_on || strcmp(options->fail_on, "none")));
    for (int i = 0; i < count; i++)
        if (reports[i].junit && !judged)
            return report_error(
                FV_ERROR_USAGE,
                "-o %s: JUnit has a case for each quality gate, and there is none; add --fail-below or "
                "--fail-above",
                reports[i].path);
    return options->embed ? check_package(options->embed, reports, count) : FV_OK;
}

FvStatus reports_write(const Options *options, const Report *report, FvSession *session, const Gates *gates,
                       FvError *error)
{
    if (report->junit)
        return junit_write(report->path, session, gates, error);
    char *package = NULL;
    size_t bytes;
    FvStatus status = FV_OK;
    if (report->format == FV_REPORT_HTML && !options->batch) { /* jobs of a batch have no command of their own */
        char *command = command_line();
        if (!command)
            *error = (FvError){FV_ERROR_MEMORY, "out of memory for the command on the page"};
        status = command ? fv_session_set_command(session, command, error) : error->status;
        free(command);
    }
    if (!status && report->format == FV_REPORT_HTML && options->embed) {
        status = read_package(options->embed, &package, &bytes);
        *error = (FvError){.status = status};
        if (!status)
            status = fv_session_embed(session, package, bytes, error);
        free(package);
    }
    return status ? status : fv_report_write(session, report->path, report->format, error);
}

bool reports_is_folder(const char *output)
{
    struct stat info;
    const size_t length = strlen(output);
    if (!stat(output, &info))
        return S_ISDIR(info.st_mode);
    return length && (fv_is_slash(output[length - 1]) || (strcmp(output, "-") && !ending_of(output)));
}
