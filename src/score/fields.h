/* Scores by field: the top and the bottom field of a frame count as two frames. */
#pragma once

#include "score/comparison.h"

/* Two videos described as videos of fields, for a comparison. */
typedef struct FvFields {
    FvSourceInfo info[2];
    FvScoreParams params; /* parameters of a run over the top or the bottom fields */
    FvComparison comparison;
} FvFields;

/*
 * Fills *fields for a comparison, which may point into it. info[0]: NULL without a reference. FV_ERROR_INPUT, with
 * the remedy: a video has no fields, or its field order is unknown. FV_ERROR_USAGE: a parameter is not supported with
 * fields.
 */
FvStatus fv_fields_choose(FvFields *fields, const FvSourceInfo *const info[2], const FvScoreParams *params,
                          FvError *error);

/* Implements fv_score() with params->fields. The caller has checked the arguments. */
FvStatus fv_score_fields(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);
