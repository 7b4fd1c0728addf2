/*
 * The XML and the JSON that programs written for libvmaf read: its element, attribute and key names, seen in
 * what its command writes. Values have more digits. fps is 0, because a report holds nothing that changes
 * from run to run.
 */
#include <inttypes.h>

#include "json.h"
#include "report/report.h"
#include "report/value.h"

static const FvPool pools[] = {FV_POOL_MIN, FV_POOL_MAX, FV_POOL_MEAN, FV_POOL_HARMONIC_MEAN};
#define POOLS (sizeof pools / sizeof *pools)

static void attribute(FILE *file, const char *name, double value)
{
    fprintf(file, " %s=\"", name);
    fv_print_value(file, value);
    fputc('"', file);
}

/* Text between tags or quotes; what XML 1.0 has no character for becomes a question mark. */
static void escaped(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            fputc((unsigned char)*text < 0x20 || (unsigned char)*text > 0x7e ? '?' : *text, file);
        }
}

static void xml_columns(FILE *file, const FvSession *session, bool sequence, int64_t frame)
{
    for (int c = 0; c < session->scores.column_count; c++)
        if (session->scores.columns[c].info.sequence == sequence)
            attribute(file, session->scores.columns[c].info.name, fv_session_value(session, frame, c));
    fputs(" />\n", file);
}

static void xml_pooled(FILE *file, const FvSession *session, const FvPart *part, const char *indent)
{
    for (int c = 0; c < session->scores.column_count; c++) {
        if (session->scores.columns[c].info.sequence)
            continue;
        fprintf(file, "%s<metric name=\"%s\"", indent, session->scores.columns[c].info.name);
        for (size_t p = 0; p < POOLS; p++)
            attribute(file, fv_pool_name(pools[p]), fv_session_pool_part(session, c, pools[p], part));
        fputs(" />\n", file);
    }
}

static void xml_parts(FILE *file, const FvSession *session, FvPartKind kind, const char *name)
{
    FvPart part = {0};
    fprintf(file, "  <%s", name);
    if (kind == FV_PARTS_INTERVALS)
        attribute(file, "seconds", (double)session->params.interval / 1e6);
    fputs(">\n", file);
    while (fv_session_next_part(session, kind, &part)) {
        fprintf(file, "    <part frame=\"%" PRId64 "\" frame_count=\"%" PRId64 "\">\n", part.frame, part.count);
        xml_pooled(file, session, &part, "      ");
        fputs("    </part>\n", file);
    }
    fprintf(file, "  </%s>\n", name);
}

void fv_report_xml(FILE *file, const FvSession *session)
{
    const FvFormat *format = &session->dis;
    const char *partial = fv_report_partial(session);
    fprintf(file, "<VMAF version=\"fovea %s\"", fv_version());
    if (partial) {
        fputs(" partial=\"", file);
        escaped(file, partial);
        fputc('"', file);
    }
    fprintf(file, ">\n  <params qualityWidth=\"%d\" qualityHeight=\"%d\" />\n  <fyi fps=\"0.00\" />\n  <frames>\n",
            format->width, format->height);
    for (int64_t i = 0; i < session->scores.frames; i++) {
        fprintf(file, "    <frame frameNum=\"%" PRId64 "\"", session->scores.number[i]);
        xml_columns(file, session, false, i);
    }
    fputs("  </frames>\n  <pooled_metrics>\n", file);
    xml_pooled(file, session, &(FvPart){0, session->scores.frames, 0}, "    ");
    fputs("  </pooled_metrics>\n", file);
    if (session->params.interval)
        xml_parts(file, session, FV_PARTS_INTERVALS, "intervals");
    if (session->params.scenes)
        xml_parts(file, session, FV_PARTS_SCENES, "scenes");
    fputs("  <aggregate_metrics", file);
    xml_columns(file, session, true, 0);
    fputs("</VMAF>\n", file);
}

/* Readers of this shape expect null where there is no finite number. */
static void json_value(FvJson *json, const char *key, double value)
{
    if (isfinite(value))
        fv_json_real(json, key, value);
    else
        fv_json_null(json, key);
}

static void json_columns(FvJson *json, const char *key, const FvSession *session, bool sequence, int64_t frame)
{
    fv_json_open(json, key, '{');
    for (int c = 0; c < session->scores.column_count; c++)
        if (session->scores.columns[c].info.sequence == sequence)
            json_value(json, session->scores.columns[c].info.name, fv_session_value(session, frame, c));
    fv_json_close(json);
}

static void json_pooled(FvJson *json, const FvSession *session, const FvPart *part)
{
    fv_json_open(json, "pooled_metrics", '{');
    for (int c = 0; c < session->scores.column_count; c++) {
        if (session->scores.columns[c].info.sequence)
            continue;
        fv_json_open(json, session->scores.columns[c].info.name, '{');
        for (size_t p = 0; p < POOLS; p++)
            json_value(json, fv_pool_name(pools[p]), fv_session_pool_part(session, c, pools[p], part));
        fv_json_close(json);
    }
    fv_json_close(json);
}

void fv_report_libvmaf_json(FILE *file, const FvSession *session)
{
    char version[64];
    snprintf(version, sizeof version, "fovea %s", fv_version());
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    fv_json_text(&json, "version", version);
    fv_json_real(&json, "fps", 0);
    if (fv_report_partial(session))
        fv_json_text(&json, "partial", fv_report_partial(session));
    fv_json_open(&json, "frames", '[');
    for (int64_t i = 0; i < session->scores.frames; i++) {
        fv_json_open(&json, NULL, '{');
        fv_json_int(&json, "frameNum", session->scores.number[i]);
        json_columns(&json, "metrics", session, false, i);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    json_pooled(&json, session, &(FvPart){0, session->scores.frames, 0});
    if (session->params.interval) {
        fv_json_real(&json, "interval", (double)session->params.interval / 1e6);
        fv_report_parts(&json, session, FV_PARTS_INTERVALS, "intervals", json_pooled);
    }
    if (session->params.scenes)
        fv_report_parts(&json, session, FV_PARTS_SCENES, "scenes", json_pooled);
    json_columns(&json, "aggregate_metrics", session, true, 0);
    fv_json_close(&json);
    fputc('\n', file);
}
