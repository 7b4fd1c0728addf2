/* Chooses the writer of a format, and runs it in the C locale. */
#include "report/report.h"

#include "base/error.h"
#include "os/locale.h"
#include "os/output.h"

static FvStatus check_session(const FvSession *session, FvReportFormat format, FvError *error)
{
    if ((unsigned)format > FV_REPORT_EVENTS)
        return fv_fail(error, FV_ERROR_USAGE, "unknown report format %d", (int)format);
    if (!fv_session_scores(session)->columns)
        return fv_fail(error, FV_ERROR_USAGE, "there is nothing to report: the session has not been started");
    return FV_OK;
}

static FvStatus print_report(FILE *file, FvSession *session, FvReportFormat format, FvError *error)
{
    static void (*const writers[])(FILE *, const FvSession *) = {
        [FV_REPORT_JSON] = fv_report_json,     [FV_REPORT_CSV] = fv_report_csv,
        [FV_REPORT_NDJSON] = fv_report_ndjson, [FV_REPORT_HTML] = fv_report_html,
        [FV_REPORT_EVENTS] = fv_report_events,
    };
    const FvClipVerdict *verdict; /* not used here; the writers read the verdict from the session */
    FvStatus status = fv_session_judge(session, &verdict, error);
    if (status)
        return status;
    FvLocale before;
    const bool plain = fv_locale_enter(&before);
    if (plain)
        writers[format](file, session);
    fv_locale_leave(before);
    return plain ? FV_OK : fv_fail_memory(error, 0);
}

FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, path);
    FvOutput *output = NULL;
    FvStatus status = check_session(session, format, error);
    if (!status)
        status = fv_output_open_guarded(&output, path, &fv_session_facts(session)->read,
                                        fv_session_params(session)->cancel, error);
    if (!status)
        status = print_report(fv_output_file(output), session, format, error);
    if (!status)
        status = fv_output_close(&output, error);
    fv_output_discard(&output);
    return status;
}

FvStatus fv_report_print(FvSession *session, FILE *file, FvReportFormat format, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    FV_REQUIRE(error, file);
    FvStatus status = check_session(session, format, error);
    if (!status)
        status = print_report(file, session, format, error);
    if (!status && (fflush(file) || ferror(file)))
        status = fv_fail(error, FV_ERROR_OUTPUT,
                         "the report was written only in part: the stream is full or closed; free "
                         "space, or write to a file");
    return status;
}
