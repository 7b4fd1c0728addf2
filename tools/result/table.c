#include "result/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "result/details.h"
#include "result/lines.h"
#include "words.h"

#define WORST 3   /* frames that are named */
#define SCORES 64 /* of one table */

/* ---- The first line -------------------------------------------------------------------------------------------- */

static const char *name_of(const FvSession *session, FvSide side, FvSourceInfo *info)
{
    if (!fv_session_input(session, side, info) || !info->path)
        return NULL;
    const char *slash = strrchr(info->path, '/');
    return !strcmp(info->path, "-") ? "standard input" : slash && slash[1] ? slash + 1 : info->path;
}

/* By how much the numbers of the scored frames rise; 1 where they do not rise evenly. */
static int64_t step_of(const FvSession *session)
{
    const int64_t frames = fv_session_frames(session), first = frames ? fv_session_frame_number(session, 0) : 0;
    const int64_t step = frames > 1 ? fv_session_frame_number(session, 1) - first : 1;
    for (int64_t i = 2; i < frames; i++)
        if (fv_session_frame_number(session, i) != first + i * step)
            return 1;
    return step;
}

void table_tell_length(char *text, size_t size, const FvSession *session)
{
    const FvFormat *scored = fv_session_format(session, FV_DISTORTED);
    const int64_t frames = fv_session_frames(session), step = step_of(session);
    size_t used = (size_t)snprintf(text, size, "%" PRId64 " frame%s", frames, frames == 1 ? "" : "s");
    if (step > 1)
        used += (size_t)snprintf(text + used, size - used, ", 1 of %" PRId64, step);
    if (scored->rate_den && frames > 1)
        snprintf(text + used, size - used, ", %.2f s", (double)(frames * step) * scored->rate_den / scored->rate_num);
}

static void describe_videos(char *text, size_t size, const FvSession *session)
{
    const FvFormat *scored = fv_session_format(session, FV_DISTORTED);
    FvSourceInfo info = {.frames = -1};
    size_t used = 0;
    if (fv_session_input(session, FV_DISTORTED, &info) &&
        (info.format.width != scored->width || info.format.height != scored->height))
        used += (size_t)snprintf(text, size, "%dx%d to ", info.format.width, info.format.height);
    used += (size_t)snprintf(text + used, size - used, "%dx%d", scored->width, scored->height);
    if (scored->rate_den)
        used += (size_t)snprintf(text + used, size - used, ", %.5g fps", (double)scored->rate_num / scored->rate_den);
    if (!isnan(fv_session_bit_rate(session, FV_DISTORTED))) {
        char rate[FV_WORD_SIZE];
        fv_word_bit_rate(rate, fv_session_bit_rate(session, FV_DISTORTED));
        used += (size_t)snprintf(text + used, size - used, ", %s", rate);
    }
    used += (size_t)snprintf(text + used, size - used, ", ");
    table_tell_length(text + used, size - used, session);
}

/* "partial, 41 of 75 frames", "identical", or the verdict on the clip: "fair", "little banding". */
static void describe_outcome(char *text, size_t size, const FvSession *session)
{
    const int headline = fv_session_headline(session);
    FvSourceInfo info = {.frames = -1};
    FvVerdict verdict = {.level = 0};
    if (fv_session_partial(session)) {
        int used = snprintf(text, size, "partial, %" PRId64, fv_session_frames(session));
        const bool known = fv_session_input(session, FV_DISTORTED, &info) && info.frames > 0;
        if (known)
            used += snprintf(text + used, size - (size_t)used, " of %" PRId64, info.frames);
        snprintf(text + used, size - (size_t)used, " frames");
        return;
    }
    if (fv_session_identical(session)) {
        snprintf(text, size, "identical");
        return;
    }
    if (headline >= 0)
        fv_session_verdict(session, headline, fv_session_pool(session, headline, FV_POOL_MEAN), &verdict);
    const char *artefact = headline >= 0 ? fv_word_artefact(fv_session_meaning(session, headline), &verdict) : "";
    snprintf(text, size, "%s%s%s", verdict.word, *artefact ? " " : "", artefact);
}

static void print_head(FILE *file, const Style *style, const FvSession *session)
{
    char facts[256] = "", outcome[96], names[640], name[2][256];
    FvSourceInfo info[2];
    const char *ref = name_of(session, FV_REFERENCE, &info[0]), *dis = name_of(session, FV_DISTORTED, &info[1]);
    describe_videos(facts, sizeof facts, session);
    describe_outcome(outcome, sizeof outcome, session);
    const int taken = line_width(facts) + (*outcome ? line_width(outcome) + 2 : 0) + 3;
    int room = style->columns - taken - (ref ? 9 : 0);
    const bool split = room < (ref ? 24 : 12); /* the facts get a line of their own */
    room += split ? line_width(facts) + 3 : 0;
    const int each = ref ? room / 2 : room;
    const int shorter = ref && line_width(ref) < each ? each - line_width(ref) : 0;
    line_cut(name[1], sizeof name[1], dis ? dis : "these frames", each + shorter);
    line_cut(name[0], sizeof name[0], ref ? ref : "",
             each + (line_width(name[1]) < each ? each - line_width(name[1]) : 0));
    snprintf(names, sizeof names, "%s%s%s", name[1], ref ? " against " : "", ref ? name[0] : "");
    fprintf(file, "%s%s%s%s%s", names, *outcome ? ": " : "", style->bold, outcome, style->none);
    const int printed = line_width(names) + (*outcome ? 2 : 0) + line_width(outcome);
    fprintf(file, "%*s", split ? 0 : style->columns - printed - line_width(facts), "");
    fprintf(file, "%s%s%s%s\n", split ? "\n" : "", style->dim, facts, style->none);
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

/* A row as text; the columns are as wide as their widest cell. */
enum { NAME, UNIT, MEAN, WORST_PART, WORST_FRAME, TIME, FRAME, VERDICT, CELLS };

typedef struct Row {
    char cell[CELLS][FV_WORD_SIZE];
} Row;

/* The outputs that are shown, the most telling first; equal ones in the session's order. */
static int list_outputs(const FvSession *session, int outputs[SCORES])
{
    int count = 0;
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session) && count < SCORES; o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i) && fv_session_shown(session, o) == FV_SHOWN_FIRST)
                outputs[count++] = o;
    return count;
}

static bool has_twin(const FvSession *session, const int *outputs, int count, int output)
{
    for (int i = 0; i < count; i++)
        if (outputs[i] != output && fv_session_meaning(session, outputs[i]) == fv_session_meaning(session, output))
            return true;
    return false;
}

static double pool(const FvSession *session, int output, FvPool pool)
{
    const bool sequence = fv_session_output(session, output)->sequence;
    return !sequence              ? fv_session_pool(session, output, pool)
           : pool == FV_POOL_MEAN ? fv_session_value(session, 0, output)
                                  : NAN;
}

static Row row_of(const FvSession *session, int output, bool twin)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvOutputInfo *info = fv_session_output(session, output);
    const double mean = pool(session, output, FV_POOL_MEAN);
    FvVerdict verdict = {.level = 0};
    int64_t worst;
    Row row = {{""}};
    if (twin)
        line_cut(row.cell[NAME], FV_WORD_SIZE, info->name, 20);
    else
        snprintf(row.cell[NAME], FV_WORD_SIZE, "%s", strlen(meaning->title) > 16 ? meaning->brief : meaning->title);
    snprintf(row.cell[UNIT], FV_WORD_SIZE, "%s", meaning->unit ? meaning->unit : "");
    fv_word_value(row.cell[MEAN], meaning, mean, false);
    fv_word_value(row.cell[WORST_PART], meaning, pool(session, output, fv_word_worst(info->better)), false);
    snprintf(row.cell[WORST_FRAME], FV_WORD_SIZE, "-");
    if (fv_session_worst(session, output, 1, &worst, 1)) {
        const int64_t number = fv_session_frame_number(session, worst);
        fv_word_value(row.cell[WORST_FRAME], meaning, fv_session_value(session, worst, output), false);
        fv_word_moment(row.cell[TIME], session, number, 3);
        snprintf(row.cell[FRAME], FV_WORD_SIZE, "frame %" PRId64, number);
    } else if (info->better == FV_NEITHER_IS_BETTER)
        snprintf(row.cell[WORST_PART], FV_WORD_SIZE, "-");
    if (fv_session_partial(session))
        snprintf(row.cell[VERDICT], FV_WORD_SIZE, "partial");
    else if (fv_session_verdict(session, output, mean, &verdict))
        snprintf(row.cell[VERDICT], FV_WORD_SIZE, "%s", verdict.word);
    else
        snprintf(row.cell[VERDICT], FV_WORD_SIZE, "-");
    return row;
}

static bool is_number(int column)
{
    return column == MEAN || column == WORST_PART || column == WORST_FRAME;
}

static void print_row(FILE *file, const Style *style, const Row *row, const int width[CELLS], bool heading)
{
    static const int gap[CELLS] = {0, 1, 2, 3, 3, 3, 2, 3};
    int blanks = 0; /* at the end of a line there are none */
    for (int c = 0; c < CELLS; c++) {
        const int own = line_width(row->cell[c]);
        if (!width[c])
            continue;
        blanks += gap[c] + (is_number(c) ? width[c] - own : 0);
        if (!own) {
            blanks += width[c];
            continue;
        }
        const char *look = heading || c == UNIT || c == FRAME ? style->dim
                           : c == MEAN || c == VERDICT        ? style->bold
                                                              : "";
        fprintf(file, "%*s%s%s%s", blanks, "", look, row->cell[c], *look ? style->none : "");
        blanks = is_number(c) ? 0 : width[c] - own;
    }
    putc('\n', file);
}

static void print_scores(FILE *file, const Style *style, const FvSession *session)
{
    static const int gap = 17; /* of all columns, and the two blanks that the time has more than its title */
    static const int less[] = {FRAME, WORST_PART, TIME, WORST_FRAME}; /* the columns that go first */
    const bool one = fv_session_frames(session) == 1;
    int outputs[SCORES], width[CELLS] = {16};
    Row head = {{"", "", "mean", "worst 5 %", "worst", "at", "", "verdict"}}, rows[SCORES];
    if (one)
        snprintf(head.cell[MEAN], FV_WORD_SIZE, "value");
    const int count = list_outputs(session, outputs);
    for (int i = 0; i < count; i++)
        rows[i] = row_of(session, outputs[i], has_twin(session, outputs, count, outputs[i]));
    for (int c = 0; c < CELLS; c++)
        for (int i = -1; i < count; i++) {
            const int own = line_width(i < 0 ? head.cell[c] : rows[i].cell[c]);
            width[c] = own > width[c] ? own : width[c];
        }
    for (int i = 0; i < 4; i++) {
        int sum = gap;
        for (int c = 0; c < CELLS; c++)
            sum += width[c];
        if (one || sum > style->columns)
            width[less[i]] = 0;
    }
    print_row(file, style, &head, width, true);
    for (int i = 0; i < count; i++)
        print_row(file, style, &rows[i], width, false);
}

/* "Verdicts by Netflix (VMAF), rule of thumb (PSNR, luma)". */
static void print_sources(FILE *file, const Style *style, const FvSession *session)
{
    char text[1024] = "";
    int outputs[SCORES];
    const FvMeaning *last = NULL;
    const int count = list_outputs(session, outputs);
    for (int i = 0; i < count; i++) {
        const FvMeaning *meaning = fv_session_meaning(session, outputs[i]);
        const size_t used = strlen(text);
        FvVerdict verdict;
        if (meaning->by && meaning != last &&
            fv_session_verdict(session, outputs[i], pool(session, outputs[i], FV_POOL_MEAN), &verdict))
            snprintf(text + used, sizeof text - used, "%s%s (%s)", used ? ", " : "", meaning->by, meaning->brief);
        last = meaning;
    }
    if (*text) {
        fputs(style->dim, file);
        line_wrap(file, &(Style){style->columns, "", "", "", ""}, 0, "Verdicts by:", text);
        fputs(style->none, file);
    }
}

/* ---- Lines around it ------------------------------------------------------------------------------------------- */

/* Warnings that stand above on the same terminal are not repeated. */
static void print_warnings(FILE *file, const Style *style, const FvSession *session)
{
    static const char mark[] = "warning: ";
    for (int i = 0; i < fv_session_decisions(session); i++) {
        const char *text = fv_session_decision(session, i);
        if (!strncmp(text, mark, sizeof mark - 1) && !message_was_seen(text + sizeof mark - 1))
            line_wrap(file, style, 9, "Warning: ", text + sizeof mark - 1);
    }
}

/* The worst frames of the score that speaks for the clip, at least a second apart where the clip is long enough. */
static void print_worst(FILE *file, const Style *style, const FvSession *session)
{
    int outputs[SCORES];
    const int output = list_outputs(session, outputs) ? outputs[0] : -1;
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    int64_t worst[WORST], apart = fv_session_frames(session) / (4 * WORST);
    const int64_t second = format->rate_den ? format->rate_num / format->rate_den : 25;
    apart = apart > second ? second : apart < 1 ? 1 : apart;
    if (fv_session_frames(session) < 2 || output < 0)
        return;
    const int count = fv_session_worst(session, output, apart, worst, WORST);
    char text[512] = "", name[96];
    const FvMeaning *meaning = fv_session_meaning(session, output);
    for (int i = 0; i < count; i++) {
        char value[FV_WORD_SIZE], time[FV_WORD_SIZE];
        const int64_t number = fv_session_frame_number(session, worst[i]);
        const size_t used = strlen(text);
        fv_word_moment(time, session, number, 3);
        fv_word_value(value, meaning, fv_session_value(session, worst[i], output), false);
        snprintf(text + used, sizeof text - used, "%s%s at %s%s%s%" PRId64 "%s", i ? ", " : "", value, time,
                 *time ? " (" : "", !*time || !i ? "frame " : "", number, *time ? ")" : "");
    }
    snprintf(name, sizeof name, "Worst frames by %s:", meaning->title);
    if (count)
        line_wrap(file, &(Style){style->columns, "", "", "", ""}, 0, name, text);
}

/* Scores that cannot say more. */
static void print_ceilings(FILE *file, const Style *style, const FvSession *session)
{
    for (int o = 0; o < fv_session_outputs(session); o++) {
        const FvOutputInfo *info = fv_session_output(session, o);
        const int64_t frames = fv_session_frames(session);
        int64_t count = 0;
        if (info->sequence || !info->unit || strcmp(info->unit, "dB") || !isfinite(info->maximum))
            continue;
        for (int64_t i = 0; i < frames; i++)
            count += fv_session_value(session, i, o) >= info->maximum;
        char text[256];
        snprintf(text, sizeof text, "%s is at its ceiling of %g dB in %" PRId64 " of %" PRId64 " frames",
                 fv_session_meaning(session, o)->title, info->maximum, count, frames);
        if (count && fv_session_shown(session, o) == FV_SHOWN_FIRST)
            line_wrap(file, style, 9, "Note:    ", text);
    }
}

static void print_gates(FILE *file, const Style *style, const FvSession *session, const Gates *gates)
{
    for (int failed = 1; failed >= 0; failed--)
        for (int i = 0; gates && i < gates->count; i++) {
            char text[256];
            if (gate_describe(&gates->gates[i], session, text, sizeof text) != !failed)
                continue;
            fprintf(file, "%s%s%s   %s\n", failed ? style->alarm : style->bold, failed ? "failed" : "passed",
                    style->none, text);
        }
}

static void print_identical(FILE *file, const Style *style, const FvSession *session)
{
    int outputs[SCORES];
    char text[4096], frames[FV_WORD_SIZE] = "";
    const int count = list_outputs(session, outputs);
    if (fv_session_frames(session) > 1)
        snprintf(frames, sizeof frames, " of all %" PRId64 " frames", fv_session_frames(session));
    size_t used = (size_t)snprintf(text, sizeof text, "Every sample%s is equal.", frames);
    for (int i = 0; i < count && used < sizeof text; i++) {
        char value[FV_WORD_SIZE];
        const double mean = pool(session, outputs[i], FV_POOL_MEAN);
        fv_word_score(value, fv_session_meaning(session, outputs[i]), mean, false);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %s: %s", i ? ";" : "",
                                 fv_word_title(session, outputs[i]), isinf(mean) ? "infinite" : value);
    }
    if (count && used < sizeof text)
        snprintf(text + used, sizeof text - used, ".");
    line_wrap(file, &(Style){style->columns, "", "", "", ""}, 0, "", text);
}

static void print_hint(FILE *file, const Style *style, const TableParams *params)
{
    if (params->details || !*style->dim) /* for people at a terminal */
        return;
    fprintf(file, "\n%s", style->dim);
    line_wrap(file, &(Style){style->columns, "", "", "", ""}, 0, "--details",
              params->reports
                  ? "shows every score and decision."
                  : "shows every score and decision; -o report.html makes a page with the worst moments.");
    fputs(style->none, file);
}

void table_print(FILE *file, const FvSession *session, const TableParams *params)
{
    const Style style = style_of_output();
    const char *partial = fv_session_partial(session);
    const bool identical = fv_session_identical(session) && !partial;
    print_head(file, &style, session);
    if (partial)
        line_wrap(file, &style, 9, "Partial: ", partial);
    print_warnings(file, &style, session);
    if (identical)
        print_identical(file, &style, session);
    else if (fv_session_frames(session)) {
        putc('\n', file);
        print_scores(file, &style, session);
        print_worst(file, &style, session);
        print_sources(file, &style, session);
        for (int m = 0; m < fv_session_metrics(session); m++)
            if (fv_session_remark(session, m)) {
                fputs(style.dim, file);
                line_wrap(file, &(Style){style.columns, "", "", "", ""}, 0, "", fv_session_remark(session, m));
                fputs(style.none, file);
            }
    }
    if (params->gates && params->gates->count)
        putc('\n', file);
    print_gates(file, &style, session, params->gates);
    if (!identical) {
        char text[256];
        if (fv_word_disagreement(text, sizeof text, session))
            line_wrap(file, &style, 9, "Note:    ", text);
        print_ceilings(file, &style, session);
    }
    details_print_parts(file, &style, session);
    if (params->details)
        details_print(file, &style, session);
    print_hint(file, &style, params);
}
