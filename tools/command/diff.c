/* fovea diff: prints what changed from one JSON report to another. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "command/diff_ladders.h"
#include "fovea/fovea.h"
#include "json.h"
#include "report/change.h"
#include "report/written.h"
#include "scoring/videos.h"
#include "table/lines.h"
#include "table/pooled_score.h"
#include "words.h"

enum { OLD, NEW };

typedef struct Diff {
    const char *progress; /* --progress; process_start() acts on it before this table is parsed */
    ArgList fail_if_worse;
    const char *format;
    bool details;
} Diff;

/* A score that both reports have. */
typedef struct Change {
    int output[2];
    const FvOutputInfo *info;
    const FvMeaning *meaning;
    double mean[2], worst[2];
    int64_t worse, better; /* numbers of frames that became worse, and better */
    int64_t most;          /* number of the frame that became worse by most, or -1 */
    double value[2];       /* values of that frame in both reports */
} Change;

/* Both reports, and the frames that both have. */
typedef struct Reports {
    const char *path[2];
    FvSession *session[2];
    Written report[2];
    int64_t (*frame)[2]; /* for each frame that both reports have, its index in each */
    int64_t both, only[2];
    Change *changes;
    int count;
} Reports;

/* ---- Comparing ------------------------------------------------------------------------------------------------- */

static bool match_frames(Reports *r)
{
    int64_t at[2] = {0, 0}, count[2];
    for (int i = 0; i < 2; i++)
        count[i] = fv_session_frames(r->session[i]);
    r->frame = calloc((size_t)(count[OLD] < count[NEW] ? count[OLD] : count[NEW]) + 1, sizeof *r->frame);
    while (r->frame && at[OLD] < count[OLD] && at[NEW] < count[NEW]) {
        const int64_t before = fv_session_frame_number(r->session[OLD], at[OLD]);
        const int64_t now = fv_session_frame_number(r->session[NEW], at[NEW]);
        if (before == now) {
            r->frame[r->both][OLD] = at[OLD];
            r->frame[r->both++][NEW] = at[NEW];
        }
        at[OLD] += before <= now;
        at[NEW] += now <= before;
    }
    for (int i = 0; i < 2; i++)
        r->only[i] = count[i] - r->both;
    return r->frame != NULL;
}

static Change compare_output(const Reports *r, int output, int other)
{
    const FvOutputInfo *info = fv_session_output(r->session[OLD], output);
    Change change = {
        .output = {output, other}, .info = info, .meaning = fv_session_meaning(r->session[OLD], output), .most = -1};
    for (int i = 0; i < 2; i++) {
        const FvSession *session = r->session[i];
        change.mean[i] = pick_value(session, change.output[i], FV_POOL_MEAN);
        change.worst[i] =
            info->sequence ? NAN : fv_session_pool(session, change.output[i], fv_word_worst(info->better));
    }
    double most = 0;
    for (int64_t k = 0; k < r->both && !info->sequence; k++) {
        const double before = fv_session_value(r->session[OLD], r->frame[k][OLD], output);
        const double now = fv_session_value(r->session[NEW], r->frame[k][NEW], other);
        const double lost = change_loss(info->better, before, now);
        change.worse += lost > 0;
        change.better += lost < 0;
        if (lost <= most)
            continue;
        most = lost;
        change.most = fv_session_frame_number(r->session[OLD], r->frame[k][OLD]);
        change.value[OLD] = before;
        change.value[NEW] = now;
    }
    return change;
}

static FvStatus compare_all(Reports *r)
{
    const int outputs = fv_session_outputs(r->session[OLD]);
    r->changes = calloc((size_t)outputs + 1, sizeof *r->changes);
    if (!r->changes || !match_frames(r))
        return report_error(FV_ERROR_MEMORY, "out of memory for the frames of %s and %s", r->path[OLD], r->path[NEW]);
    for (int i = 0; i < outputs; i++) {
        const int other = fv_session_find_output(r->session[NEW], fv_session_output(r->session[OLD], i)->name);
        if (other >= 0)
            r->changes[r->count++] = compare_output(r, i, other);
    }
    if (!r->count)
        return report_error(FV_ERROR_INPUT, "%s and %s have no score in common; score both with the same --metric",
                            r->path[OLD], r->path[NEW]);
    return FV_OK;
}

/* ---- Settings -------------------------------------------------------------------------------------------------- */

/* Reports a difference in the setting `what`. `before` or `now` may be NULL. */
typedef void Tell(void *to, const char *what, const char *before, const char *now);

static void tell_if(Tell *tell, void *to, const char *what, const char *before, const char *now)
{
    if ((before || now) && (!before || !now || strcmp(before, now)))
        tell(to, what, before, now);
}

/* Reports the texts of each list that the other lacks. */
static void compare_lists(const Reports *r, const char *what, int (*count)(const FvSession *),
                          const char *(*item)(const FvSession *, int), Tell *tell, void *to)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < count(r->session[side]); i++) {
            const char *text = item(r->session[side], i);
            bool found = false;
            for (int k = 0; k < count(r->session[!side]); k++)
                found |= !strcmp(text, item(r->session[!side], k));
            if (!found)
                tell(to, what, side == OLD ? text : NULL, side == NEW ? text : NULL);
        }
}

static const char *metric_text(const FvSession *session, int metric)
{
    static char text[2][8192];
    static int turn;
    FvError error;
    turn = !turn;
    return fv_session_metric_text(session, metric, text[turn], sizeof text[turn], &error)
               ? fv_session_metric(session, metric)->name
               : text[turn];
}

static const char *setting_text(const FvNode *node, char text[32])
{
    if (fv_node_is(node, FV_NODE_INTEGER))
        snprintf(text, 32, "%" PRId64, fv_node_integer(node));
    else if (fv_node_is(node, FV_NODE_REAL))
        snprintf(text, 32, "%.9g", fv_node_number(node));
    else
        return fv_node_is(node, FV_NODE_TRUE)    ? "true"
               : fv_node_is(node, FV_NODE_FALSE) ? "false"
                                                 : fv_node_text(node);
    return text;
}

/* Reports differences in the compared frames, and in what was ignored. */
static void compare_scoring(const Reports *r, Tell *tell, void *to)
{
    const FvNode *scoring[2];
    for (int i = 0; i < 2; i++)
        scoring[i] = fv_node_member(&r->report[i].document.root, "scoring");
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; fv_node_is(scoring[side], FV_NODE_OBJECT) && i < scoring[side]->count; i++) {
            const char *key = scoring[side]->items[i].key, *said[2];
            char text[2][32];
            for (int k = 0; k < 2; k++)
                said[k] = setting_text(fv_node_member(scoring[k], key), text[k]);
            if (side == OLD || !said[OLD])
                tell_if(tell, to, key, said[OLD], said[NEW]);
        }
}

static void compare_settings(const Reports *r, Tell *tell, void *to)
{
    static const char *const names[2][2] = {{"reference", "reference's format"},
                                            {"distorted video", "distorted video's format"}};
    const char *numerics[2];
    char number[2][32];
    for (int i = 0; i < 2; i++)
        numerics[i] = setting_text(fv_node_member(&r->report[i].document.root, "numerics_version"), number[i]);
    tell_if(tell, to, "numerics version", numerics[OLD], numerics[NEW]);
    compare_lists(r, "metric", fv_session_metrics, metric_text, tell, to);
    for (int side = 0; side < 2; side++) {
        FvSourceInfo info[2] = {{.path = NULL}, {.path = NULL}};
        char format[2][256];
        const char *described[2];
        for (int i = 0; i < 2; i++) {
            const FvFormat *scored = fv_session_format(r->session[i], (FvSide)side);
            fv_session_input(r->session[i], (FvSide)side, &info[i]);
            described[i] = scored ? fv_format_describe(scored, format[i], sizeof format[i]) : NULL;
        }
        tell_if(tell, to, names[side][0], info[OLD].path, info[NEW].path);
        tell_if(tell, to, names[side][1], described[OLD], described[NEW]);
    }
    compare_scoring(r, tell, to);
    tell_if(tell, to, "partial", fv_session_partial(r->session[OLD]), fv_session_partial(r->session[NEW]));
    compare_lists(r, "decision", fv_session_decisions, fv_session_decision, tell, to);
}

/* ---- Output as text -------------------------------------------------------------------------------------------- */

static void print_change(const Change *change)
{
    char mean[2][FV_WORD_SIZE], difference[FV_WORD_SIZE], tail[FV_WORD_SIZE] = "-", most[2 * FV_WORD_SIZE] = "-";
    for (int i = 0; i < 2; i++)
        fv_word_value(mean[i], change->meaning, change->mean[i], false);
    change_text(difference, change->meaning, change->mean[NEW] - change->mean[OLD]);
    if (!change->info->sequence)
        change_text(tail, change->meaning, change->worst[NEW] - change->worst[OLD]);
    if (change->most >= 0)
        snprintf(most, sizeof most, "%s at frame %" PRId64,
                 change_text((char[FV_WORD_SIZE]){0}, change->meaning, change->value[NEW] - change->value[OLD]),
                 change->most);
    char name[FV_WORD_SIZE];
    const bool titled = !strcmp(change->info->name, change->meaning->score);
    line_cut(name, sizeof name, titled ? change->meaning->brief : change->info->name, 20);
    printf("%-20s %9s %9s %9s %10s %8" PRId64 " %8" PRId64 "   %s\n", name, mean[OLD], mean[NEW], difference, tail,
           change->worse, change->better, most);
}

typedef struct Lines {
    Style style;
    int count;
} Lines;

static void print_setting(void *to, const char *what, const char *before, const char *now)
{
    Lines *lines = to;
    char text[17000];
    lines->count++;
    if (before && now)
        snprintf(text, sizeof text, "%s, was %s", now, before);
    else
        snprintf(text, sizeof text, "%s %s", before ? "only before:" : "only now:", before ? before : now);
    char name[64];
    snprintf(name, sizeof name, "%c%s:", what[0] - 'a' + 'A', what + 1);
    line_wrap(stdout, &lines->style, 2, name, text);
}

/* Prints whether the scores became better, beginning with the score that the verdict uses. */
static void print_head(const Reports *r, const Style *style)
{
    const int headline = fv_session_headline(r->session[NEW]);
    const Change *by = NULL;
    int better = 0, worse = 0, judged = 0;
    for (int i = 0; i < r->count; i++) {
        const Change *change = &r->changes[i];
        if (change->info->better == FV_NEITHER_IS_BETTER ||
            fv_session_display(r->session[OLD], change->output[OLD]) != FV_DISPLAY_FIRST)
            continue;
        const double lost = change_loss(change->info->better, change->mean[OLD], change->mean[NEW]);
        better += lost < 0;
        worse += lost > 0;
        judged++;
        if (!by || change->output[NEW] == headline)
            by = change;
    }
    if (!by)
        return;
    char mean[2][FV_WORD_SIZE];
    for (int i = 0; i < 2; i++)
        fv_word_value(mean[i], by->meaning, by->mean[i], true);
    printf("%s%s%s: %s", style->bold, change_word(better, worse), style->none, mean[NEW]);
    if (by->mean[NEW] != by->mean[OLD])
        printf(" instead of %s", mean[OLD]);
    printf("%s%s%s by %s", by->meaning->unit ? " " : "", by->meaning->unit ? by->meaning->unit : "",
           by->mean[NEW] == by->mean[OLD] ? " in both" : "", by->meaning->title);
    if (judged > 1)
        printf("; %d of %d scores better and %d worse", better, judged, worse);
    putchar('\n');
}

static void print_text(const Reports *r, bool details)
{
    const Style style = style_of_output();
    print_head(r, &style);
    char path[2][4096];
    for (int i = 0; i < 2; i++)
        line_cut(path[i], sizeof *path, r->path[i], sizeof *path);
    printf("%s against %s: %" PRId64 " frame%s in both\n", path[NEW], path[OLD], r->both, r->both == 1 ? "" : "s");
    for (int i = 0; i < 2; i++)
        if (r->only[i])
            printf("%" PRId64 " frame%s only in %s\n", r->only[i], r->only[i] == 1 ? "" : "s", path[i]);
    printf("\n%s%-20s %9s %9s %9s %10s %8s %8s   %s%s\n", style.dim, "mean", "before", "now", "change", "worst 5 %",
           "worse", "better", "greatest loss", style.none);
    for (int i = 0; i < r->count; i++)
        if (details || fv_session_display(r->session[OLD], r->changes[i].output[OLD]) == FV_DISPLAY_FIRST)
            print_change(&r->changes[i]);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < fv_session_outputs(r->session[side]); i++) {
            char name[256];
            if (fv_session_find_output(r->session[!side], fv_session_output(r->session[side], i)->name) < 0)
                printf("%-20s only in %s\n",
                       line_cut(name, sizeof name, fv_session_output(r->session[side], i)->name, 60), path[side]);
        }
    bool changed = false;
    for (int i = 0; i < r->count; i++)
        changed |= r->changes[i].worse || r->changes[i].better || r->changes[i].mean[OLD] != r->changes[i].mean[NEW];
    Lines lines = {{style.columns, "", "", "", ""}, 0};
    putchar('\n');
    compare_settings(r, print_setting, &lines);
    if (!changed && !lines.count && !r->only[OLD] && !r->only[NEW])
        puts("Nothing changed.");
}

/* ---- Output as JSON -------------------------------------------------------------------------------------------- */

static void write_setting(void *to, const char *what, const char *before, const char *now)
{
    FvJson *json = to;
    fv_json_open_line(json, NULL, '{');
    fv_json_text(json, "what", what);
    fv_json_text(json, "old", before);
    fv_json_text(json, "new", now);
    fv_json_close(json);
}

static void write_change(FvJson *json, const Reports *r, const Change *change)
{
    static const char *const sides[] = {"old", "new"};
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "score", change->info->name);
    fv_json_text(json, "better", fv_better_name(change->info->better));
    for (int i = 0; i < 2; i++) {
        fv_json_open_line(json, sides[i], '{');
        pick_write_pools(json, r->session[i], change->output[i]);
        fv_json_close(json);
    }
    fv_json_int(json, "worse_frames", change->worse);
    fv_json_int(json, "better_frames", change->better);
    if (change->most >= 0) {
        fv_json_open_line(json, "greatest_loss", '{');
        fv_json_int(json, "frame", change->most);
        fv_json_real(json, "old", change->value[OLD]);
        fv_json_real(json, "new", change->value[NEW]);
        fv_json_close(json);
    }
    fv_json_close(json);
}

static void print_json(const Reports *r)
{
    FvJson json = {.file = stdout};
    fv_json_open(&json, NULL, '{');
    fv_json_text(&json, "old", r->path[OLD]);
    fv_json_text(&json, "new", r->path[NEW]);
    fv_json_int(&json, "frames", r->both);
    fv_json_int(&json, "frames_only_old", r->only[OLD]);
    fv_json_int(&json, "frames_only_new", r->only[NEW]);
    fv_json_open(&json, "scores", '[');
    for (int i = 0; i < r->count; i++)
        write_change(&json, r, &r->changes[i]);
    fv_json_close(&json);
    fv_json_open(&json, "settings", '[');
    compare_settings(r, write_setting, &json);
    fv_json_close(&json);
    fv_json_close(&json);
    putchar('\n');
}

/* ---- Gates ----------------------------------------------------------------------------------------------------- */

/*
 * Parses a gate, and finds its score's output in both reports. On failure, prints a message and returns
 * FV_ERROR_USAGE.
 */
static FvStatus find_gate(const Reports *r, const char *text, Gate *gate, int output[2])
{
    FvStatus status = change_gate(gate, text);
    for (int side = 0; side < 2 && !status; side++)
        status = pick_output(&output[side], r->session[side], gate->output, gate->pool, change_option, text);
    return status ? status : change_judges(text, fv_session_output(r->session[OLD], output[OLD])->better);
}

static FvStatus check_gates(const Reports *r, const ArgList *gates)
{
    FvStatus status = FV_OK;
    Gate gate;
    int output[2];
    for (int i = 0; i < gates->count && !status; i++)
        status = find_gate(r, gates->items[i], &gate, output);
    return status;
}

/* Judges the gates, which check_gates() has checked. Returns EXIT_OK, or prints messages and returns EXIT_GATE. */
static int judge(const Reports *r, const ArgList *gates)
{
    int status = EXIT_OK;
    for (int i = 0; i < gates->count; i++) {
        Gate gate;
        int output[2];
        if (find_gate(r, gates->items[i], &gate, output))
            continue;
        const double before = pick_value(r->session[OLD], output[OLD], gate.pool);
        const double now = pick_value(r->session[NEW], output[NEW], gate.pool);
        if (!change_passes(&gate, fv_session_output(r->session[OLD], output[OLD])->better, before, now, NULL))
            status = EXIT_GATE;
    }
    return status;
}

static void show_changes(const Reports *r, const Diff *asked)
{
    for (int i = 0; i < 2; i++)
        if (fv_session_partial(r->session[i]))
            warn("%s is partial: %s", r->path[i], fv_session_partial(r->session[i]));
    if (asked->format && !strcmp(asked->format, "json"))
        print_json(r);
    else
        print_text(r, asked->details);
}

static int compare_reports(const Diff *asked, const char *const path[2])
{
    Reports r = {.path = {path[OLD], path[NEW]}};
    FvError error = {0};
    int status = EXIT_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status = written_open(&r.report[i], path[i], "");
        r.session[i] = r.report[i].session;
    }
    const FvOutputParams text = {.files = r.path, .file_count = 2};
    if (!status && report_error_if(outputs_check(&text, &error), &error))
        status = error.status;
    if (!status)
        status = compare_all(&r);
    if (!status)
        status = check_gates(&r, &asked->fail_if_worse);
    if (!status) {
        show_changes(&r, asked);
        status = judge(&r, &asked->fail_if_worse);
    }
    free(r.changes);
    free(r.frame);
    for (int i = 0; i < 2; i++)
        written_close(&r.report[i]);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Diff *asked = values;
    if (words->count != 2)
        return report_error(FV_ERROR_USAGE, "fovea diff needs two JSON reports, as in: fovea diff old.json new.json");
    for (int i = 0; i < 2; i++)
        if (!strcmp(words->items[i], "-"))
            return report_error(FV_ERROR_USAGE, "fovea diff reads files; store standard input in a file first");
    const DiffLadders ladders = {.path = {words->items[OLD], words->items[NEW]},
                                 .fail_if_worse = &asked->fail_if_worse,
                                 .json = asked->format && !strcmp(asked->format, "json"),
                                 .details = asked->details};
    int status;
    return diff_ladders(&ladders, &status) ? status : compare_reports(asked, ladders.path);
}

static const char *const formats[] = {"text", "json", NULL};

#define AT(field) offsetof(Diff, field)

static const ArgOption options[] = {
    {LIST("fail-if-worse", AT(fail_if_worse), "SCORE=VALUE[:POOL]"), .section = "Comparison", .offer = OFFER_OUTPUTS,
     .help =
         "exit with 1 if a pooled score of the new report is worse by more than VALUE, whether higher or lower is "
         "better; the mean unless POOL is named; may be repeated"},
    {FLAG("details", AT(details)), .section = "Output", .help = "also compare the parts of metrics"},
    {TEXT("format", AT(format), "NAME"), .choices = formats,
     .help = "text, or json with every pool of every score (text)"},
    {ROW_PROGRESS(offsetof(Diff, progress))},
    {.name = NULL},
};

const Command command_diff = {
    .name = "diff",
    .summary = "what changed from one report to another",
    .synopsis = "OLD.json NEW.json [OPTION]...",
    .description =
        "Compares two JSON reports that 'fovea score -o FILE.json' wrote: the scores, frame by frame where both have "
        "the frame, and the settings. A frame is worse when its score is worse at all. Two reports of several "
        "encodes "
        "are compared encode by encode, by the names of their files. The videos are not needed.",
    .example = "fovea diff old.json new.json\nfovea diff old.json new.json --fail-if-worse vmaf=0.5:p5",
    .options = options,
    .values_size = sizeof(Diff),
    .run = run,
};
