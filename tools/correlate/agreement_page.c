#include <math.h>
#include <string.h>

#include "correlate/agreement.h"
#include "page/chart.h"
#include "page/html.h"

#define WIDTH 360
#define HEIGHT 300
#define LEFT 44
#define RIGHT 12
#define TOP 12
#define BOTTOM 40
#define SAMPLES 100 /* number of points of a curve */
#define COLOURS 8   /* number of colours for contents; if there are more contents, all have the colour of the text */

/* The colours of Masataka Okabe and Kei Ito, chosen so that people with any colour vision can distinguish them. */
static const char *const colours[COLOURS] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                             "#e69f00", "#56b4e9", "#8c6d00", "#7f7f7f"};

static const char *colour_of(const Panel *panel, int stimulus)
{
    const bool coloured = panel->content_count > 1 && panel->content_count <= COLOURS;
    return coloured ? colours[panel->content[stimulus]] : "currentColor";
}

/* ---- A scatter ------------------------------------------------------------------------------------------------- */

typedef struct Axes {
    double from[2], to[2]; /* the ends of the axis of scores [0] and of votes [1] */
} Axes;

static double across(const Axes *axes, double x)
{
    return LEFT + (x - axes->from[0]) / (axes->to[0] - axes->from[0]) * (WIDTH - LEFT - RIGHT);
}

static double up(const Axes *axes, double y)
{
    return HEIGHT - BOTTOM - (y - axes->from[1]) / (axes->to[1] - axes->from[1]) * (HEIGHT - TOP - BOTTOM);
}

static Axes axes_of(const Panel *panel, int s)
{
    Axes axes = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int i = 0; i < panel->count; i++) {
        const double half = panel->half ? panel->half[i] : 0;
        axes.from[0] = fmin(axes.from[0], panel->value[s][i]);
        axes.to[0] = fmax(axes.to[0], panel->value[s][i]);
        axes.from[1] = fmin(axes.from[1], panel->vote[i] - half);
        axes.to[1] = fmax(axes.to[1], panel->vote[i] + half);
    }
    for (int k = 0; k < 2; k++) {
        const double margin = 0.03 * (axes.to[k] - axes.from[k]);
        axes.from[k] -= margin;
        axes.to[k] += margin;
    }
    return axes;
}

static void put_axes(FvMarkup *page, const Axes *axes, const char *score)
{
    for (int k = 0; k < 2; k++) {
        const double step = chart_step(axes->to[k] - axes->from[k]);
        for (double v = ceil(axes->from[k] / step) * step; v <= axes->to[k]; v += step) {
            const double shown = fabs(v) < step / 2 ? 0 : v;
            if (k == 0)
                fv_markup(page, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.6g</text>\n", across(axes, v),
                          HEIGHT - BOTTOM + 16, shown);
            else
                fv_markup(page,
                          "<path stroke=\"currentColor\" stroke-opacity=\".15\" d=\"M%d %.1fH%d\"/>"
                          "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n",
                          LEFT, up(axes, v), WIDTH - RIGHT, LEFT - 6, up(axes, v) + 4, shown);
        }
    }
    fv_markup(page, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", (LEFT + WIDTH - RIGHT) / 2,
              HEIGHT - 6, score);
}

static void put_stimulus(FvMarkup *page, const Agreement *agreement, const Axes *axes, int s, int i)
{
    const Panel *panel = agreement->panel;
    const double x = across(axes, panel->value[s][i]), y = up(axes, panel->vote[i]);
    const double predicted = fv_correlate_predictions(agreement->correlation, s)[i];
    const bool outlier = panel->half && fabs(panel->vote[i] - predicted) > panel->half[i];
    const char *colour = colour_of(panel, i);
    if (panel->half)
        fv_markup(page, "<path stroke=\"%s\" stroke-opacity=\".35\" d=\"M%.1f %.1fV%.1f\"/>", colour, x,
                  up(axes, panel->vote[i] - panel->half[i]), up(axes, panel->vote[i] + panel->half[i]));
    if (outlier)
        fv_markup(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"none\" stroke=\"%s\"><title>", x, y, colour);
    else
        fv_markup(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\" fill-opacity=\".7\"><title>", x, y,
                  colour);
    fv_markup(page, "%s: score %.4g, vote %.3f", panel->stimulus[i], panel->value[s][i], panel->vote[i]);
    if (panel->half)
        fv_markup(page, " ± %.3f", panel->half[i]);
    fv_markup(page, ", curve %.3f</title></circle>\n", predicted);
}

static void put_scatter(FvMarkup *page, const Agreement *agreement, int s)
{
    const Panel *panel = agreement->panel;
    const Axes axes = axes_of(panel, s);
    double least = INFINITY, most = -INFINITY;
    fv_markup(page,
              "<svg width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" font-size=\"12\" "
              "fill=\"currentColor\" aria-label=\"%s against votes\">\n",
              WIDTH, HEIGHT, WIDTH, HEIGHT, panel->score[s]);
    put_axes(page, &axes, panel->score[s]);
    for (int i = 0; i < panel->count; i++) {
        put_stimulus(page, agreement, &axes, s, i);
        least = fmin(least, panel->value[s][i]);
        most = fmax(most, panel->value[s][i]);
    }
    fv_markup(page, "<polyline fill=\"none\" stroke=\"#0a8f83\" stroke-width=\"2\" points=\"");
    for (int k = 0; k <= SAMPLES; k++) {
        const double x = k == SAMPLES ? most : least + k * (most - least) / SAMPLES;
        fv_markup(page, "%.1f,%.1f ", across(&axes, x),
                  up(&axes, fv_correlate_curve_at(agreement->correlation, s, x)));
    }
    fv_markup(page, "\"/>\n</svg>\n");
}

static void put_key(FvMarkup *page, const Panel *panel)
{
    if (panel->content_count < 2 || panel->content_count > COLOURS)
        return;
    fv_markup(page, "<p>");
    for (int c = 0; c < panel->content_count; c++)
        for (int i = 0; i < panel->count; i++)
            if (panel->content[i] == c) {
                fv_markup(page,
                          "<svg width=\"12\" height=\"12\"><circle cx=\"6\" cy=\"6\" r=\"4\" fill=\"%s\"/></svg> %s ",
                          colours[c], panel->content_name[i]);
                break;
            }
    fv_markup(page, "</p>\n");
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static void put_number(FvMarkup *page, double value, FvInterval interval, bool percent)
{
    fv_markup(page, "<td class=\"n\">");
    if (isnan(value))
        fv_markup(page, "–");
    else if (percent)
        fv_markup(page, "%.0f %%", 100 * value);
    else
        fv_markup(page, "%.3f", value);
    if (!isnan(interval.low))
        fv_markup(page, "<br><small>%.3f to %.3f</small>", interval.low, interval.high);
    fv_markup(page, "</td>");
}

static void put_table(FvMarkup *page, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    const FvInterval none = {NAN, NAN};
    fv_markup(
        page,
        "<table><thead><tr><th>Score</th><th class=\"n\">Order (SROCC)</th><th class=\"n\">Line after the curve "
        "(PLCC)</th><th class=\"n\">KROCC</th><th class=\"n\">RMSE</th><th class=\"n\">RMSE*</th><th "
        "class=\"n\">Outliers</th><th class=\"n\">Different or similar</th><th class=\"n\">Better or "
        "worse</th><th class=\"n\">Order within contents</th></tr></thead><tbody>\n");
    for (int s = 0; s < panel->score_count; s++) {
        const FvCorrelateResult *r = fv_correlate_result(agreement->correlation, s);
        fv_markup(page, "<tr><td>%s</td>", panel->score[s]);
        put_number(page, r->srocc, r->srocc_drawn, false);
        put_number(page, r->plcc, r->plcc_fisher, false);
        put_number(page, r->krocc, none, false);
        put_number(page, r->rmse, r->rmse_drawn, false);
        put_number(page, r->rmse_star, none, false);
        put_number(page, r->outlier_ratio, none, true);
        put_number(page, r->auc_different_similar, none, false);
        put_number(page, r->auc_better_worse, none, false);
        put_number(page, r->srocc_content_mean, none, false);
        fv_markup(page, "</tr>\n");
    }
    fv_markup(page, "</tbody></table>\n<p>Small print under a number is its 95 %% interval");
    if (agreement->draws)
        fv_markup(page,
                  " (SROCC and RMSE: %d draws of the stimuli, seed %lld, with the curve as it is; PLCC: Fisher)",
                  agreement->draws, (long long)agreement->seed);
    fv_markup(page, ". A number without its interval is not a result.%s</p>\n",
              panel->half ? " Outliers lie outside the interval of their votes; they are ringed below." : "");
}

static void put_differences(FvMarkup *page, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    const int count = fv_correlate_differences(agreement->correlation);
    if (!count)
        return;
    fv_markup(page, "<h2>Comparisons</h2>\n<table><thead><tr><th>Scores</th><th>Better</th><th class=\"n\">Meng "
                    "Z</th><th class=\"n\">p</th><th class=\"n\">P.1401 Z</th><th class=\"n\">SROCC apart</th><th "
                    "class=\"n\">RMSE apart</th></tr></thead><tbody>\n");
    for (int i = 0; i < count; i++) {
        const FvCorrelateDifference *d = fv_correlate_difference(agreement->correlation, i);
        const int better = agreement_better(agreement, d);
        fv_markup(page, "<tr><td>%s, %s</td><td>%s</td>", panel->score[d->a], panel->score[d->b],
                  better < 0 ? "no difference is shown" : panel->score[better]);
        if (isnan(d->meng_z))
            fv_markup(page, "<td class=\"n\">–</td><td class=\"n\">–</td><td class=\"n\">–</td>");
        else if (d->meng_p < 0.001)
            fv_markup(page, "<td class=\"n\">%.2f</td><td class=\"n\">&lt; 0.001</td><td class=\"n\">%.2f</td>",
                      d->meng_z, d->p1401_z);
        else
            fv_markup(page, "<td class=\"n\">%.2f</td><td class=\"n\">%.3f</td><td class=\"n\">%.2f</td>", d->meng_z,
                      d->meng_p, d->p1401_z);
        const FvInterval *both[2] = {&d->srocc, &d->rmse};
        for (int k = 0; k < 2; k++)
            if (isnan(both[k]->low))
                fv_markup(page, "<td class=\"n\">–</td>");
            else
                fv_markup(page, "<td class=\"n\">%.3f to %.3f</td>", both[k]->low, both[k]->high);
        fv_markup(page, "</tr>\n");
    }
    fv_markup(page,
              "</tbody></table>\n<p>A score is better where p is below 0.05 divided by the %d comparison%s. The "
              "intervals are of the first score minus the second, over the same draws. P.1401's Z treats the scores "
              "as independent and is too careful here; its limit is 1.96.</p>\n",
              count, count == 1 ? "" : "s");
}

/* Writes the heading, which says which scores the best one beats. */
static void put_heading(FvMarkup *page, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    int best = 0, beaten = 0, told = 0;
    for (int s = 1; s < panel->score_count; s++)
        if (fv_correlate_result(agreement->correlation, s)->plcc >
            fv_correlate_result(agreement->correlation, best)->plcc)
            best = s;
    for (int i = 0; i < fv_correlate_differences(agreement->correlation); i++)
        beaten += agreement_better(agreement, fv_correlate_difference(agreement->correlation, i)) == best;
    if (panel->score_count == 1)
        fv_markup(page, "<h1>%s <span>against votes</span></h1>\n", panel->score[0]);
    else if (!beaten)
        fv_markup(page, "<h1>No score is shown to agree better with the votes than all others</h1>\n");
    else {
        fv_markup(page, "<h1>%s <span>agrees with the votes better than</span> ", panel->score[best]);
        for (int i = 0; i < fv_correlate_differences(agreement->correlation); i++) {
            const FvCorrelateDifference *d = fv_correlate_difference(agreement->correlation, i);
            if (agreement_better(agreement, d) != best)
                continue;
            fv_markup(page, "%s%s",
                      !told                ? ""
                      : told + 1 == beaten ? " and "
                                           : ", ",
                      panel->score[d->a == best ? d->b : d->a]);
            told++;
        }
        fv_markup(page, "</h1>\n");
    }
}

void agreement_write_page(FILE *file, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    FvMarkup markup = {.file = file}, *page = &markup;
    html_open(page, "scores and votes", &fv_page_report_style, NULL);
    put_heading(page, agreement);
    fv_markup(page, "</header>\n<main>\n<p>%d stimuli", panel->count);
    if (panel->content_count)
        fv_markup(page, " of %d contents", panel->content_count);
    fv_markup(page, ", joined by %s (%s). Votes: %s, %s. Curve: %s. %s against %s.</p>\n", panel->key_name,
              panel->joined_by, panel->vote_name, panel->half ? "with 95 % intervals" : "without intervals",
              fv_curve_name(agreement->curve), agreement->scores, agreement->votes);
    if (panel->unmatched_scores || panel->unmatched_votes || panel->left_out)
        fv_markup(page, "<p>%d of the scores and %d of the votes have no partner; %d stimuli lack a value.</p>\n",
                  panel->unmatched_scores, panel->unmatched_votes, panel->left_out);
    fv_markup(page, "<h2>Agreement</h2>\n");
    put_table(page, agreement);
    fv_markup(page, "<h2>Scores and votes</h2>\n");
    put_key(page, panel);
    for (int s = 0; s < panel->score_count; s++)
        put_scatter(page, agreement, s);
    put_differences(page, agreement);
    html_close(page, NULL);
}
