#include "table/table.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "path_names.h"
#include "table/details.h"
#include "table/lines.h"
#include "words.h"

#define SEGMENTS 5 /* maximum number of bad segments that are listed */
#define SCORES 64  /* maximum number of scores in a table */

/* ---- The first line -------------------------------------------------------------------------------------------- */

static const char *name_of(const FvSession *session, FvSide side, FvSourceInfo *info)
{
    if (!fv_session_input(session, side, info) || !info->path)
        return NULL;
    return !strcmp(info->path, "-") ? "standard input" : fv_base_name(info->path);
}

/* Returns the distance between the numbers of scored frames; 1: it is not constant. */
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
        snprintf(text + used, size - used, ", %.2f s", fv_word_length(session, step));
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

const char *table_look(const Style *style, FvSession *session, const FvClipVerdict *verdict)
{
    const bool harm = verdict->kind == FV_VERDICT_CHECKED &&
                      !strcmp(fv_session_check_verdict(session), fv_severity_name(FV_SEVERITY_FAIL));
    return harm || verdict->kind <= FV_VERDICT_GATE_FAILED ? style->alarm : style->bold;
}

/*
 * Prints the verdict's sentence, broken after the gate if it does not fit; then the names of the videos, and facts
 * about them to the right or below.
 */
static void print_head(FILE *file, const Style *style, FvSession *session, const FvClipVerdict *verdict)
{
    const char *sentence = verdict->sentence, *rest = strstr(sentence, ". ");
    const bool split = rest && line_width(sentence) > style->columns;
    const Style bold = {style->columns, "", "", "", ""};
    char first[1024], facts[256] = "", names[640], name[2][256];
    snprintf(first, sizeof first, "%.*s", split ? (int)(rest - sentence) + 1 : INT_MAX, sentence);
    fputs(table_look(style, session, verdict), file);
    line_wrap(file, &bold, 0, "", first);
    if (split)
        line_wrap(file, &bold, 0, "", rest + 2);
    fputs(style->none, file);

    FvSourceInfo info[2];
    const char *ref = name_of(session, FV_REFERENCE, &info[0]), *dis = name_of(session, FV_DISTORTED, &info[1]);
    describe_videos(facts, sizeof facts, session);
    int room = style->columns - line_width(facts) - 3 - (ref ? 9 : 0);
    const bool below = room < (ref ? 24 : 12);
    room += below ? line_width(facts) + 3 : 0;
    const int each = ref ? room / 2 : room;
    const int shorter = ref && line_width(ref) < each ? each - line_width(ref) : 0;
    line_cut(name[1], sizeof name[1], dis ? dis : "these frames", each + shorter);
    line_cut(name[0], sizeof name[0], ref ? ref : "",
             each + (line_width(name[1]) < each ? each - line_width(name[1]) : 0));
    snprintf(names, sizeof names, "%s%s%s", name[1], ref ? " against " : "", ref ? name[0] : "");
    fputs(names, file);
    fprintf(file, "%*s", below ? 0 : style->columns - line_width(names) - line_width(facts), "");
    fprintf(file, "%s%s%s%s\n", below ? "\n" : "", style->dim, facts, style->none);
}

/* ---- The table ------------------------------------------------------------------------------------------------- */

/* A row of the table as text; each column is as wide as its widest cell. */
enum { NAME, UNIT, MEAN, WORST_PART, WORST_FRAME, TIME, FRAME, VERDICT, CELLS };

typedef struct Row {
    char cell[CELLS][FV_WORD_SIZE];
} Row;

/*
 * Lists the outputs that the table shows, the most important first, equally important ones in the session's order.
 * Returns their number.
 */
static int list_outputs(const FvSession *session, int outputs[SCORES])
{
    int count = 0;
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session) && count < SCORES; o++)
            if (fv_session_meaning(session, o) == fv_meaning_at(i) &&
                fv_session_display(session, o) == FV_DISPLAY_FIRST)
                outputs[count++] = o;
    return count;
}

/* Returns ", top" or ", bottom" for a field's output if the whole frame has an output too; else "". */
static const char *field_of(const FvSession *session, int output)
{
    static const char *const ends[][2] = {{"_top", ", top"}, {"_bottom", ", bottom"}};
    const char *name = fv_session_output(session, output)->name;
    for (int e = 0; e < 2; e++) {
        const size_t length = strlen(name), end = strlen(ends[e][0]);
        for (int o = 0; o < fv_session_outputs(session) && length > end; o++) {
            const char *frames = fv_session_output(session, o)->name;
            if (strlen(frames) == length - end && !strncmp(name, frames, length - end) &&
                !strcmp(name + length - end, ends[e][0]))
                return ends[e][1];
        }
    }
    return "";
}

static bool shares_meaning(const FvSession *session, const int *outputs, int count, int output)
{
    for (int i = 0; i < count; i++)
        if (outputs[i] != output && fv_session_meaning(session, outputs[i]) == fv_session_meaning(session, output) &&
            !strcmp(field_of(session, outputs[i]), field_of(session, output)))
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

static Row row_of(const FvSession *session, int output, bool shares_name)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvOutputInfo *info = fv_session_output(session, output);
    const double mean = pool(session, output, FV_POOL_MEAN);
    FvVerdict verdict = {.level = 0};
    int64_t worst;
    Row row = {{""}};
    if (shares_name)
        line_cut(row.cell[NAME], FV_WORD_SIZE, info->name, 20);
    else
        snprintf(row.cell[NAME], FV_WORD_SIZE, "%s%s", strlen(meaning->title) > 16 ? meaning->brief : meaning->title,
                 field_of(session, output));
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
    else if (fv_session_verdict(session, output, mean, &verdict) ||
             verdict.level) /* a level without `true` is a bound that says nothing */
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
    int blanks = 0; /* printed before the next text, so that no line ends with blanks */
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
    /* Sum of the gaps of all columns, and 2 because the time's column is wider than its title. */
    static const int gap = 17;
    /* Columns to drop in this order if the table is too wide. */
    static const int less[] = {FRAME, WORST_PART, TIME, WORST_FRAME};
    const bool one = fv_session_frames(session) == 1;
    int outputs[SCORES], width[CELLS] = {16};
    Row head = {{"", "", "mean", "worst 5 %", "worst", "at", "", "verdict"}}, rows[SCORES];
    if (one)
        snprintf(head.cell[MEAN], FV_WORD_SIZE, "value");
    const int count = list_outputs(session, outputs);
    for (int i = 0; i < count; i++)
        rows[i] = row_of(session, outputs[i], shares_meaning(session, outputs, count, outputs[i]));
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

/* Prints the sources of the verdicts: "Verdicts by Netflix (VMAF), rule of thumb (PSNR, luma)". */
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

/*
 * Prints the warnings, except those that appeared above on the same terminal; then the frames that no score covers.
 */
static void print_warnings(FILE *file, const Style *style, const FvSession *session)
{
    static const char warning[] = "warning: ", pairing[] = "pairing: ";
    for (int i = 0; i < fv_session_decisions(session); i++) {
        const char *text = fv_session_decision(session, i);
        if (!strncmp(text, warning, sizeof warning - 1) && !message_was_seen(text + sizeof warning - 1))
            line_wrap(file, style, 9, "Warning: ", text + sizeof warning - 1);
    }
    for (int i = 0; i < fv_session_decisions(session); i++)
        if (!strncmp(fv_session_decision(session, i), pairing, sizeof pairing - 1))
            line_wrap(file, style, 9, "Pairing: ", fv_session_decision(session, i) + sizeof pairing - 1);
}

/*
 * Prints the place of a segment: "from 0:06.00 to 0:08.00"; if the frames have no times, "in frames 150 to 199" or
 * "in frame 12".
 */
static void describe_place(char text[2 * FV_WORD_SIZE], const FvSession *session, const FvSegment *segment)
{
    char start[FV_WORD_SIZE], end[FV_WORD_SIZE];
    if (!isnan(fv_session_time(session, segment->first)))
        snprintf(text, 2 * FV_WORD_SIZE, "%s to %s", fv_word_time(start, segment->start, 2),
                 fv_word_time(end, segment->end, 2));
    else if (segment->first == segment->last)
        snprintf(text, 2 * FV_WORD_SIZE, "frame %" PRId64, segment->first);
    else
        snprintf(text, 2 * FV_WORD_SIZE, "frames %" PRId64 " to %" PRId64, segment->first, segment->last);
}

/*
 * Prints the bad segments by the score that the verdict uses, the costliest first, with the other graded scores that
 * are bad there.
 */
static void print_segments(FILE *file, const Style *style, const FvSession *session, const FvClipVerdict *verdict)
{
    int count = 0;
    bool faults = false;
    for (int s = 0; s < verdict->segment_count; s++) {
        const FvSegment *segment = &verdict->segments[s];
        const FvMeaning *meaning = fv_session_meaning(session, segment->output);
        char place[2 * FV_WORD_SIZE], mean[FV_WORD_SIZE], worst[FV_WORD_SIZE], text[1024];
        if (segment->output != verdict->output || ++count > SEGMENTS)
            continue;
        describe_place(place, session, segment);
        size_t used = (size_t)snprintf(text, sizeof text, "%s, %s. %s %s, worst %s in frame %" PRId64, segment->word,
                                       place, meaning->title, fv_word_value(mean, meaning, segment->mean, false),
                                       fv_word_value(worst, meaning, segment->worst, false), segment->worst_frame);
        for (int o = 0; o < verdict->segment_count && used < sizeof text; o++) {
            const FvSegment *other = &verdict->segments[o];
            const FvMeaning *by = fv_session_meaning(session, other->output);
            if (other->output != verdict->output && other->first <= segment->last && other->last >= segment->first)
                used += (size_t)snprintf(text + used, sizeof text - used, "; %s %s, %s", by->title, other->word,
                                         fv_word_value(mean, by, other->mean, false));
        }
        bool fault = false;
        if (segment->cause && used < sizeof text)
            snprintf(text + used, sizeof text - used, " (%s)", fv_word_cause(segment->cause, &fault));
        faults |= fault;
        line_wrap(file, style, 10, "segment   ", text);
    }
    if (count > SEGMENTS)
        fprintf(file, "          and %d more; -o report.html shows all\n", count - SEGMENTS);
    if (faults)
        fputs("          'fovea check FILE' looks for such faults in one video\n", file);
}

/* Prints how many frames are equal by scores in decibels, which are infinite there. */
static void print_equal_frames(FILE *file, const Style *style, const FvSession *session)
{
    char text[256];
    for (int o = 0; o < fv_session_outputs(session); o++)
        if (fv_session_display(session, o) == FV_DISPLAY_FIRST && fv_word_equal_frames(text, sizeof text, session, o))
            line_wrap(file, style, 9, "Note:    ", text);
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
    if (params->details || !*style->dim) /* hints are for people at a terminal */
        return;
    fprintf(file, "\n%s", style->dim);
    line_wrap(file, &(Style){style->columns, "", "", "", ""}, 0, "--details",
              params->reports
                  ? "shows every score and decision."
                  : "shows every score and decision; -o report.html makes a page with the worst moments.");
    fputs(style->none, file);
}

FvStatus table_print(FILE *file, FvSession *session, const TableParams *params)
{
    const Style style = style_of_output();
    const FvClipVerdict *verdict;
    FvError error = {0};
    if (report_error_if(fv_session_judge(session, &verdict, &error), &error))
        return error.status;
    if (params->quiet) {
        fprintf(file, "%s%s%s\n", table_look(&style, session, verdict), verdict->sentence, style.none);
        return FV_OK;
    }
    const char *partial = fv_session_partial(session);
    const bool identical = fv_session_identical(session) && !partial;
    print_head(file, &style, session, verdict);
    print_warnings(file, &style, session);
    if (identical)
        print_identical(file, &style, session);
    else if (fv_session_frames(session)) {
        putc('\n', file);
        print_scores(file, &style, session);
        print_sources(file, &style, session);
        for (int m = 0; m < fv_session_metrics(session); m++)
            if (fv_session_note(session, m)) {
                fputs(style.dim, file);
                line_wrap(file, &(Style){style.columns, "", "", "", ""}, 0, "", fv_session_note(session, m));
                fputs(style.none, file);
            }
    }
    if (params->gates && params->gates->count)
        putc('\n', file);
    print_gates(file, &style, session, params->gates);
    if (verdict->segment_count)
        putc('\n', file);
    print_segments(file, &style, session, verdict);
    if (!identical) {
        char text[256];
        if (fv_word_disagreement(text, sizeof text, session))
            line_wrap(file, &style, 9, "Note:    ", text);
        print_equal_frames(file, &style, session);
    }
    details_print_parts(file, &style, session);
    if (params->details)
        details_print(file, &style, session);
    print_hint(file, &style, params);
    return FV_OK;
}
