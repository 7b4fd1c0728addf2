/* fovea report: makes other reports from a JSON report, without the videos. */
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "encodes/ladder_files.h"
#include "encodes/ladder_page.h"
#include "encodes/ladder_read.h"
#include "encodes/ladder_table.h"
#include "fovea/fovea.h"
#include "report/reports.h"
#include "scoring/videos.h"
#include "table/gate.h"
#include "table/table.h"

static int write_all(const Options *options, FvSession *session)
{
    FvError error = {0};
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    for (int i = 0; i < count; i++)
        if (reports[i].format == FV_REPORT_JSON || reports[i].format == FV_REPORT_NDJSON)
            return report_error(FV_ERROR_USAGE,
                                "-o %s: the JSON report is there already; name a page (.html) or .csv",
                                reports[i].path);
    for (int i = 0; i < count; i++)
        if (report_error_if(reports_write(options, &reports[i], session, NULL, &error), &error))
            return error.status;
    const TableParams params = {.reports = count > 0, .details = options->details};
    return reports_take_output(options) ? EXIT_OK : (int)table_print(stdout, session, &params);
}

static FvStatus write_ladder(FILE *file, FvReportFormat format, const Ladder *ladder)
{
    return format == FV_REPORT_HTML ? ladder_write_page(file, ladder) : ladder_write_csv(file, ladder);
}

/* Writes other reports from a report of several encodes. */
static int write_ladders(const Options *options, const char *path, const Ladder *ladder)
{
    Report reports[REPORTS];
    FvError error = {0};
    const int count = reports_list(options, reports);
    FvStatus status = FV_OK;
    if (options->embed)
        status = report_error(FV_ERROR_USAGE, "--embed is for the page of one encode: leave it out");
    for (int i = 0; i < count && !status; i++) {
        FvOutput *output = NULL;
        const FvOutputParams params = {.path = reports[i].path, .files = &path, .file_count = 1};
        if (reports[i].format == FV_REPORT_JSON || reports[i].format == FV_REPORT_NDJSON)
            status =
                report_error(FV_ERROR_USAGE, "-o %s: the JSON report is there already; name a page (.html) or .csv",
                             reports[i].path);
        if (!status)
            status = report_error_if(outputs_check(&params, &error), &error);
        if (!status)
            status = report_error_if(fv_output_open(&output, &params, &error), &error);
        if (!status) {
            status = write_ladder(fv_output_file(output), reports[i].format, ladder);
            if (status)
                fv_output_discard(&output);
            else
                status = report_error_if(fv_output_close(&output, &error), &error);
        }
    }
    if (!status && !reports_take_output(options))
        ladder_print_table(stdout, ladder);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    FvSession *session;
    FvError error = {0};
    if (words->count != 1)
        return report_error(FV_ERROR_USAGE,
                            "fovea report takes one JSON report: fovea report scores.json -o page.html");
    FvStatus status = reports_check(options);
    if (status)
        return status;
    if (strcmp(words->items[0], "-")) {
        StoredLadder stored = {.ladder = {.count = 0}};
        bool is;
        status = stored_ladder_open(&stored, words->items[0], &is);
        const int code = is && !status ? write_ladders(options, words->items[0], &stored.ladder) : (int)status;
        stored_ladder_close(&stored);
        if (is || status)
            return code;
    }
    if (report_error_if(fv_report_read(&session, words->items[0], &error), &error))
        return error.status;
    const FvOutputParams table = {.session = session};
    const int code =
        report_error_if(outputs_check(&table, &error), &error) ? (int)error.status : write_all(options, session);
    fv_session_close(&session);
    return code;
}

const Command command_report = {
    .name = "report",
    .summary = "make a page or a table from a JSON report",
    .synopsis = "SCORES.json [-o FILE.html]... [--details]",
    .description =
        "Reads a report that 'fovea score -o FILE.json' wrote, of one encode or of several, prints its table, and "
        "writes a page for a browser or a CSV file. The videos are not needed; the page has no pictures. Model files "
        "that the scores were made with "
        "must be where they were.",
    .example = "fovea report scores.json -o page.html\nfovea report scores.json --details",
    OPTIONS_OF(FOR_REPORT),
    .run = run,
};
