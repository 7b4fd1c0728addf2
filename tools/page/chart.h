/* Draws two curves of quality over bit rate as SVG, which works as a file and inside a page. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct Chart {
    const FvBd *bd;                       /* a comparison that was not refused */
    const char *score, *method, *name[2]; /* texts that the chart shows; name[side] are the names of the two curves */
    const char *unit;                     /* unit of the quality; NULL: none */
    bool kilobits;                        /* rates are in kbit/s; else their unit is unknown */
} Chart;

/*
 * Returns the distance of the grid lines of an axis: 1, 2 or 5 times a power of ten, so that about five lines cover
 * `span`.
 */
double chart_step(double span);

/* Writes the chart as SVG. The caller finds write errors by ferror(file). */
void chart_write(FILE *file, const Chart *chart);
