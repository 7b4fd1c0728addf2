/* Writes the answer of `fovea correlate` as text, JSON, CSV and a page. */
#pragma once

#include <stdio.h>

#include "correlate/panel.h"
#include "fovea/fovea.h"

typedef struct Agreement {
    const Panel *panel;
    const FvCorrelation *correlation;
    FvCurve curve;
    int draws;
    uint64_t seed;
    const char *scores, *votes; /* paths of the tables */
} Agreement;

/* Write the answer as text, JSON and CSV. The caller finds write errors by ferror(file). */
void agreement_print(FILE *file, const Agreement *agreement);
void agreement_write_json(FILE *file, const Agreement *agreement);
void agreement_write_csv(FILE *file, const Agreement *agreement);

/* Writes the answer as a page without scripts; defined in agreement_page.c. */
void agreement_write_page(FILE *file, const Agreement *agreement);

/*
 * Returns the score that `difference` shows to be better, at a significance level of 5 % for all comparisons
 * together; -1: neither.
 */
int agreement_better(const Agreement *agreement, const FvCorrelateDifference *difference);

/* Prints a p-value as "p < 0.001" or "p 0.023" into `text`, and returns `text`. */
char *agreement_p(char text[32], double p);
