#include "table/details.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "table/lines.h"
#include "words.h"

#define NAME 44  /* width of the names of scores, in characters */
#define CELL 14  /* width of a number, with the blank before it */
#define WORST 3  /* number of worst frames listed for a score */
#define FOUND 28 /* width of a worst frame's value, time and number */

/* ---- Intervals and scenes -------------------------------------------------------------------------------------- */

/* Prints the time and the number of the frame with which a part begins. */
static void print_begin(FILE *file, const FvSession *session, const FvPart *part)
{
    char time[FV_WORD_SIZE];
    fv_word_moment(time, session, part->frame, 3);
    fprintf(file, "%-12s frame %-8" PRId64 "%8" PRId64, time, part->frame, part->count);
}

/* Returns the short name of an output, or its title if several outputs share the short name. */
static const char *brief_of(const FvSession *session, int output)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const char *title = fv_word_title(session, output);
    return title == meaning->title ? meaning->brief : title;
}

/* Prints a table of the parts, with `count` of the outputs as columns. */
static void print_part_block(FILE *file, const Style *style, const FvSession *session, FvPartKind kind,
                             const int *outputs, int count)
{
    FvPart part = {0};
    fprintf(file, "%s%-26s  frames", style->dim, "from");
    for (int i = 0; i < count; i++) {
        char name[FV_WORD_SIZE];
        line_cut(name, sizeof name, brief_of(session, outputs[i]), 16);
        fprintf(file, "  %*s%s", 14 - line_width(name) > 0 ? 14 - line_width(name) : 0, "", name);
    }
    fprintf(file, "%s\n", style->none);
    while (fv_session_next_part(session, kind, &part)) {
        print_begin(file, session, &part);
        for (int i = 0; i < count; i++) {
            char value[FV_WORD_SIZE];
            const double mean = fv_session_pool_part(session, outputs[i], FV_POOL_MEAN, &part);
            const int title = line_width(brief_of(session, outputs[i]));
            fv_word_value(value, fv_session_meaning(session, outputs[i]), mean, false);
            fprintf(file, "  %*s", title > 16 ? 16 : title > 14 ? title : 14, value);
        }
        putc('\n', file);
    }
}

void details_print_parts(FILE *file, const Style *style, const FvSession *session)
{
    static const char *const titles[] = {[FV_PARTS_INTERVALS] = "Intervals", [FV_PARTS_SCENES] = "Scenes"};
    int outputs[64], count = 0;
    for (int o = 0; o < fv_session_outputs(session) && count < 64; o++)
        if (fv_session_display(session, o) == FV_DISPLAY_FIRST && !fv_session_output(session, o)->sequence)
            outputs[count++] = o;
    for (int k = 0; k < 2; k++) {
        const int most = (style->columns - 34) / 18 > 1 ? (style->columns - 34) / 18 : 1;
        if (!fv_session_next_part(session, (FvPartKind)k, &(FvPart){0}))
            continue;
        fprintf(file, "\n%s%s, means%s\n", style->bold, titles[k], style->none);
        for (int from = 0; from < count; from += most)
            print_part_block(file, style, session, (FvPartKind)k, outputs + from,
                             count - from < most ? count - from : most);
    }
}

/* ---- Every score ----------------------------------------------------------------------------------------------- */

static void print_name(FILE *file, const FvSession *session, int output)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const char *name = fv_session_output(session, output)->name;
    const int brief = line_width(meaning->brief) > 16 ? line_width(meaning->brief) : 16, room = NAME - brief - 2;
    /* The name is cut at its end; the options there are the same for all parts of a metric. */
    const bool cut = line_width(name) > room;
    fprintf(file, "%-16s  %-*.*s%s", meaning->brief, cut ? room - 1 : room, cut ? room - 1 : room, name,
            cut ? "…" : "");
}

static void print_pool_block(FILE *file, const Style *style, const FvSession *session, const FvPool *pools, int count,
                             bool parts)
{
    fprintf(file, "\n%s%-*s", style->dim, NAME, parts ? "Parts of the metrics" : "Scores");
    for (int i = 0; i < count; i++)
        fprintf(file, "%*s", CELL, fv_pool_name(pools[i]));
    fprintf(file, "%s\n", style->none);
    for (int o = 0; o < fv_session_outputs(session); o++) {
        const bool sequence = fv_session_output(session, o)->sequence;
        if ((fv_session_display(session, o) == FV_DISPLAY_PART) != parts || (sequence && pools[0] != FV_POOL_MEAN))
            continue;
        print_name(file, session, o);
        if (sequence)
            fprintf(file, "%*.6f  of the clip", CELL, fv_session_value(session, 0, o) + 0.0);
        for (int i = 0; i < count && !sequence; i++) {
            const double value = fv_session_pool(session, o, pools[i]);
            if (value == value)
                fprintf(file, "%*.6f", CELL, value + 0.0);
            else
                fprintf(file, "%*s", CELL, "-");
        }
        putc('\n', file);
    }
}

/* Prints all pools, in blocks of columns that fit the width of the terminal. */
static void print_pools(FILE *file, const Style *style, const FvSession *session, const FvPool *pools, int count,
                        bool parts)
{
    const int most = style->columns < NAME + 2 * CELL ? 1 : (style->columns - NAME) / CELL;
    for (int from = 0; from < count; from += most)
        print_pool_block(file, style, session, pools + from, count - from < most ? count - from : most, parts);
}

static bool has_parts(const FvSession *session)
{
    for (int o = 0; o < fv_session_outputs(session); o++)
        if (fv_session_display(session, o) == FV_DISPLAY_PART)
            return true;
    return false;
}

/* Prints the worst frames by the first score of each metric; the metric's other scores usually agree with it. */
static void print_worst(FILE *file, const Style *style, const FvSession *session)
{
    const int room = (style->columns - 16) / FOUND, most = room < 1 ? 1 : room < WORST ? room : WORST;
    bool any = false;
    for (int o = 0; o < fv_session_outputs(session); o++) {
        int64_t worst[WORST];
        const FvMeaning *meaning = fv_session_meaning(session, o);
        const int count =
            fv_session_display(session, o) == FV_DISPLAY_FIRST && !fv_session_output(session, o)->sequence
                ? fv_session_worst(session, o, 1, worst, most)
                : 0;
        if (!count)
            continue;
        if (!any)
            fprintf(file, "\n%sWorst frames%s\n", style->bold, style->none);
        any = true;
        char name[FV_WORD_SIZE];
        line_cut(name, sizeof name, brief_of(session, o), 16);
        fprintf(file, "%-16s", name);
        for (int i = 0; i < count; i++) {
            char value[FV_WORD_SIZE], time[FV_WORD_SIZE];
            const int64_t number = fv_session_frame_number(session, worst[i]);
            fv_word_moment(time, session, number, 3);
            fv_word_value(value, meaning, fv_session_value(session, worst[i], o), false);
            fprintf(file, "  %7s %-11s %-*" PRId64, value, time, i + 1 < count ? 6 : 0, number);
        }
        putc('\n', file);
    }
}

static void print_sources(FILE *file, const Style *style, const FvSession *session)
{
    bool any = false;
    for (int o = 0; o < fv_session_outputs(session); o++) {
        const FvMeaning *meaning = fv_session_meaning(session, o);
        char text[1024], name[32];
        bool told = false; /* an earlier score has this meaning, and its source is printed: the scores of a frame and
                              of its fields share one */
        for (int before = 0; before < o; before++)
            told |= fv_session_meaning(session, before) == meaning &&
                    fv_session_display(session, before) == FV_DISPLAY_FIRST;
        if (told || fv_session_display(session, o) != FV_DISPLAY_FIRST || !meaning->grade_count)
            continue;
        if (!any)
            fprintf(file, "\n%sVerdicts%s\n", style->bold, style->none);
        any = true;
        size_t used = 0;
        for (int i = 0; i < meaning->grade_count; i++)
            if (!i)
                used += (size_t)snprintf(text, sizeof text, "%s below %g", meaning->grades[i].word,
                                         meaning->grades[1].from);
            else
                used += (size_t)snprintf(text + used, sizeof text - used, ", %s from %g", meaning->grades[i].word,
                                         meaning->grades[i].from);
        snprintf(text + used, sizeof text - used, " (%s)", meaning->source);
        snprintf(name, sizeof name, "%-16s  ", meaning->brief);
        line_wrap(file, &(Style){style->columns, "", "", "", ""}, 18, name, text);
    }
}

/* Prints the colour mappings that were measured between the two videos. */
static void print_fits(FILE *file, const Style *style, const FvSession *session)
{
    bool any = false;
    for (int i = 0; i < fv_session_events(session); i++) {
        const FvEvent *event = fv_session_event(session, i);
        if (!event->fit || !event->gain)
            continue;
        if (!any)
            fprintf(file, "\n%sMeasured on the pictures%s\n", style->bold, style->none);
        fprintf(file, "- %s: %d dB better\n", event->fit, event->gain);
        any = true;
    }
}

void details_print(FILE *file, const Style *style, const FvSession *session)
{
    static const FvPool pools[] = {FV_POOL_MEAN, FV_POOL_MIN, FV_POOL_MAX, FV_POOL_MEDIAN,       FV_POOL_STDDEV,
                                   FV_POOL_P1,   FV_POOL_P5,  FV_POOL_P10, FV_POOL_P25,          FV_POOL_P75,
                                   FV_POOL_P90,  FV_POOL_P95, FV_POOL_P99, FV_POOL_HARMONIC_MEAN};
    print_pools(file, style, session, pools, sizeof pools / sizeof *pools, false);
    if (has_parts(session))
        print_pools(file, style, session, pools, 4, true);
    print_worst(file, style, session);
    print_sources(file, style, session);
    if (fv_session_decisions(session))
        fprintf(file, "\n%sDecided%s\n", style->bold, style->none);
    for (int i = 0; i < fv_session_decisions(session); i++)
        line_wrap(file, style, 2, "- ", fv_session_decision(session, i));
    print_fits(file, style, session);
}
