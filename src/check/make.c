/* Finds events in the terms of all frames. docs/check.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "picture/colour.h"

/* A video whose events are being found, with flags for each frame. */
typedef struct Clip {
    const FvCheckEventInput *in;
    FvCheckEventList *list;
    int64_t frames, pixels, samples;
    int shift; /* depth - 8, to scale 8-bit limits to the video's depth */
    uint8_t *black, *flat, *held, *taken, *flag;
} Clip;

static const int terms_of_side[FV_EVENT_METRICS] = {FV_BLACK_TERMS, FV_FREEZE_TERMS, FV_LEVELS_TERMS,
                                                    FV_PEAKS_TERMS, FV_FLASH_TERMS,  FV_SCAN_TERMS};

static bool has_metric(const Clip *clip, FvCheckEventMetric metric)
{
    return clip->in->metric[metric].want >= 0;
}

static const FvTerm *terms_of(const Clip *clip, FvCheckEventMetric metric, int64_t frame)
{
    const FvTerm *row = fv_rows_at(&clip->in->metric[metric].rows, clip->in->metric[metric].want, frame);
    return row + (clip->in->side == FV_REFERENCE ? terms_of_side[metric] : 0);
}

static int64_t term(const Clip *clip, FvCheckEventMetric metric, int64_t frame, int i)
{
    return terms_of(clip, metric, frame)[i].integer;
}

/* ---- The list ------------------------------------------------------------------------------------------------- */

static FvCheckEvent *add_event(Clip *clip, FvCheckKind kind, int64_t first, int64_t last, int64_t frames)
{
    static FvCheckEvent nowhere;
    FvCheckEventList *list = clip->list;
    if (list->count == list->capacity) {
        const int capacity = list->capacity ? 2 * list->capacity : 64;
        FvCheckEvent *grown = realloc(list->event, (size_t)capacity * sizeof *grown);
        if (!grown) {
            list->failed = true;
            return &nowhere;
        }
        list->event = grown;
        list->capacity = capacity;
    }
    FvCheckEvent *event = &list->event[list->count++];
    *event = (FvCheckEvent){.check = kind,
                            .side = clip->in->side,
                            .severity = fv_check_info(kind)->severity,
                            .first = first,
                            .last = last,
                            .frames = frames};
    return event;
}

static FvCheckEvent *add_run(Clip *clip, FvCheckKind kind, int64_t first, int64_t last)
{
    return add_event(clip, kind, first, last, last - first + 1);
}

static void detail_integers(FvCheckEvent *event, const char *name, const int64_t *value, int count)
{
    FvCheckDetail *detail = &event->detail[event->details++ % 3];
    *detail = (FvCheckDetail){.name = name, .type = FV_CHECK_DETAIL_INTEGERS, .count = count};
    memcpy(detail->integer, value, (size_t)count * sizeof *value);
}

static void detail_integer(FvCheckEvent *event, const char *name, int64_t value)
{
    detail_integers(event, name, &value, 1);
}

static void detail_text(FvCheckEvent *event, const char *name, const char *text)
{
    event->detail[event->details++ % 3] = (FvCheckDetail){.name = name, .type = FV_CHECK_DETAIL_TEXT, .text = text};
}

/*
 * Returns whether frames [first, first + count) last at least `seconds`, by their times if known, else in whole
 * milliseconds.
 */
static bool lasts(const Clip *clip, int64_t first, int64_t count, double seconds)
{
    const FvFormat *format = clip->in->format;
    const int64_t num = format->rate_num && format->rate_den ? format->rate_num : 25,
                  den = format->rate_num && format->rate_den ? format->rate_den : 1;
    if (clip->in->times)
        return clip->in->times[first + count] - clip->in->times[first] >= seconds - 1e-6;
    return count * den * 1000 >= (int64_t)floor(seconds * 1000.0 + 0.5) * num;
}

/* Finds the next run of flagged frames that begins at *first or later. false: there is none. */
static bool next_run(const Clip *clip, const uint8_t *flag, int64_t *first, int64_t *last)
{
    while (*first < clip->frames && !flag[*first])
        ++*first;
    *last = *first;
    while (*last + 1 < clip->frames && flag[*last + 1])
        ++*last;
    return *first < clip->frames;
}

/*
 * Adds details to an event of add_marked(), which joins long enough runs of flagged frames less than a second apart.
 */
typedef void Told(Clip *clip, FvCheckEvent *event, void *context);

static void add_marked(Clip *clip, FvCheckKind kind, double seconds, Told *told, void *context)
{
    FvCheckEvent *event = NULL;
    const int rate = fv_check_rate(clip->in->format), before = clip->list->count;
    for (int64_t first = 0, last; next_run(clip, clip->flag, &first, &last); first = last + 1) {
        if (!lasts(clip, first, last - first + 1, seconds))
            continue;
        event = clip->list->count > before ? &clip->list->event[clip->list->count - 1] : NULL;
        if (event && first - event->last - 1 < rate) {
            event->last = last;
            event->frames += last - first + 1;
        } else
            add_run(clip, kind, first, last);
    }
    for (int i = before; i < clip->list->count && told; i++)
        told(clip, &clip->list->event[i], context);
}

/* ---- Black, one colour, bars ---------------------------------------------------------------------------------- */

static void judge_black(Clip *clip, const FvBlackRule *rule)
{
    for (int64_t i = 0; i < clip->frames; i++) {
        const FvTerm *of = terms_of(clip, FV_OF_BLACK, i);
        bool flat = true;
        for (int plane = 0; plane < fv_format_planes(clip->in->format); plane++)
            flat &= of[FV_BLACK_MOST + plane].integer - of[FV_BLACK_LEAST + plane].integer <=
                    (int64_t)rule->flat_spread << clip->shift;
        clip->black[i] = of[FV_BLACK_SAMPLES].integer * 1000 >= clip->pixels * rule->share;
        clip->flat[i] = flat && !clip->black[i];
    }
}

static void add_black(Clip *clip, const FvBlackRule *rule)
{
    for (int64_t first = 0, last; next_run(clip, clip->black, &first, &last); first = last + 1)
        if (lasts(clip, first, last - first + 1, rule->time))
            add_run(clip, FV_CHECK_BLACK, first, last);
    for (int64_t first = 0, last; next_run(clip, clip->flat, &first, &last); first = last + 1) {
        int64_t colour[3];
        for (int plane = 0; plane < 3; plane++)
            colour[plane] = term(clip, FV_OF_BLACK, first, FV_BLACK_LEAST + plane);
        if (lasts(clip, first, last - first + 1, rule->flat_time))
            detail_integers(add_run(clip, FV_CHECK_FLAT, first, last), "colour", colour,
                            fv_format_planes(clip->in->format));
    }
}

static void bars_of(const Clip *clip, int64_t frame, int64_t bars[4])
{
    for (int i = 0; i < 4; i++)
        bars[i] = term(clip, FV_OF_BLACK, frame, FV_BLACK_BARS + i);
}

/*
 * Adds the bars of the clip, which are the smallest bar at each edge over all frames with a picture, and runs of
 * frames whose bars differ.
 */
static void add_bars(Clip *clip, const FvBlackRule *rule)
{
    const int64_t side[4] = {clip->in->format->height, clip->in->format->height, clip->in->format->width,
                             clip->in->format->width};
    int64_t least[4] = {side[0], side[1], side[2], side[3]}, bars[4], next[4];
    bool seen = false;
    for (int64_t i = 0; i < clip->frames; i++) {
        bars_of(clip, i, bars);
        const bool picture = bars[0] < side[0] && bars[2] < side[2];
        seen |= picture;
        for (int k = 0; k < 4 && picture; k++)
            least[k] = bars[k] < least[k] ? bars[k] : least[k];
    }
    for (int k = 0; k < 4 && !seen; k++)
        least[k] = 0;
    if (least[0] || least[1] || least[2] || least[3])
        detail_integers(add_run(clip, FV_CHECK_BARS, 0, clip->frames - 1), "bars", least, 4);
    for (int64_t first = 0, last; first < clip->frames; first = last + 1) {
        bars_of(clip, first, bars);
        for (last = first; last + 1 < clip->frames; last++) {
            bars_of(clip, last + 1, next);
            if (memcmp(bars, next, sizeof bars))
                break;
        }
        bool differs = false;
        for (int k = 0; k < 4; k++)
            differs |= (bars[k] - least[k]) * 50 >= side[k];
        if (differs && bars[0] < side[0] && bars[2] < side[2] &&
            lasts(clip, first, last - first + 1, rule->bars_time))
            detail_integers(add_run(clip, FV_CHECK_BARS, first, last), "bars", bars, 4);
    }
}

/* ---- Freezes, cadences, repeats ------------------------------------------------------------------------------- */

static bool is_near(const Clip *clip, const FvFreezeRule *rule, int64_t frame)
{
    const FvTerm *of = terms_of(clip, FV_OF_FREEZE, frame);
    const int64_t sad = of[FV_FREEZE_SAD].integer + of[FV_FREEZE_SAD + 1].integer + of[FV_FREEZE_SAD + 2].integer;
    const __int128 limit = (__int128)rule->noise * clip->samples * ((1 << clip->in->format->depth) - 1);
    return (__int128)sad * 1000000 <= limit && of[FV_FREEZE_PEAK].integer <= (int64_t)rule->peak << clip->shift &&
           !clip->black[frame];
}

static int64_t cell(const FvTerm *of, int i)
{
    return of[FV_FREEZE_CELLS + i / 4].integer >> i % 4 * 16 & 0xffff;
}

/* Returns the greatest difference of a cell between two frames. */
static int64_t drift(const Clip *clip, int64_t a, int64_t b)
{
    const FvTerm *of = terms_of(clip, FV_OF_FREEZE, a), *other = terms_of(clip, FV_OF_FREEZE, b);
    int64_t most = 0;
    for (int i = 0; i < FV_CHECK_CELLS; i++) {
        const int64_t d = cell(of, i) - cell(other, i), distance = d < 0 ? -d : d;
        most = distance > most ? distance : most;
    }
    return most;
}

static bool is_repeat(const Clip *clip, int64_t frame)
{
    return frame > 0 && !term(clip, FV_OF_FREEZE, frame, FV_FREEZE_DIFFER);
}

static void add_freezes(Clip *clip, const FvFreezeRule *rule)
{
    int64_t start = 0;
    clip->flag[0] = 0;
    for (int64_t i = 1; i < clip->frames; i++) {
        clip->flag[i] = is_near(clip, rule, i) && drift(clip, i, start) <= rule->drift;
        start = clip->flag[i] ? start : i;
    }
    for (int64_t first = 0, last; next_run(clip, clip->flag, &first, &last); first = last + 1) {
        bool exact = true;
        if (!lasts(clip, first - 1, last - first + 2, rule->time))
            continue;
        for (int64_t i = first; i <= last; i++) {
            clip->held[i] = 1;
            exact &= is_repeat(clip, i);
        }
        FvCheckEvent *event = add_run(clip, FV_CHECK_FREEZE, first - 1, last);
        event->detail[event->details++] =
            (FvCheckDetail){.name = "exact", .type = FV_CHECK_DETAIL_BOOL, .count = 1, .integer = {exact}};
    }
}

static int64_t change(const Clip *clip, int64_t frame)
{
    return frame > 0 && frame < clip->frames ? term(clip, FV_OF_FREEZE, frame, FV_FREEZE_SAD) : 0;
}

/* Flags in `repeats` the frames that are much like the previous frame while frames nearby change. */
static void judge_repeats(const Clip *clip, uint8_t *repeats)
{
    repeats[0] = 0;
    for (int64_t i = 1; i < clip->frames; i++) {
        int64_t top = 0;
        for (int k = -2; k <= 2; k++)
            top = change(clip, i + k) > top ? change(clip, i + k) : top;
        repeats[i] = top * 4 >= clip->pixels << clip->shift && (is_repeat(clip, i) || 4 * change(clip, i) <= top);
    }
}

enum { LONGEST_PERIOD = 30 };

static void add_cadences(Clip *clip)
{
    uint8_t *repeats = malloc((size_t)clip->frames), *returns = clip->flag;
    if (!repeats) {
        clip->list->failed = true;
        return;
    }
    judge_repeats(clip, repeats);
    clip->taken[0] = 1;
    for (int period = 2; period <= LONGEST_PERIOD; period++) {
        for (int64_t i = 0; i < clip->frames; i++)
            returns[i] =
                i > period && !clip->taken[i] && !clip->taken[i - period] && repeats[i] == repeats[i - period];
        for (int64_t first = 0, last; next_run(clip, returns, &first, &last); first = last + 1) {
            const int64_t begin = first - period, least = 3 * period > 12 ? 3 * period : 12;
            int count = 0;
            for (int k = 0; k < period; k++)
                count += repeats[begin + k];
            if (last - begin + 1 < least || !count || count == period)
                continue;
            FvCheckEvent *event = add_run(clip, FV_CHECK_CADENCE, begin, last);
            detail_integer(event, "period", period);
            detail_integer(event, "repeats", count);
            memset(clip->taken + begin, 1, (size_t)(last - begin + 1));
        }
    }
    free(repeats);
}

static void add_repeats(Clip *clip, const FvFreezeRule *rule)
{
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] = is_repeat(clip, i) && !clip->black[i] && !clip->flat[i] && !clip->held[i] && !clip->taken[i];
    add_marked(clip, FV_CHECK_REPEAT, rule->repeat_time, NULL, NULL);
}

/* ---- Levels and light ----------------------------------------------------------------------------------------- */

static void tell_worst(Clip *clip, FvCheckEvent *event, void *context)
{
    const int *at = context; /* index of the metric, index of its term */
    int64_t worst = 0;
    for (int64_t i = event->first; i <= event->last; i++) {
        const int64_t value = term(clip, at[0], i, at[1]);
        worst = value > worst ? value : worst;
    }
    detail_integer(event, "worst", worst);
}

static void add_illegal(Clip *clip, const FvLevelsRule *rule)
{
    int at[2] = {FV_OF_LEVELS, FV_LEVELS_ILLEGAL};
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] = term(clip, FV_OF_LEVELS, i, FV_LEVELS_ILLEGAL) * 1000 > clip->pixels * rule->illegal_share;
    add_marked(clip, FV_CHECK_ILLEGAL, rule->illegal_time, tell_worst, at);
}

static void tell(Clip *clip, FvCheckEvent *event, void *context)
{
    const char *const *text = context;
    detail_text(event, text[0], text[1]);
}

/*
 * Adds an event at the first frame with the greatest value of term `of`, if that exceeds what the container states.
 */
static void add_exceeding(Clip *clip, int of, int stated, int64_t unit, const char *name)
{
    int64_t most = -1, at = 0;
    for (int64_t i = 0; i < clip->frames; i++)
        if (term(clip, FV_OF_LIGHT, i, of) > most)
            most = term(clip, FV_OF_LIGHT, at = i, of);
    if (stated && most > (stated + (int64_t)1) * 65536 * unit)
        detail_text(add_run(clip, FV_CHECK_LIGHT, at, at), "exceeds", name);
}

static void add_light(Clip *clip)
{
    const FvCheckEventFacts *facts = &clip->in->facts;
    const char *peak[] = {"exceeds", "mastering_peak"};
    add_exceeding(clip, FV_PEAKS_MOST, facts->max_cll, 1, "max_cll");
    add_exceeding(clip, FV_PEAKS_SUM, facts->max_fall, clip->pixels, "max_fall");
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] =
            facts->peak && term(clip, FV_OF_LIGHT, i, FV_PEAKS_P9999) > (facts->peak + (int64_t)1) * 65536;
    add_marked(clip, FV_CHECK_LIGHT, 0, tell, peak);
    const bool p3 = facts->primaries == FV_H273_DISPLAY_P3, known = p3 || facts->primaries == FV_H273_BT709;
    const char *outside[] = {"outside", p3 ? "p3" : "bt709"};
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] = known && clip->in->format->primaries == FV_H273_BT2020 &&
                        term(clip, FV_OF_LIGHT, i, p3 ? FV_PEAKS_P3 : FV_PEAKS_BT709) * 1000 > clip->pixels;
    add_marked(clip, FV_CHECK_GAMUT, 0, tell, outside);
}

/* ---- Flashes -------------------------------------------------------------------------------------------------- */

typedef struct Transitions {
    const char *kind;
    const int16_t *of; /* number of transitions of each frame */
} Transitions;

static void tell_transitions(Clip *clip, FvCheckEvent *event, void *context)
{
    const Transitions *transitions = context;
    int64_t most = 0;
    for (int64_t i = event->first; i <= event->last; i++)
        most = transitions->of[i] > most ? transitions->of[i] : most;
    detail_text(event, "kind", transitions->kind);
    detail_integer(event, "transitions", most);
}

static bool is_mild(int transitions)
{
    return transitions >= 4 && transitions <= 6;
}

static void add_flashes_of(Clip *clip, Transitions transitions)
{
    const int64_t rate = fv_check_rate(clip->in->format);
    const int16_t *of = transitions.of;
    int64_t mild = 0;
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] = of[i] > 6;
    add_marked(clip, FV_CHECK_FLASH, 0, tell_transitions, &transitions);
    for (int64_t i = 0; i < clip->frames; i++) {
        mild += is_mild(of[i]) - (i >= 5 * rate && is_mild(of[i - 5 * rate]));
        clip->flag[i] = is_mild(of[i]) && mild >= 4 * rate;
    }
    add_marked(clip, FV_CHECK_FLASH_EXTENDED, 0, tell_transitions, &transitions);
}

static void add_flashes(Clip *clip, const FvFlashRule *rule)
{
    static const char *const kinds[FV_FLASH_KINDS] = {"luminance", "red"};
    FvFlashes *flashes = fv_flashes_open(rule, clip->in->format);
    int16_t *of[FV_FLASH_KINDS];
    for (int kind = 0; kind < FV_FLASH_KINDS; kind++)
        of[kind] = malloc((size_t)clip->frames * sizeof *of[kind]);
    if (flashes && of[0] && of[1]) {
        for (int64_t i = 0; i < clip->frames; i++) {
            int transitions[FV_FLASH_KINDS];
            fv_flashes_next(flashes, terms_of(clip, FV_OF_FLASH, i), transitions);
            for (int kind = 0; kind < FV_FLASH_KINDS; kind++)
                of[kind][i] = (int16_t)transitions[kind];
        }
        for (int kind = 0; kind < FV_FLASH_KINDS; kind++)
            add_flashes_of(clip, (Transitions){kinds[kind], of[kind]});
    } else
        clip->list->failed = true;
    for (int kind = 0; kind < FV_FLASH_KINDS; kind++)
        free(of[kind]);
    fv_flashes_close(flashes);
}

/* ---- Fields --------------------------------------------------------------------------------------------------- */

enum { PROGRESSIVE, TOP, BOTTOM, CLASSES, STILL = CLASSES, UNCLEAR };

static const char *const class_names[CLASSES] = {"progressive", "top", "bottom"};

static int class_of(const Clip *clip, int64_t frame)
{
    const FvTerm *of = terms_of(clip, FV_OF_SCAN, frame);
    const int64_t top = of[FV_SCAN_TOP].integer, bottom = of[FV_SCAN_BOTTOM].integer;
    const int64_t lesser = top < bottom ? top : bottom, greater = top < bottom ? bottom : top;
    if (!frame || of[FV_SCAN_MOVING].integer * 200 < clip->pixels)
        return STILL;
    if (100 * greater > 120 * lesser)
        return top < bottom ? TOP : BOTTOM;
    return 3 * of[FV_SCAN_OWN].integer < 2 * lesser ? PROGRESSIVE : UNCLEAR;
}

/*
 * Adds runs of frames with 2:3 pulldown, in which two of five frames are combed, and marks the frames as taken, so
 * that they are not reported as combing too.
 */
static void add_telecine(Clip *clip, uint8_t *combed)
{
    uint8_t *returns = clip->flag;
    for (int64_t i = 0; i < clip->frames; i++)
        returns[i] = i >= 5 && combed[i] == combed[i - 5];
    for (int64_t first = 0, last; next_run(clip, returns, &first, &last); first = last + 1) {
        const int64_t begin = first - 5;
        int count = 0;
        for (int k = 0; k < 5; k++)
            count += combed[begin + k] & 1;
        if (last - begin + 1 < 15 || count != 2)
            continue;
        FvCheckEvent *event = add_run(clip, FV_CHECK_TELECINE, begin, last);
        detail_integer(event, "period", 5);
        detail_integer(event, "combed", 2);
        memset(clip->taken + begin, 1, (size_t)(last - begin + 1));
    }
}

static void add_fields(Clip *clip, const FvScanRule *rule)
{
    uint8_t *combed = clip->held;
    int at[2] = {FV_OF_SCAN, FV_SCAN_COMB};
    int64_t votes[CLASSES] = {0};
    for (int64_t i = 0; i < clip->frames; i++) {
        const int class = class_of(clip, i);
        if (class < CLASSES)
            votes[class]++;
        combed[i] =
            i && term(clip, FV_OF_SCAN, i, FV_SCAN_COMB) > rule->comb_pixels && (class == TOP || class == BOTTOM);
    }
    const int64_t all = votes[PROGRESSIVE] + votes[TOP] + votes[BOTTOM];
    int best = PROGRESSIVE;
    best = votes[TOP] > votes[best] ? TOP : best;
    best = votes[BOTTOM] > votes[best] ? BOTTOM : best;
    const bool known = votes[best] * 3 >= 2 * all && votes[best] >= 3;
    const int stated = clip->in->facts.fields == FV_FIELDS_TOP_FIRST      ? TOP
                       : clip->in->facts.fields == FV_FIELDS_BOTTOM_FIRST ? BOTTOM
                                                                          : PROGRESSIVE;
    if (known && best != stated) {
        FvCheckEvent *event = add_run(clip, FV_CHECK_FIELDS, 0, clip->frames - 1);
        detail_text(event, "measured", class_names[best]);
        detail_text(event, "tagged", class_names[stated]);
    }
    if (known && best != PROGRESSIVE)
        return;
    memset(clip->taken, 0, (size_t)clip->frames);
    add_telecine(clip, combed);
    for (int64_t i = 0; i < clip->frames; i++)
        clip->flag[i] = combed[i] && !clip->taken[i];
    add_marked(clip, FV_CHECK_COMB, rule->comb_time, tell_worst, at);
}

/* ---- All of them ---------------------------------------------------------------------------------------------- */

static const char *kind_of(const FvCheckEvent *event)
{
    return event->details && event->detail[0].type == FV_CHECK_DETAIL_TEXT ? event->detail[0].text : "";
}

/* Orders events by first and last frame, check, kind and period. Equal events keep their order. */
static int compare_events(const void *a, const void *b)
{
    const FvCheckEvent *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    if (x->check != y->check)
        return x->check < y->check ? -1 : 1;
    const int kinds =
        x->check == FV_CHECK_FLASH || x->check == FV_CHECK_FLASH_EXTENDED ? strcmp(kind_of(x), kind_of(y)) : 0;
    if (kinds)
        return kinds;
    return x->check == FV_CHECK_CADENCE && x->detail[0].integer[0] != y->detail[0].integer[0]
               ? x->detail[0].integer[0] < y->detail[0].integer[0] ? -1 : 1
               : 0;
}

static void sort(FvCheckEvent *event, int count)
{
    for (int i = 1; i < count; i++) { /* insertion sort: the events of each check are already in order of frames */
        const FvCheckEvent moved = event[i];
        int k = i;
        for (; k > 0 && compare_events(&event[k - 1], &moved) > 0; k--)
            event[k] = event[k - 1];
        event[k] = moved;
    }
}

void fv_check_events_make(FvCheckEventList *list, const FvCheckEventInput *input)
{
    const FvFormat *format = input->format;
    Clip clip = {.in = input,
                 .list = list,
                 .frames = input->frames,
                 .pixels = (int64_t)format->width * format->height,
                 .shift = format->depth - 8};
    const int before = list->count;
    const size_t frames = (size_t)input->frames;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        clip.samples += (int64_t)width * height;
    }
    uint8_t *flags = frames ? calloc(5, frames) : NULL;
    if (!flags) {
        list->failed |= frames > 0;
        return;
    }
    clip.black = flags;
    clip.flat = flags + frames;
    clip.held = flags + 2 * frames;
    clip.taken = flags + 3 * frames;
    clip.flag = flags + 4 * frames;
    if (has_metric(&clip, FV_OF_BLACK))
        judge_black(&clip, input->metric[FV_OF_BLACK].rule);
    if (input->metric[FV_OF_BLACK].asked) {
        add_black(&clip, input->metric[FV_OF_BLACK].rule);
        add_bars(&clip, input->metric[FV_OF_BLACK].rule);
    }
    if (has_metric(&clip, FV_OF_FREEZE)) {
        add_freezes(&clip, input->metric[FV_OF_FREEZE].rule);
        add_cadences(&clip);
        add_repeats(&clip, input->metric[FV_OF_FREEZE].rule);
    }
    if (has_metric(&clip, FV_OF_LEVELS) && format->range != FV_RANGE_FULL)
        add_illegal(&clip, input->metric[FV_OF_LEVELS].rule);
    if (has_metric(&clip, FV_OF_LIGHT) && fv_check_is_hdr(format))
        add_light(&clip);
    if (has_metric(&clip, FV_OF_FLASH) && format->width >= FV_CHECK_COLUMNS && format->height >= FV_CHECK_ROWS)
        add_flashes(&clip, input->metric[FV_OF_FLASH].rule);
    if (has_metric(&clip, FV_OF_SCAN))
        add_fields(&clip, input->metric[FV_OF_SCAN].rule);
    if (list->count > before)
        sort(list->event + before, list->count - before);
    free(flags);
}
