/* The points of one curve, sorted, without points that a curve cannot pass through. */
#pragma once

#include "fovea/fovea.h"

typedef struct FvBdPoints {
    FvBdPoint *kept; /* remaining points, by ascending rate and improving quality */
    FvBdDropped *dropped;
    int count, dropped_count;
} FvBdPoints;

/*
 * Checks and sorts points. If no curve can pass through them, *refusal and `reason` say why. FV_ERROR_MEMORY is the
 * only error. The caller calls fv_bd_points_close(), also after an error.
 */
FvStatus fv_bd_points_open(FvBdPoints *points, const FvBdPoint *given, int count, const FvBdParams *params,
                           FvBdRefusal *refusal, char *reason, size_t size, FvError *error);

void fv_bd_points_close(FvBdPoints *points);
