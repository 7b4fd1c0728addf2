#include "command/diff_ladders.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "encodes/ladder_files.h"
#include "encodes/ladder_read.h"
#include "report/change.h"
#include "scoring/videos.h"
#include "table/lines.h"
#include "words.h"

enum { OLD, NEW };

static const char *const sides[] = {"old", "new"};

/* Both reports, and the encodes that both have. */
typedef struct Ladders {
    const DiffLadders *asked;
    StoredLadder stored[2];
    int (*pair)[2]; /* for each encode that both reports name, its index in each, in the order of the new report */
    int count;
} Ladders;

static const Ladder *ladder_of(const Ladders *l, int side)
{
    return &l->stored[side].ladder;
}

static const EncodeResult *rung_of(const Ladders *l, int pair, int side)
{
    return &ladder_of(l, side)->results[l->pair[pair][side]];
}

static const char *name_of(const Ladder *ladder, int r)
{
    return ladder_name(ladder, ladder->results[r].path);
}

/* Returns the encode of the same path, else of the same name; -1: there is none. */
static int find_encode(const Ladder *in, const Ladder *of, int r)
{
    for (int i = 0; i < in->count; i++)
        if (!strcmp(in->results[i].path, of->results[r].path))
            return i;
    for (int i = 0; i < in->count; i++)
        if (!strcmp(name_of(in, i), name_of(of, r)))
            return i;
    return -1;
}

static FvStatus match_encodes(Ladders *l)
{
    const Ladder *now = ladder_of(l, NEW), *before = ladder_of(l, OLD);
    if (!(l->pair = calloc((size_t)now->count, sizeof *l->pair)))
        return report_error(FV_ERROR_MEMORY, "out of memory for the encodes of %s", l->asked->path[NEW]);
    for (int i = 0; i < now->count; i++) {
        const int r = now->order[i], other = find_encode(before, now, r);
        if (other < 0)
            continue;
        l->pair[l->count][OLD] = other;
        l->pair[l->count++][NEW] = r;
    }
    return l->count ? FV_OK
                    : report_error(FV_ERROR_INPUT, "%s and %s have no encode of one name in common",
                                   l->asked->path[OLD], l->asked->path[NEW]);
}

/* Returns the pair's score of this name in both reports. false: one of them lacks it. */
static bool both_have(const Ladders *l, int pair, const char *name, const EncodeScore *score[2])
{
    for (int side = 0; side < 2; side++)
        score[side] = ladder_find(rung_of(l, pair, side), name);
    return score[OLD] && score[NEW];
}

/*
 * Iterates over the scores that some pair has in both reports, in the order of the pairs: returns each score once,
 * from the first pair that has it. NULL: no further score.
 */
static const EncodeScore *next_score(const Ladders *l, int *pair, int *i)
{
    const EncodeScore *score[2];
    for (; *pair < l->count; ++*pair, *i = 0) {
        const EncodeResult *result = rung_of(l, *pair, NEW);
        while (*i < result->count) {
            const char *name = result->scores[(*i)++].name;
            bool known = !both_have(l, *pair, name, score);
            for (int before = 0; before < *pair && !known; before++)
                known = both_have(l, before, name, (const EncodeScore *[2]){NULL});
            if (!known)
                return score[NEW];
        }
    }
    return NULL;
}

static const char *sentence_of(const EncodeResult *result)
{
    return result->scored ? result->verdict.sentence : result->error;
}

static const char *pick_of(const Ladder *ladder)
{
    const FvLadderPick *pick = fv_ladder_pick(ladder->view.decision);
    return pick ? pick->sentence : NULL;
}

static bool same(const char *before, const char *now)
{
    return before && now ? !strcmp(before, now) : !before && !now;
}

/* ---- Output as text -------------------------------------------------------------------------------------------- */

#define NAME 28 /* greatest width of an encode's name */

/* Prints how many encodes became better and worse by the score that compares them. */
static void print_head(const Ladders *l, const Style *style)
{
    const EncodeScore *by = ladder_of(l, NEW)->view.score, *score[2];
    int better = 0, worse = 0, compared = 0;
    for (int p = 0; p < l->count && by; p++) {
        if (!both_have(l, p, by->name, score))
            continue;
        const double lost = change_loss(by->better, score[OLD]->pool[FV_POOL_MEAN], score[NEW]->pool[FV_POOL_MEAN]);
        better += lost < 0;
        worse += lost > 0;
        compared++;
    }
    if (compared)
        printf("%s%s%s: by %s, %d of %d encode%s better and %d worse\n", style->bold, change_word(better, worse),
               style->none, by->meaning->title, better, compared, compared == 1 ? "" : "s", worse);
    char path[2][4096];
    for (int side = 0; side < 2; side++)
        line_cut(path[side], sizeof *path, l->asked->path[side], sizeof *path);
    printf("%s against %s: %d encode%s in both\n", path[NEW], path[OLD], l->count, l->count == 1 ? "" : "s");
}

static void print_changes(const Ladders *l, const Style *style, int width, const EncodeScore *of)
{
    const EncodeScore *score[2];
    char name[256];
    const char *unit = of->meaning->unit;
    snprintf(name, sizeof name, "%s%s%s", of->named ? of->name : of->meaning->title, unit ? ", " : "",
             unit ? unit : "");
    printf("\n%s%-*s %9s %9s %9s %10s %10s%s\n", style->dim, width, name, "before", "now", "change", "worst 5 %",
           "bit rate", style->none);
    for (int p = 0; p < l->count; p++) {
        char value[2][FV_WORD_SIZE], change[FV_WORD_SIZE], tail[FV_WORD_SIZE] = "-", rate[32] = "-";
        if (!both_have(l, p, of->name, score))
            continue;
        for (int side = 0; side < 2; side++)
            fv_word_value(value[side], of->meaning, score[side]->pool[FV_POOL_MEAN], false);
        change_text(change, of->meaning, score[NEW]->pool[FV_POOL_MEAN] - score[OLD]->pool[FV_POOL_MEAN]);
        const FvPool worst = fv_word_worst(of->better);
        if (!of->sequence)
            change_text(tail, of->meaning, score[NEW]->pool[worst] - score[OLD]->pool[worst]);
        const double before = rung_of(l, p, OLD)->bit_rate, now = rung_of(l, p, NEW)->bit_rate;
        if (before == now)
            snprintf(rate, sizeof rate, "0");
        else if (before > 0 && now > 0)
            snprintf(rate, sizeof rate, "%+.1f %%", 100 * (now / before - 1));
        line_cut(name, sizeof name, name_of(ladder_of(l, NEW), l->pair[p][NEW]), width);
        printf("%s%*s %9s %9s %9s %10s %10s\n", name, width - line_width(name), "", value[OLD], value[NEW], change,
               tail, rate);
    }
}

/* Prints "FIRST: NOW (was: BEFORE)" if the texts differ, and returns whether they do. */
static bool print_text_change(const Style *style, const char *first, const char *before, const char *now)
{
    char text[4096], label[128], name[120];
    if (same(before, now))
        return false;
    snprintf(label, sizeof label, "%s:", line_cut(name, sizeof name, first, NAME));
    snprintf(text, sizeof text, "%s (was: %s)", now ? now : "none", before ? before : "none");
    line_wrap(stdout, style, 2, label, text);
    return true;
}

/* Prints the scores that only one report has. */
static bool print_only(const Ladders *l, int side)
{
    bool any = false;
    for (int r = 0; r < ladder_of(l, side)->count; r++)
        for (int i = 0; i < ladder_of(l, side)->results[r].count; i++) {
            const char *name = ladder_of(l, side)->results[r].scores[i].name;
            bool found = false;
            for (int k = 0; k < ladder_of(l, !side)->count && !found; k++)
                found = ladder_find(&ladder_of(l, !side)->results[k], name);
            for (int k = 0; k < r && !found; k++)
                found = ladder_find(&ladder_of(l, side)->results[k], name);
            if (!found)
                printf("%s only in %s\n", name, l->asked->path[side]);
            any |= !found;
        }
    return any;
}

static void print_report(const Ladders *l)
{
    const Style style = style_of_output(), plain = {style.columns, "", "", "", ""};
    int width = 18;
    bool changed = false;
    print_head(l, &style);
    for (int p = 0; p < l->count; p++) {
        const int own = line_width(name_of(ladder_of(l, NEW), l->pair[p][NEW]));
        width = own > width ? own < NAME ? own : NAME : width;
    }
    const EncodeScore *score;
    for (int p = 0, i = 0; (score = next_score(l, &p, &i));)
        if (score->first || l->asked->details)
            print_changes(l, &style, width, score);
    putchar('\n');
    for (int side = 0; side < 2; side++) {
        changed |= print_only(l, side);
        for (int r = 0; r < ladder_of(l, side)->count; r++)
            if (find_encode(ladder_of(l, !side), ladder_of(l, side), r) < 0) {
                char name[4096];
                printf("%s only in %s\n",
                       line_cut(name, sizeof name, name_of(ladder_of(l, side), r), sizeof name - 1),
                       l->asked->path[side]);
                changed = true;
            }
    }
    changed |= print_text_change(&plain, "Pick", pick_of(ladder_of(l, OLD)), pick_of(ladder_of(l, NEW)));
    changed |= print_text_change(&plain, "Reference", ladder_of(l, OLD)->reference, ladder_of(l, NEW)->reference);
    changed |= print_text_change(&plain, "Videos", ladder_of(l, OLD)->facts, ladder_of(l, NEW)->facts);
    for (int p = 0; p < l->count; p++) {
        const EncodeScore *own[2];
        const EncodeResult *before = rung_of(l, p, OLD), *now = rung_of(l, p, NEW);
        changed |= print_text_change(&plain, name_of(ladder_of(l, NEW), l->pair[p][NEW]), sentence_of(before),
                                     sentence_of(now));
        changed |= before->bit_rate != now->bit_rate && !(isnan(before->bit_rate) && isnan(now->bit_rate));
        for (int i = 0; i < now->count; i++)
            changed |= !both_have(l, p, now->scores[i].name, own) ||
                       own[OLD]->pool[FV_POOL_MEAN] != own[NEW]->pool[FV_POOL_MEAN];
    }
    if (!changed)
        puts("Nothing changed.");
}

/* ---- Output as JSON -------------------------------------------------------------------------------------------- */

static void write_texts(FvJson *json, const char *key, const char *before, const char *now)
{
    fv_json_open_line(json, key, '{');
    fv_json_text(json, sides[OLD], before);
    fv_json_text(json, sides[NEW], now);
    fv_json_close(json);
}

static void write_pair(FvJson *json, const Ladders *l, int pair)
{
    const EncodeResult *before = rung_of(l, pair, OLD), *now = rung_of(l, pair, NEW);
    const EncodeScore *score[2];
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "name", name_of(ladder_of(l, NEW), l->pair[pair][NEW]));
    write_texts(json, "path", before->path, now->path);
    write_texts(json, "verdict", sentence_of(before), sentence_of(now));
    fv_json_open_line(json, "bit_rate", '{');
    for (int side = 0; side < 2; side++)
        fv_json_number(json, sides[side], rung_of(l, pair, side)->bit_rate);
    fv_json_close(json);
    fv_json_open(json, "scores", '[');
    for (int i = 0; i < now->count; i++) {
        if (!both_have(l, pair, now->scores[i].name, score))
            continue;
        fv_json_open(json, NULL, '{');
        fv_json_text(json, "score", score[NEW]->name);
        fv_json_text(json, "better", fv_better_name(score[NEW]->better));
        for (int side = 0; side < 2; side++)
            ladder_write_pools(json, sides[side], score[side]);
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_close(json);
}

static void write_report(const Ladders *l)
{
    static const char *const only[] = {"only_old", "only_new"};
    FvJson json = {.file = stdout};
    fv_json_open(&json, NULL, '{');
    for (int side = 0; side < 2; side++)
        fv_json_text(&json, sides[side], l->asked->path[side]);
    write_texts(&json, "pick", pick_of(ladder_of(l, OLD)), pick_of(ladder_of(l, NEW)));
    write_texts(&json, "videos", ladder_of(l, OLD)->facts, ladder_of(l, NEW)->facts);
    fv_json_open(&json, "encodes", '[');
    for (int p = 0; p < l->count; p++)
        write_pair(&json, l, p);
    fv_json_close(&json);
    for (int side = 0; side < 2; side++) {
        fv_json_open(&json, only[side], '[');
        for (int r = 0; r < ladder_of(l, side)->count; r++)
            if (find_encode(ladder_of(l, !side), ladder_of(l, side), r) < 0)
                fv_json_text(&json, NULL, ladder_of(l, side)->results[r].path);
        fv_json_close(&json);
    }
    fv_json_close(&json);
    putchar('\n');
}

/* ---- Gates ----------------------------------------------------------------------------------------------------- */

/* Refuses gates that fit no pair: prints a message and returns FV_ERROR_USAGE. */
static FvStatus check_gate(const Ladders *l, const char *text, Gate *gate)
{
    const EncodeScore *score[2] = {NULL};
    const FvStatus status = change_gate(gate, text);
    for (int p = 0; p < l->count && !status; p++)
        if (both_have(l, p, gate->output, score))
            break;
    if (status)
        return status;
    if (!score[OLD] || !score[NEW])
        return report_error(FV_FAIL_SCORE, "%s %s: no encode has a score '%s' in both reports", change_option, text,
                            gate->output);
    if (score[NEW]->sequence && gate->pool != FV_POOL_MEAN)
        return report_error(FV_ERROR_USAGE, "%s %s: %s is one value for the whole clip; leave out the pooling",
                            change_option, text, gate->output);
    return change_judges(text, score[NEW]->better);
}

/* Judges a checked gate by every pair. An encode without the score in one report fails as undefined. */
static int judge(const Ladders *l, const Gate *gate)
{
    int status = EXIT_OK;
    for (int p = 0; p < l->count; p++) {
        const EncodeScore *score[2];
        double value[2] = {NAN, NAN};
        both_have(l, p, gate->output, score);
        for (int side = 0; side < 2; side++)
            if (score[side])
                value[side] = score[side]->pool[gate->pool];
        const EncodeScore *own = score[NEW] ? score[NEW] : score[OLD];
        if (own &&
            !change_passes(gate, own->better, value[OLD], value[NEW], name_of(ladder_of(l, NEW), l->pair[p][NEW])))
            status = EXIT_GATE;
    }
    return status;
}

static int compare(Ladders *l)
{
    const ArgList *gates = l->asked->fail_if_worse;
    Gate gate;
    const FvOutputParams text = {.files = l->asked->path, .file_count = 2};
    FvError error = {0};
    int status = report_error_if(outputs_check(&text, &error), &error);
    if (!status)
        status = match_encodes(l);
    for (int i = 0; i < gates->count && !status; i++)
        status = check_gate(l, gates->items[i], &gate);
    if (status)
        return status;
    if (l->asked->json)
        write_report(l);
    else
        print_report(l);
    for (int i = 0; i < gates->count; i++)
        if (!check_gate(l, gates->items[i], &gate) && judge(l, &gate))
            status = EXIT_GATE;
    return status;
}

bool diff_ladders(const DiffLadders *asked, int *status)
{
    Ladders l = {.asked = asked};
    bool both = true;
    *status = EXIT_OK;
    for (int side = 0; side < 2 && both && !*status; side++)
        *status = stored_ladder_open(&l.stored[side], asked->path[side], &both);
    if (both && !*status)
        *status = compare(&l);
    free(l.pair);
    for (int side = 0; side < 2; side++)
        stored_ladder_close(&l.stored[side]);
    return both || *status;
}
