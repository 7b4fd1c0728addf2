/* Two curves of quality over bit rate as a picture: SVG, which stands alone and inside a page. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct Chart {
    const FvBd *bd;                       /* that was not refused */
    const char *score, *method, *name[2]; /* for people */
    const char *unit;                     /* of the quality; NULL: none */
    bool kilobits;                        /* rates are kbit/s; else in a unit that nothing states */
} Chart;

/* The distance of lines across an axis: 1, 2 or 5 times a power of ten, so that about five cover the span. */
double chart_step(double span);

/* Errors stay in the file. */
void chart_write(FILE *file, const Chart *chart);
