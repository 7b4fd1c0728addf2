/* The answer of `fovea correlate`: as text, JSON, CSV and a page. */
#pragma once

#include <stdio.h>

#include "fovea/fovea.h"
#include "result/panel.h"

typedef struct Agreement {
    const Panel *panel;
    const FvCorrelation *correlation;
    FvCurve curve;
    int draws;
    uint64_t seed;
    const char *scores, *votes; /* paths of the tables */
} Agreement;

/* Writers of the three forms. Errors stay in the file. */
void agreement_print(FILE *file, const Agreement *agreement);
void agreement_write_json(FILE *file, const Agreement *agreement);
void agreement_write_csv(FILE *file, const Agreement *agreement);

/* A page without scripts: agreement_page.c. */
void agreement_write_page(FILE *file, const Agreement *agreement);

/* The score that a difference shows to be better, at 5 % for all comparisons together; -1: none. */
int agreement_better(const Agreement *agreement, const FvCorrelateDifference *difference);

/* "p < 0.001" or "p 0.023". Returns text. */
char *agreement_p(char text[32], double p);
