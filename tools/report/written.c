#include "report/written.h"

#include <stdlib.h>

#include "cli/message.h"
#include "table/file_text.h"

#define MOST_BYTES ((size_t)1 << 30) /* maximum bytes of a report */

FvStatus written_open(Written *report, const char *path, const char *remedy)
{
    char *text;
    size_t size;
    FvError error = {0};
    FvStatus status = file_text(path, MOST_BYTES, &text, &size);
    if (!status && (fv_document_open(&report->document, path, text, size, &error) ||
                    fv_report_read(&report->session, path, &error)))
        status = report_error(fv_failure_of(&error), "%s%s", error.message, remedy);
    free(text);
    return status;
}

void written_close(Written *report)
{
    fv_session_close(&report->session);
    fv_document_close(&report->document);
}
