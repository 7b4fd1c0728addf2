/* Scores pooled over pictures. */
#pragma once

#include "context.h"

/* As vmaf_feature_score_pooled, for a caller who has the lock. */
int lv_pool_scores(const VmafContext *context, const char *name, enum VmafPoolingMethod method, double *score,
                   unsigned low, unsigned high);
