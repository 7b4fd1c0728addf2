/* A ladder's own noun, for the files of this folder. */
#pragma once

#include "fovea/fovea.h"

/* Groups found in encodes. Every name is owned. */
typedef struct FvLadderGroups {
    FvLadderGroup *group; /* room for one for each encode; names without marks and cheapest encodes */
    char **name;
    int count;
} FvLadderGroups;

/* Finds the group of each encode that has a quality: of[i] is the group of encode i, or -1. FV_ERROR_MEMORY;
 * fv_ladder_ungroup in any case. */
FvStatus fv_ladder_find_groups(FvLadderGroups *groups, int *of, const FvLadderEncode *encodes, int count,
                               FvError *error);
void fv_ladder_ungroup(FvLadderGroups *groups);
