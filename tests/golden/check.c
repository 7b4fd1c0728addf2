/*
 * Compares measures of one video with the values of the specification's program: scores, terms, transitions of
 * flashes, and events. Each case runs on every instruction set, with alternating numbers of threads and orders of
 * frames, and once more with the video as its own reference. check.py explains the format of the file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "clip/synth.h"
#include "fovea/check.h"
#include "picture/colour.h"
#include "session/state.h"
#include "tap/tap.h"

enum { LINE = 2048, MOST_FRAMES = 64, MOST_LINES = 64 };

typedef struct Case {
    char name[64], metrics[256];
    FvFormat format;
    FvFrame *frame[MOST_FRAMES];
    int frames;
    FvFieldOrder fields;
    char mastering[256];
    char *expected[MOST_LINES], *events[MOST_LINES];
    int expected_count, event_count;
} Case;

static void broken(const char *line)
{
    exit(fprintf(stderr, "check.txt: what is this? %s\n", line));
}

/* ---- Clips ---------------------------------------------------------------------------------------------------- */

static int get(const FvFrame *f, int plane, int x, int y)
{
    const uint8_t *row = f->data[plane] + y * f->stride[plane];
    return f->format.depth > 8 ? ((const uint16_t *)row)[x] : row[x];
}

static void put(FvFrame *f, int plane, int x, int y, int value)
{
    uint8_t *row = f->data[plane] + y * f->stride[plane];
    const int most = (1 << f->format.depth) - 1, code = value < 0 ? 0 : value > most ? most : value;
    if (f->format.depth > 8)
        ((uint16_t *)row)[x] = (uint16_t)code;
    else
        row[x] = (uint8_t)code;
}

static FvFrame *copy_of(const FvFrame *frame)
{
    FvFrame *copy = NULL;
    const void *const data[3] = {frame->data[0], frame->data[1], frame->data[2]};
    if (fv_frame_copy(&copy, &frame->format, data, frame->stride, NULL))
        exit(1);
    return copy;
}

typedef void Each(FvFrame *f, int plane, int x, int y, const int *a);

static void each_sample(FvFrame *f, int planes, Each *each, const int *a)
{
    for (int plane = 0; plane < planes && plane < fv_format_planes(&f->format); plane++) {
        int width, height;
        fv_format_plane_size(&f->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                each(f, plane, x, y, a);
    }
}

static int across(const FvFrame *f, int plane)
{
    return plane && (f->format.chroma == FV_CHROMA_420 || f->format.chroma == FV_CHROMA_422);
}

static int down(const FvFrame *f, int plane)
{
    return plane && f->format.chroma == FV_CHROMA_420;
}

static void fill(FvFrame *f, int plane, int x, int y, const int *a)
{
    put(f, plane, x, y, a[2 + plane]);
}

static void bars(FvFrame *f, int plane, int x, int y, const int *a)
{
    const int px = x << across(f, plane), py = y << down(f, plane);
    if (py < a[2] || py >= f->format.height - a[3] || px < a[4] || px >= f->format.width - a[5])
        put(f, plane, x, y, plane ? 1 << (f->format.depth - 1) : a[6]);
}

static void rect(FvFrame *f, int plane, int x, int y, const int *a)
{
    const int h = across(f, plane), v = down(f, plane);
    if (x >= a[2] >> h && x < (a[2] + a[4]) >> h && y >= a[3] >> v && y < (a[3] + a[5]) >> v)
        put(f, plane, x, y, a[6 + plane]);
}

static void noise(FvFrame *f, int plane, int x, int y, const int *a)
{
    uint32_t u = (uint32_t)x * 0x9E3779B1u ^ (uint32_t)y * 0x85EBCA77u ^ (uint32_t)a[2] * 0xC2B2AE3Du ^
                 (uint32_t)a[1] * 0x165667B1u;
    u ^= u >> 15;
    u *= 0x2C1B3C6Du;
    u ^= u >> 12;
    u *= 0x297A2D39u;
    u ^= u >> 15;
    put(f, plane, x, y, get(f, plane, x, y) + (int)(u % (2 * (uint32_t)a[0] + 1)) - a[0]);
}

static void pixelate(FvFrame *f, int plane, int x, int y, const int *a)
{
    if (x % a[0] || y % a[0])
        return;
    const int right = x + a[0] < f->format.width ? x + a[0] : f->format.width;
    const int end = y + a[0] < f->format.height ? y + a[0] : f->format.height;
    int sum = 0;
    for (int j = y; j < end; j++)
        for (int i = x; i < right; i++)
            sum += get(f, plane, i, j);
    for (int j = y; j < end; j++)
        for (int i = x; i < right; i++)
            put(f, plane, i, j, sum / ((end - y) * (right - x)));
}

/* Returns a frame with the even rows of one frame and the odd rows of another. */
static FvFrame *weave(const FvFrame *even, const FvFrame *odd)
{
    FvFrame *woven = copy_of(even);
    for (int plane = 0; plane < fv_format_planes(&even->format); plane++) {
        int width, height;
        fv_format_plane_size(&even->format, plane, &width, &height);
        for (int y = 1; y < height; y += 2)
            for (int x = 0; x < width; x++)
                put(woven, plane, x, y, get(odd, plane, x, y));
    }
    return woven;
}

/* Replaces the frames by `count` new ones, each woven from two of them. */
static void reweave(Case *this, const int (*pair)[2], int count)
{
    FvFrame *made[MOST_FRAMES];
    for (int i = 0; i < count; i++)
        made[i] = weave(this->frame[pair[i][0]], this->frame[pair[i][1]]);
    for (int i = 0; i < this->frames; i++)
        fv_frame_unref(&this->frame[i]);
    memcpy(this->frame, made, (size_t)count * sizeof *made);
    this->frames = count;
}

static void modify(Case *this, const char *line)
{
    static const int order[5][2] = {{0, 0}, {1, 1}, {1, 2}, {2, 3}, {3, 3}};
    char step[16], word[16] = "";
    int a[MOST_FRAMES] = {0}, count = 0, at = 0, pair[MOST_FRAMES][2], n = 0;
    if (sscanf(line, "%15s%n", step, &at) != 1)
        broken(line);
    sscanf(line + at, "%15s", word);
    for (const char *rest = line + at; count < MOST_FRAMES && sscanf(rest, "%d%n", &a[count], &n) == 1; rest += n)
        count++;
    n = 0;
    if (!strcmp(step, "pick"))
        for (; n < count; n++)
            pair[n][0] = pair[n][1] = a[n];
    else if (!strcmp(step, "weave"))
        for (; n < this->frames / 2; n++) {
            pair[n][0] = 2 * n + (strcmp(word, "top") != 0);
            pair[n][1] = 2 * n + !strcmp(word, "top");
        }
    else if (!strcmp(step, "pulldown"))
        for (; n < this->frames / 4 * 5; n++)
            for (int k = 0; k < 2; k++)
                pair[n][k] = n / 5 * 4 + order[n % 5][k];
    if (n) {
        reweave(this, pair, n);
        return;
    }
    Each *each = !strcmp(step, "fill")       ? fill
                 : !strcmp(step, "bars")     ? bars
                 : !strcmp(step, "rect")     ? rect
                 : !strcmp(step, "noise")    ? noise
                 : !strcmp(step, "pixelate") ? pixelate
                                             : NULL;
    const bool all = each == noise || each == pixelate;
    if (!each)
        broken(line);
    for (int i = all ? 0 : a[0]; i < (all ? this->frames : a[1] + 1); i++) {
        a[2] = each == noise ? i : a[2];
        each_sample(this->frame[i], all ? 1 : each == rect ? count - 6 : 3, each, a);
    }
}

static void make_clip(Case *this, const char *line)
{
    SynthClip clip = {0};
    char kind[16], gray[8] = "";
    int chroma, frames, seed;
    if (sscanf(line, "%d %d %d %d %d %d %15s %7s", &clip.width, &clip.height, &chroma, &clip.depth, &frames, &seed,
               kind, gray) < 7 ||
        !synth_kind_parse(kind, &clip.kind))
        broken(line);
    clip.chroma = *gray           ? FV_CHROMA_400
                  : chroma == 420 ? FV_CHROMA_420
                  : chroma == 422 ? FV_CHROMA_422
                                  : FV_CHROMA_444;
    clip.seed = (uint32_t)seed;
    for (this->frames = 0; this->frames < frames; this->frames++)
        this->frame[this->frames] = synth_frame(&clip, this->frames);
    this->format = this->frame[0]->format;
    this->format.range = FV_RANGE_LIMITED;
    this->format.transfer = this->format.primaries = this->format.matrix = FV_H273_BT709;
}

/* ---- Cases ---------------------------------------------------------------------------------------------------- */

static int code_of(FvColourTag tag, const char *value)
{
    return !strcmp(value, "bt1886") ? FV_H273_BT709
           : !strcmp(value, "srgb") ? FV_H273_SRGB
                                    : fv_colour_code(tag, value);
}

static void add_option(Case *this, const char *name, const char *value)
{
    static const struct {
        const char *option, *metric, *as;
    } metric_options[] = {{"si_domain", "siti", "domain"},     {"black_time", "black", "time"},
                          {"hlg_peak", "light", "hlg_peak"},   {"hlg_peak", "flash", "hlg_peak"},
                          {"freeze_noise", "freeze", "noise"}, {"freeze_peak", "freeze", "peak"}};
    char *text = this->mastering + strlen(this->mastering);
    const size_t left = sizeof this->mastering - strlen(this->mastering);
    bool found = false;
    for (size_t i = 0; i < sizeof metric_options / sizeof *metric_options; i++)
        if (!strcmp(name, metric_options[i].option)) {
            const char *at = strstr(this->metrics, metric_options[i].metric), *end = at + strcspn(at, ",");
            const bool more = memchr(at, '=', (size_t)(end - at)) != NULL;
            char whole[2 * sizeof this->metrics];
            snprintf(whole, sizeof whole, "%.*s%s%s=%s%s", (int)(end - this->metrics), this->metrics,
                     more ? ":" : "=", metric_options[i].as, value, end);
            snprintf(this->metrics, sizeof this->metrics, "%.255s", whole);
            found = true;
        }
    if (found)
        return;
    if (!strcmp(name, "range"))
        this->format.range = !strcmp(value, "full") ? FV_RANGE_FULL : FV_RANGE_LIMITED;
    else if (!strcmp(name, "transfer"))
        this->format.transfer = code_of(FV_TAG_TRANSFER, value);
    else if (!strcmp(name, "primaries"))
        this->format.primaries = code_of(FV_TAG_PRIMARIES, value);
    else if (!strcmp(name, "matrix"))
        this->format.matrix = code_of(FV_TAG_MATRIX, value);
    else if (!strcmp(name, "scan"))
        this->fields = !strcmp(value, "top") ? FV_FIELDS_TOP_FIRST : FV_FIELDS_BOTTOM_FIRST;
    else if (!strcmp(name, "max_cll"))
        snprintf(text, left, "MaxCLL %s ", value);
    else if (!strcmp(name, "max_fall"))
        snprintf(text, left, "MaxFALL %s ", value);
    else if (!strcmp(name, "mastering_peak"))
        this->format.peak = atoi(value);
    else if (!strcmp(name, "mastering_primaries")) {
        char levels[sizeof this->mastering];
        strcpy(levels, this->mastering);
        snprintf(this->mastering, sizeof this->mastering, "primaries %s white 0.3127,0.3290, %.60s",
                 !strcmp(value, "p3") ? "0.6800,0.3200 0.2650,0.6900 0.1500,0.0600"
                                      : "0.6400,0.3300 0.3000,0.6000 0.1500,0.0600",
                 levels);
    } else
        broken(name);
}

static void take_line(Case *this, char *line)
{
    int at = 0;
    char word[32] = "", name[64], value[64];
    sscanf(line, "%31s %n", word, &at);
    const char *rest = line + at;
    if (!strcmp(word, "clip"))
        make_clip(this, rest);
    else if (!strcmp(word, "rate"))
        sscanf(rest, "%d %d", &this->format.rate_num, &this->format.rate_den);
    else if (!strcmp(word, "option") && sscanf(rest, "%63s %63s", name, value) == 2)
        add_option(this, name, value);
    else if (!strcmp(word, "modify"))
        modify(this, rest);
    else if (!strcmp(word, "event"))
        this->events[this->event_count++] = strdup(rest);
    else
        this->expected[this->expected_count++] = strdup(line);
}

static void free_case(Case *this)
{
    for (int i = 0; i < this->frames; i++)
        fv_frame_unref(&this->frame[i]);
    for (int i = 0; i < this->expected_count; i++)
        free(this->expected[i]);
    for (int i = 0; i < this->event_count; i++)
        free(this->events[i]);
    *this = (Case){0};
}

/* ---- Judging -------------------------------------------------------------------------------------------------- */

static int output_named(const FvSession *session, const char *name)
{
    for (int i = 0; i < fv_session_outputs(session); i++) {
        int metric;
        const FvOutputInfo *info = fv_session_output_origin(session, i, &metric);
        if (info && !strcmp(info->name, name))
            return i;
    }
    return -1;
}

static int64_t term_named(const FvSession *session, int frame, const char *feature, const char *name)
{
    const FvTerm *row = fv_session_row(session, frame, NULL, NULL);
    const char *of;
    for (int i = 0; i < fv_session_terms(session); i++) {
        const FvTermInfo *info = fv_session_term(session, i, &of);
        if (info && !strcmp(info->name, name) && (!feature || !strcmp(of, feature)))
            return row[i].integer;
    }
    exit(fprintf(stderr, "there is no term %s\n", name));
}

static uint64_t hash(uint64_t hash, uint32_t value)
{
    for (int i = 0; i < 32; i += 8)
        hash = (hash ^ (value >> i & 255)) * 0x100000001b3;
    return hash;
}

static uint64_t hash_cells(const FvSession *session, int frame, const char *cells)
{
    uint64_t sum = 0xcbf29ce484222325;
    for (int i = 0; i < 144; i++) {
        char name[32];
        snprintf(name, sizeof name, "cell_%d_%d", i / 16, i % 16);
        uint32_t value;
        if (!strcmp(cells, "cells_y")) {
            snprintf(name, sizeof name, "cells_%d%d", i / 16, i % 16 / 4);
            value = (uint32_t)(term_named(session, frame, "freeze", name) >> i % 4 * 16 & 0xffff);
        } else
            value = (uint32_t)(term_named(session, frame, "flash", name) >> (strcmp(cells, "red") ? 0 : 32));
        sum = hash(sum, value);
    }
    return sum;
}

static bool judge_value(const FvSession *session, int frame, const char *name, double want, char *why, size_t size)
{
    const int output = output_named(session, name);
    const double value = output < 0 ? NAN : fv_session_value(session, frame, output);
    snprintf(why, size, "frame %d: %s is %a, expected %a", frame, name, value, want);
    return value == want;
}

/*
 * Compares a line of the file, which has a kind, the number of a frame (absent for scores of the clip), and
 * NAME=VALUE words. A line of transitions instead has one name and the values of all frames. If it returns false,
 * `why` names the first difference.
 */
static bool judge_line(const FvSession *session, const char *line, char *why, size_t size)
{
    int frame = 0, at = 0, n;
    char kind[32], name[64], value[64];
    sscanf(line, "%31s%n", kind, &at);
    if (!strcmp(kind, "transitions")) {
        sscanf(line + at, "%63s%n", name, &n);
        at += n;
        for (int want; sscanf(line + at, "%d%n", &want, &n) == 1; at += n, frame++)
            if (!judge_value(session, frame, name, want, why, size))
                return false;
        return true;
    }
    if (strcmp(kind, "clip_score")) {
        sscanf(line + at, "%d%n", &frame, &n);
        at += n;
    }
    for (; sscanf(line + at, " %63[^=]=%63s%n", name, value, &n) == 2; at += n) {
        if (strcmp(kind, "terms")) {
            if (!judge_value(session, frame, name, strtod(value, NULL), why, size))
                return false;
            continue;
        }
        const bool cells = !strncmp(name, "hash_", 5);
        const uint64_t want = strtoull(value, NULL, cells ? 16 : 10);
        const uint64_t got =
            cells ? hash_cells(session, frame, name + 5) : (uint64_t)term_named(session, frame, NULL, name);
        snprintf(why, size, "frame %d: the term %s is %" PRIu64 ", expected %" PRIu64, frame, name, got, want);
        if (got != want)
            return false;
    }
    return true;
}

/* Writes an event as check.py does. */
static void print_event(const FvCheckEvent *event, char *text, size_t size)
{
    size_t n =
        (size_t)snprintf(text, size, "%s %s %" PRId64 " %" PRId64 " %" PRId64, fv_check_info(event->check)->name,
                         fv_severity_name(event->severity), event->first, event->last, event->frames);
    for (int i = 0; i < event->details; i++) {
        const FvCheckDetail *detail = &event->detail[i];
        n += (size_t)snprintf(text + n, size - n, " %s=", detail->name);
        if (detail->type == FV_CHECK_DETAIL_TEXT)
            n += (size_t)snprintf(text + n, size - n, "%s", detail->text);
        else if (detail->type == FV_CHECK_DETAIL_BOOL)
            n += (size_t)snprintf(text + n, size - n, "%s", detail->integer[0] ? "true" : "false");
        for (int k = 0; k < detail->count && detail->type == FV_CHECK_DETAIL_INTEGERS; k++)
            n += (size_t)snprintf(text + n, size - n, "%s%" PRId64, k ? "," : "", detail->integer[k]);
    }
}

/* Compares the events of one side with those of the case. */
static bool judge_events(const Case *this, FvSession *session, FvSide side, char *why, size_t size)
{
    int found = 0;
    for (int i = 0; i < fv_session_check_events(session); i++) {
        char text[256];
        const FvCheckEvent *event = fv_session_check_event(session, i);
        if (event->side != side)
            continue;
        print_event(event, text, sizeof text);
        const char *want = found < this->event_count ? this->events[found] : "none";
        snprintf(why, size, "event %d is '%s', expected '%s'", found, text, want);
        found++;
        if (strcmp(text, want) || event->added)
            return false;
    }
    snprintf(why, size, "%d events, expected %d", found, this->event_count);
    return found == this->event_count;
}

static FvStatus score(const Case *this, FvSession *session, bool reference, FvError *error)
{
    FvSourceInfo info = {
        .path = "", .reader = "", .container = "", .codec = "", .mastering = this->mastering, .fields = this->fields};
    FvStatus status = fv_session_add(session, this->metrics, error);
    if (!status)
        status = fv_session_set_input(&session->facts.distorted, &info, error);
    if (!status)
        status = fv_session_set_input(&session->facts.reference, &info, error);
    if (!status)
        status = fv_session_start(session, reference ? &this->format : NULL, &this->format, error);
    for (int i = 0; i < this->frames && !status; i++) {
        this->frame[i]->format = this->format;
        status = fv_session_push(session, i, reference ? this->frame[i] : NULL, this->frame[i], error);
    }
    return status ? status : fv_session_finish(session, error);
}

static void run(Tap *tap, const Case *this, FvSessionParams params, bool reference)
{
    FvError error = {0};
    FvSession *session = NULL;
    char name[160], why[1400] = "";
    snprintf(name, sizeof name, "%s, %s %s, %d threads%s", this->name, params.device, params.isa ? params.isa : "",
             params.threads, reference ? ", with a reference" : "");
    FvStatus status = fv_session_open(&session, &params, &error);
    if (!status)
        status = score(this, session, reference, &error);
    bool good = !status;
    if (status)
        snprintf(why, sizeof why, "%s", error.message);
    for (int i = 0; i < this->expected_count && good; i++)
        good = judge_line(session, this->expected[i], why, sizeof why);
    if (good)
        good = judge_events(this, session, FV_DISTORTED, why, sizeof why);
    if (good && reference)
        good = judge_events(this, session, FV_REFERENCE, why, sizeof why);
    tap_case(tap, good, name, why);
    fv_session_close(&session);
}

/* Runs a case on each instruction set, or, with a device, one of `every` cases on it. */
static void run_all(Tap *tap, const Case *this, int number, const char *device, int every)
{
    static const int threads[] = {1, 2, 5};
    if (device) {
        if (number % every == every - 1)
            run(tap, this, (FvSessionParams){.device = device, .threads = 2}, number % 4 == 3);
        return;
    }
    for (FvIsa isa = FV_ISA_SCALAR; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa))
            run(tap, this,
                (FvSessionParams){
                    .device = "cpu", .isa = fv_isa_name(isa), .threads = threads[(number + (int)isa) % 3]},
                (number + (int)isa) % 4 == 3);
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    static char line[LINE];
    Tap tap = {0};
    Case this = {0};
    int number = 0;
    const int every = argc > 3 && atoi(argv[3]) > 0 ? atoi(argv[3]) : 1;
    if (!file)
        return fprintf(stderr, "usage: test-check CHECK.txt [DEVICE [EVERY]]\n"), 1;
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (*line == '#')
            continue;
        if (!strncmp(line, "case ", 5)) {
            snprintf(this.name, sizeof this.name, "%.63s", line + 5);
            strcpy(this.metrics, "siti,freeze,black,levels,light,flash,scan,texture");
        } else if (*line)
            take_line(&this, line);
        else if (this.frames) {
            run_all(&tap, &this, number++, argc > 2 ? argv[2] : NULL, every);
            free_case(&this);
        }
    }
    fclose(file);
    return tap_done(&tap);
}
