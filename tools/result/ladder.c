#include "result/ladder.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "cli/style.h"
#include "json.h"
#include "result/lines.h"
#include "result/pick.h"
#include "result/print.h"
#include "result/table.h"
#include "words.h"

#define COLUMNS 32 /* scores of a table */
#define CELL FV_WORD_SIZE

static const char *base_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

const char *ladder_name(const Ladder *ladder, const char *path)
{
    const char *base = base_of(path);
    int equal = 0;
    for (int r = 0; r < ladder->count; r++)
        equal += !strcmp(base_of(ladder->rungs[r].path), base);
    return equal > 1 ? path : base;
}

/* ---- Taking ---------------------------------------------------------------------------------------------------- */

static bool add_sentence(char ***list, int *count, const char *text)
{
    char **grown = realloc(*list, (size_t)(*count + 1) * sizeof *grown), *copy = strdup(text);
    if (grown)
        *list = grown;
    if (grown && copy)
        grown[(*count)++] = copy;
    else
        free(copy);
    return grown && copy;
}

static bool take_sentences(Rung *rung, const FvSession *session, const Gates *gates)
{
    static const char mark[] = "warning: ";
    char text[320];
    bool good = true;
    for (int passed = 0; passed < 2; passed++)
        for (int i = 0; i < gates->count; i++)
            if (gate_describe(&gates->gates[i], session, text, sizeof text) == passed) {
                good &= add_sentence(&rung->gates, &rung->gate_count, text);
                rung->failed += !passed;
            }
    for (int i = 0; i < fv_session_decisions(session); i++)
        if (!strncmp(fv_session_decision(session, i), mark, sizeof mark - 1))
            good &= add_sentence(&rung->warnings, &rung->warning_count,
                                 fv_session_decision(session, i) + sizeof mark - 1);
    return good;
}

static RungScore score_of(const FvSession *session, int output)
{
    const FvOutputInfo *info = fv_session_output(session, output);
    RungScore score = {.meaning = fv_session_meaning(session, output),
                       .better = info->better,
                       .first = fv_session_shown(session, output) == FV_SHOWN_FIRST,
                       .sequence = info->sequence};
    score.named = fv_word_title(session, output) != score.meaning->title;
    snprintf(score.name, sizeof score.name, "%s", info->name);
    for (int pool = 0; pool < FV_POOL_COUNT; pool++)
        score.pool[pool] = score.sequence && pool != FV_POOL_MEAN ? NAN : pick_value(session, output, (FvPool)pool);
    return score;
}

/* The time of frame 0; NaN: it is not known, or the times of frames do not follow from their rate. */
static double start_of(const FvSession *session, double rate)
{
    const double start = fv_session_time(session, 0);
    for (int64_t i = 0; i < fv_session_frames(session); i++) {
        const int64_t number = fv_session_frame_number(session, i);
        if (!(fabs(fv_session_time(session, number) - start - (double)number / rate) < 1e-6))
            return NAN;
    }
    return start;
}

static void take_video(Ladder *ladder, Rung *rung, const FvSession *session)
{
    FvSourceInfo info;
    if (fv_session_input(session, FV_DISTORTED, &info)) {
        snprintf(rung->codec, sizeof rung->codec, "%s", info.codec ? info.codec : "");
        rung->width = info.format.width;
        rung->height = info.format.height;
    }
    const FvFormat *scored = fv_session_format(session, FV_DISTORTED);
    if (*ladder->facts || rung->reference)
        return;
    const double rate = ladder->rate = scored->rate_den ? (double)scored->rate_num / scored->rate_den : 0;
    ladder->start = start_of(session, rate);
    size_t used = (size_t)snprintf(ladder->facts, sizeof ladder->facts, "%dx%d, ", scored->width, scored->height);
    if (rate > 0)
        used += (size_t)snprintf(ladder->facts + used, sizeof ladder->facts - used, "%.5g fps, ", rate);
    table_tell_length(ladder->facts + used, sizeof ladder->facts - used, session);
}

static FvStatus take_curves(Rung *rung, const FvSession *session)
{
    bool good = (rung->number = calloc((size_t)rung->frames, sizeof *rung->number));
    for (int64_t i = 0; i < rung->frames && good; i++)
        rung->number[i] = fv_session_frame_number(session, i);
    for (int k = 0; k < rung->count && good; k++) {
        RungScore *score = &rung->scores[k];
        if (!score->first || score->sequence)
            continue;
        good = (score->curve = calloc((size_t)rung->frames, sizeof *score->curve));
        for (int o = 0; o < fv_session_outputs(session) && good; o++)
            for (int64_t i = 0; i < rung->frames && !strcmp(fv_session_output(session, o)->name, score->name); i++)
                score->curve[i] = fv_session_value(session, i, o);
    }
    return good ? FV_OK : complain(FV_ERROR_MEMORY, "out of memory for the curves of %s", rung->path);
}

FvStatus ladder_take(Ladder *ladder, Rung *rung, const FvSession *session, const Gates *gates)
{
    const int headline = fv_session_headline(session), outputs = fv_session_outputs(session);
    FvVerdict verdict = {.level = 0};
    rung->frames = fv_session_frames(session);
    rung->bit_rate = fv_session_bit_rate(session, FV_DISTORTED);
    if (!rung->frames)
        return FV_OK;
    take_video(ladder, rung, session);
    rung->partial = fv_session_partial(session);
    rung->identical = !rung->partial && fv_session_identical(session);
    if (headline >= 0)
        fv_session_verdict(session, headline, fv_session_pool(session, headline, FV_POOL_MEAN), &verdict);
    snprintf(rung->verdict, sizeof rung->verdict, "%s",
             rung->partial     ? "partial"
             : rung->identical ? "identical"
                               : verdict.word);
    rung->scores = calloc((size_t)outputs + 1, sizeof *rung->scores);
    if (!rung->scores || !take_sentences(rung, session, gates))
        return complain(FV_ERROR_MEMORY, "out of memory for the scores of %s", rung->path);
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < outputs && rung->count < outputs; o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i))
                rung->scores[rung->count++] = score_of(session, o);
    rung->scored = true;
    return ladder->curves ? take_curves(rung, session) : FV_OK;
}

void ladder_free(Ladder *ladder)
{
    for (int i = 0; i < ladder->count; i++) {
        Rung *rung = &ladder->rungs[i];
        for (int k = 0; k < rung->gate_count; k++)
            free(rung->gates[k]);
        for (int k = 0; k < rung->warning_count; k++)
            free(rung->warnings[k]);
        for (int k = 0; k < rung->count; k++)
            free(rung->scores[k].curve);
        for (int k = 0; k < LADDER_MOMENTS; k++)
            free(rung->pictures[k].png);
        free(rung->number);
        free(rung->gates);
        free(rung->warnings);
        free(rung->scores);
    }
    for (int k = 0; k < LADDER_MOMENTS; k++)
        free(ladder->pictures[k].png);
    free(ladder->rungs);
    *ladder = (Ladder){0};
}

const RungScore *ladder_find(const Rung *rung, const char *name)
{
    for (int i = 0; i < rung->count; i++)
        if (!strcmp(rung->scores[i].name, name))
            return &rung->scores[i];
    return NULL;
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

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

static int size_of(char *text, size_t size, const Rung *rung)
{
    return rung->width ? snprintf(text, size, "%dx%d", rung->width, rung->height) : (*text = '\0', 0);
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
        const int own[] = {line_width(ladder_name(ladder, rung->path)), line_width(rung->codec),
                           size_of(size, sizeof size, rung), rate_of(rate, rung)};
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
        fprintf(file, "  %s%-*s%s", style->dim, names->codec, rung->codec, style->none);
    if (names->size) {
        size_of(text, sizeof text, rung);
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

bool ladder_says_first(const Ladder *ladder, int r, const char *text, char *who, size_t size)
{
    const bool error = text == ladder->rungs[r].error;
    int having = 0, scored = 0;
    *who = '\0';
    for (int i = 0; i < ladder->count; i++) {
        const Rung *rung = &ladder->rungs[i];
        bool has = error && !strcmp(rung->error, text);
        for (int k = 0; k < rung->warning_count && !error; k++)
            has |= !strcmp(rung->warnings[k], text);
        if (has && i < r)
            return false;
        const size_t used = strlen(who);
        if (has && used < size)
            snprintf(who + used, size - used, "%s%d", having ? ", " : "", i + 1);
        having += has;
        scored += rung->scored;
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
        snprintf(first, sizeof first, "%s %s ", rung->scored ? "partial" : "refused", who);
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
}

/* ---- For programs ---------------------------------------------------------------------------------------------- */

void ladder_print_picks(FILE *file, const Ladder *ladder, const ArgList *picks)
{
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        if (!rung->scored || rung->partial)
            continue;
        for (int i = 0; i < picks->count; i++) {
            char name[96];
            FvPool pool;
            const RungScore *score =
                print_parse(picks->items[i], name, sizeof name, &pool) ? NULL : ladder_find(rung, name);
            const double value = score ? score->pool[pool] : NAN;
            if (isnan(value))
                fputs("nan\t", file);
            else
                fprintf(file, "%.17g\t", value);
        }
        char path[4352]; /* without the ends of lines that it may have */
        fprintf(file, "%s\n", line_cut(path, sizeof path, rung->path, 4096));
    }
}

static void write_scores(FvJson *json, const Rung *rung)
{
    fv_json_open(json, "scores", '{');
    for (int i = 0; i < rung->count; i++) {
        const RungScore *score = &rung->scores[i];
        fv_json_open_line(json, score->name, '{');
        for (int pool = 0; pool < FV_POOL_COUNT && (!score->sequence || pool == FV_POOL_MEAN); pool++)
            fv_json_real(json, fv_pool_name((FvPool)pool), score->pool[pool]);
        fv_json_close(json);
    }
    fv_json_close(json);
}

void ladder_write_json(FILE *file, const Ladder *ladder)
{
    FvJson json = {.file = file};
    fv_json_open(&json, NULL, '{');
    fv_json_text(&json, "reference", ladder->reference);
    fv_json_open(&json, "encodes", '[');
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        fv_json_open(&json, NULL, '{');
        fv_json_text(&json, "path", rung->path);
        if (rung->reference)
            fv_json_text(&json, "reference", rung->reference);
        fv_json_int(&json, "status", rung->status);
        if (*rung->error)
            fv_json_text(&json, "error", rung->error);
        if (rung->scored) {
            fv_json_text(&json, "codec", rung->codec);
            fv_json_int(&json, "width", rung->width);
            fv_json_int(&json, "height", rung->height);
            fv_json_int(&json, "frames", rung->frames);
            if (isnan(rung->bit_rate))
                fv_json_null(&json, "bit_rate");
            else
                fv_json_real(&json, "bit_rate", rung->bit_rate);
            fv_json_bool(&json, "partial", rung->partial);
            write_scores(&json, rung);
        }
        fv_json_close(&json);
    }
    fv_json_close(&json);
    fv_json_close(&json);
    putc('\n', file);
}

/* In quotation marks where it needs them. */
static void write_word(FILE *file, const char *word)
{
    const bool plain = !word[strcspn(word, ",\"\n\r")];
    if (!plain)
        putc('"', file);
    for (; *word; word++) {
        if (*word == '"')
            putc('"', file);
        putc(*word, file);
    }
    if (!plain)
        putc('"', file);
}

/* Every score that some encode has: the first that has it, in its order. */
static const RungScore *next_score(const Ladder *ladder, int *r, int *i)
{
    for (; *r < ladder->count; ++*r, *i = 0)
        while (*i < ladder->rungs[*r].count) {
            const RungScore *score = &ladder->rungs[*r].scores[(*i)++];
            bool known = false;
            for (int before = 0; before < *r && !known; before++)
                known = ladder_find(&ladder->rungs[before], score->name);
            if (!known)
                return score;
        }
    return NULL;
}

void ladder_write_csv(FILE *file, const Ladder *ladder)
{
    const RungScore *score;
    fputs("encode,status,codec,resolution,frames,bit_rate", file);
    for (int r = 0, i = 0; (score = next_score(ladder, &r, &i));) {
        putc(',', file);
        write_word(file, score->name);
    }
    putc('\n', file);
    for (int row = 0; row < ladder->count; row++) {
        const Rung *rung = &ladder->rungs[row];
        char size[32] = "";
        write_word(file, rung->path);
        size_of(size, sizeof size, rung);
        fprintf(file, ",%d,%s,%s,%" PRId64 ",", rung->status, rung->codec, size, rung->frames);
        if (rung->scored && !isnan(rung->bit_rate))
            fprintf(file, "%.17g", rung->bit_rate);
        for (int r = 0, i = 0; (score = next_score(ladder, &r, &i));) {
            const RungScore *own = ladder_find(rung, score->name);
            putc(',', file);
            if (own)
                fprintf(file, isnan(own->pool[FV_POOL_MEAN]) ? "nan" : "%.17g", own->pool[FV_POOL_MEAN]);
        }
        putc('\n', file);
    }
}
