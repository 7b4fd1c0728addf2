/*
 * Reads a JSON report into a session that scores nothing, from which other reports are written. Its metrics are
 * opened with the options of the report, so that outputs, meanings and verdicts are those of the run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/timecode.h"
#include "fovea/param.h"
#include "json_read.h"
#include "metric/missing.h"
#include "metric_text.h"
#include "os/content.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "report/report.h"

#define MOST_BYTES ((size_t)1 << 30)

typedef struct Reader {
    const char *path;
    const FvNode *root;
    FvSession *session;
    FvError *error;
} Reader;

static FvStatus bad(const Reader *r, const char *name)
{
    return fv_fail(r->error, FV_ERROR_INPUT, "%s: its '%s' is missing or wrong: is it a JSON report of fovea %s?",
                   r->path, name, fv_version());
}

static int64_t integer_of(const FvNode *object, const char *name, int64_t otherwise)
{
    const FvNode *member = fv_node_member(object, name);
    return fv_node_is(member, FV_NODE_INTEGER) ? fv_node_integer(member) : otherwise;
}

/*
 * Reads a number, or the name of a number that is not finite, or null for a missing number. false: it is none of
 * these.
 */
static bool real_of(const FvNode *value, double *to)
{
    if (fv_node_is(value, FV_NODE_NULL)) {
        *to = fv_missing();
        return true;
    }
    *to = fv_node_real(value);
    return !isnan(*to) || (fv_node_text(value) && !strcmp(fv_node_text(value), "nan"));
}

/* Returns the index of a name in an enumeration; -1: none. */
static int find_name(const char *name, const char *(*name_of)(int), int count)
{
    for (int i = 0; name && i < count; i++)
        if (!strcmp(name, name_of(i)))
            return i;
    return -1;
}

static const char *chroma_name(int i)
{
    return fv_chroma_name((FvChroma)i);
}

static const char *range_name(int i)
{
    return fv_range_name((FvRange)i);
}

static int colour_of(const FvNode *object, FvColourTag tag)
{
    const char *name = fv_member_text(object, fv_colour_tag_name(tag));
    int number = 0;
    const int code = name ? fv_colour_code(tag, name) : 0;
    if (code < 0 && sscanf(name, "code point %d", &number) != 1)
        number = 0;
    return code > 0 ? code : number;
}

static bool format_of(const FvNode *object, FvFormat *format)
{
    const int chroma = find_name(fv_member_text(object, "chroma"), chroma_name, FV_CHROMA_410 + 1);
    const int range = find_name(fv_member_text(object, "range"), range_name, 3);
    const char *rate = fv_member_text(object, "rate"), *siting = fv_member_text(object, "siting");
    *format = (FvFormat){.width = (int)integer_of(object, "width", 0),
                         .height = (int)integer_of(object, "height", 0),
                         .depth = (int)integer_of(object, "depth", 0),
                         .chroma = (FvChroma)(chroma < 0 ? 0 : chroma),
                         .range = (FvRange)(range < 0 ? 0 : range),
                         .primaries = colour_of(object, FV_TAG_PRIMARIES),
                         .transfer = colour_of(object, FV_TAG_TRANSFER),
                         .matrix = colour_of(object, FV_TAG_MATRIX),
                         .siting = fv_siting_parse(siting)};
    if (rate && sscanf(rate, "%d/%d", &format->rate_num, &format->rate_den) != 2)
        return false;
    return chroma >= 0 && range >= 0 && format->width > 0 && format->height > 0;
}

/* ---- Metrics --------------------------------------------------------------------------------------------------- */

static FvStatus add_metric(const Reader *r, const FvNode *metric)
{
    char text[8192];
    return fv_metric_text(metric, text, sizeof text) ? fv_session_add(r->session, text, r->error) : bad(r, "metrics");
}

static FvStatus open_session(Reader *r)
{
    const FvNode *scored = fv_node_member(r->root, "scored"), *interval = fv_node_member(r->root, "interval");
    const FvNode *metrics = fv_node_member(r->root, "metrics"), *ref = fv_node_member(scored, "reference");
    const int64_t seconds = fv_node_is_number(interval) ? llround(fv_node_number(interval) * 1e6) : 0;
    FvFormat format[2];
    if (fv_node_member(r->root, "encodes"))
        return fv_fail(r->error, FV_ERROR_INPUT,
                       "%s has the scores of several encodes: -o FOLDER writes a report of each", r->path);
    if (integer_of(r->root, "schema_version", 0) != 1)
        return bad(r, "schema_version");
    if (!format_of(fv_node_member(scored, "distorted"), &format[1]) ||
        (fv_node_is(ref, FV_NODE_OBJECT) && !format_of(ref, &format[0])))
        return bad(r, "scored");
    const FvSessionParams params = {.device = "cpu",
                                    .threads = 1,
                                    .interval = seconds > 0 ? seconds : 0,
                                    .scenes = fv_node_is(fv_node_member(r->root, "scenes"), FV_NODE_LIST)};
    FvStatus status = fv_session_open(&r->session, &params, r->error);
    for (size_t i = 0; i < fv_node_items(metrics) && !status; i++)
        status = add_metric(r, fv_node_item(metrics, i));
    const FvNode *scoring = fv_node_member(r->root, "scoring");
    if (!status)
        fv_session_note_params(
            r->session, &(FvScoreParams){.fields = fv_node_is(fv_node_member(scoring, "fields"), FV_NODE_TRUE)});
    return status ? status
                  : fv_session_start(r->session, fv_node_is(ref, FV_NODE_OBJECT) ? &format[0] : NULL, &format[1],
                                     r->error);
}

/* ---- Scores ---------------------------------------------------------------------------------------------------- */

static FvStatus take_scores(const Reader *r)
{
    const FvNode *frames = fv_node_member(r->root, "frames"), *sequence = fv_node_member(r->root, "sequence");
    const size_t columns = (size_t)fv_session_outputs(r->session), count = fv_node_items(frames);
    double *values = calloc(count * columns + 1, sizeof *values), *clip = calloc(columns + 1, sizeof *clip);
    int64_t *numbers = calloc(count + 1, sizeof *numbers);
    FvStatus status = values && clip && numbers ? FV_OK : fv_fail_memory(r->error, count * columns * sizeof *values);
    if (!status && (!fv_node_is(frames, FV_NODE_LIST) || (int64_t)count != integer_of(r->root, "frame_count", -1)))
        status = bad(r, "frames");
    for (size_t c = 0; c < columns && !status; c++) {
        const FvOutputInfo *info = fv_session_output(r->session, (int)c);
        clip[c] = NAN;
        if (info->sequence && !real_of(fv_node_member(sequence, info->name), &clip[c]))
            status = bad(r, info->name);
    }
    for (size_t i = 0; i < count && !status; i++) {
        const FvNode *frame = fv_node_item(frames, i), *scores = fv_node_member(frame, "metrics");
        numbers[i] = integer_of(frame, "frame", -1);
        if (numbers[i] < 0 || (i && numbers[i] <= numbers[i - 1]))
            status = bad(r, "frame");
        for (size_t c = 0; c < columns && !status; c++) {
            const FvOutputInfo *info = fv_session_output(r->session, (int)c);
            values[i * columns + c] = NAN;
            if (!info->sequence && !real_of(fv_node_member(scores, info->name), &values[i * columns + c]))
                status = bad(r, info->name);
        }
    }
    if (!status)
        status = fv_session_restore(r->session,
                                    &(FvRestored){.frames = (int64_t)count,
                                                  .numbers = numbers,
                                                  .values = values,
                                                  .sequence = clip,
                                                  .version = fv_member_text(r->root, "fovea_version"),
                                                  .numerics = (int)integer_of(r->root, "numerics_version", 0)},
                                    r->error);
    free(values);
    free(clip);
    free(numbers);
    return status;
}

static FvStatus take_gates(const Reader *r)
{
    const FvNode *gates = fv_node_member(r->root, "gates");
    FvStatus status = FV_OK;
    for (size_t i = 0; i < fv_node_items(gates) && !status; i++) {
        const FvNode *gate = fv_node_item(gates, i);
        const char *score = fv_member_text(gate, "score"), *pool = fv_member_text(gate, "pool"),
                   *fails = fv_member_text(gate, "fails");
        FvGate made = {.output = fv_session_find_output(r->session, score),
                       .above = fails && !strcmp(fails, "above")};
        for (int p = 0; pool && p < FV_POOL_COUNT; p++)
            if (!strcmp(pool, fv_pool_name((FvPool)p)))
                made.pool = (FvPool)p;
        if (made.output == -1 || !real_of(fv_node_member(gate, "limit"), &made.limit))
            return bad(r, "gates");
        status = fv_session_add_gate(r->session, &made, r->error);
    }
    return status;
}

/* ---- Checks ---------------------------------------------------------------------------------------------------- */

/* Reads a member of an event that is a detail of its check; false: it is malformed. */
static bool detail_of(const FvNode *member, FvCheckEvent *event)
{
    FvCheckDetail detail = {.name = member->key, .type = FV_CHECK_DETAIL_INTEGERS, .count = 1};
    const size_t items = fv_node_items(member);
    if (event->details == sizeof event->detail / sizeof *event->detail)
        return false;
    if (fv_node_is(member, FV_NODE_TRUE) || fv_node_is(member, FV_NODE_FALSE)) {
        detail.type = FV_CHECK_DETAIL_BOOL;
        detail.integer[0] = fv_node_is(member, FV_NODE_TRUE);
    } else if (fv_node_is(member, FV_NODE_INTEGER))
        detail.integer[0] = fv_node_integer(member);
    else if (fv_node_is(member, FV_NODE_LIST) && items && items <= sizeof detail.integer / sizeof *detail.integer) {
        detail.count = (int)items;
        for (size_t i = 0; i < items; i++)
            detail.integer[i] = fv_node_integer(fv_node_item(member, i));
    } else {
        detail.type = FV_CHECK_DETAIL_TEXT;
        detail.text = fv_node_text(member);
    }
    event->detail[event->details++] = detail;
    return detail.type != FV_CHECK_DETAIL_TEXT || detail.text;
}

static const char *severity_name(int i)
{
    return fv_severity_name((FvSeverity)i);
}

static bool check_event_of(const FvNode *node, FvCheckEvent *event)
{
    static const char *const usual[] = {"check", "severity", "side", "new",      "first",
                                        "last",  "frames",   "time", "duration", "timecode"};
    const char *side = fv_member_text(node, "side");
    const int severity = find_name(fv_member_text(node, "severity"), severity_name, FV_SEVERITY_FAIL + 1);
    *event = (FvCheckEvent){.check = fv_check_find(fv_member_text(node, "check")),
                            .side = side && !strcmp(side, "reference") ? FV_REFERENCE : FV_DISTORTED,
                            .severity = (FvSeverity)severity,
                            .added = fv_node_is(fv_node_member(node, "new"), FV_NODE_TRUE),
                            .first = integer_of(node, "first", -1),
                            .last = integer_of(node, "last", -1),
                            .frames = integer_of(node, "frames", 0)};
    bool good = event->check >= 0 && severity >= 0 && event->first >= 0 && event->last >= event->first &&
                real_of(fv_node_member(node, "time"), &event->time) &&
                real_of(fv_node_member(node, "duration"), &event->duration);
    for (uint32_t i = 0; good && i < node->count; i++) {
        bool own = true;
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            own &= strcmp(node->items[i].key, usual[k]) != 0;
        good = !own || detail_of(&node->items[i], event);
    }
    return good;
}

/* Reads the member "check", which is absent if no metric has checks. */
static FvStatus take_checks(const Reader *r)
{
    const FvNode *of = fv_node_member(r->root, "check"), *list = fv_node_member(of, "events");
    const FvNode *results = fv_node_member(of, "checks");
    const size_t count = fv_node_items(list);
    const char *reasons[FV_CHECK_KINDS];
    const bool lists = fv_node_is(list, FV_NODE_LIST) && fv_node_is(results, FV_NODE_LIST);
    if (!of)
        return FV_OK;
    for (int i = 0; i < FV_CHECK_KINDS; i++)
        reasons[i] = "not asked for";
    FvCheckEvent *events = calloc(count + 1, sizeof *events);
    FvStatus status = !events ? fv_fail_memory(r->error, count * sizeof *events) : lists ? FV_OK : bad(r, "check");
    for (size_t i = 0; i < fv_node_items(results) && !status; i++) {
        const int check = fv_check_find(fv_member_text(fv_node_item(results, i), "name"));
        if (check < 0)
            status = bad(r, "checks");
        else
            reasons[check] = fv_member_text(fv_node_item(results, i), "reason");
    }
    for (size_t i = 0; i < count && !status; i++)
        if (!check_event_of(fv_node_item(list, i), &events[i]))
            status = bad(r, "events");
    if (!status)
        status = fv_session_restore_checks(r->session, events, (int)count, reasons, r->error);
    free(events);
    return status;
}

/* ---- Facts ----------------------------------------------------------------------------------------------------- */

static FvStatus take_input(const Reader *r, const char *key, FvInput *input)
{
    const FvNode *from = fv_node_member(fv_node_member(r->root, "inputs"), key);
    FvSourceInfo info = {.path = fv_member_text(from, "path"),
                         .reader = fv_member_text(from, "reader"),
                         .container = fv_member_text(from, "container"),
                         .codec = fv_member_text(from, "codec"),
                         .mastering = fv_member_text(from, "mastering"),
                         .frames = integer_of(from, "frames", -1)};
    if (!info.path || !info.reader || !info.container || !info.codec)
        return FV_OK; /* frames were pushed, or there is no reference */
    if (!format_of(from, &info.format))
        return bad(r, "inputs");
    info.timecode = fv_timecode_read(fv_member_text(from, "timecode"), info.format.rate_num, info.format.rate_den);
    FvStatus status = fv_session_set_input(input, &info, r->error);
    const FvNode *rate = fv_node_member(from, "bit_rate");
    if (fv_node_is_number(rate))
        input->bit_rate = fv_node_number(rate);
    return status;
}

static FvStatus take_packets(const Reader *r, FvFacts *facts)
{
    const FvNode *frames = fv_node_member(r->root, "frames");
    const size_t count = fv_node_items(frames);
    if (!count || !fv_node_member(fv_node_item(frames, 0), "packet_bytes"))
        return FV_OK;
    facts->packets = calloc(count, sizeof *facts->packets);
    if (!facts->packets)
        return fv_fail_memory(r->error, count * sizeof *facts->packets);
    for (size_t i = 0; i < count; i++) {
        const FvNode *frame = fv_node_item(frames, i);
        const int64_t bytes = integer_of(frame, "packet_bytes", -1);
        if (bytes < 0 || bytes > INT64_MAX / 4)
            return bad(r, "packet_bytes");
        facts->packets[i] = 2 * bytes + fv_node_is(fv_node_member(frame, "packet_key"), FV_NODE_TRUE);
    }
    return FV_OK;
}

/* Reads the times of frames, which are present if they do not follow from the frame rate. */
static FvStatus take_times(const Reader *r)
{
    const int64_t count = fv_session_frames(r->session);
    double *times = calloc((size_t)count + 1, sizeof *times);
    bool all = times && count, varies = false;
    for (int64_t i = 0; i < count && all; i++) {
        const FvNode *time = fv_node_member(fv_node_item(fv_node_member(r->root, "frames"), (size_t)i), "time");
        all = fv_node_is_number(time);
        times[i] = all ? fv_node_number(time) : 0;
        varies |= times[i] != fv_session_time(r->session, fv_session_frame_number(r->session, i));
    }
    if (all && varies)
        fv_session_note_times(r->session, times);
    else
        free(times);
    return times ? FV_OK : fv_fail_memory(r->error, ((size_t)count + 1) * sizeof *times);
}

static FvStatus take_scenes(const Reader *r, FvScenes *scenes)
{
    const FvNode *parts = fv_node_member(r->root, "scenes");
    const size_t count = fv_node_items(parts);
    if (count < 2)
        return FV_OK;
    scenes->cuts = calloc(count, sizeof *scenes->cuts);
    if (!scenes->cuts)
        return fv_fail_memory(r->error, count * sizeof *scenes->cuts);
    scenes->room = (int64_t)count;
    for (size_t i = 1; i < count; i++)
        scenes->cuts[scenes->count++] = integer_of(fv_node_item(parts, i), "frame", 0);
    return FV_OK;
}

static FvStatus take_record(const Reader *r, FvFacts *facts)
{
    static const char *const names[] = {"requested", "kind", "title", "isa"};
    const FvNode *device = fv_node_member(r->root, "device"), *metrics = fv_node_member(r->root, "metrics");
    FvRecord *record = facts->imported = fv_alloc_zero(sizeof *record);
    char **const texts[] = {record ? &record->requested : NULL, record ? &record->kind : NULL,
                            record ? &record->title : NULL, record ? &record->isa : NULL};
    for (int i = 0; record && i < 4; i++) {
        if (!fv_member_text(device, names[i]))
            return bad(r, "device");
        if (!(*texts[i] = strdup(fv_member_text(device, names[i]))))
            return fv_fail_memory(r->error, 64);
    }
    for (int i = 0; record && i < fv_session_metrics(r->session); i++) {
        const char *carrier = fv_member_text(fv_node_item(metrics, (size_t)i), "device");
        if (!(record->devices[i] = strdup(carrier ? carrier : "cpu")))
            return fv_fail_memory(r->error, 64);
        record->device_count++;
    }
    return record ? FV_OK : fv_fail_memory(r->error, sizeof *record);
}

static FvStatus params_of(const Reader *r, FvScoreParams *score)
{
    static const char *const modes[] = {"index", "time", "auto", "map"};
    const FvNode *scoring = fv_node_member(r->root, "scoring");
    FvRunParams run = {.score = {.fields = fv_node_is(fv_node_member(scoring, "fields"), FV_NODE_TRUE),
                                 .shortest = fv_node_is(fv_node_member(scoring, "shortest"), FV_NODE_TRUE),
                                 .subsample = (int)integer_of(scoring, "subsample", 1),
                                 .skip_reference = integer_of(scoring, "skip_reference", 0),
                                 .skip_distorted = integer_of(scoring, "skip_distorted", 0),
                                 .start = llround(fv_node_number(fv_node_member(scoring, "start")) * 1e6)}};
    for (int i = 0; i < 4; i++)
        if (fv_member_text(scoring, "align") && !strcmp(fv_member_text(scoring, "align"), modes[i]))
            run.score.align = (FvAlignMode)i;
    FvStatus status = FV_OK;
    for (int i = 0; fv_report_params[i] && !status; i++)
        if (fv_member_text(scoring, fv_report_params[i]))
            status = fv_run_set(&run, fv_report_params[i], fv_member_text(scoring, fv_report_params[i]), r->error);
    *score = run.score;
    return status ? bad(r, "scoring") : FV_OK;
}

static FvStatus take_facts(const Reader *r)
{
    const FvNode *decisions = fv_node_member(r->root, "decisions"), *events = fv_node_member(r->root, "events");
    FvEvents found = {.count = 0};
    FvFacts facts = {0};
    FvStatus status = params_of(r, &facts.score);
    facts.pairing.found.offset = integer_of(fv_node_member(r->root, "alignment"), "offset", 0);
    if (!status)
        status = take_record(r, &facts);
    if (!status)
        status = take_input(r, "reference", &facts.reference);
    if (!status)
        status = take_input(r, "distorted", &facts.distorted);
    if (!status)
        status = take_packets(r, &facts);
    if (!status)
        status = take_scenes(r, &facts.scenes);
    if (!status)
        fv_session_take_facts(r->session, &facts);
    fv_facts_free(&facts);
    for (size_t i = 0; i < fv_node_items(decisions) && !status; i++) {
        const char *text = fv_node_text(fv_node_item(decisions, i));
        status = text ? fv_session_decide(r->session, r->error, "%s", text) : bad(r, "decisions");
    }
    for (size_t i = 0; i < fv_node_items(events) && !status; i++) { /* reports of version 1.0 have none */
        bool good;
        status = fv_event_read(&found, fv_node_item(events, i), &good, r->error);
        status = status || good ? status : bad(r, "events");
    }
    if (!status)
        status = fv_session_note_events(r->session, &found, r->error);
    fv_events_free(&found);
    if (!status)
        status = take_times(r);
    FvError reason = {.status = FV_ERROR_PARTIAL};
    if (fv_node_is(fv_node_member(r->root, "partial"), FV_NODE_TRUE)) {
        const char *why = fv_member_text(r->root, "partial_reason");
        snprintf(reason.message, sizeof reason.message, "%s", why ? why : "scoring ended early");
        fv_session_mark_partial(r->session, &reason);
    }
    return status;
}

FvStatus fv_report_read(FvSession **session, const char *path, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, path);
    Reader r = {.path = path, .error = error};
    FvContent file;
    FvDocument document = {.text = NULL};
    FvStatus status = fv_content_read(&file, path, path, MOST_BYTES, error);
    if (!status)
        status = fv_document_open(&document, path, (const char *)file.bytes, file.size, error);
    free(file.bytes);
    r.root = &document.root;
    if (!status)
        status = open_session(&r);
    if (!status)
        status = take_scores(&r);
    if (!status)
        status = take_facts(&r);
    if (!status)
        status = take_gates(&r);
    if (!status)
        status = take_checks(&r);
    const char *kind = fv_member_text(fv_node_member(r.root, "verdict"), "kind");
    if (!status && kind && !strcmp(kind, fv_verdict_kind_name(FV_VERDICT_IDENTICAL)))
        fv_session_note_samples(r.session, false);
    fv_document_close(&document);
    FvGuard guard = {.count = 0};
    fv_guard_add(&guard, file.id, path);
    if (status)
        fv_session_close(&r.session);
    else
        fv_session_protect(r.session, &guard);
    fv_guard_free(&guard);
    *session = r.session;
    return status;
}
