#include "correlate/agreement.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "csv.h"
#include "json.h"
#include "table/lines.h"

int agreement_better(const Agreement *agreement, const FvCorrelateDifference *difference)
{
    const int tests = fv_correlate_differences(agreement->correlation);
    return !(difference->meng_p < 0.05 / tests) ? -1 : difference->meng_z > 0 ? difference->a : difference->b;
}

char *agreement_p(char text[32], double p)
{
    snprintf(text, 32, p < 0.001 ? "p < 0.001" : "p %.3f", p);
    return text;
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static char *interval_text(char text[32], FvInterval interval)
{
    *text = '\0';
    if (!isnan(interval.low))
        snprintf(text, 32, "%.2f..%.2f", interval.low, interval.high);
    return text;
}

static char *number_text(char text[32], double value, const char *format)
{
    snprintf(text, 32, "-");
    if (!isnan(value))
        snprintf(text, 32, format, value);
    return text;
}

static void print_difference(FILE *file, const Agreement *agreement, const FvCorrelateDifference *difference)
{
    char name[2][256], p[32];
    const int better = agreement_better(agreement, difference);
    const int other = better == difference->a ? difference->b : difference->a;
    if (isnan(difference->meng_z))
        return;
    line_cut(name[0], sizeof *name, agreement->panel->score[better < 0 ? difference->a : better], 40);
    line_cut(name[1], sizeof *name, agreement->panel->score[better < 0 ? difference->b : other], 40);
    if (better < 0)
        fprintf(file, "  %s and %s are not shown to differ: Meng Z %.1f, %s\n", name[0], name[1],
                fabs(difference->meng_z), agreement_p(p, difference->meng_p));
    else
        fprintf(file, "  %s is better than %s: Meng Z %.1f, %s", name[0], name[1], fabs(difference->meng_z),
                agreement_p(p, difference->meng_p));
    if (better >= 0 && !isnan(difference->srocc.low))
        fprintf(file, "; SROCC %.2f to %.2f apart",
                better == difference->a ? difference->srocc.low : -difference->srocc.high,
                better == difference->a ? difference->srocc.high : -difference->srocc.low);
    if (better >= 0)
        fputc('\n', file);
}

void agreement_print(FILE *file, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    char key[256], text[8][32];
    fprintf(file, "%d stimuli, joined by %s%s%s%s; curve %s; votes %s\n", panel->count,
            line_cut(key, sizeof key, panel->key_name, 40), strcmp(panel->joined_by, "exact") ? " (" : "",
            strcmp(panel->joined_by, "exact") ? panel->joined_by : "", strcmp(panel->joined_by, "exact") ? ")" : "",
            fv_curve_name(agreement->curve), panel->half ? "with 95 % intervals" : "without intervals");
    if (panel->unmatched_scores || panel->unmatched_votes || panel->left_out)
        fprintf(file, "%d of the scores and %d of the votes have no partner; %d left out for a missing value\n",
                panel->unmatched_scores, panel->unmatched_votes, panel->left_out);
    fprintf(file, "\n%18s %-19s %-19s %6s %7s %7s %9s %13s %13s\n", "", "SROCC", "PLCC", "KROCC", "RMSE", "RMSE*",
            "outliers", "diff/similar", "better/worse");
    for (int s = 0; s < panel->score_count; s++) {
        const FvCorrelateResult *r = fv_correlate_result(agreement->correlation, s);
        char name[256];
        const int cut = line_width(line_cut(name, sizeof name, panel->score[s], 16));
        fprintf(file, "  %s%*s %6s %-12s %6s %-12s %6s %7s %7s %9s %13s %13s\n", name, 16 - cut, "",
                number_text(text[0], r->srocc, "%.3f"), interval_text(text[1], r->srocc_drawn),
                number_text(text[2], r->plcc, "%.3f"), interval_text(text[3], r->plcc_fisher),
                number_text(text[4], r->krocc, "%.3f"), number_text(text[5], r->rmse, "%.3f"),
                number_text(text[6], r->rmse_star, "%.3f"), number_text(text[7], 100 * r->outlier_ratio, "%.0f %%"),
                number_text((char[32]){0}, r->auc_different_similar, "%.3f"),
                number_text((char[32]){0}, r->auc_better_worse, "%.3f"));
    }
    if (fv_correlate_differences(agreement->correlation))
        fputc('\n', file);
    for (int i = 0; i < fv_correlate_differences(agreement->correlation); i++)
        print_difference(file, agreement, fv_correlate_difference(agreement->correlation, i));
}

/* ---- JSON ------------------------------------------------------------------------------------------------------ */

static void put_interval(FvJson *json, const char *key, FvInterval interval)
{
    fv_json_open_line(json, key, '[');
    fv_json_number(json, NULL, interval.low);
    fv_json_number(json, NULL, interval.high);
    fv_json_close(json);
}

static void put_score(FvJson *json, const Agreement *agreement, int s)
{
    const FvCorrelateResult *r = fv_correlate_result(agreement->correlation, s);
    fv_json_open(json, agreement->panel->score[s], '{');
    fv_json_number(json, "srocc", r->srocc);
    fv_json_number(json, "krocc", r->krocc);
    fv_json_number(json, "plcc", r->plcc);
    put_interval(json, "plcc_fisher", r->plcc_fisher);
    fv_json_number(json, "plcc_raw", r->plcc_raw);
    fv_json_number(json, "rmse", r->rmse);
    fv_json_number(json, "rmse_p1401", r->rmse_p1401);
    fv_json_open_line(json, "parameters", '[');
    for (int i = 0; i < r->parameters; i++)
        fv_json_number(json, NULL, r->parameter[i]);
    fv_json_close(json);
    fv_json_open_line(json, "warnings", '[');
    if (r->step)
        fv_json_text(json, NULL, "step");
    if (r->open)
        fv_json_text(json, NULL, "open");
    if (r->turns)
        fv_json_text(json, NULL, "turns");
    fv_json_close(json);
    fv_json_text(json, "better", r->higher_is_better ? "higher" : "lower");
    fv_json_text(json, "direction", r->from_data ? "from the data" : "known");
    if (agreement->panel->half) {
        fv_json_number(json, "rmse_star", r->rmse_star);
        fv_json_number(json, "outlier_ratio", r->outlier_ratio);
        fv_json_open(json, "pairs", '{');
        fv_json_int(json, "different", r->different);
        fv_json_int(json, "similar", r->similar);
        fv_json_number(json, "auc_different_similar", r->auc_different_similar);
        fv_json_number(json, "auc_better_worse", r->auc_better_worse);
        fv_json_number(json, "correct", r->correct);
        fv_json_number(json, "threshold_95", r->threshold_95);
        fv_json_close(json);
    }
    if (agreement->panel->content_count) {
        fv_json_int(json, "contents", r->contents);
        fv_json_number(json, "srocc_content_mean", r->srocc_content_mean);
        fv_json_number(json, "srocc_content_least", r->srocc_content_least);
    }
    if (agreement->draws) {
        put_interval(json, "srocc_bootstrap", r->srocc_drawn);
        put_interval(json, "plcc_bootstrap", r->plcc_drawn);
        put_interval(json, "rmse_bootstrap", r->rmse_drawn);
    }
    fv_json_close(json);
}

void agreement_write_json(FILE *file, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    FvJson writer = {.file = file}, *json = &writer;
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "fovea_version", fv_version());
    fv_json_text(json, "scores", agreement->scores);
    fv_json_text(json, "votes", agreement->votes);
    fv_json_int(json, "stimuli", panel->count);
    fv_json_int(json, "unmatched_scores", panel->unmatched_scores);
    fv_json_int(json, "unmatched_votes", panel->unmatched_votes);
    fv_json_int(json, "left_out", panel->left_out);
    fv_json_text(json, "joined_by", panel->joined_by);
    fv_json_text(json, "vote", panel->vote_name);
    fv_json_text(json, "fit", fv_curve_name(agreement->curve));
    fv_json_int(json, "bootstrap", agreement->draws);
    fv_json_int(json, "seed", (int64_t)agreement->seed);
    fv_json_open_line(json, "warnings", '[');
    if (panel->no_intervals)
        fv_json_text(json, NULL, "ci");
    if (panel->wide_limits)
        fv_json_text(json, NULL, "limits");
    fv_json_close(json);
    fv_json_open(json, "metrics", '{');
    for (int s = 0; s < panel->score_count; s++)
        put_score(json, agreement, s);
    fv_json_close(json);
    fv_json_open(json, "between", '[');
    for (int i = 0; i < fv_correlate_differences(agreement->correlation); i++) {
        const FvCorrelateDifference *d = fv_correlate_difference(agreement->correlation, i);
        fv_json_open(json, NULL, '{');
        fv_json_text(json, "a", panel->score[d->a]);
        fv_json_text(json, "b", panel->score[d->b]);
        if (!isnan(d->meng_z)) {
            fv_json_number(json, "meng_z", d->meng_z);
            fv_json_number(json, "meng_p", d->meng_p);
            fv_json_number(json, "p1401_z", d->p1401_z);
        }
        if (agreement->draws) {
            put_interval(json, "srocc_difference", d->srocc);
            put_interval(json, "plcc_difference", d->plcc);
            put_interval(json, "rmse_difference", d->rmse);
        }
        fv_json_close(json);
    }
    fv_json_close(json);
    fv_json_close(json);
    fputc('\n', file);
}

/* ---- CSV ------------------------------------------------------------------------------------------------------- */

void agreement_write_csv(FILE *file, const Agreement *agreement)
{
    const Panel *panel = agreement->panel;
    fputs("score,stimuli,better,srocc,srocc_low,srocc_high,krocc,plcc,plcc_low,plcc_high,plcc_raw,rmse,rmse_low,"
          "rmse_high,rmse_p1401,rmse_star,outlier_ratio,auc_different_similar,auc_better_worse,correct,threshold_95,"
          "contents,srocc_content_mean,srocc_content_least\n",
          file);
    for (int s = 0; s < panel->score_count; s++) {
        const FvCorrelateResult *r = fv_correlate_result(agreement->correlation, s);
        const double values[] = {r->srocc,
                                 r->srocc_drawn.low,
                                 r->srocc_drawn.high,
                                 r->krocc,
                                 r->plcc,
                                 r->plcc_fisher.low,
                                 r->plcc_fisher.high,
                                 r->plcc_raw,
                                 r->rmse,
                                 r->rmse_drawn.low,
                                 r->rmse_drawn.high,
                                 r->rmse_p1401,
                                 r->rmse_star,
                                 r->outlier_ratio,
                                 r->auc_different_similar,
                                 r->auc_better_worse,
                                 r->correct,
                                 r->threshold_95,
                                 r->contents,
                                 r->srocc_content_mean,
                                 r->srocc_content_least};
        fv_csv_text(file, panel->score[s]);
        fprintf(file, ",%d,%s", panel->count, r->higher_is_better ? "higher" : "lower");
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            fputc(',', file);
            if (!isnan(values[i]))
                fprintf(file, "%.17g", values[i]);
        }
        fputc('\n', file);
    }
}
