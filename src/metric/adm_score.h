/* From ADM's integers to scores: pure functions, shared by the metric and by models. */
#ifndef FV_METRIC_ADM_SCORE_H
#define FV_METRIC_ADM_SCORE_H

#include "feature/adm.h"

/* What does not decide the integers. */
typedef struct FvAdmWeights {
    double dlm_weight, noise_weight, minimum;
} FvAdmWeights;

typedef struct FvAdmScores {
    double adm2, adm3, aim;
    double scale[FV_ADM_SCALES];
    double numerator, denominator; /* of adm2 */
    double scale_numerator[FV_ADM_SCALES], scale_denominator[FV_ADM_SCALES];
} FvAdmScores;

/* `terms` are the FV_ADM_TERMS integers of a frame. */
void fv_adm_score(const FvAdmOptions *options, const FvAdmWeights *weights,
                  const FvAdmSensitivity sensitivity[FV_ADM_SCALES], const FvAdmScale scale[FV_ADM_SCALES],
                  const int64_t *terms, FvAdmScores *scores);

#endif
