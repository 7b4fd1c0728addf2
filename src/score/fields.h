/* Scoring by field: each frame is two pictures, its top and its bottom field. */
#pragma once

#include "score/comparison.h"

/* Two videos as the videos of their fields, for a comparison. */
typedef struct FvFields {
    FvSourceInfo info[2];
    FvScoreParams params; /* of a scoring of top or of bottom fields */
    FvComparison comparison;
} FvFields;

/*
 * The comparison points into *fields. FV_ERROR_INPUT, with the remedy: a video has no fields, or its order is not
 * known; FV_ERROR_USAGE: a parameter does not go with fields. info[0] is NULL without a reference.
 */
FvStatus fv_fields_choose(FvFields *fields, const FvSourceInfo *const info[2], const FvScoreParams *params,
                          FvError *error);

/* fv_score with params->fields. The arguments were checked. */
FvStatus fv_score_fields(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);
