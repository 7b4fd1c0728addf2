/* Two curves of quality over bit rate as a picture: SVG, which stands alone and inside a page. */
#ifndef CHART_H
#define CHART_H

#include <stdio.h>

#include "fovea/fovea.h"

typedef struct Chart {
    const FvBd *bd; /* that was not refused */
    const char *score, *method, *name[2];
} Chart;

/* Errors stay in the file. */
void chart_write(FILE *file, const Chart *chart);

#endif
