/* Tables of texts whose rows are stimuli: scores or votes, from tables, datasets and reports. docs/correlate.md */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

typedef struct GridRow {
    const char **cell;
    int count; /* number of cells; later columns of the row are empty */
} GridRow;

typedef struct Grid {
    const char *path;
    const char **name; /* names of the columns */
    GridRow *row;
    int columns, rows;
    bool dataset;  /* the file is a dataset of VMAF, in which a higher dmos is better */
    bool reports;  /* the scores come from reports: every column but the first, "encode", is a score */
    char *text;    /* owned: text of the table, into which its cells point */
    ArgList own;   /* owned: other texts of cells and names */
    ArgList files; /* owned: names of the files that were read */
} Grid;

/*
 * Reads a table, or a dataset of VMAF (.py). On failure, prints a message and returns its status. Call grid_close in
 * any case.
 */
FvStatus grid_open_votes(Grid *grid, const char *path);

/*
 * Reads a table, the JSON that fovea writes of many encodes, or a folder of reports of fovea and libvmaf. From
 * reports, it makes a column of the mean of every score, and one for each name in `wanted` of the form "SCORE:POOL".
 * On failure, prints a message and returns its status. Call grid_close in any case.
 */
FvStatus grid_open_scores(Grid *grid, const char *path, const ArgList *wanted);

/* Returns the number of the column `name`, or -1. */
int grid_find(const Grid *grid, const char *name);

/*
 * Returns the number of the first column that has one of `names`, a list that ends with NULL, or -1. Upper and lower
 * case are equal.
 */
int grid_find_any(const Grid *grid, const char *const *names);

/* Returns a cell; "" if the row has fewer cells. */
const char *grid_cell(const Grid *grid, int row, int column);

/* Reads a cell as a number in C's decimal form; false: the cell holds no number, or one that is not finite. */
bool grid_number(const Grid *grid, int row, int column, double *value);

void grid_close(Grid *grid);
