/* The points of one curve: sorted, and without those that a curve cannot go through. */
#pragma once

#include "fovea/fovea.h"

typedef struct FvBdPoints {
    FvBdPoint *kept; /* remaining points, by ascending rate and improving quality */
    FvBdDropped *dropped;
    int count, dropped_count;
} FvBdPoints;

/*
 * *refusal and `reason` say why the points are no curve. FV_ERROR_MEMORY is the only error; the caller calls
 * fv_bd_points_close() in any case.
 */
FvStatus fv_bd_points_open(FvBdPoints *points, const FvBdPoint *given, int count, const FvBdParams *params,
                           FvBdRefusal *refusal, char *reason, size_t size, FvError *error);

void fv_bd_points_close(FvBdPoints *points);
