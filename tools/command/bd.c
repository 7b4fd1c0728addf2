/* fovea bd: computes BD-rate and BD-quality of two tables of encodes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bd/bd_page.h"
#include "bd/points_files.h"
#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/style.h"
#include "fovea/fovea.h"
#include "json.h"
#include "path_names.h"
#include "scoring/videos.h"
#include "table/lines.h"
#include "table/pooled_score.h"

typedef struct Bd {
    const char *progress; /* --progress; process_start() acts on it before this table is parsed */
    const char *method, *better, *format, *chart;
    ArgList scores;
    bool all, hull, drop_dominated, allow_little_overlap;
    int64_t least_points;
} Bd;

/* One comparison: a score by a method. */
typedef struct Comparison {
    const char *score;
    FvBdMethod method;
    FvBd *bd;
} Comparison;

static const char *const side_names[] = {"anchor", "test"};

/*
 * Finds the direction in which a score is better: as --better states, else as its metric does. False: neither does,
 * and higher counts as better.
 */
static bool find_better(const Bd *asked, const char *score, FvBetter *better)
{
    bool found = pick_better(score, better);
    if (asked->better) {
        *better = strcmp(asked->better, "lower") ? FV_HIGHER_IS_BETTER : FV_LOWER_IS_BETTER;
        found = true;
    }
    return found;
}

/*
 * Collects the points of one score, or with --hull those on the hull over all resolutions. The caller frees *points.
 */
static int collect(const Bd *asked, const Points *table, int score, FvBetter better, FvBdPoint **points, int *count)
{
    FvBdPoint *all = calloc((size_t)table->count, sizeof *all);
    if (!all)
        return report_error(FV_ERROR_MEMORY, "out of memory for the points of %s", table->path);
    for (int i = 0; i < table->count; i++)
        all[i] = (FvBdPoint){table->point[i].rate, table->point[i].quality[score], table->point[i].resolution};
    *points = all;
    *count = table->count;
    if (!asked->hull)
        return EXIT_OK;
    FvError error = {0};
    FvBdPoint *hull = NULL;
    FvStatus status = fv_bd_hull(all, table->count, better, &hull, count, &error);
    if (status)
        return report_error(fv_failure_of(&error), "%s: %s", table->path, error.message);
    free(all);
    *points = hull;
    return EXIT_OK;
}

static int compare_curves(const Bd *asked, const Points table[2], Comparison *comparison)
{
    FvBdPoint *points[2] = {NULL, NULL};
    int count[2], status = EXIT_OK;
    FvBdParams params = {.method = comparison->method,
                         .least_points = (int)asked->least_points,
                         .drop_dominated = asked->drop_dominated,
                         .allow_little_overlap = asked->allow_little_overlap};
    (void)find_better(asked, comparison->score, &params.better);
    if (params.better == FV_NEITHER_IS_BETTER)
        return report_error(FV_ERROR_USAGE, "%s describes the video, not its quality; choose another with --score",
                            comparison->score);
    if (!strcmp(comparison->score, "vmaf") || !strcmp(comparison->score, "vmaf_neg"))
        params.saturated = 99.5;
    for (int side = 0; side < 2 && status == EXIT_OK; side++)
        status = collect(asked, &table[side], points_find(&table[side], comparison->score), params.better,
                         &points[side], &count[side]);
    FvError error = {0};
    FvStatus failed = status == EXIT_OK
                          ? fv_bd_open(&comparison->bd, points[0], count[0], points[1], count[1], &params, &error)
                          : FV_OK;
    if (failed)
        status = report_error(fv_failure_of(&error), "%s: %s", comparison->score, error.message);
    free(points[0]);
    free(points[1]);
    return status;
}

/* Returns the line of the table that states a point of a score; 0: no table does. */
static int line_of(const Points *points, int score, const FvBdPoint *wanted)
{
    for (int i = 0; i < points->count; i++)
        if (points->point[i].rate == wanted->rate && points->point[i].quality[score] == wanted->quality)
            return points->point[i].line;
    return 0;
}

/* Warns of every encode that a comparison leaves out. */
static void tell_dropped(const Comparison *comparison, const Points table[2])
{
    const char *score = comparison->score;
    for (int side = 0; side < 2; side++) {
        const FvBdDropped *dropped = NULL;
        const int count = fv_bd_dropped(comparison->bd, (FvBdSide)side, &dropped);
        for (int i = 0; i < count; i++) {
            const int number = line_of(&table[side], points_find(&table[side], score), &dropped[i].point);
            char line[32] = "";
            if (number)
                snprintf(line, sizeof line, ", line %d,", number);
            warn("%s: %s%s leaves out the encode with a rate of %g and a quality of %g: %s%s", score,
                 table[side].path, line, dropped[i].point.rate, dropped[i].point.quality,
                 fv_bd_drop_name(dropped[i].why),
                 dropped[i].why == FV_BD_INFINITE
                     ? "; to count it, compare a score that is finite, such as ssimulacra2"
                     : "");
        }
    }
}

static void print_text(const Comparison *comparison, const Points table[2])
{
    const FvBdResult *result = fv_bd_result(comparison->bd);
    const char *score = comparison->score, *method = fv_bd_method_name(comparison->method);
    char quality[32] = "-", name[256];
    line_cut(name, sizeof name, score, 60);
    if (!isnan(result->bd_quality))
        snprintf(quality, sizeof quality, "%+.4f", result->bd_quality);
    if (result->refusal)
        printf("%-16s %-10s %11s\n", name, method, "refused");
    else
        printf("%-16s %-10s %+9.2f %% %12s %8.1f %%\n", name, method, result->bd_rate, quality,
               100 * result->overlap);
    if (result->few_shared)
        warn("%s: the curves share only %.1f %% of their qualities, so %s can be off by some percent", score,
             100 * result->overlap, method);
    if (result->turns)
        warn("%s: a curve of akima turns back between the encodes; pchip does not", score);
    if (!result->refusal)
        tell_dropped(comparison, table);
}

static void print_json(FvJson *json, const Comparison *comparison)
{
    const FvBdResult *result = fv_bd_result(comparison->bd);
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "score", comparison->score);
    fv_json_text(json, "method", fv_bd_method_name(comparison->method));
    fv_json_number(json, "bd_rate", result->bd_rate);
    fv_json_number(json, "bd_quality", result->bd_quality);
    fv_json_number(json, "overlap", result->overlap);
    fv_json_number(json, "rate_overlap", result->rate_overlap);
    fv_json_number(json, "from", result->from);
    fv_json_number(json, "to", result->to);
    if (result->refusal) {
        fv_json_text(json, "refused", fv_bd_refusal_name(result->refusal));
        fv_json_text(json, "reason", result->reason);
    }
    fv_json_open_line(json, "warnings", '[');
    if (result->few_shared)
        fv_json_text(json, NULL, "overlap");
    if (result->turns)
        fv_json_text(json, NULL, "turns");
    fv_json_close(json);
    fv_json_open(json, "dropped", '[');
    for (int side = 0; side < 2; side++) {
        const FvBdDropped *dropped = NULL;
        const int count = fv_bd_dropped(comparison->bd, (FvBdSide)side, &dropped);
        for (int i = 0; i < count; i++) {
            fv_json_open_line(json, NULL, '{');
            fv_json_text(json, "curve", side_names[side]);
            fv_json_real(json, "rate", dropped[i].point.rate);
            fv_json_real(json, "quality", dropped[i].point.quality);
            fv_json_text(json, "why", fv_bd_drop_name(dropped[i].why));
            fv_json_close(json);
        }
    }
    fv_json_close(json);
    fv_json_close(json);
}

/* Refuses to overwrite a file that was read, by the chart or by standard output. */
static FvStatus check_outputs(const Bd *asked, const Points table[2])
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < table[side].files.count && !status; i++) {
            const FvOutputParams params = {
                .path = asked->chart, .files = &table[side].files.items[i], .file_count = 1};
            status = outputs_check(&params, &error);
        }
    return report_error_if(status, &error);
}

static bool is_page(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && !strcmp(dot, ".html");
}

/* Returns a side's name: the last part of its path without ending, or the path if both sides have the same part. */
static const char *name_side(const Points table[2], int side, char name[2][256])
{
    for (int i = 0; i < 2; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s", table[i].path);
        for (size_t length = strlen(path); length > 1 && fv_is_slash(path[length - 1]);)
            path[--length] = '\0';
        const char *base = fv_base_name(path), *dot = strrchr(base, '.');
        snprintf(name[i], sizeof name[i], "%.*s", (int)(dot && dot != base ? dot - base : (ptrdiff_t)strlen(base)),
                 base);
    }
    return strcmp(name[0], name[1]) ? name[side] : table[side].path;
}

/* Describes a comparison for a chart. `name` stores the names of the sides. */
static Chart chart_of(const Comparison *comparison, const Points table[2], char name[2][256])
{
    const FvMeaning *meaning = fv_meaning(comparison->score);
    Chart chart = {.bd = comparison->bd,
                   .score = meaning ? meaning->title : comparison->score,
                   .method = fv_bd_method_name(comparison->method),
                   .unit = meaning ? meaning->unit : NULL,
                   .kilobits = table[0].report && table[1].report};
    for (int side = 0; side < 2; side++)
        chart.name[side] = name_side(table, side, name);
    return chart;
}

/* Writes a page of all comparisons, or the chart of the first. On failure, prints a message. Returns an exit code. */
static int write_chart(const Bd *asked, const Comparison *comparisons, int count, const Points table[2])
{
    static Chart charts[POINTS_SCORES * FV_BD_METHOD_COUNT];
    char name[2][256];
    if (!is_page(asked->chart) && fv_bd_result(comparisons[0].bd)->refusal)
        return report_error(FV_ERROR_INPUT, "%s is not written: the curves are not compared", asked->chart);
    const FvOutputParams params = {.path = asked->chart};
    FvOutput *output = NULL;
    FvError error = {0};
    for (int i = 0; i < count; i++)
        charts[i] = chart_of(&comparisons[i], table, name);
    FvStatus status = check_outputs(asked, table);
    if (status)
        return status;
    status = fv_output_open(&output, &params, &error);
    if (!status) {
        FILE *file = fv_output_file(output);
        if (!is_page(asked->chart))
            chart_write(file, charts);
        else if (!bd_page_write(file, charts, count)) {
            fv_output_discard(&output);
            return report_error(FV_ERROR_MEMORY, "%s is not written: out of memory for a chart", asked->chart);
        }
        status = fv_output_close(&output, &error);
    }
    return report_error_if(status, &error);
}

static const char *remedy_of(FvBdRefusal refusal, FvBdMethod method)
{
    return refusal == FV_BD_NOT_MONOTONIC    ? "--drop-dominated leaves the worse one out"
           : refusal == FV_BD_NO_OVERLAP     ? "encode both over the same range of qualities"
           : refusal == FV_BD_LITTLE_OVERLAP ? "encode both over the same range, or add --allow-little-overlap"
           : refusal == FV_BD_TURNS          ? "--method pchip cannot turn"
           : refusal != FV_BD_FEW_POINTS     ? "correct or remove it"
           : method == FV_BD_CUBIC           ? "encode more, or take --method pchip"
                                             : "encode more, or ask for fewer with --least-points";
}

/*
 * Prints a message for every comparison that was refused. Returns EXIT_OK if none was, FV_ERROR_INPUT if all were,
 * else FV_ERROR_PARTIAL.
 */
static int tell_refusals(const Comparison *comparisons, int count, const Points table[2])
{
    int refused = 0;
    for (int i = 0; i < count; i++) {
        const FvBdResult *result = fv_bd_result(comparisons[i].bd);
        const char *reason = result->reason, *path = "";
        if (!result->refusal)
            continue;
        for (int side = 0; side < 2; side++) {
            const size_t length = strlen(side_names[side]);
            if (!strncmp(reason, side_names[side], length) && reason[length] == ':') {
                path = table[side].path;
                reason += length;
            }
        }
        refused++;
        if (result->refusal == FV_BD_FEW_POINTS)
            tell_dropped(&comparisons[i], table);
        report_error(FV_ERROR_INPUT, "%s by %s: %s: %s%s; %s", comparisons[i].score,
                     fv_bd_method_name(comparisons[i].method), fv_bd_refusal_name(result->refusal), path, reason,
                     remedy_of(result->refusal, comparisons[i].method));
    }
    return !refused ? EXIT_OK : refused < count ? FV_ERROR_PARTIAL : FV_ERROR_INPUT;
}

static void print_comparisons(const Bd *asked, const Comparison *comparisons, int count, const Points table[2])
{
    const bool json = asked->format && !strcmp(asked->format, "json");
    FvJson writer = {.file = stdout};
    if (json && count > 1)
        fv_json_open(&writer, NULL, '[');
    else if (!json) {
        char name[2][256], text[1024];
        const Chart chart = chart_of(&comparisons[0], table, name);
        if (bd_page_tell(text, sizeof text, &chart))
            printf("%s\n\n", style_clean(text));
    }
    if (!json)
        printf("%-16s %-10s %11s %12s %10s\n", "score", "method", "BD-rate", "BD-quality", "overlap");
    for (int i = 0; i < count; i++)
        if (json)
            print_json(&writer, &comparisons[i]);
        else
            print_text(&comparisons[i], table);
    if (json && count > 1)
        fv_json_close(&writer);
    if (json)
        putchar('\n');
}

/*
 * Returns whether a score is compared even if the user names none: reports also contain parts of models, which are
 * not.
 */
static bool judges(const Bd *asked, const Points *table, const char *score)
{
    FvBetter better = FV_NEITHER_IS_BETTER;
    return !table->report || (find_better(asked, score, &better) && better != FV_NEITHER_IS_BETTER);
}

/* Chooses the scores to compare: those that the user names, else all that both tables have. Returns an exit code. */
static int choose_scores(const Bd *asked, const Points table[2], const char **scores, int *count)
{
    *count = 0;
    for (int i = 0; i < asked->scores.count; i++)
        for (int side = 0; side < 2; side++)
            if (points_find(&table[side], asked->scores.items[i]) < 0)
                return report_error(FV_ERROR_USAGE, "%s has no column '%s'", table[side].path,
                                    asked->scores.items[i]);
    for (int i = 0; i < asked->scores.count && *count < POINTS_SCORES; i++)
        scores[(*count)++] = asked->scores.items[i];
    for (int i = 0; i < table[0].score_count && !asked->scores.count; i++)
        if (points_find(&table[1], table[0].score[i]) >= 0 && judges(asked, &table[0], table[0].score[i]))
            scores[(*count)++] = table[0].score[i];
    return *count
               ? EXIT_OK
               : report_error(FV_ERROR_INPUT, "%s and %s have no score in common; score both with the same --metric",
                              table[0].path, table[1].path);
}

static int compare_all(const Bd *asked, const Points table[2])
{
    static Comparison comparisons[POINTS_SCORES * FV_BD_METHOD_COUNT];
    const char *scores[POINTS_SCORES];
    int score_count, count = 0;
    int status = choose_scores(asked, table, scores, &score_count);
    for (int i = 0; i < score_count && status == EXIT_OK; i++) {
        FvBetter better;
        if (!find_better(asked, scores[i], &better))
            warn("fovea has no score '%s': higher counts as better, unless --better lower is given", scores[i]);
        for (int method = 0; method < FV_BD_METHOD_COUNT && status == EXIT_OK; method++) {
            const char *name = fv_bd_method_name((FvBdMethod)method);
            if (!asked->all && strcmp(name, asked->method ? asked->method : "pchip"))
                continue;
            comparisons[count] = (Comparison){scores[i], (FvBdMethod)method, NULL};
            status = compare_curves(asked, table, &comparisons[count]);
            count += status == EXIT_OK;
        }
    }
    if (status == EXIT_OK)
        status = tell_refusals(comparisons, count, table);
    if (status == EXIT_OK || status == FV_ERROR_PARTIAL) {
        const int written = asked->chart ? write_chart(asked, comparisons, count, table) : EXIT_OK;
        const bool lost = written == FV_ERROR_MEMORY || written == FV_ERROR_OUTPUT;
        if (!lost)
            print_comparisons(asked, comparisons, count, table);
        status = status == EXIT_OK || lost ? written : status;
    }
    for (int i = 0; i < count; i++)
        fv_bd_close(&comparisons[i].bd);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Bd *asked = values;
    if (words->count != 2)
        return report_error(FV_ERROR_USAGE, "fovea bd compares two sets of encodes: fovea bd anchor.csv test.csv");
    if (asked->all && asked->method)
        return report_error(FV_ERROR_USAGE, "--all is every method, and --method %s is one; leave out one of them",
                            asked->method);
    if (asked->chart && !strcmp(asked->chart, "-"))
        return report_error(FV_ERROR_USAGE, "--chart - and the table both go to standard output: name a file");
    Points table[2] = {{0}, {0}};
    int status = points_open(&table[0], words->items[0]);
    if (status == EXIT_OK)
        status = points_open(&table[1], words->items[1]);
    for (int side = 0; side < 2 && status == EXIT_OK; side++)
        if (asked->hull && !table[side].resolutions)
            status =
                report_error(FV_ERROR_USAGE, "%s has no column 'resolution', which --hull needs", table[side].path);
    if (status == EXIT_OK)
        status = points_agree(table);
    if (status == EXIT_OK)
        status = check_outputs(asked, table);
    if (status == EXIT_OK)
        status = compare_all(asked, table);
    points_close(&table[0]);
    points_close(&table[1]);
    return status;
}

static const char *const methods[] = {"pchip", "pchip-aom", "akima", "cubic", NULL};
static const char *const formats[] = {"text", "json", NULL};
static const char *const directions[] = {"higher", "lower", NULL};

#define AT(field) offsetof(Bd, field)

static const ArgOption options[] = {
    {TEXT("method", AT(method), "NAME"), .section = "Comparison", .choices = methods,
     .help = "how a curve is drawn through its encodes: pchip and akima as bjontegaard, pchip-aom as the AOM common "
             "test conditions, cubic as VCEG-M33 (pchip)"},
    {FLAG("all", AT(all)), .help = "every method, side by side"},
    {LIST("score", AT(scores), "NAME"), .offer = OFFER_OUTPUTS,
     .help = "a score to compare; may be repeated (every one that both sides have)"},
    {TEXT("better", AT(better), "WAY"), .choices = directions,
     .help = "whether higher or lower values are better, for scores that fovea does not compute (higher)"},
    {FLAG("hull", AT(hull)),
     .help =
         "compare the convex hulls over the resolutions of the encodes; a table has them in a column 'resolution', "
         "and its bit rates are in kbit/s"},
    {NUMBER("least-points", AT(least_points), 2, 1000),
     .help = "refuse curves with fewer encodes; cubic needs 4 (4)"},
    {FLAG("drop-dominated", AT(drop_dominated)),
     .help = "leave out encodes that cost more bits for less quality, instead of refusing the curve"},
    {FLAG("allow-little-overlap", AT(allow_little_overlap)),
     .help = "compare curves that share less than a quarter of their qualities"},
    {TEXT("format", AT(format), "NAME"), .section = "Output", .choices = formats,
     .help = "text, or json with 17 digits: an object, or an array with one for each score and method (text)"},
    {TEXT("chart", AT(chart), "FILE"), .offer = OFFER_FILES,
     .help = "also draw both curves of the first score, and the area between them, as SVG; .html is a page with a "
             "table and the curves of every score"},
    {ROW_PROGRESS(offsetof(Bd, progress))},
    {.name = NULL},
};

const Command command_bd = {
    .name = "bd",
    .summary = "BD-rate and BD-quality of two sets of encodes",
    .synopsis = "ANCHOR TEST [OPTION]...",
    .description =
        "Says how many percent more bits the test's encodes take for the same quality as the anchor's (BD-rate), and "
        "how much better they are at the same bit rate (BD-quality).\n"
        "ANCHOR and TEST are each the JSON file that fovea score writes of several encodes, the folder of its JSON "
        "reports (-o "
        "FOLDER), "
        "a pattern such as 'scores/x264-*.json' in quotation marks, or a CSV file: the first line names the "
        "columns, "
        "'bitrate' and one for each score, and every further line is an encode. Bit rates have the same unit in "
        "both; "
        "those of JSON files count as kbit/s.\n"
        "Curves that cannot be compared are refused with the reason: too few encodes, more bits for less quality, no "
        "quality in common. The exit code is 5 when only some scores were compared, and 3 when none was.",
    .example = "fovea bd scores264/ scores265/\n"
               "fovea bd x264.csv x265.csv --score vmaf --all",
    .options = options,
    .values_size = sizeof(Bd),
    .run = run,
};
