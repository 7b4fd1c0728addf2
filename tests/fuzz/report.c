/*
 * Fills a session from any bytes, with names of files, decisions, reasons and scores. Every writer of reports must
 * then give valid text of its format, with the strings and numbers of the session.
 */
#include "fuzz.h"
#include "taken.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "json_read.h"
#include "report/report.h"
#include "session/state.h"

#define FRAMES 2

static double take_value(Bytes *bytes)
{
    double value = 0;
    size_t left = (size_t)(bytes->end - bytes->at);
    memcpy(&value, bytes->at, left < sizeof value ? left : sizeof value);
    bytes->at += left < sizeof value ? left : sizeof value;
    return value;
}

static FvSession *make_session(void)
{
    const FvFormat format = {.width = 8, .height = 8, .chroma = FV_CHROMA_400, .depth = 8};
    FvSession *session = NULL;
    FvFrame *frame = NULL;
    require(!fv_session_open(&session, &(FvSessionParams){.device = "cpu", .isa = "scalar", .threads = 1}, NULL) &&
                !fv_session_add(session, "psnr", NULL) && !fv_session_start(session, &format, &format, NULL) &&
                !fv_frame_alloc(&frame, &format, NULL),
            "no session");
    for (int y = 0; y < format.height; y++)
        memset(frame->data[0] + y * frame->stride[0], 16, (size_t)format.width);
    for (int i = 0; i < FRAMES; i++)
        require(!fv_session_push(session, i, frame, frame, NULL), "a frame is refused");
    fv_frame_unref(&frame);
    require(!fv_session_finish(session, NULL), "the session does not finish");
    return session;
}

static void fill(FvSession *session, Bytes *bytes)
{
    unsigned how = bytes->at < bytes->end ? *bytes->at++ : 0;
    session->facts.distorted.present = true;
    session->facts.distorted.path = take_text(bytes);
    session->facts.distorted.reader = take_text(bytes);
    session->facts.distorted.container = take_text(bytes);
    session->facts.distorted.codec = take_text(bytes);
    session->facts.distorted.info.format =
        (FvFormat){.width = 8, .height = 8, .depth = 8, .range = how % 3, .rate_num = how & 4};
    session->facts.distorted.info.format.rate_den = session->facts.distorted.info.format.rate_num ? 1 : 0;
    session->facts.distorted.info.frames = how & 8 ? -1 : FRAMES;
    char *text = take_text(bytes);
    require(!fv_session_decide(session, NULL, "%s", text), "a decision is refused");
    FvError reason = {.status = FV_ERROR_INPUT};
    snprintf(reason.message, sizeof reason.message, "%s", text);
    if (how & 16)
        fv_session_mark_partial(session, &reason);
    free(text);
    for (int i = 0; i < FRAMES * session->scores.column_count; i++)
        session->scores.values[i] = take_value(bytes);
}

static void check_lines(const char *text)
{
    int lines = 0;
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        require(strchr(line, '\n') != NULL, "CSV: the last line has no end");
        lines += *line != '#';
    }
    require(lines == FRAMES + 1, "CSV: another number of lines than of frames");
}

static void parse_json(FvDocument *document, const char *text, size_t size)
{
    FvError error;
    if (fv_document_open(document, "report", text, size, &error)) {
        fprintf(stderr, "%s\n%.*s\n", error.message, (int)size, text);
        require(false, "JSON: does not parse");
    }
}

/* Checks that numbers equal the session's to the last bit. Other values must be a string or null. */
static void check_values(const FvSession *session, const FvNode *report)
{
    const FvNode *frames = fv_node_member(report, "frames");
    for (size_t number = 0; number < fv_node_items(frames); number++) {
        const FvNode *values = fv_node_member(fv_node_item(frames, number), "metrics");
        for (int i = 0; i < session->scores.column_count; i++) {
            const FvNode *value = fv_node_member(values, session->scores.columns[i].info.name);
            double wanted = session->scores.values[number * (size_t)session->scores.column_count + (size_t)i];
            if (value && isfinite(wanted))
                require(fv_node_is_number(value) && fv_node_number(value) == wanted, "JSON: another number");
        }
    }
}

static void check_json(const FvSession *session, const char *text, size_t size, bool lines)
{
    for (const char *line = text; line < text + size;) {
        const char *end = lines ? strchr(line, '\n') : text + size;
        FvDocument document;
        require(end != NULL, "NDJSON: the last line has no end");
        parse_json(&document, line, (size_t)(end - line));
        check_values(session, &document.root);
        fv_document_close(&document);
        line = end + lines;
    }
}

/* Checks that no text leaves the element of the page's JSON, and that its report has the session's values. */
static void check_page(const FvSession *session, char *text)
{
    static const char begin[] = "id=\"data\">\n";
    char *json = strstr(text, begin), *end = json ? strchr(json + sizeof begin, '<') : NULL;
    require(end && !strncmp(end, "</script>", 9), "page: something else ends the JSON");
    json += sizeof begin - 1;
    *end = '\0';
    require(strstr(json, "\"report\": {") && strstr(json, "\"worst\": ["), "page: a part is missing");
    check_json(session, json, (size_t)(end - json), false);
}

static void write_report(const FvSession *session, FvReportFormat format)
{
    static void (*const writers[])(FILE *, const FvSession *) = {fv_report_json, fv_report_csv, fv_report_ndjson,
                                                                 fv_report_html};
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    require(file != NULL, "no memory");
    writers[format](file, session);
    fclose(file);
    require(strlen(text) == size, "a zero byte in a report");
    if (format == FV_REPORT_CSV)
        check_lines(text);
    else if (format == FV_REPORT_HTML)
        check_page(session, text);
    else
        check_json(session, text, size, format == FV_REPORT_NDJSON);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    FvSession *session = make_session();
    Bytes rest = {bytes, bytes + size};
    fill(session, &rest);
    const FvClipVerdict *verdict;
    require(!fv_session_judge(session, &verdict, NULL), "no verdict");
    for (FvReportFormat format = FV_REPORT_JSON; format <= FV_REPORT_HTML; format++)
        write_report(session, format);
    fv_session_close(&session);
    return 0;
}
