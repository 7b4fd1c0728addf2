/*
 * A JSON report becomes a session again, which scores nothing: other reports are written of it. Its metrics are
 * opened with the options of the report, so that outputs, meanings and verdicts are those of the run.
 */
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "option_text.h"
#include "os/memory.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "report/report.h"

typedef struct Reader {
    const char *path;
    json_t *root;
    FvSession *session;
    FvError *error;
} Reader;

static FvStatus bad(const Reader *r, const char *name)
{
    return fv_fail(r->error, FV_ERROR_INPUT, "%s: its '%s' is missing or wrong: is it a JSON report of fovea %s?",
                   r->path, name, fv_version());
}

static const char *text_of(const json_t *object, const char *name)
{
    return json_string_value(json_object_get(object, name));
}

static int64_t integer_of(const json_t *object, const char *name, int64_t otherwise)
{
    const json_t *member = json_object_get(object, name);
    return json_is_integer(member) ? json_integer_value(member) : otherwise;
}

/* A number, or the name of one that is not finite; false for anything else. */
static bool real_of(const json_t *value, double *to)
{
    const char *text = json_string_value(value);
    *to = text ? !strcmp(text, "inf") ? INFINITY : !strcmp(text, "-inf") ? -INFINITY : NAN : json_number_value(value);
    return json_is_number(value) || (text && (isinf(*to) || !strcmp(text, "nan")));
}

/* Which of the names of an enumeration it is; -1: none. */
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

static int colour_of(const json_t *object, FvColourTag tag)
{
    const char *name = text_of(object, fv_colour_tag_name(tag));
    int number = 0;
    const int code = name ? fv_colour_code(tag, name) : 0;
    if (code < 0 && sscanf(name, "code point %d", &number) != 1)
        number = 0;
    return code > 0 ? code : number;
}

static bool format_of(const json_t *object, FvFormat *format)
{
    const int chroma = find_name(text_of(object, "chroma"), chroma_name, 4);
    const int range = find_name(text_of(object, "range"), range_name, 3);
    const char *rate = text_of(object, "rate"), *siting = text_of(object, "siting");
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

/* ---- Metrics ----------------------------------------------------------------------------------------------------
 */

static const FvOptionInfo *find_option(const char *metric, const char *name)
{
    for (int m = 0; m < fv_metric_count(); m++)
        for (int i = 0; !strcmp(fv_metric_info(m)->name, metric) && i < fv_metric_info(m)->option_count; i++)
            if (!strcmp(fv_metric_info(m)->options[i].name, name))
                return &fv_metric_info(m)->options[i];
    return NULL;
}

/* Defaults may lie outside of what an option takes. */
static bool is_default(const FvOptionInfo *option, const json_t *value)
{
    const char *text = json_string_value(value);
    if (option->type == FV_OPTION_BOOL)
        return json_is_true(value) == (option->value != 0);
    if (option->type == FV_OPTION_INT || option->type == FV_OPTION_REAL)
        return json_is_number(value) && json_number_value(value) == option->value;
    return text && option->text && !strcmp(text, option->text);
}

/* The value as text for fv_session_add. False: the metric's default holds, or the option only names outputs. */
static bool print_option(const char *name, const json_t *value, char *text, size_t size)
{
    if (json_is_boolean(value))
        snprintf(text, size, "%s", json_is_true(value) ? "true" : "false");
    else if (json_is_integer(value))
        snprintf(text, size, "%lld", (long long)json_integer_value(value));
    else if (json_is_real(value))
        snprintf(text, size, "%.17g", json_real_value(value));
    else if (json_is_string(value))
        snprintf(text, size, "%s", json_string_value(value));
    else
        return false;
    return strcmp(name, "heatmaps_path") != 0;
}

static FvStatus add_metric(const Reader *r, const json_t *metric)
{
    char text[8192] = "", value[4096];
    const char *name = text_of(metric, "name"), *option;
    json_t *options = json_object_get(metric, "options"), *given;
    size_t used = 0;
    bool first = true;
    if (!name || !json_is_object(options) || !fv_option_append(text, sizeof text, &used, name, true))
        return bad(r, "metrics");
    json_object_foreach(options, option, given)
    {
        const FvOptionInfo *info = find_option(name, option);
        if ((info && is_default(info, given)) || !print_option(option, given, value, sizeof value))
            continue;
        if (!fv_option_append(text, sizeof text, &used, first ? "=" : ":", false) ||
            !fv_option_append(text, sizeof text, &used, option, true) ||
            !fv_option_append(text, sizeof text, &used, "=", false) ||
            !fv_option_append(text, sizeof text, &used, value, true))
            return bad(r, "options");
        first = false;
    }
    return fv_session_add(r->session, text, r->error);
}

static FvStatus open_session(Reader *r)
{
    const json_t *scored = json_object_get(r->root, "scored"), *interval = json_object_get(r->root, "interval");
    const json_t *metrics = json_object_get(r->root, "metrics"), *ref = json_object_get(scored, "reference");
    const int64_t seconds = json_is_number(interval) ? llround(json_number_value(interval) * 1e6) : 0;
    FvFormat format[2];
    if (integer_of(r->root, "schema_version", 0) != 1)
        return bad(r, "schema_version");
    if (!format_of(json_object_get(scored, "distorted"), &format[1]) ||
        (json_is_object(ref) && !format_of(ref, &format[0])))
        return bad(r, "scored");
    const FvSessionParams params = {.device = "cpu",
                                    .threads = 1,
                                    .interval = seconds > 0 ? seconds : 0,
                                    .scenes = json_is_array(json_object_get(r->root, "scenes"))};
    FvStatus status = fv_session_open(&r->session, &params, r->error);
    for (size_t i = 0; i < json_array_size(metrics) && !status; i++)
        status = add_metric(r, json_array_get(metrics, i));
    return status ? status
                  : fv_session_start(r->session, json_is_object(ref) ? &format[0] : NULL, &format[1], r->error);
}

/* ---- Scores -----------------------------------------------------------------------------------------------------
 */

static FvStatus take_scores(const Reader *r)
{
    const json_t *frames = json_object_get(r->root, "frames"), *sequence = json_object_get(r->root, "sequence");
    const size_t columns = (size_t)fv_session_outputs(r->session), count = json_array_size(frames);
    double *values = calloc(count * columns + 1, sizeof *values), *clip = calloc(columns + 1, sizeof *clip);
    int64_t *numbers = calloc(count + 1, sizeof *numbers);
    FvStatus status = values && clip && numbers ? FV_OK : fv_fail_memory(r->error, count * columns * sizeof *values);
    if (!status && (!json_is_array(frames) || (int64_t)count != integer_of(r->root, "frame_count", -1)))
        status = bad(r, "frames");
    for (size_t c = 0; c < columns && !status; c++) {
        const FvOutputInfo *info = fv_session_output(r->session, (int)c);
        clip[c] = NAN;
        if (info->sequence && !real_of(json_object_get(sequence, info->name), &clip[c]))
            status = bad(r, info->name);
    }
    for (size_t i = 0; i < count && !status; i++) {
        const json_t *frame = json_array_get(frames, i), *scores = json_object_get(frame, "metrics");
        numbers[i] = integer_of(frame, "frame", -1);
        if (numbers[i] < 0 || (i && numbers[i] <= numbers[i - 1]))
            status = bad(r, "frame");
        for (size_t c = 0; c < columns && !status; c++) {
            const FvOutputInfo *info = fv_session_output(r->session, (int)c);
            values[i * columns + c] = NAN;
            if (!info->sequence && !real_of(json_object_get(scores, info->name), &values[i * columns + c]))
                status = bad(r, info->name);
        }
    }
    if (!status)
        status = fv_session_restore(
            r->session,
            &(FvRestored){.frames = (int64_t)count, .numbers = numbers, .values = values, .sequence = clip},
            r->error);
    free(values);
    free(clip);
    free(numbers);
    return status;
}

static FvStatus take_gates(const Reader *r)
{
    const json_t *gates = json_object_get(r->root, "gates");
    FvStatus status = FV_OK;
    for (size_t i = 0; i < json_array_size(gates) && !status; i++) {
        const json_t *gate = json_array_get(gates, i);
        const char *score = text_of(gate, "score"), *pool = text_of(gate, "pool"), *fails = text_of(gate, "fails");
        FvGate made = {.output = -1, .above = fails && !strcmp(fails, "above")};
        for (int o = 0; score && o < fv_session_outputs(r->session); o++)
            if (!strcmp(fv_session_output(r->session, o)->name, score))
                made.output = o;
        for (int p = 0; pool && p < FV_POOL_COUNT; p++)
            if (!strcmp(pool, fv_pool_name((FvPool)p)))
                made.pool = (FvPool)p;
        if (made.output < 0 || !real_of(json_object_get(gate, "limit"), &made.limit))
            return bad(r, "gates");
        status = fv_session_add_gate(r->session, &made, r->error);
    }
    return status;
}

/* ---- Facts ------------------------------------------------------------------------------------------------------
 */

static FvStatus take_input(const Reader *r, const char *key, FvInput *input)
{
    const json_t *from = json_object_get(json_object_get(r->root, "inputs"), key);
    FvSourceInfo info = {.path = text_of(from, "path"),
                         .reader = text_of(from, "reader"),
                         .container = text_of(from, "container"),
                         .codec = text_of(from, "codec"),
                         .mastering = text_of(from, "mastering"),
                         .frames = integer_of(from, "frames", -1)};
    if (!info.path || !info.reader || !info.container || !info.codec)
        return FV_OK; /* frames were pushed, or there is no reference */
    if (!format_of(from, &info.format))
        return bad(r, "inputs");
    return fv_session_set_input(input, &info, r->error);
}

static FvStatus take_scenes(const Reader *r, FvScenes *scenes)
{
    const json_t *parts = json_object_get(r->root, "scenes");
    const size_t count = json_array_size(parts);
    if (count < 2)
        return FV_OK;
    scenes->cuts = calloc(count, sizeof *scenes->cuts);
    if (!scenes->cuts)
        return fv_fail_memory(r->error, count * sizeof *scenes->cuts);
    scenes->room = (int64_t)count;
    for (size_t i = 1; i < count; i++)
        scenes->cuts[scenes->count++] = integer_of(json_array_get(parts, i), "frame", 0);
    return FV_OK;
}

static FvStatus take_record(const Reader *r, FvFacts *facts)
{
    static const char *const names[] = {"requested", "kind", "title", "isa"};
    const json_t *device = json_object_get(r->root, "device"), *metrics = json_object_get(r->root, "metrics");
    FvRecord *record = facts->imported = fv_alloc_zero(sizeof *record);
    char **const texts[] = {record ? &record->requested : NULL, record ? &record->kind : NULL,
                            record ? &record->title : NULL, record ? &record->isa : NULL};
    for (int i = 0; record && i < 4; i++) {
        if (!text_of(device, names[i]))
            return bad(r, "device");
        if (!(*texts[i] = strdup(text_of(device, names[i]))))
            return fv_fail_memory(r->error, 64);
    }
    for (int i = 0; record && i < fv_session_metrics(r->session); i++) {
        const char *carrier = text_of(json_array_get(metrics, (size_t)i), "device");
        if (!(record->carriers[i] = strdup(carrier ? carrier : "cpu")))
            return fv_fail_memory(r->error, 64);
        record->carrier_count++;
    }
    return record ? FV_OK : fv_fail_memory(r->error, sizeof *record);
}

static FvStatus take_facts(const Reader *r)
{
    FvFacts *facts = fv_session_notes(r->session);
    const json_t *decisions = json_object_get(r->root, "decisions"), *scoring = json_object_get(r->root, "scoring");
    while (facts->decision_count)
        free(facts->decisions[--facts->decision_count]);
    FvStatus status = take_record(r, facts);
    for (size_t i = 0; i < json_array_size(decisions) && !status; i++) {
        const char *text = json_string_value(json_array_get(decisions, i));
        status = text ? fv_session_decide(r->session, r->error, "%s", text) : bad(r, "decisions");
    }
    if (!status)
        status = take_input(r, "reference", &facts->reference);
    if (!status)
        status = take_input(r, "distorted", &facts->distorted);
    if (!status)
        status = take_scenes(r, &facts->scenes);
    facts->score.shortest = json_is_true(json_object_get(scoring, "shortest"));
    facts->score.subsample = (int)integer_of(scoring, "subsample", 1);
    facts->score.skip_reference = integer_of(scoring, "skip_reference", 0);
    facts->score.skip_distorted = integer_of(scoring, "skip_distorted", 0);
    facts->score.start = llround(json_number_value(json_object_get(scoring, "start")) * 1e6);
    static const char *const modes[] = {"index", "time", "auto", "map"};
    for (int i = 0; i < 4; i++)
        if (text_of(scoring, "align") && !strcmp(text_of(scoring, "align"), modes[i]))
            facts->score.align = (FvAlignMode)i;
    facts->pairing.found.offset = integer_of(json_object_get(r->root, "alignment"), "offset", 0);
    FvError reason = {.status = FV_ERROR_PARTIAL};
    if (json_is_true(json_object_get(r->root, "partial"))) {
        const char *why = text_of(r->root, "partial_reason");
        snprintf(reason.message, sizeof reason.message, "%s", why ? why : "scoring ended early");
        fv_session_mark_partial(r->session, &reason);
    }
    return status;
}

FvStatus fv_report_read(FvSession **session, const char *path, FvError *error)
{
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, path);
    json_error_t detail = {.line = 0};
    Reader r = {.path = path, .error = error};
    errno = 0;
    r.root = json_load_file(path, JSON_REJECT_DUPLICATES, &detail);
    if (!r.root)
        return errno == ENOMEM || json_error_code(&detail) == json_error_out_of_memory
                   ? fv_fail_memory(error, 256)
                   : fv_fail(error, FV_ERROR_INPUT, "%s: cannot be read as a JSON report: %s", path, detail.text);
    FvStatus status = open_session(&r);
    if (!status)
        status = take_scores(&r);
    if (!status)
        status = take_facts(&r);
    if (!status)
        status = take_gates(&r);
    json_decref(r.root);
    if (status)
        fv_session_close(&r.session);
    else
        fv_guard_add_path(&fv_session_notes(r.session)->read, path);
    *session = r.session;
    return status;
}
