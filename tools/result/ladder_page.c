#include "result/ladder_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/remedy.h"
#include "result/sheet.h"
#include "words.h"

#define COLOURS 8 /* of the style */
#define ACROSS 6  /* scores of a table, which fit a screen beside the encodes */
#define PARTS 4   /* of the time axis */
#define WIDTH 1120
#define HEIGHT 240
#define POINTS 560 /* of a curve */

static const RungScore *curve_of(const Rung *rung, const char *name)
{
    const RungScore *score = rung->scored ? ladder_find(rung, name) : NULL;
    return score && score->curve ? score : NULL;
}

static const RungScore *shown_of(const Rung *rung, const char *name)
{
    const RungScore *score = rung->scored ? ladder_find(rung, name) : NULL;
    return score && score->first ? score : NULL;
}

/* The n-th score for which `of` gives one; NULL behind the last. */
static const RungScore *nth(const Ladder *ladder, int n, const RungScore *of(const Rung *rung, const char *name))
{
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->rungs[r].count; i++) {
            const RungScore *score = of(&ladder->rungs[r], ladder->rungs[r].scores[i].name);
            bool earlier = !score;
            for (int before = 0; before < r && !earlier; before++)
                earlier = of(&ladder->rungs[before], score->name);
            if (!earlier && !n--)
                return score;
        }
    return NULL;
}

static const RungScore *nth_curve(const Ladder *ladder, int n)
{
    return nth(ladder, n, curve_of);
}

/* ---- Moments --------------------------------------------------------------------------------------------------- */

/* Whether the worst moments follow it: encodes that end early count only where all do. */
static bool counts(const Ladder *ladder, const Rung *rung, const char *name)
{
    bool whole = false;
    for (int r = 0; r < ladder->count; r++)
        whole |= curve_of(&ladder->rungs[r], name) && !ladder->rungs[r].partial;
    return curve_of(rung, name) && !(whole && rung->partial);
}

/* The mean of a score over all encodes that count, at place `i` of the first; NaN where one lacks the frame. */
static double mean_at(const Ladder *ladder, const Rung *first, const char *name, int64_t i)
{
    double sum = 0;
    int count = 0;
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        if (!counts(ladder, rung, name))
            continue;
        if (i >= rung->frames || rung->number[i] != first->number[i])
            return NAN;
        sum += curve_of(rung, name)->curve[i];
        count++;
    }
    return sum / count;
}

static bool is_near(const Ladder *ladder, int64_t number, int64_t apart)
{
    for (int i = 0; i < ladder->moment_count; i++)
        if (llabs(ladder->moments[i] - number) < apart)
            return true;
    return false;
}

void ladder_choose_moments(Ladder *ladder)
{
    const RungScore *score = nth_curve(ladder, 0);
    const Rung *first = NULL;
    for (int r = 0; r < ladder->count && score && !first; r++)
        first = counts(ladder, &ladder->rungs[r], score->name) ? &ladder->rungs[r] : NULL;
    if (!first || score->better == FV_NEITHER_IS_BETTER)
        return;
    int64_t apart = (first->number[first->frames - 1] - first->number[0] + 1) / (2 * LADDER_MOMENTS);
    apart = apart > 25 ? 25 : apart < 1 ? 1 : apart;
    for (int64_t best; ladder->moment_count < LADDER_MOMENTS;
         ladder->moments[ladder->moment_count++] = first->number[best]) {
        double worst = NAN;
        best = -1;
        for (int64_t i = 0; i < first->frames; i++) {
            const double mean = mean_at(ladder, first, score->name, i);
            const bool worse = score->better == FV_LOWER_IS_BETTER ? !(mean <= worst) : !(mean >= worst);
            if (isnan(mean) || !worse || is_near(ladder, first->number[i], apart))
                continue;
            worst = mean;
            best = i;
        }
        if (best < 0)
            return;
    }
}

static const char *title_of(const RungScore *score)
{
    return score->named ? score->name : score->meaning->title;
}

/* ---- Parts of the page ----------------------------------------------------------------------------------------- */

static void put_swatch(FvMarkup *page, int r)
{
    fv_markup(page,
              "<svg class=\"swatch\" viewBox=\"0 0 24 8\" aria-hidden=\"true\"><path class=\"over k%d\" d=\"M0 "
              "4h24\"/></svg>",
              r % COLOURS);
}

/* The mean, and under it the worst 5 %. A screen that is too narrow for columns shows the label beside it. */
static void put_score(FvMarkup *page, const Rung *rung, const RungScore *score)
{
    const RungScore *own = shown_of(rung, score->name);
    char text[FV_WORD_SIZE];
    fv_markup(page, "<td role=\"cell\" class=\"n\" data-label=\"%s\">%s", title_of(score),
              own ? fv_word_value(text, own->meaning, own->pool[FV_POOL_MEAN], true) : "–");
    if (own && !own->sequence)
        fv_markup(page, "<small>%s</small>",
                  fv_word_value(text, own->meaning, own->pool[fv_word_worst(own->better)], true));
    fv_markup(page, "</td>");
}

static void put_name(FvMarkup *page, const Ladder *ladder, const Rung *rung, int r)
{
    fv_markup(page, "<tr role=\"row\"><td role=\"cell\">");
    put_swatch(page, r);
    fv_markup(page, " %d</td><td role=\"cell\" class=\"path\">%s</td>", r + 1, ladder_name(ladder, rung->path));
}

static void put_facts(FvMarkup *page, const Rung *rung)
{
    char text[FV_WORD_SIZE];
    fv_markup(page, "<td role=\"cell\">%s</td>", fv_word_codec(rung->codec));
    snprintf(text, sizeof text, "%dx%d", rung->width, rung->height);
    fv_markup(page, "<td role=\"cell\">%s</td><td role=\"cell\" class=\"n\">%s</td>", rung->scored ? text : "",
              rung->scored && !isnan(rung->bit_rate) ? fv_word_bit_rate(text, rung->bit_rate) : "–");
}

/* Scores from number `first` on, and with the first ones what is known of the encodes. */
static void put_table(FvMarkup *page, const Ladder *ladder, int first)
{
    const RungScore *score;
    fv_markup(page, "<table class=\"ladder\" role=\"table\"><thead><tr><th></th><th>Encode</th>");
    if (!first)
        fv_markup(page, "<th>Codec</th><th>Size</th><th class=\"n\">Bit rate</th>");
    for (int n = first; n < first + ACROSS && (score = nth(ladder, n, shown_of)); n++) {
        fv_markup(page, "<th class=\"n\">%s", title_of(score));
        if (!score->sequence)
            fv_markup(page, "<small>worst 5 %%</small>");
        fv_markup(page, "</th>");
    }
    if (!first)
        fv_markup(page, "<th>Verdict</th>");
    fv_markup(page, "</tr></thead><tbody>\n");
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        if (first && !rung->scored)
            continue;
        put_name(page, ladder, rung, r);
        if (!first)
            put_facts(page, rung);
        for (int n = first; n < first + ACROSS && (score = nth(ladder, n, shown_of)); n++)
            put_score(page, rung, score);
        if (!first)
            fv_markup(page, "<td role=\"cell\" class=\"grade\">%s</td>",
                      !rung->scored ? "not scored"
                      : *rung->word ? rung->word
                                    : "–");
        fv_markup(page, "</tr>\n");
    }
    fv_markup(page, "</tbody></table>\n");
}

static void put_notice(FvMarkup *page, const Ladder *ladder, const char *kind, const Rung *of, const char *text)
{
    char spelt[8192];
    fv_markup(page, "<li><b>%s:</b> ", kind);
    if (of) {
        fv_markup(page, "%s: ", ladder_name(ladder, of->path));
    }
    fv_markup(page, "%s</li>\n", remedy_spell(spelt, sizeof spelt, text));
}

/* What stopped encodes first, then gates, and a warning that several have once. */
static void put_notices(FvMarkup *page, const Ladder *ladder)
{
    char who[64];
    fv_markup(page, "<ul class=\"notes\">\n");
    for (int r = 0; r < ladder->count; r++)
        if (*ladder->rungs[r].error && ladder_says_first(ladder, r, ladder->rungs[r].error, who, sizeof who))
            put_notice(page, ladder,
                       !ladder->rungs[r].scored   ? "Refused"
                       : ladder->rungs[r].partial ? "Partial"
                                                  : "Error",
                       NULL, ladder->rungs[r].error);
    for (int passed = 0; passed < 2; passed++)
        for (int r = 0; r < ladder->count; r++)
            for (int i = 0; i < ladder->rungs[r].gate_count; i++)
                if ((i >= ladder->rungs[r].failed) == passed)
                    put_notice(page, ladder, passed ? "Gate passed" : "Gate failed", &ladder->rungs[r],
                               ladder->rungs[r].gates[i]);
    for (int r = 0; r < ladder->count; r++)
        for (int i = 0; i < ladder->rungs[r].warning_count; i++) {
            char kind[96];
            const char *text = ladder->rungs[r].warnings[i];
            if (!ladder_says_first(ladder, r, text, who, sizeof who))
                continue;
            snprintf(kind, sizeof kind, *who ? "Warning (%s)" : "Warning", who);
            put_notice(page, ladder, kind, NULL, text);
        }
    fv_markup(page, "</ul>\n");
}

/* What a drawing shows: frame numbers and values, the frames that one point stands for, and how many lines of round
 * values lie between the lowest and the highest. */
typedef struct View {
    int64_t first, last, step;
    double low, high;
    int rules;
} View;

/* The least of 1, 2 and 5 times a power of ten that makes at most five steps of a span. */
static double step_of(double span)
{
    const double power = pow(10, floor(log10(span / 5)));
    return span / 5 <= power       ? power
           : span / 5 <= 2 * power ? 2 * power
           : span / 5 <= 5 * power ? 5 * power
                                   : 10 * power;
}

static View view_of(const Ladder *ladder, const char *name)
{
    View view = {INT64_MAX, 0, 1, INFINITY, -INFINITY, 0};
    int64_t frames = 0;
    for (int r = 0; r < ladder->count; r++) {
        const Rung *rung = &ladder->rungs[r];
        const RungScore *score = curve_of(rung, name);
        if (!score)
            continue;
        frames = rung->frames > frames ? rung->frames : frames;
        view.first = rung->number[0] < view.first ? rung->number[0] : view.first;
        view.last = rung->number[rung->frames - 1] > view.last ? rung->number[rung->frames - 1] : view.last;
        for (int64_t i = 0; i < rung->frames; i++) {
            const double value = score->curve[i];
            view.low = isfinite(value) && value < view.low ? value : view.low;
            view.high = isfinite(value) && value > view.high ? value : view.high;
        }
    }
    view.step = (frames + POINTS - 1) / POINTS;
    if (!(view.high > view.low)) {
        view.low = isfinite(view.low) ? view.low - 1 : 0;
        view.high = view.low + 2;
    }
    const double step = step_of(view.high - view.low);
    view.low = floor(view.low / step) * step;
    view.rules = (int)ceil((view.high - view.low) / step - 1e-9);
    view.high = view.low + view.rules * step;
    return view;
}

static double across(const View *view, int64_t number)
{
    return (double)(number - view->first) / (double)(view->last > view->first ? view->last - view->first : 1) * WIDTH;
}

/* Each point is the worst of its frames. */
static void put_curve(FvMarkup *page, const View *view, const Rung *rung, const RungScore *score, int colour)
{
    fv_markup(page, "<polyline class=\"over k%d\" points=\"", colour);
    for (int64_t i = 0; i < rung->frames; i += view->step) {
        double worst = NAN;
        for (int64_t k = i; k < i + view->step && k < rung->frames; k++)
            if (isfinite(score->curve[k]) &&
                (score->better == FV_LOWER_IS_BETTER ? !(score->curve[k] <= worst) : !(score->curve[k] >= worst)))
                worst = score->curve[k];
        if (!isnan(worst))
            fv_markup(page, "%.1f,%.1f ", across(view, rung->number[i]),
                      8 + (view->high - worst) / (view->high - view->low) * (HEIGHT - 16));
    }
    fv_markup(page, "\"/>\n");
}

static void put_moment(FvMarkup *page, const Ladder *ladder, int64_t number)
{
    char text[FV_WORD_SIZE];
    fv_markup(page, "frame %" PRId64, number);
    if (ladder->rate > 0 && !isnan(ladder->start))
        fv_markup(page, ", %s", fv_word_time(text, ladder->start + (double)number / ladder->rate, 2));
}

/* A round value, without digits that all of them lack. Returns text. */
static const char *write_rule(char text[FV_WORD_SIZE], const FvMeaning *meaning, double value, double span)
{
    const double unit = meaning->share ? 100 : 1, shown = fabs(value) < span / 100 ? 0 : unit * value;
    snprintf(text, FV_WORD_SIZE, "%s%.6g", shown < 0 ? "\u2212" : "", fabs(shown));
    return text;
}

static void put_curves(FvMarkup *page, const Ladder *ladder, const RungScore *score)
{
    const View view = view_of(ladder, score->name);
    char text[FV_WORD_SIZE];
    fv_markup(page, "<section><h2>%s</h2><p class=\"small\">", title_of(score));
    for (int r = 0; r < ladder->count; r++)
        if (curve_of(&ladder->rungs[r], score->name)) {
            fv_markup(page, "<span class=\"legend\">");
            put_swatch(page, r);
            fv_markup(page, " %d&#160;%s</span> ", r + 1, ladder_name(ladder, ladder->rungs[r].path));
        }
    fv_markup(page, "</p>\n<div class=\"chart\"><div class=\"ends\">");
    for (int i = 0; i <= view.rules; i++)
        fv_markup(page, "<span>%s</span>",
                  write_rule(text, score->meaning, view.high - i * (view.high - view.low) / view.rules,
                             view.high - view.low));
    fv_markup(page,
              "</div><svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" role=\"img\" aria-label=\"%s of each "
              "encode over time\">\n",
              WIDTH, HEIGHT, title_of(score));
    for (int i = 0; i <= view.rules; i++)
        fv_markup(page, "<path class=\"rule\" d=\"M0 %.1fH%d\"/>", 8 + i * (HEIGHT - 16.0) / view.rules, WIDTH);
    for (int r = 0; r < ladder->count; r++) {
        const RungScore *own = curve_of(&ladder->rungs[r], score->name);
        if (own)
            put_curve(page, &view, &ladder->rungs[r], own, r % COLOURS);
    }
    fv_markup(page, "</svg><div class=\"ends\">");
    for (int i = 0; i <= PARTS; i++) {
        const int64_t number = view.first + (view.last - view.first) * i / PARTS;
        if (ladder->rate > 0 && !isnan(ladder->start))
            fv_word_time(text, ladder->start + (double)number / ladder->rate, 2);
        else
            snprintf(text, sizeof text, i && i < PARTS ? "%" PRId64 : "frame %" PRId64, number);
        fv_markup(page, "<span>%s</span>", text);
    }
    fv_markup(page, "</div></div>");
    if (view.step > 1)
        fv_markup(page, "<p class=\"faint small\">Each point is the worst of %" PRId64 " frames.</p>", view.step);
    fv_markup(page, "</section>\n");
}

static void put_picture(FvMarkup *page, const LadderPicture *picture, const char *name, const char *value)
{
    FvBase64 to = fv_markup_base64(page);
    if (!picture->png)
        return;
    fv_markup(page, "<figure><img alt=\"\" src=\"data:image/png;base64,");
    fv_base64_bytes(&to, picture->png, picture->bytes);
    fv_base64_end(&to);
    fv_markup(page, "\"><figcaption><b>%s</b> %s</figcaption></figure>\n", name, value);
}

static void put_moments(FvMarkup *page, const Ladder *ladder)
{
    const RungScore *score = nth_curve(ladder, 0);
    fv_markup(page, "<section><h2>Worst moments <small>of all encodes together, by %s</small></h2>\n",
              title_of(score));
    for (int m = 0; m < ladder->moment_count; m++) {
        fv_markup(page, "<div class=\"moment\"><p>");
        put_moment(page, ladder, ladder->moments[m]);
        fv_markup(page, "</p><div class=\"side\">\n");
        put_picture(page, &ladder->pictures[m], "reference", "");
        for (int r = 0; r < ladder->count; r++) {
            const Rung *rung = &ladder->rungs[r];
            const RungScore *own = curve_of(rung, score->name);
            char text[FV_WORD_SIZE] = "";
            for (int64_t i = 0; own && i < rung->frames; i++)
                if (rung->number[i] == ladder->moments[m])
                    fv_word_score(text, own->meaning, own->curve[i], true);
            put_picture(page, &rung->pictures[m], ladder_name(ladder, rung->path), text);
        }
        fv_markup(page, "</div></div>\n");
    }
    fv_markup(page, "</section>\n");
}

void ladder_write_page(FILE *file, const Ladder *ladder)
{
    FvMarkup markup = {.file = file}, *page = &markup;
    const RungScore *score;
    char title[512];
    snprintf(title, sizeof title, "%d encodes%s%s", ladder->count, ladder->reference ? " of " : "",
             ladder->reference ? ladder_name(ladder, ladder->reference) : "");
    sheet_open(page, title);
    fv_markup(page, "<h1>%d encodes", ladder->count);
    if (ladder->reference) {
        fv_markup(page, " <span>of</span> %s", ladder_name(ladder, ladder->reference));
    }
    fv_markup(page, "</h1>\n<p class=\"faint\">%s</p></header>\n<main>\n", ladder->facts);
    put_table(page, ladder, 0);
    for (int n = ACROSS; nth(ladder, n, shown_of); n += ACROSS)
        put_table(page, ladder, n);
    put_notices(page, ladder);
    for (int n = 0; (score = nth_curve(ladder, n)); n++)
        put_curves(page, ladder, score);
    if (ladder->pictured)
        put_moments(page, ladder);
    sheet_close(page);
}
