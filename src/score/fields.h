/* Scores by field: each frame is two frames, its top and its bottom field. */
#pragma once

#include "score/comparison.h"

/* Two videos, seen as the videos of their fields, for a comparison. */
typedef struct FvFields {
    FvSourceInfo info[2];
    FvScoreParams params; /* parameters of a run over the top or the bottom fields */
    FvComparison comparison;
} FvFields;

/*
 * The comparison points into *fields. FV_ERROR_INPUT, with the remedy: a video has no fields, or its field order is
 * unknown; FV_ERROR_USAGE: a parameter is not supported with fields. info[0] is NULL without a reference.
 */
FvStatus fv_fields_choose(FvFields *fields, const FvSourceInfo *const info[2], const FvScoreParams *params,
                          FvError *error);

/* Does what fv_score() does with params->fields. The caller has checked the arguments. */
FvStatus fv_score_fields(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);
