#include "correlate/grid.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/message.h"
#include "compare_text.h"
#include "json_read.h"
#include "path_names.h"
#include "report/stored.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "table/delimited.h"
#include "table/file_text.h"

#define MOST_BYTES ((size_t)256 << 20) /* maximum bytes of a table */
#define MOST_COLUMNS 4096              /* maximum number of columns of a table */

static FvStatus no_memory(const Grid *grid)
{
    return report_error(FV_ERROR_MEMORY, "out of memory while reading %s", grid->path);
}

/* ---- Cells ----------------------------------------------------------------------------------------------------- */

/* Copies `text` into memory that the grid owns. If memory is exhausted, prints a message and returns NULL. */
static const char *keep_text(Grid *grid, const char *text)
{
    return encodes_take(&grid->own, strdup(text)) ? NULL : grid->own.items[grid->own.count - 1];
}

static FvStatus add_column(Grid *grid, const char *name, int *column)
{
    *column = grid_find(grid, name);
    if (*column >= 0)
        return FV_OK;
    if (grid->columns == MOST_COLUMNS)
        return report_error(FV_ERROR_INPUT, "%s has more than %d columns", grid->path, MOST_COLUMNS);
    const char **grown = realloc(grid->name, ((size_t)grid->columns + 1) * sizeof *grown);
    if (!grown)
        return no_memory(grid);
    grid->name = grown;
    *column = grid->columns;
    grid->name[grid->columns++] = name;
    return FV_OK;
}

static FvStatus add_row(Grid *grid)
{
    if ((grid->rows & (grid->rows - 1)) == 0) {
        GridRow *grown = realloc(grid->row, (2 * (size_t)grid->rows + 1) * sizeof *grown);
        if (!grown)
            return no_memory(grid);
        grid->row = grown;
    }
    grid->row[grid->rows++] = (GridRow){NULL, 0};
    return FV_OK;
}

/* Sets a cell of the last row. */
static FvStatus set(Grid *grid, int column, const char *text)
{
    GridRow *row = &grid->row[grid->rows - 1];
    if (column >= row->count) {
        const char **grown = realloc(row->cell, ((size_t)column + 1) * sizeof *grown);
        if (!grown)
            return no_memory(grid);
        row->cell = grown;
        while (row->count <= column)
            row->cell[row->count++] = "";
    }
    row->cell[column] = text;
    return FV_OK;
}

/* Sets the cell of the last row in column `name`, which it adds if it is new; the grid copies both texts. */
static FvStatus set_copy(Grid *grid, const char *name, const char *text)
{
    int column = grid_find(grid, name);
    const char *copy = keep_text(grid, text), *title = column < 0 ? keep_text(grid, name) : name;
    FvStatus status = copy && title ? add_column(grid, title, &column) : FV_ERROR_MEMORY;
    return status ? status : set(grid, column, copy);
}

static FvStatus set_number(Grid *grid, const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.17g", value);
    return set_copy(grid, name, text);
}

int grid_find(const Grid *grid, const char *name)
{
    for (int i = 0; i < grid->columns; i++)
        if (!strcmp(grid->name[i], name))
            return i;
    return -1;
}

int grid_find_any(const Grid *grid, const char *const *names)
{
    for (; *names; names++)
        for (int i = 0; i < grid->columns; i++)
            if (!strcasecmp(grid->name[i], *names))
                return i;
    return -1;
}

const char *grid_cell(const Grid *grid, int row, int column)
{
    return column < grid->row[row].count ? grid->row[row].cell[column] : "";
}

bool grid_number(const Grid *grid, int row, int column, double *value)
{
    return delimited_number(grid_cell(grid, row, column), value);
}

/* ---- Tables ---------------------------------------------------------------------------------------------------- */

static FvStatus read_table(Grid *grid, char *text)
{
    const char separator = fv_has_extension(grid->path, ".tsv") ? '\t' : ',';
    Delimited table = delimited_open(text);
    char *line = delimited_line(&table);
    FvStatus status = FV_OK;
    int column, columns = 0;
    while (line && !strchr(line, separator)) /* skips a preamble */
        line = delimited_line(&table);
    if (!line)
        return report_error(FV_ERROR_INPUT, "%s is no table: no line has a %s", grid->path,
                            separator == ',' ? "comma" : "tab");
    for (char *name; !status && (name = delimited_field(&line, separator)); columns++) {
        const int before = grid->columns;
        status = add_column(grid, name, &column);
        if (!status && grid->columns == before)
            status = report_error(FV_ERROR_INPUT, "%s has two columns '%s'", grid->path, name);
    }
    while (!status && (line = delimited_line(&table))) {
        status = add_row(grid);
        column = 0;
        for (char *value; !status && column < columns && (value = delimited_field(&line, separator)); column++)
            status = set(grid, column, value);
        if (!status && line)
            status = report_error(FV_ERROR_INPUT, "%s, line %d has more than the %d fields that the header names",
                                  grid->path, table.line, columns);
    }
    return status;
}

/* ---- Datasets of VMAF ------------------------------------------------------------------------------------------ */

/* Returns the text after a member's name and its colon; NULL: the item has no such member. */
static const char *member(const char *item, const char *name)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "'%s'", name);
    const char *at = strstr(item, quoted);
    if (!at)
        return NULL;
    at += strlen(quoted);
    at += strspn(at, " \t\r\n");
    return *at == ':' ? at + 1 + strspn(at + 1, " \t\r\n") : NULL;
}

/* Adds the mean of a list of opinion scores, and the half width of its 95 % confidence interval. */
static FvStatus take_opinions(Grid *grid, const char *list)
{
    double sum = 0, squares = 0;
    int count = 0;
    for (int pass = 0; pass < 2; pass++) {
        const char *at = list + 1;
        count = 0;
        while (*at && *at != ']') {
            char *end;
            const double value = strtod(at, &end);
            if (end == at) {
                at++;
                continue;
            }
            if (pass)
                squares += (value - sum) * (value - sum);
            else
                sum += value;
            count++;
            at = end;
        }
        if (!count)
            return report_error(FV_ERROR_INPUT, "%s: row %d has no opinion in 'os'", grid->path, grid->rows);
        if (!pass)
            sum = sum / count;
    }
    FvStatus status = set_number(grid, "mos", sum);
    return status || count < 2 ? status
                               : set_number(grid, "ci", 1.959963984540054 * sqrt(squares / (count - 1) / count));
}

static FvStatus read_dataset(Grid *grid, char *text)
{
    static const char *const numbers[] = {"asset_id", "content_id", "dmos", "mos"};
    char *at = strstr(text, "dis_videos");
    FvStatus status = FV_OK;
    grid->dataset = true;
    while (!status && at && (at = strchr(at, '{'))) {
        char *end = strchr(at, '}');
        if (!end)
            return report_error(FV_FAIL_DAMAGED, "%s is damaged: an item of dis_videos has no end", grid->path);
        *end = '\0';
        status = add_row(grid);
        for (int i = 0; i < 4 && !status; i++) {
            char number[64];
            const char *value = member(at, numbers[i]);
            if (!value)
                continue;
            snprintf(number, sizeof number, "%.*s", (int)strspn(value, "0123456789+-.eE"), value);
            status = set_copy(grid, numbers[i], number);
        }
        const char *list = member(at, "os"), *path = member(at, "path");
        if (!status && list && *list == '[')
            status = take_opinions(grid, list);
        const char *quote = path ? strchr(path, '\'') : NULL, *close = quote ? strchr(quote + 1, '\'') : NULL;
        if (!status && !close)
            status = report_error(FV_ERROR_INPUT, "%s: row %d of dis_videos has no path", grid->path, grid->rows);
        if (!status) {
            *(char *)close = '\0';
            status = set_copy(grid, "path", quote + 1);
        }
        at = end + 1;
    }
    if (!status && !grid->rows)
        status = report_error(FV_ERROR_INPUT, "%s has no item in dis_videos; give a dataset of VMAF's", grid->path);
    return status;
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

/* Returns the mean of a score over the frames, for reports without pools; NaN if no frame has the score. */
static double mean_of(const Stored *stored, const char *name)
{
    double sum = 0;
    int64_t count = 0;
    for (size_t i = 0; i < stored->count; i++)
        if (!stored->number[i].pool && !strcmp(stored->number[i].name, name)) {
            sum += strtod(stored->number[i].text, NULL);
            count++;
        }
    return count ? sum / (double)count : NAN;
}

static FvStatus take_report(Grid *grid, const Stored *stored, const ArgList *wanted)
{
    const FvNode *root = &stored->document.root;
    const char *video = fv_member_text(fv_node_member(fv_node_member(root, "inputs"), "distorted"), "path");
    FvStatus status = add_row(grid);
    bool pooled = false;
    if (!status)
        status = set_copy(grid, "encode", stored->kind == STORED_FOVEA && video ? video : fv_base_name(stored->path));
    for (size_t i = 0; i < stored->count && !status; i++) {
        const StoredNumber *number = &stored->number[i];
        const bool clip = number->pool && !strcmp(number->pool, "clip");
        char text[512];
        if (!number->pool || !strcmp(number->pool, "run") || !strcmp(number->pool, "part"))
            continue;
        pooled |= !clip;
        if (clip || !strcmp(number->pool, "mean"))
            status = set_copy(grid, number->name, number->text);
        snprintf(text, sizeof text, "%s:%s", number->name, number->pool);
        for (int w = 0; w < wanted->count && !status && !clip; w++)
            if (!strcmp(wanted->items[w], text))
                status = set_copy(grid, text, number->text);
    }
    for (int i = 0; i < stored->columns && !status && !pooled; i++)
        status = set_number(grid, stored->column[i], mean_of(stored, stored->column[i]));
    return status;
}

static FvStatus read_reports(Grid *grid, const ArgList *wanted)
{
    static const char *const endings[] = {".json", ".xml", ".csv"};
    FvStatus status = FV_OK;
    grid->reports = true;
    for (int i = 0; i < 3 && !status; i++)
        status = folders_list(&grid->files, grid->path, endings[i]);
    if (!status && !grid->files.count)
        status = report_error(FV_ERROR_INPUT, "%s has no report in JSON, XML or CSV", grid->path);
    for (int i = 0; i < grid->files.count && !status; i++) {
        Stored stored;
        status = stored_open(&stored, grid->files.items[i]);
        if (!status)
            status = take_report(grid, &stored, wanted);
        stored_close(&stored);
    }
    return status;
}

static FvStatus read_encodes(Grid *grid, const char *text, const ArgList *wanted)
{
    FvDocument document;
    FvError error = {0};
    FvStatus status = report_error_if(fv_document_open(&document, grid->path, text, strlen(text), &error), &error);
    const FvNode *encodes = status ? NULL : fv_node_member(&document.root, "encodes");
    grid->reports = true;
    if (!status && !fv_node_items(encodes))
        status = report_error(
            FV_ERROR_INPUT,
            "%s has no 'encodes'; give a report of several encodes, or a folder with a report of each", grid->path);
    for (size_t i = 0; i < fv_node_items(encodes) && !status; i++) {
        const FvNode *encode = fv_node_item(encodes, i), *scores = fv_node_member(encode, "scores");
        const char *path = fv_member_text(encode, "path");
        if (!fv_node_is(scores, FV_NODE_OBJECT) || !path)
            continue;
        status = add_row(grid);
        if (!status)
            status = set_copy(grid, "encode", path);
        for (uint32_t s = 0; s < scores->count && !status; s++) {
            const FvNode *pools = &scores->items[s];
            for (uint32_t p = 0; fv_node_is(pools, FV_NODE_OBJECT) && p < pools->count && !status; p++) {
                const FvNode *value = &pools->items[p];
                char name[512];
                if (!fv_node_is_number(value))
                    continue;
                if (!strcmp(value->key, "mean"))
                    status = set_number(grid, pools->key, fv_node_number(value));
                snprintf(name, sizeof name, "%s:%s", pools->key, value->key);
                for (int w = 0; w < wanted->count && !status; w++)
                    if (!strcmp(wanted->items[w], name))
                        status = set_number(grid, name, fv_node_number(value));
            }
        }
    }
    fv_document_close(&document);
    return status;
}

/* ---- Files ----------------------------------------------------------------------------------------------------- */

static FvStatus read_text(Grid *grid, const char *path)
{
    size_t size;
    *grid = (Grid){.path = path};
    FvStatus status = arg_list_add(&grid->files, path) ? FV_OK : FV_ERROR_MEMORY;
    if (!status)
        grid->files.items[0] = strdup(path);
    if (!status && !grid->files.items[0]) {
        grid->files.count = 0;
        status = no_memory(grid);
    }
    if (!status)
        status = file_text(path, MOST_BYTES, &grid->text, &size);
    if (!status && strlen(grid->text) != size)
        status = report_error(FV_ERROR_INPUT, "%s is not a text: it has a NUL character", path);
    return status;
}

static FvStatus check_rows(const Grid *grid, FvStatus status)
{
    if (!status && !grid->rows)
        status = report_error(FV_ERROR_INPUT, "%s has no row", grid->path);
    return status;
}

FvStatus grid_open_votes(Grid *grid, const char *path)
{
    FvStatus status = read_text(grid, path);
    if (status)
        return status;
    return check_rows(grid,
                      fv_has_extension(path, ".py") ? read_dataset(grid, grid->text) : read_table(grid, grid->text));
}

FvStatus grid_open_scores(Grid *grid, const char *path, const ArgList *wanted)
{
    if (folders_is_one(path)) {
        *grid = (Grid){.path = path};
        return check_rows(grid, read_reports(grid, wanted));
    }
    FvStatus status = read_text(grid, path);
    if (status)
        return status;
    const char *begin = grid->text + strspn(grid->text, " \t\r\n");
    return check_rows(grid, *begin == '{' ? read_encodes(grid, begin, wanted) : read_table(grid, grid->text));
}

void grid_close(Grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        free(grid->row[i].cell);
    free(grid->row);
    free(grid->name);
    free(grid->text);
    encodes_free(&grid->own);
    encodes_free(&grid->files);
    *grid = (Grid){.path = NULL};
}
