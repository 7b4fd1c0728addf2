/* Writes the sentence of a verdict: chooses its main score, the places that it names, and the kind of sentence. */
#include "verdict/verdict.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "text.h"

#define HOUR INT64_C(3600000000)
#define MINUS "\xe2\x88\x92"

/* The kinds of events that may be places. Events of other kinds make the whole clip not comparable. */
static const struct {
    const char *kind, *word;
} places_of_events[] = {
    {"offset", "out of step"},          {"frozen", "frozen"},          {"black", "black"}, {"plain", "of one colour"},
    {"chroma", "of exchanged colours"}, {"other", "of other pictures"}};

/* A place that the sentence may name: a segment, or an event that replaces segments. */
typedef struct Place {
    int64_t first, last; /* numbers of its first and last frame */
    int64_t start, end;  /* times of its beginning and end, in microseconds */
    int64_t low, cost;   /* duration of its low frames; sum of words below the clip x duration; in microseconds */
    char word[40];
    /* segment of the main score, of which an event may become the cause; NULL: an event, or a segment of banding */
    FvSegment *segment;
    bool event;
} Place;

/* Places in order of time. */
typedef struct Places {
    Place *place;
    int count;
} Places;

/* A verdict that is being made. */
typedef struct Judging {
    FvClipVerdict *verdict;
    const FvVerdictCase *clip;
    const FvVerdictScore *speaker; /* the main score; NULL: no score has words */
    Places places;
    int64_t low;                             /* total duration of the places, in microseconds */
    char *reason, *gate, *quality, *checked; /* parts of the sentence; "" if empty */
} Judging;

const char *fv_verdict_kind_name(FvVerdictKind kind)
{
    static const char *const names[] = {"not scored", "partial", "not comparable", "gate failed", "identical",
                                        "but",        "word",    "number",         "checked"};
    return (unsigned)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

/* Returns the word for the place of an event; NULL: the event concerns the whole clip. */
static const char *place_word(const FvVerdictEvent *event)
{
    for (size_t k = 0; k < sizeof places_of_events / sizeof *places_of_events; k++)
        if (!strcmp(places_of_events[k].kind, event->kind))
            return places_of_events[k].word;
    return NULL;
}

static int64_t total_of(const FvVerdictFrames *frames)
{
    return frames->count ? frames->start[frames->count] - frames->start[0] : 0;
}

static bool is_score(const FvVerdictScore *score, const char *name)
{
    return !strcmp(score->meaning->score, name);
}

const char *fv_verdict_speaker(int i, bool alone)
{
    static const char *const pair[] = {"vmaf", "ssimulacra2", "psnr_y", "vdm_mean", "butteraugli"};
    static const char *const one[] = {"cambi"};
    const int count = alone ? 1 : sizeof pair / sizeof *pair;
    return i < 0 || i >= count ? NULL : alone ? one[i] : pair[i];
}

/* Finds the main score: the first of fv_verdict_speaker() whose mean has a word. */
static const FvVerdictScore *find_speaker(const FvVerdictCase *clip)
{
    for (int s = 0; fv_verdict_speaker(s, clip->alone); s++)
        for (int i = 0; i < clip->score_count; i++) {
            const FvVerdictScore *score = &clip->scores[i];
            if (score->graded && is_score(score, fv_verdict_speaker(s, clip->alone)) &&
                fv_verdict_grade(score->meaning, score->mean))
                return score;
        }
    return NULL;
}

/* Writes a value with two decimals and its unit, with the typographic minus. */
static void put_number(FILE *file, double value, const char *unit)
{
    char text[400];
    if (isinf(value))
        fprintf(file, "%sinfinite", value < 0 ? MINUS : "");
    else {
        snprintf(text, sizeof text, "%.2f", fabs(value));
        fprintf(file, "%s%s", value < 0 && strcmp(text, "0.00") != 0 ? MINUS : "", text);
    }
    fprintf(file, "%s%s", unit ? " " : "", unit ? unit : "");
}

/* Writes m:ss.s, or h:mm:ss.s in long clips; with hundredths if `fine`. Rounds half up. */
static void put_time(FILE *file, int64_t time, bool fine, bool hours)
{
    const int64_t unit = fine ? 10000 : 100000, parts = 1000000 / unit, n = (time + unit / 2) / unit;
    const int64_t seconds = n / parts, minutes = seconds / 60;
    if (hours)
        fprintf(file, "%" PRId64 ":%02" PRId64, minutes / 60, minutes % 60);
    else
        fprintf(file, "%" PRId64, minutes);
    fprintf(file, ":%02" PRId64 ".%0*" PRId64, seconds % 60, fine ? 2 : 1, n % parts);
}

static void put_place(FILE *file, const FvVerdictFrames *frames, const Place *place)
{
    const bool hours = total_of(frames) >= HOUR;
    const bool one = place->first == place->last, fine = one || place->end - place->start < 1000000;
    if (!frames->timed) {
        fprintf(file, one ? "in frame %" PRId64 : "in frames %" PRId64 " to ", place->first);
        if (!one)
            fprintf(file, "%" PRId64, place->last);
        return;
    }
    fputs(one ? "at " : "from ", file);
    put_time(file, place->start, fine, hours);
    if (!one) {
        fputs(" to ", file);
        put_time(file, place->end, fine, hours);
    }
}

static int64_t place_of(const FvVerdictFrames *frames, int64_t number)
{
    int64_t low = 0, high = frames->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (frames->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int64_t micro(double seconds)
{
    return (int64_t)floor(seconds * 1e6 + 0.5);
}

/* Inserts a place in order of time, after places of equal time. */
static FvStatus add_place(Places *places, const Place *place, FvError *error)
{
    Place *more = realloc(places->place, (size_t)(places->count + 1) * sizeof *more);
    if (!more)
        return fv_fail_memory(error, (size_t)(places->count + 1) * sizeof *more);
    places->place = more;
    int to = places->count++;
    for (; to && (place->start < more[to - 1].start ||
                  (place->start == more[to - 1].start && place->end < more[to - 1].end));
         to--)
        more[to] = more[to - 1];
    more[to] = *place;
    return FV_OK;
}

static Place place_of_segment(FvSegment *segment, const char *word, bool speaks)
{
    Place place = {.first = segment->first,
                   .last = segment->last,
                   .start = micro(segment->start),
                   .end = micro(segment->end),
                   .low = micro(segment->low_seconds),
                   .cost = micro(segment->cost),
                   .segment = speaks ? segment : NULL};
    snprintf(place.word, sizeof place.word, "%s", word);
    return place;
}

/* Gathers the segments of the main score, and the segments of banding that overlap none of those. */
static FvStatus gather_segments(Judging *judging, FvError *error)
{
    const FvVerdictCase *clip = judging->clip;
    FvSegment *segments = (FvSegment *)judging->verdict->segments;
    const int count = judging->verdict->segment_count;
    FvStatus status = FV_OK;
    for (int i = 0; i < count && !status; i++)
        if (judging->speaker && segments[i].output == judging->speaker->output) {
            const Place place = place_of_segment(&segments[i], segments[i].word, true);
            status = add_place(&judging->places, &place, error);
        }
    int banding = -1;
    for (int i = clip->score_count; i-- > 0;)
        if (is_score(&clip->scores[i], "cambi") && &clip->scores[i] != judging->speaker)
            banding = clip->scores[i].output;
    for (int i = 0; i < count && !status; i++) {
        bool said = segments[i].output != banding;
        for (int p = 0; p < judging->places.count && !said; p++) {
            const Place *place = &judging->places.place[p];
            said = place->segment && segments[i].first <= place->last && segments[i].last >= place->first;
        }
        if (said)
            continue;
        const Place place = place_of_segment(
            &segments[i], segments[i].level == 3 ? "annoying banding" : "unwatchable banding", false);
        status = add_place(&judging->places, &place, error);
    }
    return status;
}

/*
 * Finds when frame `number`, which was not scored, is shown: between the times of its neighbours, or after the last
 * frame, as if each later frame lasted as long as that. false: the numbers, read from a report, are too large.
 */
static bool time_between(const FvVerdictFrames *frames, int64_t number, int64_t *time)
{
    const int64_t i = place_of(frames, number);
    if (!i)
        return false;
    const int64_t before = frames->number[i - 1], lasts = frames->start[i] - frames->start[i - 1];
    const int64_t span = i < frames->count ? frames->number[i] - before : 1;
    if (number - before > INT32_MAX || span > INT32_MAX || (i == frames->count && lasts > INT32_MAX))
        return false;
    *time = frames->start[i - 1] + lasts / span * (number - before) + lasts % span * (number - before) / span;
    return true;
}

/*
 * Finds when the place of an event begins and ends. None of its frames may be scored: `align=map` leaves the frames
 * of a freeze without pairs. false: the place is not among these frames.
 */
static bool times_of(const FvVerdictFrames *frames, const FvVerdictEvent *event, int64_t *start, int64_t *end)
{
    const int64_t first = place_of(frames, event->first), behind = place_of(frames, event->last + 1);
    if (!place_word(event) || event->first > event->last)
        return false;
    if (first >= behind)
        return time_between(frames, event->first, start) && time_between(frames, event->last + 1, end) &&
               *start < *end;
    *start = frames->start[first];
    *end = frames->start[behind];
    return true;
}

/* Names as the cause of each segment the first fault that covers at least half of the segment. */
static void find_causes(FvClipVerdict *verdict, const FvVerdictCase *clip)
{
    FvSegment *segments = (FvSegment *)verdict->segments;
    const FvVerdictFrames *frames = &clip->frames;
    for (int s = 0; s < verdict->segment_count; s++)
        for (int f = clip->checks.fault_count; f-- > 0;) {
            const FvVerdictFault *fault = &clip->checks.faults[f];
            const int64_t first = fault->first > segments[s].first ? fault->first : segments[s].first;
            const int64_t last = fault->last < segments[s].last ? fault->last : segments[s].last;
            if (first > last)
                continue;
            const int64_t covered =
                frames->start[place_of(frames, last + 1)] - frames->start[place_of(frames, first)];
            if (2 * covered >= micro(segments[s].end) - micro(segments[s].start))
                segments[s].cause = fault->check;
        }
}

/*
 * Returns whether an event makes the whole clip not comparable: it has no place, or half of the clip has another
 * offset, exchanged colours or other pictures.
 */
static bool breaks(const FvVerdictFrames *frames, const FvVerdictEvent *event)
{
    int64_t start, end;
    if (!place_word(event) || event->last < event->first)
        return true;
    return (!strcmp(event->kind, "offset") || !strcmp(event->kind, "chroma") || !strcmp(event->kind, "other")) &&
           times_of(frames, event, &start, &end) && 2 * (end - start) >= total_of(frames);
}

/* Writes why the clip is not comparable, by the first event that says so; nothing if it is comparable. */
static void put_reason(FILE *file, const Judging *judging)
{
    const FvVerdictFrames *frames = &judging->clip->frames;
    int first = 0;
    while (first < judging->clip->event_count && !breaks(frames, &judging->clip->events[first]))
        first++;
    if (first == judging->clip->event_count)
        return;
    const FvVerdictEvent *event = &judging->clip->events[first];
    if (!strcmp(event->kind, "shift")) {
        const int64_t by = event->frames < 0 ? -event->frames : event->frames;
        fprintf(file, "the encode is %" PRId64 " frame%s %s", by, by == 1 ? "" : "s",
                event->frames > 0 ? "late" : "early");
    } else if (!strcmp(event->kind, "mirrored"))
        fprintf(file, "the encode is %s", event->how);
    else if (!strcmp(event->kind, "chroma"))
        fputs("the chroma planes are exchanged", file);
    else if (!strcmp(event->kind, "other"))
        fputs("the videos do not show the same", file);
    else {
        int64_t from = 0, to = 0;
        times_of(frames, event, &from, &to);
        fprintf(file, "the encode is out of step for %" PRId64 " %% of the time",
                (200 * (to - from) + total_of(frames)) / (2 * total_of(frames)));
    }
}

/* Replaces the segments of which an event covers at least half by the event. */
static FvStatus cover(Places *places, const FvVerdictFrames *frames, const FvVerdictEvent *event, FvError *error)
{
    int64_t cost = 0, start, end;
    int kept = 0;
    if (!times_of(frames, event, &start, &end))
        return FV_OK;
    for (int p = 0; p < places->count; p++) {
        const Place *place = &places->place[p];
        const int64_t from = place->start > start ? place->start : start, to = place->end < end ? place->end : end;
        if (2 * (to - from) < place->end - place->start) {
            places->place[kept++] = *place;
            continue;
        }
        cost += place->cost;
        if (place->segment)
            place->segment->cause = event->kind;
    }
    places->count = kept;
    const int64_t own = 4 * (end - start);
    Place place = {.first = event->first,
                   .last = event->last,
                   .start = start,
                   .end = end,
                   .low = end - start,
                   .cost = cost > own ? cost : own,
                   .event = true};
    snprintf(place.word, sizeof place.word, "%s", place_word(event));
    return add_place(places, &place, error);
}

/* Writes ", but bad from 0:06.0 to 0:08.0 and low in 1 more place"; nothing if there is no place. */
static void put_places(FILE *file, const Judging *judging)
{
    const FvVerdictFrames *frames = &judging->clip->frames;
    if (!judging->places.count)
        return;
    const Place *top = judging->places.place, *end = top + judging->places.count;
    for (const Place *place = top; place < end; place++)
        if (place->cost > top->cost)
            top = place;
    const int more = judging->places.count - 1;
    if (more < 3) {
        fprintf(file, ", but %s ",
                judging->verdict->bound == FV_GRADE_BOUND_AT_LEAST && !top->event ? "lower" : top->word);
        put_place(file, frames, top);
        if (more)
            fprintf(file, " and low in %d more place%s", more, more > 1 ? "s" : "");
        return;
    }
    const int64_t share = (200 * judging->low + total_of(frames)) / (2 * total_of(frames));
    fprintf(file, ", but low in %d places, ", more + 1);
    if (share)
        fprintf(file, "%" PRId64, share);
    else
        fputs("under 1", file);
    fputs(" % of the time, most ", file);
    put_place(file, frames, top);
}

/* Writes "VMAF, worst 5 %, 33.77 is below 80, and 1 more" for the first gate that failed; nothing if none did. */
static void put_gate(FILE *file, const Judging *judging)
{
    static const char *const pools[][2] = {{"min", "least"},     {"max", "greatest"}, {"p1", "worst 1 %"},
                                           {"p99", "worst 1 %"}, {"p5", "worst 5 %"}, {"p95", "worst 5 %"}};
    int failed = 0;
    while (failed < judging->clip->gate_count && judging->clip->gates[failed].outcome == FV_GATE_PASSED)
        failed++;
    if (failed == judging->clip->gate_count)
        return;
    const FvVerdictGate *gate = &judging->clip->gates[failed];
    const char *pool = gate->pool;
    for (size_t i = 0; pool && i < sizeof pools / sizeof *pools; i++)
        if (!strcmp(gate->pool, pools[i][0]))
            pool = pools[i][1];
    fprintf(file, "%s%s%s, ", gate->meaning->title, pool ? ", " : "", pool ? pool : "");
    if (gate->outcome == FV_GATE_UNDEFINED || isnan(gate->value))
        fputs("is not a number", file);
    else {
        put_number(file, gate->value, gate->meaning->unit);
        fprintf(file, " is %s ", gate->above ? "above" : "below");
        fprintf(file, gate->limit == floor(gate->limit) ? "%.0f" : "%.17g", gate->limit);
    }
    if (judging->verdict->gates_failed > 1)
        fprintf(file, ", and %d more", judging->verdict->gates_failed - 1);
}

/* Writes the word of the main score, or a number, and the places. */
static void put_quality(FILE *file, const Judging *judging)
{
    const FvVerdictScore *speaker = judging->speaker;
    const FvVerdictScore *first = speaker ? speaker : judging->clip->score_count ? judging->clip->scores : NULL;
    if (*judging->verdict->word) {
        const bool visible = is_score(speaker, "vdm_mean") || is_score(speaker, "butteraugli");
        fprintf(file, "%s%s%s", visible ? "differences " : "", judging->verdict->word,
                is_score(speaker, "cambi") ? " banding" : "");
    } else if (!first)
        fputs(judging->clip->checks.asked ? "nothing was checked" : "no score", file);
    else if (isnan(first->mean))
        fprintf(file, "%s is not a number", first->meaning->title);
    else {
        fprintf(file, "%s ", first->meaning->title);
        put_number(file, first->mean, first->meaning->unit);
    }
    put_places(file, judging);
}

/* Writes "Fails: Flashes, Bars"; nothing if no check was made, or if frames are missing and no check fails. */
static void put_checked(FILE *file, const Judging *judging)
{
    static const char *const words[][2] = {{"fail", "Fails"}, {"warn", "Look at"}, {"info", "Noted"}};
    const FvVerdictChecks *checks = &judging->clip->checks;
    if (checks->worst && !strcmp(checks->worst, "pass"))
        fputs("No faults found in what was checked", file);
    for (size_t i = 0; checks->worst && i < sizeof words / sizeof *words; i++)
        for (int k = 0; !strcmp(checks->worst, words[i][0]) && k < checks->count; k++)
            fprintf(file, "%s%s%s", k ? ", " : words[i][1], k ? "" : ": ", checks->titles[k]);
}

/* Writes the sentence of the first kind that applies, and what the checks found. */
static void put_sentence(FILE *file, const Judging *judging)
{
    const FvVerdictCase *clip = judging->clip;
    FvClipVerdict *verdict = judging->verdict;
    const bool words = judging->places.count || *verdict->word;
    const bool checked = *judging->checked && (clip->alone || !words);
    bool said = false;
    const char *quality = checked ? judging->checked : judging->quality;
    if (clip->partial) {
        verdict->kind = FV_VERDICT_PARTIAL;
        fprintf(file, "Partial: %" PRId64, clip->frames.count);
        if (clip->expected > 0)
            fprintf(file, " of %" PRId64, clip->expected);
        fprintf(file, " frames, then: %s", clip->partial);
    } else if (*judging->reason) {
        verdict->kind = FV_VERDICT_NOT_COMPARABLE;
        fprintf(file, "Not comparable: %s%s%s", judging->reason, *judging->gate ? ". Gate failed: " : "",
                judging->gate);
    } else if (*judging->gate) {
        verdict->kind = FV_VERDICT_GATE_FAILED;
        fprintf(file, "Gate failed: %s. %c%s", judging->gate, toupper((unsigned char)*quality), quality + 1);
        said = checked;
    } else if (clip->identical) {
        verdict->kind = FV_VERDICT_IDENTICAL;
        fputs("Identical", file);
    } else if (!clip->frames.count) {
        verdict->kind = FV_VERDICT_NOT_SCORED;
        fputs("Not scored", file);
    } else {
        verdict->kind = checked                 ? FV_VERDICT_CHECKED
                        : judging->places.count ? FV_VERDICT_BUT
                        : words                 ? FV_VERDICT_WORD
                                                : FV_VERDICT_NUMBER;
        fprintf(file, "%c%s", toupper((unsigned char)*quality), quality + 1);
        said = checked;
    }
    if (*judging->checked && !said)
        fprintf(file, ". %s", judging->checked);
}

/* Stores the output of `put` in *text, which the caller frees. */
static FvStatus keep_text(char **text, void (*put)(FILE *file, const Judging *judging), const Judging *judging,
                          FvError *error)
{
    size_t size;
    FILE *file = fv_text_open(text, &size);
    if (file)
        put(file, judging);
    return fv_text_close(file, text) ? FV_OK : fv_fail_memory(error, size);
}

/*
 * Sorts segments: those of the main score first, then by falling cost, then by time. Equal segments keep the order of
 * their scores.
 */
static void sort_segments(FvClipVerdict *verdict)
{
    FvSegment *segments = (FvSegment *)verdict->segments;
    for (int i = 1; i < verdict->segment_count; i++) {
        const FvSegment moved = segments[i];
        const bool mine = moved.output == verdict->output;
        int to = i;
        for (; to; to--) {
            const FvSegment *before = &segments[to - 1];
            const bool theirs = before->output == verdict->output;
            if (mine != theirs               ? theirs
                : moved.cost != before->cost ? moved.cost < before->cost
                                             : moved.first >= before->first)
                break;
            segments[to] = *before;
        }
        segments[to] = moved;
    }
}

FvStatus fv_verdict_make(FvClipVerdict *verdict, const FvVerdictCase *clip, FvError *error)
{
    static const char *const bounds[] = {
        [FV_GRADE_BOUND_AT_MOST] = "at most ", [FV_GRADE_BOUND_AT_LEAST] = "at least "};
    Judging judging = {.verdict = verdict, .clip = clip, .speaker = find_speaker(clip)};
    *verdict = (FvClipVerdict){.output = -1, .value = NAN};
    if (judging.speaker) {
        const FvGrade *grade = fv_verdict_grade(judging.speaker->meaning, judging.speaker->mean);
        const FvGradeBound bound = judging.speaker->bound;
        const bool says_nothing = bound && grade->level == (bound == FV_GRADE_BOUND_AT_MOST ? 5 : 1);
        verdict->output = judging.speaker->output;
        verdict->value = judging.speaker->mean;
        verdict->level = grade->level;
        verdict->bound = bound;
        if (!says_nothing)
            snprintf(verdict->word, sizeof verdict->word, "%s%s", bound ? bounds[bound] : "", grade->word);
    }
    for (int i = 0; i < clip->gate_count; i++)
        *(clip->gates[i].outcome == FV_GATE_PASSED ? &verdict->gates_passed : &verdict->gates_failed) += 1;

    FvStatus status = FV_OK;
    for (int i = 0; i < clip->score_count && !status; i++)
        status = fv_verdict_segments(verdict, clip, &clip->scores[i], error);
    if (!status) {
        find_causes(verdict, clip);
        status = gather_segments(&judging, error);
    }
    for (int i = 0; i < clip->event_count && !status; i++)
        if (!breaks(&clip->frames, &clip->events[i]))
            status = cover(&judging.places, &clip->frames, &clip->events[i], error);
    for (int p = 0; p < judging.places.count; p++)
        judging.low += judging.places.place[p].low;
    verdict->low_seconds = (double)judging.low / 1e6;

    char *sentence = NULL;
    if (!status)
        status = keep_text(&judging.reason, put_reason, &judging, error);
    if (!status)
        status = keep_text(&judging.gate, put_gate, &judging, error);
    if (!status)
        status = keep_text(&judging.quality, put_quality, &judging, error);
    if (!status)
        status = keep_text(&judging.checked, put_checked, &judging, error);
    if (!status)
        status = keep_text(&sentence, put_sentence, &judging, error);
    verdict->sentence = sentence;
    if (!status) {
        const char *why = clip->partial ? clip->partial : *judging.reason ? judging.reason : judging.gate;
        verdict->reason = *why ? strdup(why) : NULL;
        if (*why && !verdict->reason)
            status = fv_fail_memory(error, strlen(why) + 1);
        sort_segments(verdict);
    }
    free(judging.places.place);
    free(judging.reason);
    free(judging.gate);
    free(judging.quality);
    free(judging.checked);
    return status;
}
