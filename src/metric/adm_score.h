/* Pure functions that turn ADM's integer terms into scores, for the metric and for models. */
#pragma once

#include "feature/adm.h"

/* The options that change scores but not the feature's integers. */
typedef struct FvAdmWeights {
    double dlm_weight, noise_weight, minimum;
} FvAdmWeights;

typedef struct FvAdmScores {
    double adm2, adm3, aim;
    double scale[FV_ADM_SCALES];
    double numerator, denominator; /* parts of the quotient adm2 */
    double scale_numerator[FV_ADM_SCALES], scale_denominator[FV_ADM_SCALES];
} FvAdmScores;

/*
 * Computes the scores of a frame. adm: the state of the feature's instance; terms: the instance's terms of the frame.
 */
void fv_adm_score(const FvAdm *adm, const FvAdmWeights *weights, const FvTerm *terms, FvAdmScores *scores);
