/* fovea correlate: computes how well scores agree with votes of people. docs/correlate.md */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "compare_text.h"
#include "correlate/agreement.h"
#include "correlate/grid.h"
#include "correlate/panel.h"
#include "fovea/fovea.h"
#include "scoring/videos.h"
#include "table/pooled_score.h"

typedef struct Correlate {
    const char *progress; /* --progress; process_start() acts on it before this table is parsed */
    ArgList scores, where, lower, outputs;
    const char *fit, *key, *vote, *ci, *content, *score_key;
    const char *draws, *seed; /* texts of the options, since 0 is a valid number */
    bool json;
} Correlate;

#define MOST_DRAWS 100000 /* maximum number of bootstrap draws */

/*
 * Chooses the direction of each score: as --lower says, else as its metric says, else higher if --lower is given,
 * else as the data show (`known` false). If --lower names no score, prints a message and returns FV_ERROR_USAGE.
 */
static int choose_directions(const Correlate *asked, const Panel *panel, FvCorrelateScore *scores, bool *known)
{
    for (int l = 0; l < asked->lower.count; l++) {
        bool found = false;
        for (int s = 0; s < panel->score_count; s++)
            found |= !strcmp(asked->lower.items[l], panel->score[s]);
        if (!found)
            return report_error(FV_ERROR_USAGE, "--lower %s names no score that is compared", asked->lower.items[l]);
    }
    for (int s = 0; s < panel->score_count; s++) {
        FvBetter better = asked->lower.count ? FV_HIGHER_IS_BETTER : FV_NEITHER_IS_BETTER;
        char name[128];
        FvBetter stated;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(panel->score[s], ":"), panel->score[s]);
        known[s] = pick_better(name, &stated) && stated != FV_NEITHER_IS_BETTER;
        better = known[s] ? stated : better;
        for (int l = 0; l < asked->lower.count; l++)
            if (!strcmp(asked->lower.items[l], panel->score[s])) {
                better = FV_LOWER_IS_BETTER;
                known[s] = false;
            }
        scores[s] = (FvCorrelateScore){panel->value[s], better};
    }
    return EXIT_OK;
}

static void tell_warnings(const Agreement *agreement, const bool *known)
{
    const Panel *panel = agreement->panel;
    if (panel->no_intervals)
        warn("%s lacks the interval of some votes, so all intervals are ignored", agreement->votes);
    if (panel->wide_limits)
        warn("some limits in %s do not enclose their vote, for example because they are offsets; half their distance "
             "is used",
             agreement->votes);
    for (int s = 0; s < panel->score_count; s++) {
        const FvCorrelateResult *r = fv_correlate_result(agreement->correlation, s);
        if (known[s] && (r->srocc > 0) != r->higher_is_better)
            warn(
                "%s is better where it is %s, and the votes go the other way (SROCC %.3f): check the column of votes",
                panel->score[s], r->higher_is_better ? "higher" : "lower", r->srocc);
        if (r->step)
            warn("%s: the curve is nearly a step; its width means nothing", panel->score[s]);
        if (r->open)
            warn("%s: the votes show no bend at one end of the curve, so its levels mean nothing", panel->score[s]);
        if (r->turns)
            warn("%s: the curve turns between the scores; --fit logistic4 cannot", panel->score[s]);
    }
}

typedef void Writer(FILE *file, const Agreement *agreement);

/* Returns the writer for a file's extension; NULL: it has none that fovea knows. */
static Writer *writer_of(const char *path)
{
    return fv_ends_with(path, ".json")   ? agreement_write_json
           : fv_ends_with(path, ".csv")  ? agreement_write_csv
           : fv_ends_with(path, ".html") ? agreement_write_page
                                         : NULL;
}

/* Refuses to overwrite a file that was read. */
static FvStatus check_outputs(const Correlate *asked, const Grid grids[2])
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int k = 0; k < 2; k++)
        for (int f = 0; f < grids[k].files.count; f++)
            for (int i = 0; i < (asked->outputs.count ? asked->outputs.count : 1) && !status; i++) {
                const FvOutputParams params = {.path = asked->outputs.count ? asked->outputs.items[i] : NULL,
                                               .files = &grids[k].files.items[f],
                                               .file_count = 1};
                status = outputs_check(&params, &error);
            }
    return report_error_if(status, &error);
}

static FvStatus write_outputs(const Correlate *asked, const Agreement *agreement)
{
    FvStatus status = FV_OK;
    FvError error = {0};
    for (int i = 0; i < asked->outputs.count && !status; i++) {
        FvOutput *output = NULL;
        status = fv_output_open(&output, &(FvOutputParams){.path = asked->outputs.items[i]}, &error);
        if (!status) {
            writer_of(asked->outputs.items[i])(fv_output_file(output), agreement);
            status = fv_output_close(&output, &error);
        }
    }
    return report_error_if(status, &error);
}

static int correlate(const Correlate *asked, const Grid grids[2], const Panel *panel, int draws, uint64_t seed)
{
    static FvCorrelateScore scores[PANEL_SCORES];
    static bool known[PANEL_SCORES];
    FvCorrelateParams params = {.draws = draws, .seed = seed};
    for (int c = 0; c < FV_CURVE_COUNT; c++)
        if (asked->fit && !strcmp(asked->fit, fv_curve_name((FvCurve)c)))
            params.curve = (FvCurve)c;
    int status = choose_directions(asked, panel, scores, known);
    for (int s = 0; s < panel->score_count && !status; s++) {
        bool spread = false;
        for (int i = 0; i < panel->count; i++)
            spread |= panel->value[s][i] != panel->value[s][0];
        if (!spread)
            status = report_error(FV_ERROR_INPUT,
                                  "no spread: '%s' of %s has one value for all %d stimuli; leave it out "
                                  "with --score",
                                  panel->score[s], grids[0].path, panel->count);
    }
    const FvCorrelateVotes votes = {panel->count, panel->vote, panel->half,
                                    panel->content_count ? panel->content : NULL};
    FvCorrelation *correlation = NULL;
    FvError error = {0};
    if (!status)
        status = report_error_if(fv_correlate_open(&correlation, &votes, scores, panel->score_count, &params, &error),
                                 &error);
    if (!status) {
        const Agreement agreement = {panel,       correlation,   params.curve, draws,
                                     params.seed, grids[0].path, grids[1].path};
        tell_warnings(&agreement, known);
        status = write_outputs(asked, &agreement);
        if (!status && asked->json)
            agreement_write_json(stdout, &agreement);
        else if (!status)
            agreement_print(stdout, &agreement);
    }
    fv_correlate_close(&correlation);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Correlate *asked = values;
    int64_t draws = 1000, seed = 1;
    if (words->count != 2)
        return report_error(FV_ERROR_USAGE,
                            "fovea correlate compares scores with votes: fovea correlate scores.csv votes.csv");
    if (asked->draws && !arg_parse_int(asked->draws, 0, MOST_DRAWS, &draws))
        return report_error(FV_FAIL_VALUE, "--bootstrap takes a number from 0 to %d, not '%s'", MOST_DRAWS,
                            asked->draws);
    if (asked->seed && !arg_parse_int(asked->seed, 0, INT64_MAX, &seed))
        return report_error(FV_FAIL_VALUE, "--seed takes a number from 0 on, not '%s'", asked->seed);
    for (int i = 0; i < asked->outputs.count; i++)
        if (!writer_of(asked->outputs.items[i]))
            return report_error(FV_ERROR_USAGE, "the format of '%s' is not known; end it with .json, .csv or .html",
                                asked->outputs.items[i]);
    Grid grids[2] = {{.path = NULL}, {.path = NULL}};
    Panel panel = {.count = 0};
    const PanelParams params = {&asked->scores, &asked->where, asked->score_key, asked->key,
                                asked->vote,    asked->ci,     asked->content};
    int status = grid_open_scores(&grids[0], words->items[0], &asked->scores);
    if (!status)
        status = grid_open_votes(&grids[1], words->items[1]);
    if (!status)
        status = check_outputs(asked, grids);
    if (!status)
        status = panel_open(&panel, &grids[0], &grids[1], &params);
    if (!status)
        status = correlate(asked, grids, &panel, (int)draws, (uint64_t)seed);
    panel_close(&panel);
    grid_close(&grids[0]);
    grid_close(&grids[1]);
    return status;
}

static const char *const fits[] = {"logistic4", "logistic5", "linear", "none", NULL};

#define AT(field) offsetof(Correlate, field)

static const ArgOption options[] = {
    {LIST("score", AT(scores), "NAME"), .section = "Tables", .offer = OFFER_OUTPUTS,
     .help =
         "a column of SCORES to compare; of reports a score, or SCORE:POOL (its mean); may be repeated (every column "
         "of numbers)"},
    {LIST("where", AT(where), "COLUMN=VALUE"),
     .help = "only these rows of VOTES, and of SCORES where it has the column; may be repeated"},
    {TEXT("score-key", AT(score_key), "COLUMN"), .help = "the column of SCORES that names the videos (by its name)"},
    {TEXT("key", AT(key), "COLUMN"), .help = "the column of VOTES that names the videos (by its name)"},
    {TEXT("vote", AT(vote), "COLUMN"), .help = "the column of votes, of which higher is better (mos, jod, ...)"},
    {TEXT("ci", AT(ci), "COLUMN"), .help = "the half widths of the 95 % intervals of the votes (ci, ...)"},
    {TEXT("content", AT(content), "COLUMN"), .help = "the column that names the contents (content, src, ...)"},
    {TEXT("fit", AT(fit), "NAME"), .section = "Statistics", .choices = fits,
     .help = "the curve from scores to votes: logistic4, logistic5, linear, or none where scores are on the scale of "
             "the votes (logistic4)"},
    {LIST("lower", AT(lower), "NAME"),
     .help = "a score of which lower is better; may be repeated. Then other scores that fovea does not know "
             "count as better when higher (by the data)"},
    {TEXT("bootstrap", AT(draws), "N"), .help = "draws of the stimuli for intervals; 0: none (1000)"},
    {TEXT("seed", AT(seed), "N"), .help = "the seed of these draws (1)"},
    {LIST("output", AT(outputs), "FILE"), .section = "Output", .letter = 'o', .offer = OFFER_FILES,
     .help = "also write .json with 17 digits, .csv, or .html, a page with scatters; may be repeated"},
    {FLAG("json", AT(json)), .help = "JSON in place of the table"},
    {ROW_PROGRESS(offsetof(Correlate, progress))},
    {.name = NULL},
};

const Command command_correlate = {
    .name = "correlate",
    .summary = "how well scores agree with votes of people",
    .synopsis = "SCORES VOTES [OPTION]...",
    .description =
        "Correlates scores with votes of the same videos: SROCC, KROCC, PLCC and RMSE after a curve is fitted, "
        "outliers, the analysis of pairs where the votes have intervals, order within contents, and which score "
        "agrees "
        "better than which. No video is read.\n"
        "SCORES is a table (CSV, TSV), the JSON or CSV that fovea score writes of many encodes, or a folder of "
        "reports "
        "of fovea or libvmaf. VOTES is a table, or a dataset of VMAF's (.py). Rows belong together by the names of "
        "their videos: exactly, else without folders, else without endings.",
    .example = "fovea correlate scores.csv votes.csv\n"
               "fovea correlate reports/ votes.csv --score vmaf --score psnr_y:p5 -o agreement.html",
    .options = options,
    .values_size = sizeof(Correlate),
    .run = run,
};
