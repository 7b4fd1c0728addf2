/* Pools scores over pictures. */
#pragma once

#include "context.h"

/* Implements vmaf_feature_score_pooled() for a caller who holds the lock. */
int lv_pool_scores(const VmafContext *context, const char *name, enum VmafPoolingMethod method, double *score,
                   unsigned low, unsigned high);
