/* The groups of encodes, for the files of this folder. */
#pragma once

#include "fovea/fovea.h"

/* Groups found in encodes. The struct owns every name. */
typedef struct FvLadderGroups {
    FvLadderGroup *group; /* room for one group per encode; fv_ladder_find_groups() leaves `cheapest` at -1 */
    char **name;
    int count;
} FvLadderGroups;

/*
 * Finds the group of each encode. of[i]: index of the group of encode i; -1: encode i has no quality. FV_ERROR_MEMORY
 * is the only error. The caller calls fv_ladder_ungroup(), also after it.
 */
FvStatus fv_ladder_find_groups(FvLadderGroups *groups, int *of, const FvLadderEncode *encodes, int count,
                               FvError *error);
void fv_ladder_ungroup(FvLadderGroups *groups);
