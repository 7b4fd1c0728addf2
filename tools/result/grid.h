/* Tables of texts, of which rows are stimuli: scores or votes, from tables, datasets and reports. docs/correlate.md
 */
#pragma once

#include "cli/args.h"
#include "fovea/fovea.h"

typedef struct GridRow {
    const char **cell;
    int count; /* later columns are empty */
} GridRow;

typedef struct Grid {
    const char *path;
    const char **name; /* of the columns */
    GridRow *row;
    int columns, rows;
    bool dataset;  /* a dataset of VMAF's, whose dmos is better where it is higher */
    bool reports;  /* scores of reports: every column but the first, "encode", is one */
    char *text;    /* owned: that cells of tables point into */
    ArgList own;   /* owned: other texts of cells and names */
    ArgList files; /* owned: that were read */
} Grid;

/* Reads a table, or a dataset of VMAF's (.py). A status after a message; grid_close in any case. */
FvStatus grid_open_votes(Grid *grid, const char *path);

/*
 * Reads a table, the JSON that fovea writes of many encodes, or a folder of reports of fovea and libvmaf. Of reports
 * the mean of every score is a column, and "SCORE:POOL" for each of `wanted` of that form. A status after a message;
 * grid_close in any case.
 */
FvStatus grid_open_scores(Grid *grid, const char *path, const ArgList *wanted);

/* The column of this name, or -1. */
int grid_find(const Grid *grid, const char *name);

/* The first column that has one of these names, which end with NULL, in any case of letters, or -1. */
int grid_find_any(const Grid *grid, const char *const *names);

/* A cell; "" where the row ends before. */
const char *grid_cell(const Grid *grid, int row, int column);

/* A cell as a number in C's decimal form; false: it is none, or not finite. */
bool grid_number(const Grid *grid, int row, int column, double *value);

void grid_close(Grid *grid);
