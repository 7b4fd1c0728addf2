/* Writes fovea's JSON report. docs/report.md, report.schema.json */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/timecode.h"
#include "fovea/param.h"
#include "json.h"
#include "meaning_json.h"
#include "metric/missing.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "report/report.h"
#include "timing_json.h"
#include "verdict_json.h"

#define SCHEMA_VERSION 1

static void write_tag(FvJson *json, FvColourTag tag, int code)
{
    char text[32];
    fv_json_text(json, fv_colour_tag_name(tag), fv_colour_name(tag, code, text, sizeof text));
}

static void write_format(FvJson *json, const FvFormat *format)
{
    fv_json_int(json, "width", format->width);
    fv_json_int(json, "height", format->height);
    fv_json_text(json, "chroma", fv_chroma_name(format->chroma));
    fv_json_int(json, "depth", format->depth);
    fv_json_text(json, "range", fv_range_name(format->range));
    if (format->rate_den) {
        char rate[32];
        snprintf(rate, sizeof rate, "%d/%d", format->rate_num, format->rate_den);
        fv_json_text(json, "rate", rate);
    } else
        fv_json_null(json, "rate");
    write_tag(json, FV_TAG_PRIMARIES, format->primaries);
    write_tag(json, FV_TAG_TRANSFER, format->transfer);
    write_tag(json, FV_TAG_MATRIX, format->matrix);
    fv_json_text(json, "siting", fv_siting_name(format->siting));
}

/* Writes the properties that change how players show samples, but not the samples. */
static void write_display(FvJson *json, const FvInput *input)
{
    const FvSourceInfo *info = &input->info;
    fv_json_text(json, "fields", fv_fields_name(info->fields));
    if (info->aspect_num) {
        char aspect[32];
        snprintf(aspect, sizeof aspect, "%d:%d", info->aspect_num, info->aspect_den);
        fv_json_text(json, "sample_aspect", aspect);
    } else
        fv_json_null(json, "sample_aspect");
    fv_json_int(json, "rotation", info->display_rotation);
    fv_json_text(json, "mastering", input->mastering);
    char timecode[FV_TIMECODE_TEXT];
    fv_timecode_write(&info->timecode, 0, timecode);
    fv_json_text(json, "timecode", *timecode ? timecode : NULL);
    fv_json_int(json, "stream", info->stream);
    fv_json_int(json, "streams", info->streams);
}

/* Writes the description of a source. Pushed frames have a format only. */
static void write_input(FvJson *json, const char *key, const FvInput *input, const FvFormat *format)
{
    fv_json_open(json, key, '{');
    fv_json_text(json, "path", input->path);
    fv_json_text(json, "reader", input->reader);
    fv_json_text(json, "container", input->container);
    fv_json_text(json, "codec", input->codec);
    write_format(json, input->present ? &input->info.format : format);
    write_display(json, input);
    if (input->present && input->info.frames >= 0)
        fv_json_int(json, "frames", input->info.frames);
    else
        fv_json_null(json, "frames");
    fv_json_number(json, "bit_rate", input->present ? input->bit_rate : NAN);
    fv_json_close(json);
}

static void write_inputs(FvJson *json, const FvSession *session)
{
    fv_json_open(json, "inputs", '{');
    if (fv_session_format(session, FV_REFERENCE))
        write_input(json, "reference", &fv_session_facts(session)->reference,
                    fv_session_format(session, FV_REFERENCE));
    else
        fv_json_null(json, "reference");
    write_input(json, "distorted", &fv_session_facts(session)->distorted, fv_session_format(session, FV_DISTORTED));
    fv_json_close(json);
}

/* Writes the format of the frames that the metrics read: after cropping, scaling and conversion. */
static void write_scored(FvJson *json, const FvSession *session)
{
    static const char *const keys[] = {"reference", "distorted"};
    fv_json_open(json, "scored", '{');
    for (int side = 0; side < 2; side++) {
        const FvFormat *format = fv_session_format(session, (FvSide)side);
        if (!format) {
            fv_json_null(json, keys[side]);
            continue;
        }
        fv_json_open(json, keys[side], '{');
        write_format(json, format);
        fv_json_close(json);
    }
    fv_json_close(json);
}

const char *const fv_report_params[] = {"ignore_fields", "scale",          "kernel",         "pad", "stretch",
                                        "convert",       "reference.crop", "distorted.crop", NULL};

static void write_scoring(FvJson *json, const FvScoreParams *score)
{
    static const char *const modes[] = {"index", "time", "auto", "map"};
    fv_json_open(json, "scoring", '{');
    fv_json_text(json, "align", modes[score->align]);
    fv_json_bool(json, "shortest", score->shortest);
    fv_json_bool(json, "ignore_rate", score->ignore_rate);
    fv_json_bool(json, "ignore_range", score->ignore_range);
    fv_json_bool(json, "ignore_colour", score->ignore_colour);
    if (score->fields)
        fv_json_bool(json, "fields", true);
    fv_json_int(json, "subsample", score->subsample > 1 ? score->subsample : 1);
    fv_json_int(json, "frames", score->frames);
    fv_json_int(json, "skip_reference", score->skip_reference);
    fv_json_int(json, "skip_distorted", score->skip_distorted);
    fv_json_real(json, "start", (double)score->start / 1e6);
    fv_json_real(json, "duration", (double)score->duration / 1e6);
    FvRunParams run = {.score = *score};
    for (int i = 0; fv_report_params[i]; i++) {
        char text[256];
        fv_run_text(&run, fv_report_params[i], text, sizeof text);
        if (*text && strcmp(text, "false"))
            fv_json_text(json, fv_report_params[i], text);
    }
    fv_json_close(json);
}

static void write_gates(FvJson *json, const FvSession *session)
{
    static const char *const outcomes[] = {"passed", "failed", "undefined"};
    fv_json_open(json, "gates", '[');
    for (int i = 0; i < fv_session_facts(session)->gate_count; i++) {
        const FvGate *gate = &fv_session_facts(session)->gates[i];
        const FvOutputInfo *output = fv_session_output(session, gate->output);
        double value;
        FvGateOutcome outcome = fv_session_gate(session, gate, &value);
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "score", output->name);
        fv_json_text(json, "pool", output->sequence ? NULL : fv_pool_name(gate->pool));
        fv_json_text(json, "fails", gate->above ? "above" : "below");
        fv_json_real(json, "limit", gate->limit);
        fv_json_real(json, "value", value);
        fv_json_text(json, "outcome", outcomes[outcome]);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_device(FvJson *json, const FvSession *session)
{
    const FvRecord *imported = fv_session_facts(session)->imported;
    fv_json_open(json, "device", '{');
    if (imported) {
        fv_json_text(json, "requested", imported->requested);
        fv_json_text(json, "kind", imported->kind);
        fv_json_text(json, "title", imported->title);
        fv_json_text(json, "isa", imported->isa);
        fv_json_close(json);
        return;
    }
    fv_json_text(json, "requested", fv_session_devices(session)->name);
    fv_json_text(json, "kind", fv_session_devices(session)->opened[0]->ops->kind);
    fv_json_text(json, "title", fv_session_devices(session)->opened[0]->title);
    fv_json_text(json, "isa", fv_isa_name(fv_session_devices(session)->isa));
    fv_json_close(json);
}

static void write_option(FvJson *json, const FvMetricInstance *run, int i)
{
    const FvOptions *table = &run->metric->options;
    const FvOptionInfo *info = &table->info[i];
    const void *place = (const char *)run->options + table->offset[i];
    switch (info->type) {
    case FV_OPTION_BOOL:
        fv_json_bool(json, info->name, *(const bool *)place);
        break;
    case FV_OPTION_INT:
        fv_json_int(json, info->name, *(const int *)place);
        break;
    case FV_OPTION_REAL:
        fv_json_real(json, info->name, *(const double *)place);
        break;
    case FV_OPTION_TEXT:
    case FV_OPTION_PATH:
        fv_json_text(json, info->name, *(const char *const *)place);
        break;
    }
}

/* Writes the identity of the files that options name. */
static void write_files(FvJson *json, const FvMetricInstance *run)
{
    const FvOptions *table = &run->metric->options;
    if (!run->files)
        return;
    fv_json_open(json, "files", '{');
    for (int i = 0; i < table->count; i++) {
        if (!fv_option_path(run->options, table, i))
            continue;
        fv_json_open_line(json, table->info[i].name, '{');
        fv_json_text(json, "sha256", run->files[i].sha256);
        fv_json_int(json, "bytes", (int64_t)run->files[i].content.size);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_metric(FvJson *json, const FvSession *session, int index)
{
    const FvMetricInstance *run = fv_session_metric_instance(session, index);
    const FvMetric *metric = run->metric;
    char device[64];
    fv_session_metric_devices(session, index, device, sizeof device);
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", metric->info.name);
    fv_json_text(json, "device", device);
    fv_json_open(json, "options", '{');
    for (int i = 0; i < metric->options.count; i++)
        write_option(json, run, i);
    fv_json_close(json);
    write_files(json, run);
    fv_json_open(json, "outputs", '[');
    for (int c = 0; c < fv_session_outputs(session); c++) {
        const FvOutputInfo *info = fv_session_output(session, c);
        if (fv_session_scores(session)->columns[c].metric != index)
            continue;
        fv_json_open_line(json, NULL, '{');
        fv_output_info_json(json, info);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_close(json);
}

/* Writes the pooled values of a part, or of all frames. */
static void write_pools(FvJson *json, const FvSession *session, const FvPart *part)
{
    fv_json_open(json, "pooled", '{');
    for (int c = 0; c < fv_session_outputs(session); c++) {
        if (fv_session_output(session, c)->sequence)
            continue;
        fv_json_open(json, fv_session_output(session, c)->name, '{');
        double pools[FV_POOL_COUNT];
        fv_session_pools(session, c, part, pools);
        for (int pool = 0; pool < FV_POOL_COUNT; pool++)
            if (pool != FV_POOL_HARMONIC_MEAN || !(pools[FV_POOL_MIN] < 0))
                fv_json_real(json, fv_pool_name(pool), pools[pool]);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_parts(FvJson *json, const FvSession *session, FvPartKind kind, const char *key)
{
    FvPart part = {0};
    fv_json_open(json, key, '[');
    while (fv_session_next_part(session, kind, &part)) {
        fv_json_open(json, NULL, '{');
        fv_json_int(json, "frame", part.frame);
        fv_json_int(json, "frame_count", part.count);
        write_pools(json, session, &part);
        fv_json_close(json);
    }
    fv_json_close(json);
}

/*
 * Writes the number of frames that are equal in both videos, if a score is in decibels; other scores of such frames
 * are finite.
 */
static void write_equal(FvJson *json, const FvSession *session)
{
    fv_json_open(json, "equal_frames", '{');
    for (int c = 0; c < fv_session_outputs(session); c++) {
        const FvOutputInfo *info = fv_session_output(session, c);
        if (!info->sequence && info->unit && !strcmp(info->unit, "dB"))
            fv_json_int(json, info->name, fv_session_equal_frames(session, c));
    }
    fv_json_close(json);
}

static void write_pooled(FvJson *json, const FvSession *session)
{
    write_pools(json, session, &(FvPart){0, fv_session_frames(session), 0});
    if (fv_session_params(session)->interval) {
        fv_json_real(json, "interval", (double)fv_session_params(session)->interval / 1e6);
        write_parts(json, session, FV_PARTS_INTERVALS, "intervals");
    }
    if (fv_session_params(session)->scenes)
        write_parts(json, session, FV_PARTS_SCENES, "scenes");
    fv_json_open(json, "sequence", '{');
    for (int c = 0; c < fv_session_outputs(session); c++)
        if (fv_session_output(session, c)->sequence)
            fv_json_real(json, fv_session_output(session, c)->name, fv_session_scores(session)->columns[c].sequence);
    fv_json_close(json);
}

static const char *name_output(const void *session, int output)
{
    return fv_session_output(session, output)->name;
}

void fv_report_head(FvJson *json, const FvSession *session)
{
    const char *partial = fv_session_partial(session);
    fv_json_int(json, "schema_version", SCHEMA_VERSION);
    fv_json_text(json, "fovea_version", fv_session_version(session));
    fv_json_int(json, "numerics_version", fv_session_numerics(session));
    fv_json_bool(json, "partial", partial != NULL);
    fv_json_text(json, "partial_reason", partial);
    write_device(json, session);
    write_inputs(json, session);
    write_scored(json, session);
    write_scoring(json, &fv_session_facts(session)->score);
    fv_report_alignment(json, session);
    fv_json_open(json, "decisions", '[');
    for (int i = 0; i < fv_session_facts(session)->decision_count; i++)
        fv_json_text(json, NULL, fv_session_facts(session)->decisions[i]);
    fv_json_close(json);
    fv_json_open(json, "events", '[');
    for (int i = 0; i < fv_session_facts(session)->events.count; i++)
        fv_event_write(json, &fv_session_facts(session)->events.event[i], session);
    fv_json_close(json);
    fv_json_open(json, "metrics", '[');
    for (int i = 0; i < fv_session_metrics(session); i++)
        write_metric(json, session, i);
    fv_json_close(json);
    write_gates(json, session);
    fv_report_checks(json, session);
    fv_verdict_json(json, name_output, session, fv_session_judged(session));
    fv_json_int(json, "frame_count", fv_session_frames(session));
    write_equal(json, session);
    if (fv_session_facts(session)->timing.limited_by)
        fv_timing_json(json, &fv_session_facts(session)->timing);
    write_pooled(json, session);
}

static void write_value(FvJson *json, const char *name, double value)
{
    if (fv_is_missing(value))
        fv_json_null(json, name);
    else
        fv_json_real(json, name, value);
}

static void write_frame(FvJson *json, const FvSession *session, int64_t frame)
{
    fv_json_open_line(json, NULL, '{');
    const int64_t number = fv_session_frame_number(session, frame);
    const double time = fv_session_time(session, number);
    fv_json_int(json, "frame", number);
    fv_json_number(json, "time", time);
    char timecode[FV_TIMECODE_TEXT];
    if (fv_session_timecode(session, number, timecode))
        fv_json_text(json, "timecode", timecode);
    int64_t bytes;
    bool key;
    if (fv_session_packet(session, frame, &bytes, &key)) {
        fv_json_int(json, "packet_bytes", bytes);
        fv_json_bool(json, "packet_key", key);
    }
    fv_json_open(json, "metrics", '{');
    for (int c = 0; c < fv_session_outputs(session); c++)
        if (!fv_session_output(session, c)->sequence)
            write_value(json, fv_session_output(session, c)->name, fv_session_value(session, frame, c));
    fv_json_close(json);
    fv_json_close(json);
}

/* `opaque`: the writer of the report. */
static void write_frames(FILE *file, const FvSession *session, int64_t first, int64_t end, const void *opaque)
{
    FvJson json = *(const FvJson *)opaque;
    json.file = file;
    json.many = first > 0;
    for (int64_t i = first; i < end; i++)
        write_frame(&json, session, i);
}

void fv_report_json(FILE *file, const FvSession *session)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    fv_report_head(&json, session);
    fv_json_open(&json, "frames", '[');
    fv_report_frames(file, session, write_frames, &json);
    json.many = fv_session_frames(session) > 0;
    fv_json_close(&json);
    fv_json_close(&json);
    fputc('\n', file);
}

static void write_lines(FILE *file, const FvSession *session, int64_t first, int64_t end, const void *opaque)
{
    const FvCheckEvent *event = fv_report_next_event(session, NULL, fv_session_frame_number(session, first - 1));
    for (int64_t i = first; i < end; i++) {
        FvJson json = {.file = file};
        write_frame(&json, session, i);
        fputc('\n', file);
        for (; event && event->last <= fv_session_frame_number(session, i);
             event = fv_report_next_event(session, event, -1))
            fv_report_event_line(file, session, event);
    }
}

void fv_report_ndjson(FILE *file, const FvSession *session)
{
    fv_report_frames(file, session, write_lines, NULL);
    FvJson json = {.file = file};
    fv_json_open_line(&json, NULL, '{');
    fv_report_head(&json, session);
    fv_json_close(&json);
    fputc('\n', file);
}
