/* fovea report: other reports from a JSON report, without the videos. */
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "fovea/fovea.h"
#include "result/gate.h"
#include "result/reports.h"
#include "result/table.h"
#include "scoring/videos.h"

static int write_all(const Options *options, FvSession *session)
{
    FvError error = {0};
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    for (int i = 0; i < count; i++)
        if (reports[i].format == FV_REPORT_JSON || reports[i].format == FV_REPORT_NDJSON)
            return complain(FV_ERROR_USAGE, "-o %s: the JSON report is there already; name a page (.html) or .csv",
                            reports[i].path);
    for (int i = 0; i < count; i++)
        if (complain_if(fv_report_write(session, reports[i].path, reports[i].format, &error), &error))
            return error.status;
    const TableParams params = {.reports = count > 0, .details = options->details};
    return reports_take_output(options) ? EXIT_OK : (int)table_print(stdout, session, &params);
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    FvSession *session;
    FvError error = {0};
    if (words->count != 1)
        return complain(FV_ERROR_USAGE, "fovea report takes one JSON report: fovea report scores.json -o page.html");
    FvStatus status = reports_check(options);
    if (status)
        return status;
    if (complain_if(fv_report_read(&session, words->items[0], &error), &error))
        return error.status;
    const FvOutputParams table = {.session = session};
    const int code =
        complain_if(outputs_check(&table, &error), &error) ? (int)error.status : write_all(options, session);
    fv_session_close(&session);
    return code;
}

const Command command_report = {
    .name = "report",
    .summary = "make a page or a table from a JSON report",
    .synopsis = "SCORES.json [-o FILE.html]... [--details]",
    .description =
        "Reads a report that 'fovea score -o FILE.json' wrote, prints its table, and writes a page for a browser or "
        "a "
        "CSV file. The videos are not needed; the page has no pictures. Model files that the scores were made with "
        "must be where they were.",
    .example = "fovea report scores.json -o page.html\nfovea report scores.json --details",
    OPTIONS_OF(FOR_REPORT),
    .run = run,
};
