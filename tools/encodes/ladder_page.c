#include "encodes/ladder_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "meaning_json.h"
#include "order.h"
#include "page/html.h"
#include "remedy.h"
#include "report/command_line.h"
#include "words.h"

#define VIEWS 9   /* maximum number of pooled scores on the page */
#define SCORES 4  /* maximum number of scores whose pooled values the page shows */
#define GROUPS 8  /* maximum number of groups whose BD-rates the page shows */
#define COLUMNS 3 /* maximum number of pooled scores in the table */

/* ---- Moments --------------------------------------------------------------------------------------------------- */

static const double *curve_of(const EncodeResult *result, const char *name)
{
    const EncodeScore *score = result->scored ? ladder_find(result, name) : NULL;
    return score ? score->curve : NULL;
}

/* Returns the worst frame of the costliest bad segment, or without such a segment the worst frame; -1: none. */
static int64_t worst_frame(const LadderView *view, const EncodeResult *result)
{
    const FvClipVerdict *verdict = &result->verdict;
    const double *curve = result->scored ? curve_of(result, view->score->name) : NULL;
    int64_t worst = -1;
    if (result->scored && verdict->segment_count && verdict->segments[0].output == verdict->output)
        return verdict->segments[0].worst_frame;
    for (int64_t i = 0; curve && i < result->frames; i++)
        if (!isnan(curve[i]) && (worst < 0 || (view->score->better == FV_LOWER_IS_BETTER ? curve[i] > curve[worst]
                                                                                         : curve[i] < curve[worst])))
            worst = i;
    return worst < 0 ? -1 : result->number[worst];
}

static void add_encode(const Ladder *ladder, int *list, int *count, int r)
{
    bool known = r < 0 || *count == LADDER_PICTURED || !ladder->results[r].scored;
    for (int i = 0; i < *count && !known; i++)
        known = list[i] == r;
    if (!known)
        list[(*count)++] = r;
}

int ladder_pictured(const Ladder *ladder, int list[LADDER_PICTURED])
{
    const FvLadder *decision = ladder->view.decision;
    const FvLadderPick *pick = fv_ladder_pick(decision);
    int count = 0, at = 0;
    if (!pick)
        return 0;
    add_encode(ladder, list, &count, pick->encode);
    add_encode(ladder, list, &count, pick->encode < 0 ? pick->best : -1);
    for (int g = 0; g < fv_ladder_groups(decision); g++)
        add_encode(ladder, list, &count, fv_ladder_group(decision, g)->cheapest);
    add_encode(ladder, list, &count, pick->below);
    add_encode(ladder, list, &count, pick->more);
    for (int i = 0; i < ladder->count && count; i++)
        at = ladder->order[i] == list[0] ? i : at;
    for (int apart = 1; apart < ladder->count; apart++)
        for (int side = -1; side < 2; side += 2)
            if (at + side * apart >= 0 && at + side * apart < ladder->count)
                add_encode(ladder, list, &count, ladder->order[at + side * apart]);
    return count;
}

void ladder_choose_moments(Ladder *ladder)
{
    int list[LADDER_PICTURED];
    const int count = ladder_pictured(ladder, list);
    for (int i = 0; i < count && ladder->moment_count < LADDER_MOMENTS; i++) {
        const EncodeResult *result = &ladder->results[list[i]];
        const int64_t number = worst_frame(&ladder->view, result), apart = result->frames / (4 * LADDER_MOMENTS);
        bool near = number < 0;
        for (int m = 0; m < ladder->moment_count; m++)
            near |= llabs(ladder->moments[m] - number) < (apart < 1 ? 1 : apart > 12 ? 12 : apart);
        if (near)
            continue;
        ladder->moment_of[ladder->moment_count] = list[i];
        ladder->moments[ladder->moment_count++] = number;
    }
}

/* ---- The data of the page -------------------------------------------------------------------------------------- */

static const char *title_of(const EncodeScore *score)
{
    return score->named ? score->name : score->meaning->title;
}

static void write_index(FvJson *json, const char *key, int index)
{
    if (index < 0)
        fv_json_null(json, key);
    else
        fv_json_int(json, key, index);
}

/*
 * Writes a decision that holds for a range of limits. `from`: the strictest limit of the range; NULL: the decision
 * has no gate.
 */
static void write_step(FvJson *json, const char *key, const FvLadder *decision, const double *from)
{
    const FvLadderPick *pick = fv_ladder_pick(decision);
    fv_json_open_line(json, key, '{');
    if (from)
        fv_json_real(json, "from", *from);
    write_index(json, "pick", pick->encode);
    write_index(json, "best", pick->best);
    write_index(json, "below", pick->below);
    write_index(json, "more", pick->more);
    if (!from)
        fv_json_text(json, "reason", pick->reason);
    fv_json_open(json, "cheapest", '[');
    for (int g = 0; g < fv_ladder_groups(decision); g++)
        write_index(json, NULL, fv_ladder_group(decision, g)->cheapest);
    fv_json_close(json);
    fv_json_close(json);
}

/*
 * Writes the decisions for every limit that some encode just reaches, the loosest first, and for a limit that none
 * reaches.
 */
static bool write_steps(FvJson *json, const Ladder *ladder, const LadderView *view)
{
    const bool lower = view->score->better == FV_LOWER_IS_BETTER;
    double *values = calloc((size_t)ladder->count + 1, sizeof *values);
    int count = 0;
    bool good = values;
    if (!good)
        report_error(FV_ERROR_MEMORY, "out of memory for the page");
    for (int r = 0; r < ladder->count && good; r++)
        if (ladder_counts(&ladder->results[r]) && !isnan(ladder_value(view, &ladder->results[r])))
            values[count++] = ladder_value(view, &ladder->results[r]);
    if (good)
        qsort(values, (size_t)count, sizeof *values, fv_compare_reals);
    fv_json_open(json, "steps", '[');
    for (int i = 0; i <= count && good; i++) {
        LadderView step = *view;
        const double limit = i == count ? (lower ? -INFINITY : INFINITY) : values[lower ? count - 1 - i : i];
        if (i && i < count && limit == values[lower ? count - i : i - 1])
            continue;
        good = !ladder_decide(&step, ladder, true, limit);
        if (good)
            write_step(json, NULL, step.decision, &limit);
        fv_ladder_close(&step.decision);
    }
    fv_json_close(json);
    free(values);
    return good;
}

static bool write_view(FvJson *json, const Ladder *ladder, const LadderView *view)
{
    const EncodeScore *score = view->score;
    const bool lower = score->better == FV_LOWER_IS_BETTER;
    LadderView free_view = *view;
    char option[160];
    if (ladder_decide(&free_view, ladder, false, 0))
        return false;
    fv_json_open(json, NULL, '{');
    fv_json_open_line(json, "score", '{');
    fv_json_text(json, "name", score->name);
    fv_meaning_json(json, score->meaning);
    fv_json_close(json);
    fv_json_text(json, "pool", score->sequence ? "" : fv_word_pool(view->pool, score->better));
    fv_json_text(json, "poolname", fv_pool_name(view->pool));
    snprintf(option, sizeof option, view->pool == FV_POOL_MEAN ? "%s=" : "%s=:%s", score->name,
             fv_pool_name(view->pool));
    fv_json_text(json, "option", option);
    fv_json_bool(json, "lower", lower);
    fv_json_open_line(json, "values", '[');
    for (int r = 0; r < ladder->count; r++)
        fv_json_number(json, NULL, ladder_value(view, &ladder->results[r]));
    fv_json_close(json);
    fv_json_open_line(json, "hull", '[');
    for (int r = 0; r < ladder->count; r++)
        fv_json_bool(json, NULL, fv_ladder_place(free_view.decision, r)->on_hull);
    fv_json_close(json);
    fv_json_open_line(json, "dominated", '[');
    for (int r = 0; r < ladder->count; r++)
        write_index(json, NULL, fv_ladder_place(free_view.decision, r)->dominated_by);
    fv_json_close(json);
    write_step(json, "free", free_view.decision, NULL);
    fv_ladder_close(&free_view.decision);
    const bool good = write_steps(json, ladder, view);
    fv_json_close(json);
    return good;
}

/* Returns the index of a view in the list, to which it adds the view if it is new; -1: the list is full. */
static int add_view(LadderView *views, int *count, const EncodeScore *score, FvPool pool)
{
    int v = 0;
    while (v < *count && (strcmp(views[v].score->name, score->name) != 0 || views[v].pool != pool))
        v++;
    if (v == VIEWS)
        return -1;
    if (v == *count)
        views[(*count)++] = (LadderView){.score = score, .pool = pool};
    return v;
}

/*
 * Lists the views of the page: the decision's own, then means and worst parts of scores that judge quality, the
 * decision's score first. Returns their number. Fills `columns` with the indices of the views that the table shows,
 * then -1.
 */
static int list_views(const Ladder *ladder, LadderView *views, int columns[COLUMNS])
{
    const EncodeScore *scores[SCORES] = {ladder->view.score};
    int score_count = 1, count = 0, shown = 0;
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->results[r].count; i++) {
            const EncodeScore *score = &ladder->results[r].scores[i];
            bool known = !score->first || score->better == FV_NEITHER_IS_BETTER || score_count == SCORES;
            for (int s = 0; s < score_count && !known; s++)
                known = !strcmp(scores[s]->name, score->name);
            if (!known)
                scores[score_count++] = score;
        }
    views[count++] = ladder->view;
    for (int s = 0; s < score_count; s++)
        for (int part = 0; part < (scores[s]->sequence ? 1 : 2); part++) {
            const int view =
                add_view(views, &count, scores[s], part ? fv_word_worst(scores[s]->better) : FV_POOL_MEAN);
            if (view >= 0 && shown < COLUMNS)
                columns[shown++] = view;
        }
    for (; shown < COLUMNS; shown++)
        columns[shown] = -1;
    return count;
}

/* Writes the place of a segment: "0:02.00 to 0:03.40", or frame numbers if the frames have no times. */
static void write_place(FvJson *json, const EncodeResult *result, const FvSegment *segment)
{
    char text[2 * FV_WORD_SIZE + 16], start[FV_WORD_SIZE], end[FV_WORD_SIZE];
    if (result->timed)
        snprintf(text, sizeof text, "%s to %s", fv_word_time(start, segment->start, 2),
                 fv_word_time(end, segment->end, 2));
    else
        snprintf(text, sizeof text, "frames %" PRId64 " to %" PRId64, segment->first, segment->last);
    fv_json_text(json, "place", text);
}

static void write_segments(FvJson *json, const EncodeResult *result)
{
    fv_json_open(json, "segments", '[');
    for (int s = 0; s < result->verdict.segment_count; s++) {
        const FvSegment *segment = &result->verdict.segments[s];
        const EncodeScore *score = ladder_find(result, result->output_name[segment->output]);
        char text[512], mean[FV_WORD_SIZE], worst[FV_WORD_SIZE];
        bool fault;
        if (segment->output != result->verdict.output || !score)
            continue;
        snprintf(text, sizeof text, "%s %s, worst %s in frame %" PRId64 "%s%s", title_of(score),
                 fv_word_value(mean, score->meaning, segment->mean, true),
                 fv_word_value(worst, score->meaning, segment->worst, true), segment->worst_frame,
                 segment->cause ? "; " : "", segment->cause ? fv_word_cause(segment->cause, &fault) : "");
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "word", segment->word);
        write_place(json, result, segment);
        fv_json_text(json, "text", text);
        fv_json_close(json);
    }
    fv_json_close(json);
}

/* Sets *word and *length to the next word of a file name without its ending, from *at on. false: there is none. */
static bool next_word(const char **at, const char **word, size_t *length)
{
    const char *dot = strrchr(*at, '.'), *end = dot ? dot : *at + strlen(*at);
    *word = *at;
    *length = strcspn(*at, "_-. ");
    if (*word + *length > end)
        *length = (size_t)(end - *word);
    *at = *word + *length < end ? *word + *length + 1 : end;
    return *word < end;
}

/* Returns whether the names of all encodes of r's group have this word. */
static bool is_shared(const Ladder *ladder, int r, const char *word, size_t length)
{
    const FvLadderPlace *own = fv_ladder_place(ladder->view.decision, r);
    for (int i = 0; i < ladder->count; i++) {
        const FvLadderPlace *place = fv_ladder_place(ladder->view.decision, i);
        const char *at = ladder_name(ladder, ladder->results[i].path), *other;
        size_t size;
        bool has = own && place && own->group != place->group;
        while (!has && next_word(&at, &other, &size))
            has = size == length && !strncmp(other, word, length);
        if (!has)
            return false;
    }
    return ladder->count > 1;
}

/*
 * Writes the label of an encode in the chart: the words of its name that have a digit and that not all names of its
 * group have.
 */
static void write_short(FvJson *json, const Ladder *ladder, int r)
{
    char text[24] = "";
    size_t used = 0, length;
    const char *name = ladder_name(ladder, ladder->results[r].path), *at = name, *word;
    while (next_word(&at, &word, &length))
        if (strcspn(word, "0123456789") < length && !is_shared(ladder, r, word, length) &&
            used + length + 2 < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s", used ? " " : "", (int)length, word);
    if (!used) {
        length = *name ? 1 + strcspn(name + 1, ".") : 0;
        snprintf(text, sizeof text, "%.*s", length < 20 ? (int)length : 20, name);
    }
    fv_json_text(json, "short", text);
}

static void write_encode(FvJson *json, const Ladder *ladder, int r)
{
    const EncodeResult *result = &ladder->results[r];
    const FvLadderPlace *place = fv_ladder_place(ladder->view.decision, r);
    const char *sentence = ladder_quality(result), *name = ladder_name(ladder, result->path);
    char text[FV_WORD_SIZE] = "", strip[LADDER_STRIP + 1] = "", spelt[8192];
    bool others = result->scored;
    for (int g = 1; g < ladder->gates.count && others; g++)
        others = result->passed[g];
    for (int i = 0; i < result->strip_count; i++)
        strip[i] = (char)('0' + result->strip[i]);
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", name);
    fv_json_text(json, "path", result->path);
    write_short(json, ladder, r);
    fv_json_text(json, "codec", fv_word_codec(result->codec));
    if (result->width)
        snprintf(text, sizeof text, "%d×%d", result->width, result->height);
    fv_json_text(json, "size", text);
    fv_json_int(json, "lines", result->height);
    fv_json_number(json, "rate", result->scored && result->bit_rate > 0 ? result->bit_rate : NAN);
    fv_json_int(json, "rank", ladder_number(ladder, r));
    fv_json_int(json, "group", place->group);
    fv_json_text(json, "state",
                 !result->scored         ? "refused"
                 : result->partial       ? "partial"
                 : ladder_counts(result) ? "scored"
                                         : "not comparable");
    fv_json_bool(json, "others", others);
    fv_json_text(json, "sentence", sentence ? sentence : "Not scored");
    fv_json_text(json, "word", result->word);
    fv_json_text(json, "strip", strip);
    fv_json_text(json, "error", *result->error ? fv_remedy_spell(spelt, sizeof spelt, result->error) : NULL);
    write_segments(json, result);
    fv_json_close(json);
}

static void write_bd(FvJson *json, const Ladder *ladder)
{
    const FvMeaning *meaning = ladder->view.score->meaning;
    fv_json_text(json, "bdscore", title_of(ladder->view.score));
    fv_json_text(json, "bdunit", meaning->unit ? meaning->unit : title_of(ladder->view.score));
    fv_json_bool(json, "bdlower", ladder->view.score->better == FV_LOWER_IS_BETTER);
    fv_json_open(json, "bd", '[');
    for (int i = 0; i < ladder->bd_count; i++) {
        const LadderBd *bd = &ladder->bd[i];
        if (bd->anchor >= GROUPS || bd->group >= GROUPS)
            continue;
        fv_json_open_line(json, NULL, '{');
        fv_json_int(json, "anchor", bd->anchor);
        fv_json_int(json, "group", bd->group);
        fv_json_number(json, "rate", bd->result.bd_rate);
        fv_json_number(json, "quality", bd->result.bd_quality);
        fv_json_number(json, "overlap", bd->result.overlap);
        fv_json_bool(json, "few", bd->result.few_shared);
        fv_json_text(json, "refused", bd->result.refusal ? bd->result.reason : NULL);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_picture(FvJson *json, const char *key, const LadderPicture *picture)
{
    FvBase64 to = {.file = json->file};
    if (!picture->bytes_of) {
        fv_json_null(json, key);
        return;
    }
    fv_json_begin_text(json, key);
    fv_base64_bytes(&to, picture->bytes_of, picture->bytes);
    fv_base64_end(&to);
    fv_json_end_text(json);
}

static void write_moments(FvJson *json, const Ladder *ladder)
{
    fv_json_open(json, "moments", '[');
    for (int m = 0; m < ladder->moment_count && ladder->pictured; m++) {
        const int64_t number = ladder->moments[m];
        char name[2 * FV_WORD_SIZE], time[FV_WORD_SIZE];
        const bool timed = ladder->rate > 0 && !isnan(ladder->start);
        snprintf(name, sizeof name, "frame %" PRId64 "%s%s", number, timed ? ", " : "",
                 timed ? fv_word_time(time, ladder->start + (double)number / ladder->rate, 2) : "");
        fv_json_open(json, NULL, '{');
        fv_json_int(json, "of", ladder->moment_of[m]);
        fv_json_text(json, "name", name);
        fv_json_int(json, "width", ladder->width);
        fv_json_int(json, "height", ladder->height);
        write_picture(json, "reference", &ladder->pictures[m]);
        fv_json_open(json, "encodes", '[');
        for (int r = 0; r < ladder->count; r++)
            write_picture(json, NULL, &ladder->results[r].pictures[m]);
        fv_json_close(json);
        fv_json_open_line(json, "values", '[');
        for (int r = 0; r < ladder->count; r++) {
            const EncodeResult *result = &ladder->results[r];
            const double *curve = curve_of(result, ladder->view.score->name);
            double value = NAN;
            for (int64_t i = 0; curve && i < result->frames; i++)
                value = result->number[i] == number ? curve[i] : value;
            fv_json_number(json, NULL, value);
        }
        fv_json_close(json);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void write_warnings(FvJson *json, const Ladder *ladder)
{
    fv_json_open(json, "warnings", '[');
    for (int i = 0; i < ladder->count; i++) {
        const EncodeResult *result = &ladder->results[ladder->order[i]];
        for (int k = 0; k < result->warning_count; k++) {
            char who[64], named[80] = "", spelt[8192];
            if (!ladder_says_first(ladder, ladder->order[i], result->warnings[k], who, sizeof who))
                continue;
            if (*who)
                snprintf(named, sizeof named, "%s: ", who);
            fv_json_open_line(json, NULL, '{');
            fv_json_text(json, "who", named);
            fv_json_text(json, "text", fv_remedy_spell(spelt, sizeof spelt, result->warnings[k]));
            fv_json_close(json);
        }
    }
    fv_json_close(json);
}

static bool write_data(FvMarkup *page, const Ladder *ladder)
{
    FvJson json = fv_markup_json(page);
    const FvLadderPick *pick = fv_ladder_pick(ladder->view.decision);
    LadderView views[VIEWS];
    int columns[COLUMNS], lines = 0, count;
    char example[8192];
    bool good = true;
    if (!pick) {
        fv_json_open(&json, NULL, '{');
        for (int i = 0; i < 3; i++) {
            fv_json_open(&json, i == 0 ? "views" : i == 1 ? "encodes" : "moments", '[');
            fv_json_close(&json);
        }
        fv_json_close(&json);
        return true;
    }
    count = list_views(ladder, views, columns);
    for (int r = 0; r < ladder->count; r++)
        lines = ladder_counts(&ladder->results[r]) && ladder->results[r].height > lines ? ladder->results[r].height
                                                                                        : lines;
    fv_json_open(&json, NULL, '{');
    fv_json_text(&json, "reference", ladder_name(ladder, ladder->reference));
    fv_json_int(&json, "lines", lines);
    fv_json_open(&json, "pick", '{');
    fv_json_text(&json, "sentence", pick->sentence);
    fv_json_text(&json, "reason", pick->reason);
    fv_json_close(&json);
    if (ladder->gates.count) {
        fv_json_open(&json, "gate", '{');
        fv_json_int(&json, "view", 0);
        fv_json_real(&json, "limit", ladder->gates.gates[0].limit);
        fv_json_close(&json);
    } else {
        char text[256];
        fv_json_null(&json, "gate");
        if (pick->whole && ladder_example(ladder, text, sizeof text))
            fv_json_text(&json, "example", fv_remedy_spell(example, sizeof example, text));
    }
    fv_json_open(&json, "encodes", '[');
    for (int r = 0; r < ladder->count; r++)
        write_encode(&json, ladder, r);
    fv_json_close(&json);
    fv_json_open(&json, "groups", '[');
    for (int g = 0; g < fv_ladder_groups(ladder->view.decision); g++) {
        const FvLadderGroup *group = fv_ladder_group(ladder->view.decision, g);
        fv_json_open_line(&json, NULL, '{');
        fv_json_text(&json, "name", group->name);
        fv_json_int(&json, "count", group->count);
        fv_json_int(&json, "mark", group->mark);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    fv_json_open(&json, "views", '[');
    for (int v = 0; v < count && good; v++)
        good = write_view(&json, ladder, &views[v]);
    fv_json_close(&json);
    fv_json_open_line(&json, "columns", '[');
    for (int c = 0; c < COLUMNS && columns[c] >= 0; c++)
        fv_json_int(&json, NULL, columns[c]);
    fv_json_close(&json);
    write_bd(&json, ladder);
    write_warnings(&json, ladder);
    write_moments(&json, ladder);
    fv_json_close(&json);
    return good;
}

/* ---- The page -------------------------------------------------------------------------------------------------- */

/* Writes the table that a browser without scripts shows. */
static void put_table(FvMarkup *page, const Ladder *ladder)
{
    char text[FV_WORD_SIZE];
    fv_markup(page, "<noscript><table class=\"results\"><thead><tr><th></th><th>Encode</th><th>Bit "
                    "rate</th><th></th></tr></thead><tbody>\n");
    for (int i = 0; i < ladder->count; i++) {
        const int r = ladder->order[i];
        const EncodeResult *result = &ladder->results[r];
        const char *sentence = ladder_quality(result);
        fv_markup(page, "<tr><td class=\"n\">%d</td><td class=\"path\">%s</td><td class=\"n\">%s</td><td>%s",
                  ladder_number(ladder, r), ladder_name(ladder, result->path),
                  result->scored && result->bit_rate > 0 ? fv_word_bit_rate(text, result->bit_rate) : "–",
                  sentence ? sentence : "not scored");
        for (int k = 0; k < result->count; k++)
            if (result->scores[k].first) {
                fv_markup(page, "; %s %s", title_of(&result->scores[k]),
                          fv_word_value(text, result->scores[k].meaning, result->scores[k].pool[FV_POOL_MEAN], true));
            }
        fv_markup(page, "</td></tr>\n");
    }
    fv_markup(page, "</tbody></table></noscript>\n");
}

static void put_notice(FvMarkup *page, const char *kind, const char *text)
{
    char spelt[8192];
    fv_markup(page, "<li><span class=\"alert\">%s</span><span>%s</span></li>\n", kind,
              fv_remedy_spell(spelt, sizeof spelt, text));
}

/* Writes why encodes were not scored, and the gates; the script replaces this list by a shorter one. */
static void put_notices(FvMarkup *page, const Ladder *ladder)
{
    char who[64];
    fv_markup(page, "<ul class=\"others\" id=\"others\">\n");
    for (int i = 0; i < ladder->count; i++) {
        const int r = ladder->order[i];
        const EncodeResult *result = &ladder->results[r];
        if (*result->error && ladder_says_first(ladder, r, result->error, who, sizeof who))
            put_notice(page, !result->scored ? "Not scored" : result->partial ? "Partial" : "Error", result->error);
    }
    for (int i = 0; i < ladder->count; i++)
        for (int k = 0;
             k < ladder->results[ladder->order[i]].failed && k < ladder->results[ladder->order[i]].gate_count; k++)
            put_notice(page, "Gate failed", ladder->results[ladder->order[i]].gates[k]);
    for (int i = 0; i < ladder->count; i++) {
        const EncodeResult *result = &ladder->results[ladder->order[i]];
        for (int k = 0; k < result->warning_count; k++)
            if (ladder_says_first(ladder, ladder->order[i], result->warnings[k], who, sizeof who))
                put_notice(page, "Warning", result->warnings[k]);
    }
    fv_markup(page, "</ul>");
}

static void put_details(FvMarkup *page, const Ladder *ladder, const char *command)
{
    char numerics[40] = "";
    if (ladder->numerics)
        snprintf(numerics, sizeof numerics, ", numerics version %d", ladder->numerics);
    fv_markup(page,
              "<section><h2>Details</h2>\n<details><summary>How to get this again <span>command and "
              "versions</span></summary><div><pre id=\"made\">%s"
              "\n\nfovea %s%s</pre><button class=\"button\" type=\"button\" "
              "id=\"copycommand\">Copy</button>\n"
              "<button class=\"button\" type=\"button\" id=\"copycsv\">Copy the table as CSV</button>"
              "<textarea id=\"copied\" aria-label=\"Text to copy\" readonly hidden></textarea></div></details>\n",
              command, fv_version(), numerics);
    if (ladder->view.decision)
        fv_markup(page, "<details><summary>How the pick, groups and curves are found</summary><div class=\"small\">"
                        "<p><b>The pick</b> is the encode of the lowest bit rate that passes every gate. Without a "
                        "gate it is the last one on the hull of "
                        "all for which twice the bits still buy 0.3 words of quality, such as 6 points of VMAF.</p>"
                        "<p><b>Groups</b> are codecs. Where names within a codec differ in more than numbers and "
                        "sizes, each pattern of three encodes or "
                        "more is a group.</p>"
                        "<p><b>Dominated</b>: another encode of the group costs no more and is no worse.</p>"
                        "<p><b>Over time</b>: each cell is the worst word in its part of the clip, empty for "
                        "excellent, and the stronger the worse.</p>"
                        "</div></details>\n");
    fv_markup(page, "</section>\n");
}

FvStatus ladder_write_page(FILE *file, const Ladder *ladder)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    char *command = command_line();
    if (!command)
        return report_error(FV_ERROR_MEMORY, "out of memory for the page");
    const FvLadderPick *pick = fv_ladder_pick(ladder->view.decision);
    const char *kind = pick ? "encode" : "pair", *many = ladder->count == 1 ? "" : "s";
    char title[512];
    snprintf(title, sizeof title, "%d %s%s%s%s", ladder->count, kind, many, ladder->reference ? " of " : "",
             ladder->reference ? ladder_name(ladder, ladder->reference) : "");
    html_open(page, title, &fv_page_ladder_style, &fv_page_ladder);
    fv_markup(page, "<h1>%d %s%s", ladder->count, kind, many);
    if (ladder->reference) {
        fv_markup(page, " <span>of</span> %s", ladder_name(ladder, ladder->reference));
    }
    fv_markup(page,
              "</h1>\n<p class=\"faint\">%s</p>\n<div class=\"verdict\"><div><div class=\"word\" "
              "id=\"word\">%s</div><p class=\"then\" "
              "id=\"then\"></p><p class=\"says\" id=\"says\">%s</p>\n",
              ladder->facts, pick ? pick->sentence : "", pick ? pick->reason : "");
    fv_markup(page, "<div class=\"gatebar\" id=\"gatebar\"><label for=\"poolof\">Gate</label><select "
                    "id=\"poolof\"></select><label for=\"limit\" "
                    "id=\"limitword\">at least</label><input id=\"limit\" type=\"range\"><output "
                    "id=\"limitnow\"></output></div></div>\n<div>");
    put_notices(page, ladder);
    fv_markup(page, "</div></div></header>\n<main>\n");
    put_table(page, ladder);
    fv_markup_file(page, &fv_page_ladder_body);
    put_details(page, ladder, command);
    free(command);
    fv_markup(page, "<script type=\"application/json\" id=\"data\">\n");
    const bool whole = write_data(page, ladder);
    fv_markup(page, "\n</script>\n");
    html_close(page, &fv_page_ladder);
    return whole ? FV_OK : FV_ERROR_MEMORY;
}
