/* fv_report_write: picks the writer, and keeps it in the C locale. */
#include "report/report.h"

#include "os/locale.h"
#include "base/error.h"
#include "os/output.h"

FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error)
{
    static void (*const writers[])(FILE *, const FvSession *) = {
        [FV_REPORT_JSON] = fv_report_json,
        [FV_REPORT_CSV] = fv_report_csv,
        [FV_REPORT_NDJSON] = fv_report_ndjson,
        [FV_REPORT_HTML] = fv_report_html,
    };
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, path);
    if ((unsigned)format >= sizeof writers / sizeof *writers)
        return fv_fail(error, FV_ERROR_USAGE, "unknown report format %d", (int)format);
    if (!fv_session_scores(session)->columns)
        return fv_fail(error, FV_ERROR_USAGE, "there is nothing to report: the session has not been started");
    FvOutput *output;
    FvStatus status = fv_output_open_guarded(&output, path, &fv_session_facts(session)->read,
                                             fv_session_params(session)->cancel, error);
    if (!status) {
        FvLocale before;
        const bool plain = fv_locale_enter(&before);
        if (plain)
            writers[format](fv_output_file(output), session);
        fv_locale_leave(before);
        status = plain ? fv_output_close(&output, error) : fv_fail_memory(error, 0);
        fv_output_discard(&output);
    }
    return status;
}
