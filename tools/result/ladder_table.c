#include "result/ladder_table.h"

#include <math.h>
#include <string.h>

#include "cli/style.h"
#include "result/lines.h"
#include "words.h"

#define COLUMNS 32 /* scores of a table */
#define CELL FV_WORD_SIZE

/* A column after the names: the mean of a score, or its worst part. */
typedef struct Column {
    const RungScore *score;
    bool worst;
    int width;
} Column;

static void cell_of(char text[CELL], const Rung *rung, const Column *column)
{
    const RungScore *score = rung->scored ? ladder_find(rung, column->score->name) : NULL;
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

/* The scores that tables show, of all encodes; behind the first one the worst part of it. */
static int list_columns(const Ladder *ladder, Column columns[COLUMNS])
{
    int count = 0;
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->rungs[r].count; i++) {
            const RungScore *score = &ladder->rungs[r].scores[i];
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
            cell_of(text, &ladder->rungs[r], &columns[c]);
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

/* "" where it is not known. */
static int rate_of(char text[CELL], const Rung *rung)
{
    *text = '\0';
    if (rung->scored && !isnan(rung->bit_rate))
        fv_word_bit_rate(text, rung->bit_rate);
    return line_width(text);
}

/* What every row has in front of its scores: widths, 0 for what is left out. */
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
        const Rung *rung = &ladder->rungs[r];
        char size[32], rate[CELL];
        const int own[] = {line_width(ladder_name(ladder, rung->path)), line_width(fv_word_codec(rung->codec)),
                           ladder_size(size, sizeof size, rung), rate_of(rate, rung)};
        int *const width[] = {&names.name, &names.codec, &names.size, &names.rate};
        for (int i = 0; i < 4; i++)
            *width[i] = own[i] > *width[i] ? own[i] : *width[i];
        sizes_differ |=
            rung->width && (rung->width != ladder->rungs[0].width || rung->height != ladder->rungs[0].height);
    }
    names.size = sizes_differ ? names.size : 0;
    return names;
}

#define LEAST_NAME 12 /* characters of an encode's name where all scores stand side by side, */
#define SHORT_NAME 24 /* and where the table goes on below */
#define VERDICT_GAP 3 /* in front of the verdict */

static const char *verdict_of(const Rung *rung)
{
    return !rung->scored ? "" : *rung->verdict ? rung->verdict : "-";
}

static int width_of_verdict(const Ladder *ladder)
{
    int width = (int)strlen("verdict");
    for (int r = 0; r < ladder->count; r++) {
        const int own = line_width(verdict_of(&ladder->rungs[r]));
        width = own > width ? own : width;
    }
    return VERDICT_GAP + width;
}

/* A part of the table: some of the scores, and in the first part what is known of the encodes. */
typedef struct Part {
    Names names;
    const Column *columns;
    int count;
    bool first;
} Part;

/*
 * Takes as many of the columns as fit beside names of `least` characters, at least one, and leaves the rest of the
 * room to the names.
 */
static Part part_of(const Ladder *ladder, const Style *style, const Column *columns, int count, bool first, int least)
{
    Part part = {.names = names_of(ladder), .columns = columns, .first = first};
    const int own = part.names.name;
    if (!first)
        part.names.codec = part.names.size = part.names.rate = 0;
    part.names.name = least < own ? least : own;
    int room = style->columns - width_of(&part.names) - (first ? width_of_verdict(ladder) : 0);
    for (; part.count < count && (!part.count || columns[part.count].width + 2 <= room); part.count++)
        room -= columns[part.count].width + 2;
    if (room > 0)
        part.names.name = part.names.name + room < own ? part.names.name + room : own;
    return part;
}

static void print_head(FILE *file, const Style *style, const Part *part)
{
    fprintf(file, "%*s", width_of(&part->names), "");
    for (int c = 0; c < part->count; c++)
        print_right(file, part->columns[c].width + 2, style->dim, heading_of(&part->columns[c]), style->none);
    if (part->first)
        fprintf(file, "%*s%s%s%s", VERDICT_GAP, "", style->dim, "verdict", style->none);
    putc('\n', file);
}

static void print_rung(FILE *file, const Style *style, const Ladder *ladder, int r, const Part *part)
{
    const Rung *rung = &ladder->rungs[r];
    const Names *names = &part->names;
    char text[640];
    fprintf(file, "%*d  ", names->number, r + 1);
    line_cut(text, sizeof text, ladder_name(ladder, rung->path), names->name);
    fprintf(file, "%s%*s", text, names->name - line_width(text), "");
    if (!rung->scored) {
        fprintf(file, "  %s%s%s\n", style->alarm, "not scored", style->none);
        return;
    }
    if (names->codec)
        fprintf(file, "  %s%-*s%s", style->dim, names->codec, fv_word_codec(rung->codec), style->none);
    if (names->size) {
        ladder_size(text, sizeof text, rung);
        fprintf(file, "  %s%-*s%s", style->dim, names->size, text, style->none);
    }
    if (names->rate) {
        rate_of(text, rung);
        print_right(file, names->rate + 2, "", text, "");
    }
    for (int c = 0; c < part->count; c++) {
        const Column *column = &part->columns[c];
        char cell[CELL];
        cell_of(cell, rung, column);
        print_right(file, column->width + 2, column->worst ? "" : style->bold, cell, style->none);
    }
    if (part->first)
        fprintf(file, "%*s%s%s%s", VERDICT_GAP, "", style->bold, verdict_of(rung), style->none);
    putc('\n', file);
}

/* In one part if all scores fit beside short names, else the ones that do not fit below, for the scored encodes. */
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
        print_head(file, style, &part);
        for (int r = 0; r < ladder->count; r++)
            if (part.first || ladder->rungs[r].scored)
                print_rung(file, style, ladder, r, &part);
        if (!count)
            return;
    }
}

static bool says(const Rung *rung, const char *text, bool error)
{
    bool has = error && !strcmp(rung->error, text);
    for (int k = 0; k < rung->warning_count && !error; k++)
        has |= !strcmp(rung->warnings[k], text);
    return has;
}

/* Encodes from `first` to `last`, as far as there is room. */
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
    const bool error = text == ladder->rungs[r].error;
    int having = 0, scored = 0, first = -1;
    *who = '\0';
    for (int i = 0; i <= ladder->count; i++) {
        const bool has = i < ladder->count && says(&ladder->rungs[i], text, error);
        if (has && i < r)
            return false;
        if (has && first < 0)
            first = i;
        if (!has && first >= 0) {
            add_numbers(who, size, first + 1, i);
            first = -1;
        }
        having += has;
        scored += i < ladder->count && ladder->rungs[i].scored;
    }
    if (having == scored && !error)
        *who = '\0';
    return true;
}

static void print_reasons(FILE *file, const Style *style, const Ladder *ladder)
{
    bool any = false;
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        char who[64], first[96];
        if (!*rung->error || !ladder_says_first(ladder, r, rung->error, who, sizeof who))
            continue;
        if (!any)
            putc('\n', file);
        any = true;
        snprintf(first, sizeof first, "%s %s ", !rung->scored ? "refused" : rung->partial ? "partial" : "error", who);
        line_wrap(file, style, (int)strlen(first), first, rung->error);
    }
}

static void print_gates(FILE *file, const Style *style, const Ladder *ladder)
{
    bool any = false;
    for (int failed = 1; failed >= 0; failed--)
        for (int r = 0; r < ladder->count; r++)
            for (int i = 0; i < ladder->rungs[r].gate_count; i++) {
                if ((i < ladder->rungs[r].failed) != failed)
                    continue;
                if (!any)
                    putc('\n', file);
                any = true;
                fprintf(file, "%s%s%s   %d  %s\n", failed ? style->alarm : style->bold, failed ? "failed" : "passed",
                        style->none, r + 1, ladder->rungs[r].gates[i]);
            }
}

static void print_warnings(FILE *file, const Style *style, const Ladder *ladder)
{
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->rungs[r].warning_count; i++) {
            char who[64], first[96];
            const char *text = ladder->rungs[r].warnings[i];
            if (!ladder_says_first(ladder, r, text, who, sizeof who))
                continue;
            snprintf(first, sizeof first, *who ? "Warning (%s): " : "Warning: ", who);
            line_wrap(file, style, 9, first, text);
        }
}

void ladder_print_table(FILE *file, const Ladder *ladder)
{
    const Style style = style_of_output();
    char head[640];
    const int before = snprintf(head, sizeof head, "%d encode%s", ladder->count, ladder->count == 1 ? "" : "s");
    const int room = style.columns - before - 4 - line_width(ladder->facts) - 3;
    if (ladder->reference && room >= 12) {
        char name[256];
        line_cut(name, sizeof name, ladder_name(ladder, ladder->reference), room);
        snprintf(head + before, sizeof head - (size_t)before, " of %s", name);
    }
    fprintf(file, "%s%*s%s%s%s\n\n", head, style.columns - line_width(head) - line_width(ladder->facts), "",
            style.dim, ladder->facts, style.none);
    print_parts(file, &style, ladder);
    print_reasons(file, &style, ladder);
    print_gates(file, &style, ladder);
    print_warnings(file, &style, ladder);
    for (int r = 0; r < ladder->count; r++)
        if (ladder->rungs[r].details)
            fprintf(file, "\n%s", ladder->rungs[r].details);
}
