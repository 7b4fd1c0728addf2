#include "correlate/panel.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/message.h"
#include "table/pooled_score.h"

static const char *const keys[] = {"video_name",   "test_path", "test",     "distorted", "dist_img_path",
                                   "dis_img_path", "encode",    "filename", "file",      "path",
                                   "name",         "video",     "image",    NULL};
static const char *const votes_names[] = {"mos", "jod", "dmos", "vote", "mean_opinion_score", "quality", NULL};
static const char *const ci_names[] = {"ci", "ci95", "mos_ci", "confidence_interval", NULL};
static const char *const low_names[] = {"jod_low", "mos_low", "ci_low", NULL};
static const char *const high_names[] = {"jod_high", "mos_high", "ci_high", NULL};
static const char *const content_names[] = {"content",      "src",        "scene", "reference", "ref_path",
                                            "ref_img_path", "content_id", "ref",   NULL};

/* ---- Columns --------------------------------------------------------------------------------------------------- */

/*
 * Finds the column that an option names, or the first with one of the usual names; -1: an optional column is missing.
 */
static FvStatus find_column(const Grid *grid, const char *asked, const char *const *names, const char *option,
                            const char *what, int *column)
{
    *column = asked ? grid_find(grid, asked) : grid_find_any(grid, names);
    if (*column < 0 && asked)
        return report_error(FV_ERROR_USAGE, "%s has no column '%s', which %s names", grid->path, asked, option);
    if (*column < 0 && what)
        return report_error(FV_ERROR_INPUT, "%s has no column that is known to hold the %s; name it with %s",
                            grid->path, what, option);
    return FV_OK;
}

static bool is_listed(const ArgList *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->items[i], name))
            return true;
    return false;
}

/* Returns whether every cell of a column that is not empty holds a number, which may be infinite. */
static bool has_numbers(const Grid *grid, int column)
{
    bool some = false;
    for (int r = 0; r < grid->rows; r++) {
        char *end;
        const char *text = grid_cell(grid, r, column);
        (void)strtod(text, &end);
        if (*end)
            return false;
        some |= *text != '\0';
    }
    return some;
}

/* Returns whether a score judges quality: reports also have measures of the video, such as motion. */
static bool judges(const char *name)
{
    FvBetter better;
    return !pick_better(name, &better) || better != FV_NEITHER_IS_BETTER;
}

static FvStatus choose_scores(Panel *panel, const Grid *grid, int key, const ArgList *asked, int *columns)
{
    static const char *facts[] = {"status", "codec", "resolution", "frames", "bit_rate"};
    const ArgList no_scores = {.items = facts, .count = 5};
    const bool ladder = grid_find(grid, "encode") >= 0 && grid_find(grid, "status") >= 0; /* fovea's own CSV */
    for (int i = 0; i < asked->count; i++) {
        const int column = grid_find(grid, asked->items[i]);
        if (column < 0)
            return report_error(FV_ERROR_USAGE, "%s has no column '%s', which --score names", grid->path,
                                asked->items[i]);
        if (panel->score_count == PANEL_SCORES)
            return report_error(FV_ERROR_USAGE, "at most %d scores are compared at once", PANEL_SCORES);
        panel->score[panel->score_count] = grid->name[column];
        columns[panel->score_count++] = column;
    }
    for (int c = 0; c < grid->columns && !asked->count && panel->score_count < PANEL_SCORES; c++)
        if (c != key && has_numbers(grid, c) && !(ladder && is_listed(&no_scores, grid->name[c])) &&
            ((!grid->reports && !ladder) || judges(grid->name[c]))) {
            panel->score[panel->score_count] = grid->name[c];
            columns[panel->score_count++] = c;
        }
    return panel->score_count ? FV_OK
                              : report_error(FV_ERROR_INPUT, "%s has no column of numbers besides its key '%s'",
                                             grid->path, grid->name[key]);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

/*
 * Clears `chosen` for the rows that fail a condition of --where. `may_lack`: the table need not have the condition's
 * column.
 */
static FvStatus select_rows(const Grid *grid, const ArgList *where, bool may_lack, bool *chosen)
{
    for (int r = 0; r < grid->rows; r++)
        chosen[r] = true;
    for (int i = 0; i < where->count; i++) {
        const char *equals = strchr(where->items[i], '=');
        if (!equals)
            return report_error(FV_ERROR_USAGE, "--where %s is not of the form COLUMN=VALUE", where->items[i]);
        int column = grid->columns - 1;
        const size_t length = (size_t)(equals - where->items[i]);
        while (column >= 0 &&
               (strlen(grid->name[column]) != length || strncmp(grid->name[column], where->items[i], length)))
            column--;
        if (column < 0 && !may_lack)
            return report_error(FV_ERROR_USAGE, "%s has no column '%.*s', which --where names", grid->path,
                                (int)length, where->items[i]);
        for (int r = 0; r < grid->rows && column >= 0; r++)
            chosen[r] &= !strcmp(grid_cell(grid, r, column), equals + 1);
    }
    return FV_OK;
}

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

static const char *const steps[] = {"exact", "base name", "stem"};

static const char *base_of(const char *key)
{
    const char *base = key;
    for (; *key; key++)
        if (*key == '/' || *key == '\\')
            base = key + 1;
    return base;
}

/*
 * Returns the length of a name without an extension such as .mp4, .y4m or .264. Not every dot begins one:
 * 59.94fps_h264 is a name.
 */
static size_t stem_length(const char *base)
{
    static const char *const digits[] = {"3gp", "264", "265", "266"};
    const char *dot = strrchr(base, '.');
    const size_t length = dot ? strlen(dot + 1) : 0;
    bool ending = length >= 1 && length <= 5 && isalpha((unsigned char)dot[1]);
    for (size_t i = 1; i <= length && ending; i++)
        ending = isalnum((unsigned char)dot[i]);
    for (int i = 0; i < 4 && dot; i++)
        ending |= !strcmp(dot + 1, digits[i]);
    return ending ? (size_t)(dot - base) : strlen(base);
}

/* A key in the form that a step of the comparison uses. */
typedef struct Key {
    const char *text;
    size_t length;
    int row;
} Key;

static int by_text(const void *a, const void *b)
{
    const Key *one = a, *other = b;
    const size_t least = one->length < other->length ? one->length : other->length;
    const int order = memcmp(one->text, other->text, least);
    return order                          ? order
           : one->length != other->length ? (one->length > other->length) - (one->length < other->length)
                                          : (one->row > other->row) - (one->row < other->row);
}

static bool same_key(const Key *a, const Key *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

/* Lists the keys of the chosen rows, sorted. Returns their number. */
static int list_keys(const Grid *grid, int column, const bool *chosen, int step, Key *list)
{
    int count = 0;
    for (int r = 0; r < grid->rows; r++) {
        const char *text = grid_cell(grid, r, column);
        if (!chosen[r])
            continue;
        text = step ? base_of(text) : text;
        list[count++] = (Key){text, step == 2 ? stem_length(text) : strlen(text), r};
    }
    qsort(list, (size_t)count, sizeof *list, by_text);
    return count;
}

/*
 * Refuses a key that a table has twice. The message names the columns in which the two rows differ, since --where can
 * choose a row by them.
 */
static FvStatus refuse_twice(const Grid *grid, const Key *a, const Key *b)
{
    char columns[512] = "none";
    size_t used = 0;
    for (int c = 0; c < grid->columns && used < sizeof columns; c++)
        if (strcmp(grid_cell(grid, a->row, c), grid_cell(grid, b->row, c)))
            used += (size_t)snprintf(columns + used, sizeof columns - used, "%s%s", used ? ", " : "", grid->name[c]);
    return report_error(
        FV_ERROR_INPUT,
        "duplicate key: %s has '%.*s' more than once; choose rows with --where COLUMN=VALUE (the rows "
        "differ in: %s)",
        grid->path, (int)a->length, a->text, columns);
}

/* Sets partner[row of votes] to the row of scores, or -1. Uses the first step by which any key matches. */
static FvStatus join(Panel *panel, const Grid *grids[2], const int columns[2], bool *chosen[2], int *partner)
{
    Key *list[2] = {calloc((size_t)grids[0]->rows + 1, sizeof(Key)), calloc((size_t)grids[1]->rows + 1, sizeof(Key))};
    FvStatus status = list[0] && list[1]
                          ? FV_OK
                          : report_error(FV_ERROR_MEMORY, "out of memory for the keys of %s", grids[0]->path);
    int matches = 0, count[2] = {0, 0};
    for (int step = 0; step < 3 && !matches && !status; step++) {
        for (int k = 0; k < 2; k++)
            count[k] = list_keys(grids[k], columns[k], chosen[k], step, list[k]);
        for (int r = 0; r < grids[1]->rows; r++)
            partner[r] = -1;
        for (int i = 0, j = 0; i < count[0] && j < count[1] && !status;) {
            const Key *a = &list[0][i], *b = &list[1][j];
            if (!same_key(a, b)) {
                const Key one = {a->text, a->length, 0}, other = {b->text, b->length, 0};
                if (by_text(&one, &other) < 0)
                    i++;
                else
                    j++;
                continue;
            }
            for (int k = 0; k < 2 && !status; k++) {
                const Key *at = k ? b : a;
                if ((k ? j : i) + 1 < count[k] && same_key(at, at + 1))
                    status = refuse_twice(grids[k], at, at + 1);
            }
            partner[b->row] = a->row;
            matches++;
            i++;
            j++;
        }
        panel->joined_by = steps[step];
    }
    free(list[0]);
    free(list[1]);
    panel->unmatched_scores = count[0] - matches;
    panel->unmatched_votes = count[1] - matches;
    if (!status && !matches)
        status =
            report_error(FV_ERROR_INPUT,
                         "no key of %s ('%s') is one of %s ('%s'): not exactly, nor by the names of files; name the "
                         "columns with --score-key and --key",
                         grids[0]->path, grids[0]->name[columns[0]], grids[1]->path, grids[1]->name[columns[1]]);
    return status;
}

/* ---- The panel ------------------------------------------------------------------------------------------------- */

/*
 * Computes the half width of a row's interval, from one column (`of_one`) or from two limits. false: a cell is not a
 * valid number.
 */
static bool half_width(const Grid *votes, int row, const int columns[3], bool of_one, double vote, Panel *panel,
                       double *half)
{
    double low, high;
    if (of_one)
        return grid_number(votes, row, columns[0], half) && *half >= 0;
    if (!grid_number(votes, row, columns[1], &low) || !grid_number(votes, row, columns[2], &high) || high < low)
        return false;
    panel->wide_limits |= !(low <= vote && vote <= high);
    *half = (high - low) / 2;
    return true;
}

static FvStatus take_intervals(Panel *panel, const Grid *votes, const int columns[3], const int *rows)
{
    for (int one = 1; one >= 0 && !panel->half; one--) {
        if (one ? columns[0] < 0 : columns[1] < 0 || columns[2] < 0)
            continue;
        panel->half = calloc((size_t)panel->count + 1, sizeof *panel->half);
        if (!panel->half)
            return report_error(FV_ERROR_MEMORY, "out of memory for the intervals of %s", votes->path);
        bool all = true;
        panel->wide_limits = false;
        for (int i = 0; i < panel->count && all; i++)
            all = half_width(votes, rows[i], columns, one, panel->vote[i], panel, &panel->half[i]);
        if (!all) {
            panel->no_intervals = true;
            panel->wide_limits = false;
            free(panel->half);
            panel->half = NULL;
        }
    }
    return FV_OK;
}

/* Numbers the contents in the order in which they first occur. */
static void take_contents(Panel *panel, const Grid *votes, int column, const int *rows)
{
    for (int i = 0; i < panel->count; i++) {
        panel->content_name[i] = grid_cell(votes, rows[i], column);
        panel->content[i] = -1;
        for (int k = 0; k < i && panel->content[i] < 0; k++)
            if (!strcmp(panel->content_name[k], panel->content_name[i]))
                panel->content[i] = panel->content[k];
        if (panel->content[i] < 0)
            panel->content[i] = panel->content_count++;
    }
}

static FvStatus fill_panel(Panel *panel, const Grid *grids[2], const int *score_columns, int key, int vote,
                           const int *partner, int *rows)
{
    const size_t room = (size_t)grids[1]->rows + 1;
    panel->vote = calloc(room, sizeof *panel->vote);
    panel->stimulus = calloc(room, sizeof *panel->stimulus);
    panel->content_name = calloc(room, sizeof *panel->content_name);
    panel->content = calloc(room, sizeof *panel->content);
    bool all = panel->vote && panel->stimulus && panel->content_name && panel->content;
    for (int s = 0; s < panel->score_count && all; s++)
        all = (panel->value[s] = calloc(room, sizeof(double))) != NULL;
    if (!all)
        return report_error(FV_ERROR_MEMORY, "out of memory for the stimuli of %s", grids[1]->path);
    for (int r = 0; r < grids[1]->rows; r++) {
        const int n = panel->count;
        if (partner[r] < 0)
            continue;
        bool wrong = !grid_number(grids[1], r, vote, &panel->vote[n]), in_votes = wrong;
        int column = vote;
        for (int s = 0; s < panel->score_count && !wrong; s++) {
            wrong = !grid_number(grids[0], partner[r], score_columns[s], &panel->value[s][n]);
            column = score_columns[s];
        }
        if (wrong) {
            const Grid *grid = grids[in_votes];
            if (!panel->left_out++)
                warn("%s: the %s of %s is '%s', which is not a finite number: such rows are left out; correct it to "
                     "count it",
                     grid->path, grid->name[column], grid_cell(grids[1], r, key),
                     grid_cell(grid, in_votes ? r : partner[r], column));
            continue;
        }
        panel->stimulus[n] = grid_cell(grids[1], r, key);
        rows[n] = r;
        panel->count++;
    }
    return panel->count >= 6
               ? FV_OK
               : report_error(FV_ERROR_INPUT,
                              "few stimuli: %d have a vote and all scores, and 6 are needed (%d were left "
                              "out for a value that is missing or not finite)",
                              panel->count, panel->left_out);
}

FvStatus panel_open(Panel *panel, const Grid *scores, const Grid *votes, const PanelParams *params)
{
    const Grid *grids[2] = {scores, votes};
    int key[2], vote, content, interval[3], *score_columns = calloc(PANEL_SCORES, sizeof *score_columns);
    int *partner = calloc((size_t)votes->rows + 1, sizeof *partner),
        *rows = calloc((size_t)votes->rows + 1, sizeof *rows);
    bool *chosen[2] = {calloc((size_t)scores->rows + 1, sizeof(bool)), calloc((size_t)votes->rows + 1, sizeof(bool))};
    *panel = (Panel){.count = 0};
    FvStatus status = score_columns && partner && rows && chosen[0] && chosen[1]
                          ? FV_OK
                          : report_error(FV_ERROR_MEMORY, "out of memory for the rows of %s", votes->path);
    if (!status)
        status = find_column(scores, params->score_key, keys, "--score-key", "names of the videos", &key[0]);
    if (!status)
        status = find_column(votes, params->key, keys, "--key", "names of the videos", &key[1]);
    if (!status)
        status = find_column(votes, params->vote, votes_names, "--vote", "votes", &vote);
    if (!status && !params->vote && !votes->dataset && !strcasecmp(votes->name[vote], "dmos"))
        status =
            report_error(FV_ERROR_USAGE,
                         "%s has votes in '%s', which is better where it is higher in some tables and where it is "
                         "lower in others; say --vote %s if higher is better, else give a table of mos",
                         votes->path, votes->name[vote], votes->name[vote]);
    if (!status)
        status = find_column(votes, params->ci, ci_names, "--ci", NULL, &interval[0]);
    if (!status)
        status = find_column(votes, NULL, low_names, "", NULL, &interval[1]);
    if (!status)
        status = find_column(votes, NULL, high_names, "", NULL, &interval[2]);
    if (!status)
        status = find_column(votes, params->content, content_names, "--content", NULL, &content);
    if (!status)
        status = choose_scores(panel, scores, key[0], params->scores, score_columns);
    if (!status)
        status = select_rows(scores, params->where, true, chosen[0]);
    if (!status)
        status = select_rows(votes, params->where, false, chosen[1]);
    if (!status)
        status = join(panel, grids, key, chosen, partner);
    if (!status)
        status = fill_panel(panel, grids, score_columns, key[1], vote, partner, rows);
    if (!status)
        status = take_intervals(panel, votes, interval, rows);
    if (!status && content >= 0)
        take_contents(panel, votes, content, rows);
    if (!status) {
        panel->key_name = votes->name[key[1]];
        panel->vote_name = votes->name[vote];
    }
    free(score_columns);
    free(partner);
    free(rows);
    free(chosen[0]);
    free(chosen[1]);
    return status;
}

void panel_close(Panel *panel)
{
    for (int s = 0; s < panel->score_count; s++)
        free(panel->value[s]);
    free(panel->stimulus);
    free(panel->content_name);
    free(panel->vote);
    free(panel->half);
    free(panel->content);
    *panel = (Panel){.count = 0};
}
