#include "encodes/ladder_table.h"

#include <math.h>
#include <string.h>

#include "cli/style.h"
#include "table/lines.h"
#include "words.h"

#define COLUMNS 32 /* maximum number of scores in a table */
#define LABEL 10   /* width of the labels of the lines below the table */
#define CELL FV_WORD_SIZE

/* A column of scores: the mean of a score, or (`worst`) its worst part. */
typedef struct Column {
    const EncodeScore *score;
    bool worst;
    int width;
} Column;

static void cell_of(char text[CELL], const EncodeResult *result, const Column *column)
{
    const EncodeScore *score = result->scored ? ladder_find(result, column->score->name) : NULL;
    snprintf(text, CELL, "-");
    if (score && !(column->worst && score->sequence))
        fv_word_value(text, score->meaning, score->pool[column->worst ? fv_word_worst(score->better) : FV_POOL_MEAN],
                      false);
}

static const char *heading_of(const Column *column)
{
    const FvMeaning *meaning = column->score->meaning;
    return column->worst                 ? "worst 5 %"
           : column->score->named        ? column->score->name
           : strlen(meaning->title) > 12 ? meaning->brief
                                         : meaning->title;
}

/*
 * Lists the columns: the scores of all encodes that tables show, and after the first its worst part. Returns their
 * number.
 */
static int list_columns(const Ladder *ladder, Column columns[COLUMNS])
{
    int count = 0;
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->results[r].count; i++) {
            const EncodeScore *score = &ladder->results[r].scores[i];
            bool known = !score->first;
            for (int c = 0; c < count && !known; c++)
                known = !strcmp(columns[c].score->name, score->name);
            if (!known && count < COLUMNS - 1)
                columns[count++] = (Column){.score = score};
            if (count == 1 && !score->sequence)
                columns[count++] = (Column){.score = score, .worst = true};
        }
    for (int c = 0; c < count; c++) {
        columns[c].width = line_width(heading_of(&columns[c]));
        for (int r = 0; r < ladder->count; r++) {
            char text[CELL];
            cell_of(text, &ladder->results[r], &columns[c]);
            const int own = line_width(text);
            columns[c].width = own > columns[c].width ? own : columns[c].width;
        }
    }
    return count;
}

static void print_right(FILE *file, int width, const char *look, const char *text, const char *none)
{
    fprintf(file, "%*s%s%s%s", width - line_width(text), "", look, text, *look ? none : "");
}

/* Prints the bit rate; "" if it is unknown. */
static int rate_of(char text[CELL], const EncodeResult *result)
{
    *text = '\0';
    if (result->scored && !isnan(result->bit_rate))
        fv_word_bit_rate(text, result->bit_rate);
    return line_width(text);
}

/* The widths of the columns before the scores, in characters; 0: the column is left out. */
typedef struct Names {
    int number, name, codec, size, rate;
} Names;

static int behind(int width)
{
    return width ? width + 2 : 0;
}

static int width_of(const Names *names)
{
    return names->number + behind(names->name) + behind(names->codec) + behind(names->size) + behind(names->rate);
}

static Names names_of(const Ladder *ladder)
{
    Names names = {.number = snprintf(NULL, 0, "%d", ladder->count)};
    bool sizes_differ = false;
    for (int r = 0; r < ladder->count; r++) {
        const EncodeResult *result = &ladder->results[r];
        char size[32], rate[CELL];
        const int own[] = {line_width(ladder_name(ladder, result->path)), line_width(fv_word_codec(result->codec)),
                           ladder_size(size, sizeof size, result), rate_of(rate, result)};
        int *const width[] = {&names.name, &names.codec, &names.size, &names.rate};
        for (int i = 0; i < 4; i++)
            *width[i] = own[i] > *width[i] ? own[i] : *width[i];
        sizes_differ |= result->width &&
                        (result->width != ladder->results[0].width || result->height != ladder->results[0].height);
    }
    names.size = sizes_differ ? names.size : 0;
    return names;
}

#define LEAST_NAME 18 /* minimum width of an encode's name if all scores are in one part */
#define SHORT_NAME 24 /* minimum width of an encode's name if the table continues below */
#define PLACE_GAP 3   /* blanks before the encode's place in the decision */
#define WIDE 100      /* width of a terminal from which on the table has codecs and sizes */

/* Prints an encode's place in the decision, or without one its verdict's word. */
static void tell_place(char text[CELL], const Ladder *ladder, int r)
{
    const EncodeResult *result = &ladder->results[r];
    const LadderView *view = &ladder->view;
    const FvLadderPlace *place = fv_ladder_place(view->decision, r);
    const FvLadderPick *pick = fv_ladder_pick(view->decision);
    const bool counts = ladder_counts(result);
    snprintf(text, CELL, "%s",
             !result->scored               ? "not scored"
             : !counts && !result->partial ? "not comparable"
             : !place || !counts           ? *result->word ? result->word : "-"
             : pick->encode == r           ? pick->kind == FV_PICK_GATE ? "ship" : "best value"
             : place->dominated_by >= 0    ? ""
             : result->failed && ladder->gates.count && !result->passed[0]
                 ? view->score->better == FV_LOWER_IS_BETTER ? "above the gate" : "below the gate"
             : result->failed                                ? "fails a gate"
             : !place->on_hull && isfinite(result->bit_rate) ? "off the hull"
             : *result->word                                 ? result->word
                                                             : "-");
    if (!*text)
        snprintf(text, CELL, "dominated by %d", ladder_number(ladder, place->dominated_by));
}

/* Adds the costliest bad segment by the score that the verdict uses, if the line has room. */
static void tell_segment(char text[CELL], const EncodeResult *result, int room)
{
    const FvSegment *segment = result->verdict.segments;
    char more[CELL];
    if (!ladder_counts(result) || !result->verdict.segment_count || segment->output != result->verdict.output)
        return;
    snprintf(more, sizeof more, ", %s %.1f s", segment->word, segment->low_seconds);
    const size_t used = strlen(text);
    if (line_width(text) + line_width(more) <= room)
        snprintf(text + used, CELL - used, "%s", more);
}

/* Returns the width of the last column, with bad segments if the terminal is wide. */
static int width_of_place(const Ladder *ladder, int columns)
{
    int width = 0;
    for (int r = 0; r < ladder->count; r++) {
        char text[CELL];
        tell_place(text, ladder, r);
        tell_segment(text, &ladder->results[r], columns < WIDE ? 0 : CELL);
        const int own = line_width(text);
        width = ladder->results[r].scored && own > width ? own : width;
    }
    return PLACE_GAP + width;
}

/* A part of the table: some of the scores, and in the first part also the facts of the encodes. */
typedef struct Part {
    Names names;
    const Column *columns;
    int count;
    bool first;
} Part;

/*
 * Chooses as many of the columns as fit beside names of `least` characters, at least one, and gives the remaining
 * width to the names.
 */
static Part part_of(const Ladder *ladder, const Style *style, const Column *columns, int count, bool first, int least)
{
    Part part = {.names = names_of(ladder), .columns = columns, .first = first};
    const int own = part.names.name;
    if (!first || style->columns < WIDE)
        part.names.codec = part.names.size = 0;
    if (!first)
        part.names.rate = 0;
    part.names.name = least < own ? least : own;
    int room = style->columns - width_of(&part.names) - (first ? width_of_place(ladder, style->columns) : 0);
    for (; part.count < count && (!part.count || columns[part.count].width + 2 <= room); part.count++)
        room -= columns[part.count].width + 2;
    if (room > 0)
        part.names.name = part.names.name + room < own ? part.names.name + room : own;
    return part;
}

static void print_headings(FILE *file, const Style *style, const Part *part)
{
    if (part->names.rate)
        fprintf(file, "%*s%sbit rate%s", width_of(&part->names) - 8, "", style->dim, style->none);
    else
        fprintf(file, "%*s", width_of(&part->names), "");
    for (int c = 0; c < part->count; c++)
        print_right(file, part->columns[c].width + 2, style->dim, heading_of(&part->columns[c]), style->none);
    putc('\n', file);
}

static void print_rung(FILE *file, const Style *style, const Ladder *ladder, int r, const Part *part)
{
    const EncodeResult *result = &ladder->results[r];
    const Names *names = &part->names;
    char text[640];
    const int number = ladder_number(ladder, r);
    int column = width_of(names);
    fprintf(file, "%*d  ", names->number, number);
    line_cut(text, sizeof text, ladder_name(ladder, result->path), names->name);
    fprintf(file, "%s%*s", text, names->name - line_width(text), "");
    if (!result->scored) {
        fprintf(file, "  %s%s%s\n", style->alarm, "not scored", style->none);
        return;
    }
    if (names->codec)
        fprintf(file, "  %s%-*s%s", style->dim, names->codec, fv_word_codec(result->codec), style->none);
    if (names->size) {
        ladder_size(text, sizeof text, result);
        fprintf(file, "  %s%-*s%s", style->dim, names->size, text, style->none);
    }
    if (names->rate) {
        rate_of(text, result);
        print_right(file, names->rate + 2, "", text, "");
    }
    for (int c = 0; c < part->count; c++) {
        const Column *score = &part->columns[c];
        char cell[CELL];
        cell_of(cell, result, score);
        print_right(file, score->width + 2, score->worst ? "" : style->bold, cell, style->none);
        column += score->width + 2;
    }
    if (part->first) {
        tell_place(text, ladder, r);
        tell_segment(text, result, style->columns - column - PLACE_GAP);
        const bool picked = ladder->view.decision && fv_ladder_pick(ladder->view.decision)->encode == r;
        fprintf(file, "%*s%s%s%s", PLACE_GAP, "", picked ? style->bold : "", text, picked ? style->none : "");
    }
    putc('\n', file);
}

/*
 * Prints one part if all scores fit beside short names. Otherwise the scores that do not fit follow below, for the
 * scored encodes only.
 */
static void print_parts(FILE *file, const Style *style, const Ladder *ladder)
{
    Column columns[COLUMNS];
    const int count = list_columns(ladder, columns);
    Part part = part_of(ladder, style, columns, count, true, LEAST_NAME);
    if (part.count < count)
        part = part_of(ladder, style, columns, count, true, SHORT_NAME);
    for (int c = 0; c < count || !c; c += part.count) {
        if (c) {
            putc('\n', file);
            part = part_of(ladder, style, columns + c, count - c, false, SHORT_NAME);
        }
        print_headings(file, style, &part);
        for (int i = 0; i < ladder->count; i++)
            if (part.first || ladder->results[ladder->order[i]].scored)
                print_rung(file, style, ladder, ladder->order[i], &part);
        if (!count)
            return;
    }
}

static bool says(const EncodeResult *result, const char *text, bool error)
{
    bool has = error && !strcmp(result->error, text);
    for (int k = 0; k < result->warning_count && !error; k++)
        has |= !strcmp(result->warnings[k], text);
    return has;
}

/* Adds the numbers of the encodes from `first` to `last`, as far as `who` has room. */
static void add_numbers(char *who, size_t size, int first, int last)
{
    static const char more[] = ", ...";
    const size_t used = strlen(who);
    char numbers[40];
    if (used >= sizeof more && !strcmp(who + used - (sizeof more - 1), more))
        return;
    const int length = snprintf(numbers, sizeof numbers, last > first ? "%s%d%s%d" : "%s%d", used ? ", " : "", first,
                                last == first + 1 ? ", " : "-", last);
    if (used + (size_t)length + sizeof more <= size)
        snprintf(who + used, size - used, "%s", numbers);
    else
        snprintf(who + used, size - used, "%s", more);
}

bool ladder_says_first(const Ladder *ladder, int r, const char *text, char *who, size_t size)
{
    const bool error = text == ladder->results[r].error;
    int having = 0, scored = 0, first = -1;
    bool before = true; /* no encode before r has the text; true until the loop reaches r */
    *who = '\0';
    for (int i = 0; i <= ladder->count; i++) {
        const EncodeResult *result = i < ladder->count ? &ladder->results[ladder->order[i]] : NULL;
        const bool has = result && says(result, text, error);
        before &= result != &ladder->results[r];
        if (has && before)
            return false;
        if (has && first < 0)
            first = i;
        if (!has && first >= 0) {
            add_numbers(who, size, first + 1, i);
            first = -1;
        }
        having += has;
        scored += result && result->scored;
    }
    if (having == scored && !error)
        *who = '\0';
    return true;
}

/* Prints a line below the table; a blank line precedes the first. */
static void print_line(FILE *file, const Style *style, bool *any, const char *label, const char *text)
{
    if (!*any)
        putc('\n', file);
    *any = true;
    const int width = line_width(label);
    line_wrap(file, style, width > LABEL ? width : LABEL, label, text);
}

static void print_reasons(FILE *file, const Style *style, const Ladder *ladder, bool *any)
{
    for (int i = 0; i < ladder->count; i++) {
        const int r = ladder->order[i];
        const EncodeResult *result = &ladder->results[r];
        char who[64], first[96];
        if (!*result->error || !ladder_says_first(ladder, r, result->error, who, sizeof who))
            continue;
        snprintf(first, sizeof first, "%-*s%s ", LABEL,
                 !result->scored   ? "refused"
                 : result->partial ? "partial"
                                   : "error",
                 who);
        print_line(file, style, any, first, result->error);
    }
}

/* Prints a line for each gate, with the number of encodes that pass it. */
static void print_gates(FILE *file, const Style *style, const Ladder *ladder, bool *any)
{
    for (int g = 0; g < ladder->gates.count; g++) {
        const Gate *gate = &ladder->gates.gates[g];
        const EncodeScore *score = NULL;
        int passed = 0, scored = 0;
        char text[256];
        for (int r = 0; r < ladder->count; r++)
            if (ladder_counts(&ladder->results[r])) {
                score = score ? score : ladder_find(&ladder->results[r], gate->output);
                passed += ladder->results[r].passed[g];
                scored++;
            }
        if (!score)
            continue;
        snprintf(text, sizeof text, "%s%s%s, at %s %g%s%s: %d of %d pass",
                 score->named ? score->name : score->meaning->title, score->sequence ? "" : ", ",
                 score->sequence ? "" : fv_word_pool(gate->pool, score->better), gate->above ? "most" : "least",
                 gate->limit, score->meaning->unit ? " " : "", score->meaning->unit ? score->meaning->unit : "",
                 passed, scored);
        print_line(file, passed ? style : &(Style){style->columns, style->alarm, "", "", style->none}, any, "gate",
                   text);
    }
}

/*
 * Prints, for every group but the pick's, the cheapest encode that passes, with its bit rate relative to the pick's.
 */
static void print_others(FILE *file, const Style *style, const Ladder *ladder, bool *any)
{
    const FvLadder *decision = ladder->view.decision;
    const FvLadderPick *pick = fv_ladder_pick(decision);
    char text[2048] = "";
    for (int g = 0; pick->kind == FV_PICK_GATE && g < fv_ladder_groups(decision); g++) {
        const FvLadderGroup *group = fv_ladder_group(decision, g);
        const size_t used = strlen(text);
        if (g == fv_ladder_place(decision, pick->encode)->group)
            continue;
        if (group->cheapest < 0)
            snprintf(text + used, sizeof text - used, "%s%s: none passes", used ? "; " : "", group->name);
        else
            snprintf(text + used, sizeof text - used, "%s%s: %s, %.1f times the bits", used ? "; " : "", group->name,
                     ladder_name(ladder, ladder->results[group->cheapest].path),
                     ladder->results[group->cheapest].bit_rate / ladder->results[pick->encode].bit_rate);
    }
    if (*text)
        print_line(file, style, any, "others", text);
}

/* Prints the BD-rate of every group against the first. Out of memory, it omits the line. */
static void print_bd(FILE *file, const Style *style, const Ladder *ladder, bool *any)
{
    const FvLadder *decision = ladder->view.decision;
    const int groups = fv_ladder_groups(decision), whole = fv_ladder_pick(decision)->whole;
    char text[2048];
    size_t used;
    if (groups < 2) {
        bool rates = false;
        for (int r = 0; r < ladder->count; r++)
            rates |= ladder_counts(&ladder->results[r]) && ladder->results[r].bit_rate > 0;
        snprintf(text, sizeof text, "%d encodes of one group: none, for which two groups of four are needed", whole);
        if (rates && whole > 3)
            print_line(file, style, any, "BD-rate", text);
        return;
    }
    used = (size_t)snprintf(text, sizeof text, "against %s, by %s:", fv_ladder_group(decision, 0)->name,
                            ladder->view.score->meaning->title);
    for (int i = 0; i < groups - 1 && used < sizeof text; i++) { /* the first entries are against the first group */
        const FvBdResult *result = &ladder->bd[i].result;
        const char *name = fv_ladder_group(decision, ladder->bd[i].group)->name, *comma = i + 2 < groups ? ";" : "";
        if (result->refusal)
            used += (size_t)snprintf(text + used, sizeof text - used, " %s not compared: %s%s", name, result->reason,
                                     comma);
        else
            used += (size_t)snprintf(text + used, sizeof text - used, " %s %+.1f %% (%.0f %% overlap%s)%s", name,
                                     result->bd_rate, 100 * result->overlap,
                                     result->few_shared ? ", read it with care" : "", comma);
    }
    print_line(file, style, any, "BD-rate", text);
}

static void print_warnings(FILE *file, const Style *style, const Ladder *ladder)
{
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->results[r].warning_count; i++) {
            char who[64], first[96];
            const char *text = ladder->results[r].warnings[i];
            if (!ladder_says_first(ladder, r, text, who, sizeof who))
                continue;
            snprintf(first, sizeof first, *who ? "Warning (%s): " : "Warning: ", who);
            line_wrap(file, style, 9, first, text);
        }
}

/* Prints a summary: "48 pairs: 41 excellent, 5 good, 1 poor (NAME), 1 not scored". */
static void tell_pairs(char *text, size_t size, const Ladder *ladder)
{
    static const char *const levels[] = {"bad", "poor", "fair", "good", "excellent"};
    size_t used = (size_t)snprintf(text, size, "%d pairs", ladder->count);
    bool any = false;
    for (int kind = 6; kind >= 0; kind--) { /* identical, five levels, not scored */
        const char *what = kind == 6 ? "identical" : kind ? levels[kind - 1] : "not scored", *name = NULL;
        int count = 0;
        for (int r = 0; r < ladder->count; r++) {
            const EncodeResult *result = &ladder->results[r];
            const int own = !result->scored         ? 0
                            : result->identical     ? 6
                            : ladder_counts(result) ? result->verdict.level
                                                    : -1;
            count += own == kind && (kind || !result->scored);
            name = own == kind ? ladder_name(ladder, result->path) : name;
        }
        if (count && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%d %s", any ? ", " : ": ", count, what);
        if (count == 1 && kind && kind < 4 && used < size)
            used += (size_t)snprintf(text + used, size - used, " (%s)", name);
        any |= count > 0;
    }
    if (used < size)
        snprintf(text + used, size - used, ".");
}

/* Prints the pick, or a summary of the pairs; then the number of encodes and facts of the videos. */
static void print_head(FILE *file, const Style *style, const Ladder *ladder)
{
    const FvLadderPick *pick = fv_ladder_pick(ladder->view.decision);
    const Style plain = {style->columns, "", "", "", ""};
    char head[640], refused[64] = "";
    int scored = 0;
    for (int r = 0; r < ladder->count; r++)
        scored += ladder->results[r].scored;
    tell_pairs(head, sizeof head, ladder);
    const bool alarm = pick && ladder->gates.count && pick->kind == FV_PICK_NONE;
    fputs(alarm ? style->alarm : style->bold, file);
    line_wrap(file, &plain, 0, "", pick ? pick->sentence : head);
    fputs(style->none, file);
    if (pick && *pick->reason && pick->kind != FV_PICK_GATE && (pick->passing || !ladder->gates.count))
        line_wrap(file, &plain, 0, "", pick->reason);
    if (pick && pick->whole && !ladder->gates.count && (pick->kind == FV_PICK_VALUE || !*pick->reason)) {
        char example[256];
        if (ladder_example(ladder, example, sizeof example))
            snprintf(head, sizeof head, "Give a gate for a firm answer, for example %s.", example);
        line_wrap(file, &plain, 0, "", head);
    }
    if (scored < ladder->count)
        snprintf(refused, sizeof refused, ", %d not scored", ladder->count - scored);
    int before = snprintf(head, sizeof head, "%d %s%s", ladder->count, pick ? "encode" : "pair",
                          ladder->count == 1 ? "" : "s");
    const int room = style->columns - before - 4 - line_width(ladder->facts) - 3 - line_width(refused);
    if (ladder->reference && room >= 12) {
        char name[256];
        line_cut(name, sizeof name, ladder_name(ladder, ladder->reference), room);
        before += snprintf(head + before, sizeof head - (size_t)before, " of %s", name);
    }
    snprintf(head + before, sizeof head - (size_t)before, "%s", refused);
    const int gap = style->columns - line_width(head) - line_width(ladder->facts);
    fprintf(file, gap > 1 ? "%s%*s%s%s%s\n\n" : "%s\n%*s%s%s%s\n\n", head, gap > 1 ? gap : 0, "", style->dim,
            ladder->facts, style->none);
}

FvStatus ladder_print_table(FILE *file, const Ladder *ladder)
{
    const Style style = style_of_output();
    const Style wide = {style_table_columns(), style.bold, style.dim, style.alarm, style.none};
    print_head(file, &style, ladder);
    print_parts(file, &wide, ladder);
    bool any = false;
    print_gates(file, &style, ladder, &any);
    if (ladder->view.decision) {
        print_others(file, &style, ladder, &any);
        print_bd(file, &style, ladder, &any);
    }
    print_reasons(file, &style, ladder, &any);
    print_warnings(file, &style, ladder);
    for (int i = 0; i < ladder->count; i++)
        if (ladder->results[ladder->order[i]].details)
            fprintf(file, "\n%s", ladder->results[ladder->order[i]].details);
    return FV_OK;
}
