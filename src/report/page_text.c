/* What the report page says without its script: the verdict, gates, warnings, tables, decisions and provenance. */
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "report/page_text.h"
#include "words.h"

#define SCORES 256

/* Text is never markup, and always UTF-8. */
static void put(FILE *file, const char *text)
{
    while (text && *text) {
        const int length = fv_utf8_length(text);
        if (!length)
            fputs("\ufffd", file);
        else if (strchr("<>&\"'", *text))
            fprintf(file, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ')
            fwrite(text, 1, (size_t)length, file);
        text += length ? length : 1;
    }
}

__attribute__((format(printf, 3, 4))) static void put_in(FILE *file, const char *element, const char *format, ...)
{
    char text[2048], name[32];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(element, " "), element);
    fprintf(file, "<%s>", element);
    put(file, text);
    fprintf(file, "</%s>", name);
}

/* A message, whose parameters stand in backticks. */
static void put_message(FILE *file, const char *text)
{
    char part[2048];
    for (bool code = false; *text; code = !code) {
        const size_t length = strcspn(text, "`"), marks = code && text[length];
        snprintf(part, sizeof part, "%.*s", (int)length, text);
        if (marks)
            put_in(file, "code", "%s", part);
        else if (code)
            put(file, "`");
        if (!marks)
            put(file, part);
        text += length + (text[length] == '`');
    }
}

const char *fv_page_name(const FvSession *session, FvSide side)
{
    const FvInput *input = side ? &fv_session_facts(session)->distorted : &fv_session_facts(session)->reference;
    const char *slash = input->present ? strrchr(input->path, '/') : NULL;
    if (side == FV_REFERENCE && !fv_session_format(session, FV_REFERENCE))
        return NULL;
    return !input->present ? "pushed frames" : slash && slash[1] ? slash + 1 : input->path;
}

/* Which outputs come first, in the order of tables. */
int fv_page_order(const FvSession *session, int *outputs, int most)
{
    const int headline = fv_session_headline(session);
    int count = 0;
    if (headline >= 0)
        outputs[count++] = headline;
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session) && count < most; o++)
            if (o != headline && fv_session_meaning(session, o) == fv_meaning_at(i) &&
                fv_session_shown(session, o) == FV_SHOWN_FIRST)
                outputs[count++] = o;
    return count;
}

static double pooled(const FvSession *session, int output, FvPool pool)
{
    const FvColumn *column = &fv_session_scores(session)->columns[output];
    return !column->info.sequence ? fv_session_pool(session, output, pool)
           : pool == FV_POOL_MEAN ? column->sequence
                                  : NAN;
}

static void put_meter(FILE *file, int level)
{
    fputs("<span class=\"meter\" aria-hidden=\"true\">", file);
    for (int i = 1; i <= 5; i++)
        fputs(i <= level ? "<i class=\"on\"></i>" : "<i></i>", file);
    fputs("</span>", file);
}

/* ---- The head -------------------------------------------------------------------------------------------------- */

static void put_facts(FILE *file, const FvSession *session)
{
    const FvInput *dis = &fv_session_facts(session)->distorted;
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const int64_t frames = fv_session_scores(session)->frames;
    fputs("<p class=\"faint\">", file);
    if (dis->present) {
        put(file, fv_word_codec(dis->codec));
        if (dis->info.format.width != format->width || dis->info.format.height != format->height)
            fprintf(file, " · %d×%d, scored at", dis->info.format.width, dis->info.format.height);
        else
            fputs(" ·", file);
    }
    fprintf(file, " %d×%d, %s, %d bits", format->width, format->height, fv_chroma_name(format->chroma),
            format->depth);
    if (format->rate_den && frames > 1)
        fprintf(file, " · %.6g frames a second", (double)format->rate_num / format->rate_den);
    if (dis->present && !isnan(dis->bit_rate)) {
        char rate[FV_WORD_SIZE];
        fprintf(file, " · %s", fv_word_bit_rate(rate, dis->bit_rate));
    }
    fprintf(file, " · %" PRId64 " frame%s", frames, frames == 1 ? "" : "s");
    if (format->rate_den && frames > 1)
        fprintf(file, ", %.2f s", (double)frames * format->rate_den / format->rate_num);
    fputs("</p>\n", file);
}

/* "One frame in twenty is below 57.75; the worst, at 0:00.84, has 54.96." */
static void put_spread(FILE *file, const FvSession *session, int output)
{
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvBetter better = fv_session_scores(session)->columns[output].info.better;
    char part[FV_WORD_SIZE], least[FV_WORD_SIZE], time[FV_WORD_SIZE];
    int64_t worst;
    if (fv_session_scores(session)->frames < 2 || !fv_session_worst(session, output, 1, &worst, 1))
        return;
    fv_word_value(part, meaning, fv_session_pool(session, output, fv_word_worst(better)), true);
    fv_word_value(least, meaning, fv_session_value(session, worst, output), true);
    fv_word_moment(time, session, fv_session_frame_number(session, worst), 2);
    fprintf(file, " One frame in twenty is %s <b>%s</b>; the worst, ",
            better == FV_LOWER_IS_BETTER ? "above" : "below", part);
    if (*time)
        fprintf(file, "at <b>%s</b>", time);
    else
        fprintf(file, "frame <b>%" PRId64 "</b>", fv_session_frame_number(session, worst));
    fprintf(file, ", has <b>%s</b>.", least);
}

static void put_verdict(FILE *file, const FvSession *session)
{
    int order[SCORES];
    const int headline = fv_session_headline(session);
    const int output = headline >= 0 ? headline : fv_page_order(session, order, SCORES) ? order[0] : -1;
    const char *partial = fv_session_partial(session);
    FvVerdict verdict = {.level = 0};
    char value[FV_WORD_SIZE];
    if (output >= 0)
        fv_session_verdict(session, output, pooled(session, output, FV_POOL_MEAN), &verdict);
    if (partial)
        fprintf(file, "<div class=\"word alert\">Partial: %" PRId64 " frames</div><p class=\"says\">",
                fv_session_scores(session)->frames);
    else if (fv_session_identical(session)) {
        fputs("<div class=\"word\">Identical</div><p class=\"says\">Every sample of all frames is equal.</p>\n",
              file);
        return;
    } else if (verdict.level) {
        fputs("<div class=\"word\">", file);
        put_meter(file, verdict.level);
        fprintf(file, " %c", verdict.word[0] - ('a' - 'A'));
        put(file, verdict.word + 1);
        const bool little = verdict.level == 5 && !strcmp(fv_session_meaning(session, output)->score, "cambi");
        fprintf(file, "%s</div><p class=\"says\">", little ? " banding" : "");
    } else
        fputs("<p class=\"says\">", file);
    put(file, partial ? partial : "");
    fputs(partial ? ". " : "", file);
    if (output < 0) {
        fputs("</p>\n", file);
        return;
    }
    const FvMeaning *meaning = fv_session_meaning(session, output);
    fv_word_score(value, meaning, pooled(session, output, FV_POOL_MEAN), true);
    fprintf(file, "<b>%s %s</b>", meaning->title, value);
    if (meaning->scale && !meaning->unit)
        fprintf(file, strncmp(meaning->scale, "of ", 3) ? " (%s)" : " %s", meaning->scale);
    fprintf(file, ": %s.", meaning->text);
    put_spread(file, session, output);
    fputs("</p>", file);
    if (verdict.level && !partial)
        put_in(file, "p class=\"faint small\"", "Source of the word: %s.", meaning->source);
    putc('\n', file);
}

static void put_icon(FILE *file, const char *class, const char *path)
{
    fprintf(file, "<li%s%s%s><svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"%s\"/></svg><div>",
            *class ? " class=\"" : "", class, *class ? "\"" : "", path);
}

static void put_gate(FILE *file, const FvSession *session, const FvGate *gate)
{
    const FvOutputInfo *info = &fv_session_scores(session)->columns[gate->output].info;
    const FvMeaning *meaning = fv_session_meaning(session, gate->output);
    char shown[FV_WORD_SIZE];
    double value;
    const FvGateOutcome outcome = fv_session_gate(session, gate, &value);
    const char *unit = meaning->unit && !meaning->share ? meaning->unit : "";
    if (fabs(value - gate->limit) < 0.01 || meaning->share)
        snprintf(shown, sizeof shown, "%.6f%s%s", value, *unit ? " " : "", unit);
    else
        fv_word_score(shown, meaning, value, true);
    put_icon(file, outcome ? "failed" : "", outcome ? "M5 5l10 10M15 5L5 15" : "M4 10.5l4 4 8-9");
    fprintf(file, "<b>Gate %s:</b> ",
            outcome == FV_GATE_PASSED   ? "passed"
            : outcome == FV_GATE_FAILED ? "failed"
                                        : "undefined");
    put(file, fv_word_title(session, gate->output));
    fprintf(file, ", %s<br><span class=\"faint\">%s, must not be %s %g%s%s</span></div></li>\n",
            info->sequence ? "of the clip" : fv_word_pool(gate->pool, info->better), shown,
            gate->above ? "above" : "below", gate->limit, *unit ? " " : "", unit);
}

static void put_warning(FILE *file, const char *title, const char *text)
{
    put_icon(file, "", "M10 3l7.5 13.5h-15zM10 8v4M10 14v.1");
    put_in(file, "b", "%s", title);
    putc(' ', file);
    put_message(file, text);
    fputs("</div></li>\n", file);
}

static void put_notices(FILE *file, const FvSession *session)
{
    static const char mark[] = "warning: ";
    fputs("<ul class=\"gates\" aria-label=\"Gates and warnings\">\n", file);
    for (int failed = 1; failed >= 0; failed--)
        for (int i = 0; i < fv_session_facts(session)->gate_count; i++)
            if ((fv_session_gate(session, &fv_session_facts(session)->gates[i], NULL) != FV_GATE_PASSED) == failed)
                put_gate(file, session, &fv_session_facts(session)->gates[i]);
    for (int i = 0; i < fv_session_facts(session)->decision_count; i++) {
        const char *text = fv_session_facts(session)->decisions[i];
        if (strncmp(text, mark, sizeof mark - 1))
            continue;
        put_warning(file, "Warning:", text + sizeof mark - 1);
    }
    char text[256];
    if (!fv_session_identical(session) && fv_word_disagreement(text, sizeof text, session))
        put_warning(file, "Note:", text);
    fputs("</ul>\n", file);
}

void fv_page_title(FILE *file, const FvSession *session)
{
    const char *ref = fv_page_name(session, FV_REFERENCE);
    put(file, fv_page_name(session, FV_DISTORTED));
    fputs(ref ? " against " : "", file);
    put(file, ref);
    fputs(" · fovea report", file);
}

void fv_page_head(FILE *file, const FvSession *session)
{
    const char *ref = fv_page_name(session, FV_REFERENCE);
    fputs("<header>\n<div class=\"brand\">fovea <span>quality report</span></div>\n<h1>", file);
    put(file, fv_page_name(session, FV_DISTORTED));
    if (ref) {
        fputs(" <span>against</span> ", file);
        put(file, ref);
    }
    fputs("</h1>\n", file);
    put_facts(file, session);
    fputs("<div class=\"verdict\"><div>", file);
    put_verdict(file, session);
    fputs("</div>\n", file);
    put_notices(file, session);
    fputs("</div>\n</header>\n", file);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static void put_number(FILE *file, const FvMeaning *meaning, double value)
{
    char text[FV_WORD_SIZE];
    put_in(file, "td class=\"n\"", "%s", fv_word_value(text, meaning, value, true));
}

static void put_summary(FILE *file, const char *title, const char *about, bool open)
{
    fprintf(file, "<details%s><summary>%s ", open ? " open" : "", title);
    put_in(file, "span", "%s", about);
    fputs("</summary><div class=\"wide\">", file);
}

static void put_score(FILE *file, const FvSession *session, int output)
{
    static const FvPool pools[] = {FV_POOL_MEAN, FV_POOL_MEDIAN, FV_POOL_STDDEV};
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvOutputInfo *info = &fv_session_scores(session)->columns[output].info;
    FvVerdict verdict;
    fputs(fv_session_shown(session, output) == FV_SHOWN_PART ? "<tr class=\"part\"><td>" : "<tr><td>", file);
    put(file, meaning->title);
    fputs(meaning->unit ? ", " : "", file);
    put(file, meaning->unit);
    fputs("<br>", file);
    put_in(file, "code", "%s", info->name);
    fputs("</td>", file);
    const bool graded = fv_session_verdict(session, output, pooled(session, output, FV_POOL_MEAN), &verdict);
    put_in(file, "td class=\"words\"", "%s", meaning->text);
    put_in(file, "td class=\"word-cell\"", "%s", graded ? verdict.word : "–");
    for (int i = 0; i < 3; i++)
        put_number(file, meaning, pooled(session, output, pools[i]));
    const bool judges = info->better != FV_NEITHER_IS_BETTER;
    put_number(file, meaning, judges ? pooled(session, output, fv_word_worst(info->better)) : NAN);
    put_number(file, meaning, pooled(session, output, FV_POOL_MIN));
    put_number(file, meaning, pooled(session, output, FV_POOL_MAX));
    fputs("</tr>\n", file);
}

static void put_scores(FILE *file, const FvSession *session)
{
    static const char head[] =
        "<table><thead><tr><th>Score</th><th>Meaning</th><th>Verdict</th><th class=\"n\">mean</th>"
        "<th class=\"n\">median</th><th class=\"n\">deviation</th><th class=\"n\">worst 5 %</th>"
        "<th class=\"n\">least</th><th class=\"n\">greatest</th></tr></thead><tbody>\n";
    put_summary(file, "All scores", "meaning, verdict, mean, spread and raw names", false);
    fputs(head, file);
    for (int shown = FV_SHOWN_FIRST; shown <= FV_SHOWN_PART; shown++)
        for (int o = 0; o < fv_session_scores(session)->column_count; o++)
            if ((int)fv_session_shown(session, o) == shown)
                put_score(file, session, o);
    fputs("</tbody></table></div></details>\n", file);
}

static void put_parts(FILE *file, const FvSession *session, FvPartKind kind, const char *title)
{
    int order[SCORES], count = 0;
    const int all = fv_page_order(session, order, SCORES);
    FvPart part = {0};
    for (int i = 0; i < all; i++)
        if (!fv_session_scores(session)->columns[order[i]].info.sequence)
            order[count++] = order[i];
    if (!fv_session_next_part(session, kind, &part))
        return;
    put_summary(file, title, "mean of each", false);
    fputs("<table><thead><tr><th>from</th><th class=\"n\">frames</th>", file);
    for (int i = 0; i < count; i++)
        put_in(file, "th class=\"n\"", "%s", fv_word_title(session, order[i]));
    fputs("</tr></thead><tbody>\n", file);
    do {
        char time[FV_WORD_SIZE];
        fv_word_moment(time, session, part.frame, 2);
        fprintf(file, "<tr><td>%s%sframe %" PRId64 "</td><td class=\"n\">%" PRId64 "</td>", time, *time ? ", " : "",
                part.frame, part.count);
        for (int i = 0; i < count; i++)
            put_number(file, fv_session_meaning(session, order[i]),
                       fv_session_pool_part(session, order[i], FV_POOL_MEAN, &part));
        fputs("</tr>\n", file);
    } while (fv_session_next_part(session, kind, &part));
    fputs("</tbody></table></div></details>\n", file);
}

static void put_sources(FILE *file, const FvSession *session)
{
    bool any = false;
    for (int o = 0; o < fv_session_scores(session)->column_count; o++) {
        const FvMeaning *meaning = fv_session_meaning(session, o);
        if (fv_session_shown(session, o) != FV_SHOWN_FIRST || !meaning->grade_count)
            continue;
        if (!any) {
            put_summary(file, "Verdicts", "where the words come from", false);
            fputs("<ul class=\"notes\">\n", file);
        }
        any = true;
        fputs("<li>", file);
        put_in(file, "b", "%s", meaning->title);
        for (int i = 0; i < meaning->grade_count; i++)
            if (i)
                fprintf(file, ", %s from %g", meaning->grades[i].word, meaning->grades[i].from);
            else
                fprintf(file, ": %s below %g", meaning->grades[i].word, meaning->grades[1].from);
        fputs(". ", file);
        put_in(file, "span class=\"faint\"", "%s.", meaning->source);
        fputs("</li>\n", file);
    }
    fputs(any ? "</ul></div></details>\n" : "", file);
}

static void put_decisions(FILE *file, const FvSession *session)
{
    char about[64];
    const int count = fv_session_facts(session)->decision_count;
    snprintf(about, sizeof about, count ? "%d" : "none", count);
    put_summary(file, "Decisions", about, false);
    fputs("<ul class=\"notes\">\n", file);
    for (int i = 0; i < count; i++) {
        fputs("<li>", file);
        put_message(file, fv_session_facts(session)->decisions[i]);
        fputs("</li>\n", file);
    }
    fputs(count ? "</ul></div></details>\n" : "<li>None was needed.</li></ul></div></details>\n", file);
}

static void put_row(FILE *file, const char *title, const char *ref, const char *dis, bool both)
{
    fputs("<tr>", file);
    put_in(file, "td", "%s", title);
    if (both)
        put_in(file, "td class=\"path\"", "%s", ref);
    put_in(file, "td class=\"path\"", "%s", dis);
    fputs("</tr>\n", file);
}

static void describe_colour(char *text, size_t size, const FvFormat *format)
{
    const int code[] = {format->primaries, format->transfer, format->matrix};
    size_t used = 0;
    *text = '\0';
    for (int tag = 0; tag < 3; tag++) {
        char name[32];
        used += (size_t)snprintf(text + used, size - used, "%s%s", tag ? ", " : "",
                                 fv_colour_name((FvColourTag)tag, code[tag], name, sizeof name));
    }
    snprintf(text + used, size - used, "; %s range", fv_range_name(format->range));
}

static void put_videos(FILE *file, const FvSession *session)
{
    const bool both = fv_session_format(session, FV_REFERENCE) != NULL;
    char text[5][2][256] = {{""}}, rate[FV_WORD_SIZE];
    const FvInput *inputs[2] = {&fv_session_facts(session)->reference, &fv_session_facts(session)->distorted};
    for (int side = both ? 0 : 1; side < 2; side++) {
        const FvInput *input = inputs[side];
        const FvFormat *format = input->present ? &input->info.format : fv_session_format(session, (FvSide)side);
        snprintf(text[0][side], sizeof **text, "%s", input->present ? input->path : "pushed frames");
        snprintf(text[1][side], sizeof **text, "%s, %s", input->present ? fv_word_codec(input->codec) : "",
                 input->present ? input->container : "");
        fv_format_describe(format, text[2][side], sizeof **text);
        describe_colour(text[3][side], sizeof **text, format);
        snprintf(text[4][side], sizeof **text, "%s",
                 input->present && !isnan(input->bit_rate) ? fv_word_bit_rate(rate, input->bit_rate) : "–");
    }
    put_summary(file, "Videos", "files, formats and colour", false);
    fprintf(file, "<table><thead><tr><th></th>%s<th>%s</th></tr></thead><tbody>\n", both ? "<th>reference</th>" : "",
            both ? "encode" : "video");
    put_row(file, "File", text[0][0], text[0][1], both);
    put_row(file, "Codec, container", text[1][0], text[1][1], both);
    put_row(file, "Picture", text[2][0], text[2][1], both);
    put_row(file, "Colour", text[3][0], text[3][1], both);
    put_row(file, "Bit rate of the frames scored", text[4][0], text[4][1], both);
    fputs("</tbody></table></div></details>\n", file);
}

static void put_making(FILE *file, const FvSession *session)
{
    static const char *const modes[] = {"by index", "by time", "by one offset", "by content"};
    const FvScoreParams *score = &fv_session_facts(session)->score;
    const FvRecord *imported = fv_session_facts(session)->imported;
    char about[128], text[1024];
    snprintf(about, sizeof about, "fovea %s, numerics version %d", fv_session_version(session),
             fv_session_numerics(session));
    put_summary(file, "How it was made", about, false);
    fputs("<table><tbody>\n", file);
    put_row(file, "Computed on", "", imported ? imported->title : fv_session_devices(session)->opened[0]->title,
            false);
    snprintf(text, sizeof text, "%s%s", modes[score->align],
             score->shortest ? ", up to the end of the shorter one" : "");
    put_row(file, "Frames paired", "", text, false);
    if (score->subsample > 1) {
        snprintf(text, sizeof text, "1 of %d", score->subsample);
        put_row(file, "Frames scored", "", text, false);
    }
    for (int i = 0; i < fv_session_metrics(session); i++) {
        FvError error;
        const FvMetricInfo *info = fv_session_metric(session, i);
        if (!fv_session_metric_text(session, i, text, sizeof text, &error)) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, " (%s)", info->citation);
            put_row(file, info->title, "", text, false);
        }
    }
    fputs("</tbody></table></div></details>\n", file);
}

void fv_page_tables(FILE *file, const FvSession *session)
{
    fputs("<section aria-labelledby=\"h-all\"><h2 id=\"h-all\">Details</h2>\n", file);
    put_scores(file, session);
    put_parts(file, session, FV_PARTS_INTERVALS, "Intervals");
    put_parts(file, session, FV_PARTS_SCENES, "Scenes");
    put_sources(file, session);
    put_decisions(file, session);
    put_videos(file, session);
    put_making(file, session);
    fputs("</section>\n", file);
}
