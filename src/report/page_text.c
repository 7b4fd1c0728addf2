/*
 * Writes the text of the report page, which needs no script: the verdict, gates, warnings, tables, decisions and
 * provenance.
 */
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "path_names.h"
#include "picture/colour.h"
#include "picture/frame.h"
#include "remedy.h"
#include "report/page_text.h"
#include "words.h"

#define SCORES 256

/* Writes a message with parameters spelled as options of the command. */
static void put_message(FvMarkup *page, const char *text)
{
    char spelt[8192];
    fv_markup(page, "%s", fv_remedy_spell(spelt, sizeof spelt, text));
}

const char *fv_page_name(const FvSession *session, FvSide side)
{
    const FvInput *input = side ? &fv_session_facts(session)->distorted : &fv_session_facts(session)->reference;
    if (side == FV_REFERENCE && !fv_session_format(session, FV_REFERENCE))
        return NULL;
    return input->present ? fv_base_name(input->path) : "pushed frames";
}

/* Lists the outputs that are shown first, in the order of tables. */
int fv_page_order(const FvSession *session, int *outputs, int most)
{
    const int headline = fv_session_headline(session);
    int count = 0;
    if (headline >= 0)
        outputs[count++] = headline;
    for (int i = 0; i < fv_meaning_count(); i++)
        for (int o = 0; o < fv_session_outputs(session) && count < most; o++)
            if (o != headline && fv_session_meaning(session, o) == fv_meaning_at(i) &&
                fv_session_display(session, o) == FV_DISPLAY_FIRST)
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

static void put_meter(FvMarkup *page, int level)
{
    fv_markup(page, "<span class=\"meter\" aria-hidden=\"true\">");
    for (int i = 1; i <= 5; i++)
        if (i <= level)
            fv_markup(page, "<i class=\"on\"></i>");
        else
            fv_markup(page, "<i></i>");
    fv_markup(page, "</span>");
}

/* ---- The head -------------------------------------------------------------------------------------------------- */

static void put_facts(FvMarkup *page, const FvSession *session)
{
    const FvInput *dis = &fv_session_facts(session)->distorted;
    const FvFormat *format = fv_session_format(session, FV_DISTORTED);
    const int64_t frames = fv_session_scores(session)->frames;
    fv_markup(page, "<p class=\"faint\">");
    if (dis->present) {
        fv_markup(page, "%s", fv_word_codec(dis->codec));
        if (dis->info.format.width != format->width || dis->info.format.height != format->height)
            fv_markup(page, " · %d×%d, scored at", dis->info.format.width, dis->info.format.height);
        else
            fv_markup(page, " ·");
    }
    fv_markup(page, " %d×%d, %s, %d bits", format->width, format->height, fv_chroma_name(format->chroma),
              format->depth);
    if (format->rate_den && frames > 1)
        fv_markup(page, " · %.6g frames a second", (double)format->rate_num / format->rate_den);
    if (dis->present && !isnan(dis->bit_rate)) {
        char rate[FV_WORD_SIZE];
        fv_markup(page, " · %s", fv_word_bit_rate(rate, dis->bit_rate));
    }
    fv_markup(page, " · %" PRId64 " frame%s", frames, frames == 1 ? "" : "s");
    if (format->rate_den && frames > 1)
        fv_markup(page, ", %.2f s", fv_word_length(session, 1));
    fv_markup(page, "</p>\n");
}

/* Writes the faults of the frames that are the causes of bad segments, each once. */
static void put_faults(FvMarkup *page, const FvClipVerdict *verdict)
{
    int count = 0;
    for (int s = 0; s < verdict->segment_count; s++) {
        const FvSegment *segment = &verdict->segments[s];
        bool fault = false, said = segment->output != verdict->output || !segment->cause;
        const char *words = said ? NULL : fv_word_cause(segment->cause, &fault);
        for (int before = 0; before < s && !said; before++)
            said = verdict->segments[before].cause && !strcmp(verdict->segments[before].cause, segment->cause);
        if (fault && !said)
            fv_markup(page, "%s%s", count++ ? ", " : " There the video has faults: ", words);
    }
    if (count)
        fv_markup(page, ". <code>fovea check FILE</code> looks for such faults in one video.");
}

/* Writes "By VMAF: mean 83.31, worst 5 % 38.98. 2.0 s are two words or more below the clip." */
static void put_speaker(FvMarkup *page, const FvSession *session, const FvClipVerdict *verdict)
{
    const FvMeaning *meaning = fv_session_meaning(session, verdict->output);
    const FvBetter better = fv_session_scores(session)->columns[verdict->output].info.better;
    char mean[FV_WORD_SIZE], part[FV_WORD_SIZE];
    fv_word_score(mean, meaning, verdict->value, true);
    fv_word_score(part, meaning, fv_session_pool(session, verdict->output, fv_word_worst(better)), true);
    fv_markup(page, "By %s%s: ", meaning->title, meaning->rule_of_thumb ? ", a rule of thumb" : "");
    if (fv_session_scores(session)->frames > 1)
        fv_markup(page, "mean <b>%s</b>, worst 5 %% <b>%s</b>.", mean, part);
    else
        fv_markup(page, "<b>%s</b>.", mean);
    double low = 0;
    for (int s = 0; s < verdict->segment_count; s++)
        if (verdict->segments[s].output == verdict->output)
            low += verdict->segments[s].low_seconds;
    if (low > 0)
        fv_markup(page, " %.1f s are two words or more below the clip.", low);
    put_faults(page, verdict);
    fv_markup(page, " <span class=\"faint\">Source of the words: %s.</span>", meaning->source);
}

/* Writes how much every check found. */
static void put_checked(FvMarkup *page, FvSession *session)
{
    int passed = 0, skipped = 0;
    fv_markup(page, "\n");
    for (int i = 0; i < fv_check_count(); i++) {
        FvCheckResult result;
        if (!fv_session_check(session, i, &result))
            continue;
        passed += !strcmp(result.verdict, "pass");
        skipped += !strcmp(result.verdict, "skipped");
        if (result.events)
            fv_markup(page, "%s: <b>%d</b> event%s in %" PRId64 " frame%s. ", fv_check_info(i)->title, result.events,
                      result.events == 1 ? "" : "s", result.frames, result.frames == 1 ? "" : "s");
    }
    fv_markup(page, "<span class=\"faint\">%d check%s found nothing, %d %s not made.</span>", passed,
              passed == 1 ? "" : "s", skipped, skipped == 1 ? "was" : "were");
}

/*
 * Writes the verdict's sentence, with what went wrong in large type, and then the score that it is based on, and how
 * much the checks found. `checked`: the worst result of the checks; NULL: none was made.
 */
static void put_verdict(FvMarkup *page, FvSession *session, const char *checked)
{
    const FvClipVerdict *verdict = fv_session_judged(session);
    const bool by_checks =
        checked && (verdict->kind == FV_VERDICT_CHECKED || !fv_session_format(session, FV_REFERENCE));
    const bool harm = by_checks && !strcmp(checked, "fail");
    const bool alert = verdict->kind <= FV_VERDICT_GATE_FAILED;
    const char *mark = verdict->kind == FV_VERDICT_PARTIAL ? ", then: " : ": ";
    const char *rest = alert ? strstr(verdict->sentence, mark) : NULL;
    fv_markup(page, "<div class=\"word%s\">", alert || harm ? " alert" : "");
    if (*verdict->word && (verdict->kind == FV_VERDICT_BUT || verdict->kind == FV_VERDICT_WORD))
        put_meter(page, verdict->level);
    fv_markup(page, "<span>%.*s</span></div><p class=\"says\">", rest ? (int)(rest - verdict->sentence) : INT_MAX,
              verdict->sentence);
    if (rest)
        fv_markup(page, "<b>%s</b><br>\n", rest + strlen(mark));
    if (verdict->kind == FV_VERDICT_IDENTICAL)
        fv_markup(page, "Every sample of all frames is equal.");
    else if (verdict->kind > FV_VERDICT_NOT_COMPARABLE && !by_checks && verdict->output >= 0)
        put_speaker(page, session, verdict);
    if (checked)
        put_checked(page, session);
    fv_markup(page, "</p>\n");
}

static void put_icon(FvMarkup *page, const char *class, const char *path)
{
    if (*class)
        fv_markup(page, "<li class=\"%s\">", class);
    else
        fv_markup(page, "<li>");
    fv_markup(page, "<svg viewBox=\"0 0 20 20\" aria-hidden=\"true\"><path d=\"%s\"/></svg><div>", path);
}

static void put_gate(FvMarkup *page, const FvSession *session, const FvGate *gate)
{
    const FvOutputInfo *info = fv_session_output(session, gate->output);
    const FvMeaning *meaning = fv_session_meaning(session, gate->output);
    char shown[FV_WORD_SIZE];
    double value;
    const FvGateOutcome outcome = fv_session_gate(session, gate, &value);
    const char *unit = meaning->unit && !meaning->share ? meaning->unit : "";
    if (fabs(value - gate->limit) < 0.01 || meaning->share)
        snprintf(shown, sizeof shown, "%.6f%s%s", value, *unit ? " " : "", unit);
    else
        fv_word_score(shown, meaning, value, true);
    put_icon(page, outcome ? "failed" : "", outcome ? "M5 5l10 10M15 5L5 15" : "M4 10.5l4 4 8-9");
    fv_markup(page, "<b>Gate %s:</b> %s, %s<br><span class=\"faint\">%s, must not be %s %g%s%s</span></div></li>\n",
              outcome == FV_GATE_PASSED   ? "passed"
              : outcome == FV_GATE_FAILED ? "failed"
                                          : "undefined",
              fv_word_title(session, gate->output),
              info->sequence ? "of the clip" : fv_word_pool(gate->pool, info->better), shown,
              gate->above ? "above" : "below", gate->limit, *unit ? " " : "", unit);
}

/* Writes a warning, with the fit and the gain of the event that has this text. */
static void put_warning(FvMarkup *page, const FvSession *session, const char *title, const char *text)
{
    put_icon(page, "", "M10 3l7.5 13.5h-15zM10 8v4M10 14v.1");
    fv_markup(page, "<b>%s</b> ", title);
    put_message(page, text);
    for (int i = 0; i < fv_session_events(session); i++) {
        const FvEvent *event = fv_session_event(session, i);
        if (event->fit && event->gain && !strcmp(event->text, text))
            fv_markup(page, "<br><span class=\"faint\">Measured on the pictures: %s, %d dB.</span>", event->fit,
                      event->gain);
    }
    fv_markup(page, "</div></li>\n");
}

static void put_notices(FvMarkup *page, const FvSession *session)
{
    static const struct {
        const char *mark, *title;
    } lines[] = {{"warning: ", "Warning:"}, {"pairing: ", "Pairing:"}};
    fv_markup(page, "<ul class=\"gates\" aria-label=\"Gates and warnings\">\n");
    for (int failed = 1; failed >= 0; failed--)
        for (int i = 0; i < fv_session_facts(session)->gate_count; i++)
            if ((fv_session_gate(session, &fv_session_facts(session)->gates[i], NULL) != FV_GATE_PASSED) == failed)
                put_gate(page, session, &fv_session_facts(session)->gates[i]);
    for (int kind = 0; kind < 2; kind++)
        for (int i = 0; i < fv_session_facts(session)->decision_count; i++) {
            const char *text = fv_session_facts(session)->decisions[i];
            if (!strncmp(text, lines[kind].mark, strlen(lines[kind].mark)))
                put_warning(page, session, lines[kind].title, text + strlen(lines[kind].mark));
        }
    char text[256];
    if (!fv_session_identical(session) && fv_word_disagreement(text, sizeof text, session))
        put_warning(page, session, "Note:", text);
    for (int o = 0; o < fv_session_outputs(session) && !fv_session_identical(session); o++)
        if (fv_session_display(session, o) == FV_DISPLAY_FIRST && fv_word_equal_frames(text, sizeof text, session, o))
            put_warning(page, session, "Note:", text);
    fv_markup(page, "</ul>\n");
}

void fv_page_title(FvMarkup *page, const FvSession *session)
{
    const char *ref = fv_page_name(session, FV_REFERENCE);
    fv_markup(page, "%s%s%s · fovea report", fv_page_name(session, FV_DISTORTED), ref ? " against " : "", ref);
}

void fv_page_head(FvMarkup *page, const FvSession *session)
{
    const char *ref = fv_page_name(session, FV_REFERENCE);
    fv_markup(page, "<header>\n<div class=\"brand\">fovea <span>quality report</span></div>\n<h1>%s",
              fv_page_name(session, FV_DISTORTED));
    if (ref) {
        fv_markup(page, " <span>against</span> %s", ref);
    }
    fv_markup(page, "</h1>\n");
    put_facts(page, session);
    FvSession *finished = (FvSession *)session; /* the const is cast away because events are found on request */
    fv_markup(page, "<div class=\"verdict\"><div>");
    put_verdict(page, finished, fv_session_check_verdict(finished));
    fv_markup(page, "</div>\n");
    put_notices(page, session);
    fv_markup(page, "</div>\n</header>\n");
}

/* ---- Events of checks ------------------------------------------------------------------------------------------ */

#define MOST_EVENTS 100 /* maximum number of rows; reports in JSON and CSV have all events */

static void put_event(FvMarkup *page, const FvSession *session, const FvCheckEvent *event)
{
    char first[FV_WORD_SIZE], last[FV_WORD_SIZE];
    const FvCheckInfo *info = fv_check_info(event->check);
    const bool named = *fv_word_moment(first, session, event->first, 3) != '\0';
    fv_word_moment(last, session, event->last, 3);
    if (event->severity == FV_SEVERITY_FAIL)
        fv_markup(page, "<tr><td class=\"alert\">fail</td>");
    else
        fv_markup(page, "<tr><td>%s</td>", fv_severity_name(event->severity));
    fv_markup(page, "<td>%s%s%s</td>", info->title, event->side == FV_REFERENCE ? ", in the reference" : "",
              event->added ? ", new in the encode" : "");
    fv_markup(page, "<td><button type=\"button\" class=\"button\" data-frame=\"%" PRId64 "\">", event->first);
    if (named)
        fv_markup(page, "%s to %s", first, last);
    else
        fv_markup(page, "Show");
    fv_markup(page, "</button></td><td class=\"n\">%" PRId64 " to %" PRId64 "</td><td class=\"words\">%s</td></tr>\n",
              event->first, event->last, info->rule);
}

void fv_page_checks(FvMarkup *page, const FvSession *of)
{
    FvSession *session = (FvSession *)of; /* the const is cast away because events are found on request */
    const int count = fv_session_check_events(session);
    if (!count)
        return;
    fv_markup(page, "<section aria-labelledby=\"h-checks\" id=\"checks\"><h2 id=\"h-checks\">Events <small>"
                    "found by the checks</small></h2><div class=\"wide\"><table><thead><tr><th></th><th>Check</th>"
                    "<th>Time</th><th class=\"n\">Frames</th><th>Rule</th></tr></thead><tbody>\n");
    for (int i = 0; i < count && i < MOST_EVENTS; i++)
        put_event(page, session, fv_session_check_event(session, i));
    fv_markup(page, "</tbody></table></div>\n");
    if (count > MOST_EVENTS)
        fv_markup(page, "<p class=\"faint\">And %d more, which reports in CSV and JSON list.</p>\n",
                  count - MOST_EVENTS);
    fv_markup(page, "</section>\n");
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static void put_number(FvMarkup *page, const FvMeaning *meaning, double value)
{
    char text[FV_WORD_SIZE];
    fv_markup(page, "<td class=\"n\">%s</td>", fv_word_value(text, meaning, value, true));
}

static void put_summary(FvMarkup *page, const char *title, const char *about, bool open)
{
    fv_markup(page, "<details%s><summary>%s <span>%s</span></summary><div class=\"wide\">", open ? " open" : "",
              title, about);
}

static void put_score(FvMarkup *page, const FvSession *session, int output)
{
    static const FvPool pools[] = {FV_POOL_MEAN, FV_POOL_MEDIAN, FV_POOL_STDDEV};
    const FvMeaning *meaning = fv_session_meaning(session, output);
    const FvOutputInfo *info = &fv_session_scores(session)->columns[output].info;
    FvVerdict verdict;
    if (fv_session_display(session, output) == FV_DISPLAY_PART)
        fv_markup(page, "<tr class=\"part\"><td>");
    else
        fv_markup(page, "<tr><td>");
    fv_markup(page, "%s%s%s<br><code>%s</code></td>", meaning->title, meaning->unit ? ", " : "", meaning->unit,
              info->name);
    const bool graded = fv_session_verdict(session, output, pooled(session, output, FV_POOL_MEAN), &verdict);
    fv_markup(page, "<td class=\"words\">%s</td><td class=\"word-cell\">%s</td>", meaning->text,
              graded ? verdict.word : "–");
    for (int i = 0; i < 3; i++)
        put_number(page, meaning, pooled(session, output, pools[i]));
    const bool judges = info->better != FV_NEITHER_IS_BETTER;
    put_number(page, meaning, judges ? pooled(session, output, fv_word_worst(info->better)) : NAN);
    put_number(page, meaning, pooled(session, output, FV_POOL_MIN));
    put_number(page, meaning, pooled(session, output, FV_POOL_MAX));
    fv_markup(page, "</tr>\n");
}

static void put_scores(FvMarkup *page, const FvSession *session)
{
    put_summary(page, "All scores", "meaning, verdict, mean, spread and raw names", false);
    fv_markup(page, "<table><thead><tr><th>Score</th><th>Meaning</th><th>Verdict</th><th class=\"n\">mean</th>"
                    "<th class=\"n\">median</th><th class=\"n\">deviation</th><th class=\"n\">worst 5 %%</th>"
                    "<th class=\"n\">least</th><th class=\"n\">greatest</th></tr></thead><tbody>\n");
    for (int shown = FV_DISPLAY_FIRST; shown <= FV_DISPLAY_PART; shown++)
        for (int o = 0; o < fv_session_scores(session)->column_count; o++)
            if ((int)fv_session_display(session, o) == shown)
                put_score(page, session, o);
    fv_markup(page, "</tbody></table></div></details>\n");
}

static void put_parts(FvMarkup *page, const FvSession *session, FvPartKind kind, const char *title)
{
    int order[SCORES], count = 0;
    const int all = fv_page_order(session, order, SCORES);
    FvPart part = {0};
    for (int i = 0; i < all; i++)
        if (!fv_session_scores(session)->columns[order[i]].info.sequence)
            order[count++] = order[i];
    if (!fv_session_next_part(session, kind, &part))
        return;
    put_summary(page, title, "mean of each", false);
    fv_markup(page, "<table><thead><tr><th>from</th><th class=\"n\">frames</th>");
    for (int i = 0; i < count; i++)
        fv_markup(page, "<th class=\"n\">%s</th>", fv_word_title(session, order[i]));
    fv_markup(page, "</tr></thead><tbody>\n");
    do {
        char time[FV_WORD_SIZE];
        fv_word_moment(time, session, part.frame, 2);
        fv_markup(page, "<tr><td>%s%sframe %" PRId64 "</td><td class=\"n\">%" PRId64 "</td>", time, *time ? ", " : "",
                  part.frame, part.count);
        for (int i = 0; i < count; i++)
            put_number(page, fv_session_meaning(session, order[i]),
                       fv_session_pool_part(session, order[i], FV_POOL_MEAN, &part));
        fv_markup(page, "</tr>\n");
    } while (fv_session_next_part(session, kind, &part));
    fv_markup(page, "</tbody></table></div></details>\n");
}

static void put_sources(FvMarkup *page, const FvSession *session)
{
    bool any = false;
    for (int o = 0; o < fv_session_scores(session)->column_count; o++) {
        const FvMeaning *meaning = fv_session_meaning(session, o);
        if (fv_session_display(session, o) != FV_DISPLAY_FIRST || !meaning->grade_count)
            continue;
        if (!any) {
            put_summary(page, "Verdicts", "where the words come from", false);
            fv_markup(page, "<ul class=\"notes\">\n");
        }
        any = true;
        fv_markup(page, "<li><b>%s</b>", meaning->title);
        for (int i = 0; i < meaning->grade_count; i++)
            if (i)
                fv_markup(page, ", %s from %g", meaning->grades[i].word, meaning->grades[i].from);
            else
                fv_markup(page, ": %s below %g", meaning->grades[i].word, meaning->grades[1].from);
        fv_markup(page, ". <span class=\"faint\">%s.</span></li>\n", meaning->source);
    }
    if (any)
        fv_markup(page, "</ul></div></details>\n");
}

static void put_decisions(FvMarkup *page, const FvSession *session)
{
    char about[64];
    const int count = fv_session_facts(session)->decision_count;
    snprintf(about, sizeof about, count ? "%d" : "none", count);
    put_summary(page, "Decisions", about, false);
    fv_markup(page, "<ul class=\"notes\">\n");
    for (int i = 0; i < count; i++) {
        fv_markup(page, "<li>");
        put_message(page, fv_session_facts(session)->decisions[i]);
        fv_markup(page, "</li>\n");
    }
    if (!count)
        fv_markup(page, "<li>None was needed.</li>");
    fv_markup(page, "</ul></div></details>\n");
}

static void put_row(FvMarkup *page, const char *title, const char *ref, const char *dis, bool both)
{
    fv_markup(page, "<tr><th scope=\"row\">%s</th>", title);
    if (both)
        fv_markup(page, "<td class=\"path\">%s</td>", ref);
    fv_markup(page, "<td class=\"path\">%s</td></tr>\n", dis);
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

static void put_videos(FvMarkup *page, const FvSession *session)
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
    put_summary(page, "Videos", "files, formats and colour", false);
    fv_markup(page, "<table><thead><tr><th></th>");
    if (both)
        fv_markup(page, "<th>reference</th>");
    fv_markup(page, "<th>%s</th></tr></thead><tbody>\n", both ? "encode" : "video");
    put_row(page, "File", text[0][0], text[0][1], both);
    put_row(page, "Codec, container", text[1][0], text[1][1], both);
    put_row(page, "Picture", text[2][0], text[2][1], both);
    put_row(page, "Colour", text[3][0], text[3][1], both);
    put_row(page, "Bit rate of the frames scored", text[4][0], text[4][1], both);
    fv_markup(page, "</tbody></table></div></details>\n");
}

static void put_making(FvMarkup *page, const FvSession *session)
{
    static const char *const modes[] = {"by index", "by time", "by one offset", "by content"};
    const FvScoreParams *score = &fv_session_facts(session)->score;
    const FvRecord *imported = fv_session_facts(session)->imported;
    char about[128], text[1024];
    snprintf(about, sizeof about, "fovea %s, numerics version %d", fv_session_version(session),
             fv_session_numerics(session));
    put_summary(page, "How to get this again", about, false);
    if (fv_session_facts(session)->command)
        fv_markup(page,
                  "<pre id=\"made\">%s</pre><button type=\"button\" class=\"button\" "
                  "id=\"copycommand\">Copy the command</button>\n",
                  fv_session_facts(session)->command);
    fv_markup(page, "<table><tbody>\n");
    for (int side = 0; side < 2; side++)
        if (fv_page_name(session, (FvSide)side))
            put_row(page, side ? "Encode" : "Reference", "", fv_page_name(session, (FvSide)side), false);
    put_row(page, "Computed on", "", imported ? imported->title : fv_session_devices(session)->opened[0]->title,
            false);
    snprintf(text, sizeof text, "%s%s", modes[score->align],
             score->shortest ? ", up to the end of the shorter one" : "");
    put_row(page, "Frames paired", "", text, false);
    if (score->subsample > 1) {
        snprintf(text, sizeof text, "1 of %d", score->subsample);
        put_row(page, "Frames scored", "", text, false);
    }
    for (int i = 0; i < fv_session_metrics(session); i++) {
        FvError error;
        const FvMetricInfo *info = fv_session_metric(session, i);
        if (!fv_session_metric_text(session, i, text, sizeof text, &error)) {
            const size_t used = strlen(text);
            snprintf(text + used, sizeof text - used, " (%s)", info->citation);
            put_row(page, info->title, "", text, false);
        }
    }
    fv_markup(page, "</tbody></table></div></details>\n");
}

void fv_page_tables(FvMarkup *page, const FvSession *session)
{
    fv_markup(page, "<section aria-labelledby=\"h-all\"><h2 id=\"h-all\">Details</h2>\n");
    put_scores(page, session);
    put_parts(page, session, FV_PARTS_INTERVALS, "Intervals");
    put_parts(page, session, FV_PARTS_SCENES, "Scenes");
    put_sources(page, session);
    put_decisions(page, session);
    put_videos(page, session);
    put_making(page, session);
    fv_markup(page, "</section>\n");
}
