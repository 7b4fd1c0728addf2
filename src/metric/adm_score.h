/* Pure functions that turn ADM's integers into scores, for the metric and for models. */
#pragma once

#include "feature/adm.h"

/* The options that change scores but not the integers. */
typedef struct FvAdmWeights {
    double dlm_weight, noise_weight, minimum;
} FvAdmWeights;

typedef struct FvAdmScores {
    double adm2, adm3, aim;
    double scale[FV_ADM_SCALES];
    double numerator, denominator; /* numerator and denominator of adm2 */
    double scale_numerator[FV_ADM_SCALES], scale_denominator[FV_ADM_SCALES];
} FvAdmScores;

/* `adm` is the state of the feature's run, `terms` its terms of a frame. */
void fv_adm_score(const FvAdm *adm, const FvAdmWeights *weights, const FvTerm *terms, FvAdmScores *scores);
