/* Detects scene cuts from the signatures of consecutive frames. docs/report.md */
#pragma once

#include "picture/signature.h"

#define FV_SCENES_RECENT 8 /* maximum number of previous distances that a cut is compared with */

typedef struct FvScenes {
    int32_t last[FV_SIGNATURE];
    bool begun;
    int64_t recent[FV_SCENES_RECENT]; /* distances of neighbouring frames within the scene */
    int seen;                         /* number of distances within the scene so far */
    int64_t *cuts;                    /* first frames of all scenes except the first scene */
    int64_t count, room;
} FvScenes;

/* Adds the next frame. The host must be able to read it. */
FvStatus fv_scenes_add(FvScenes *scenes, int64_t number, const FvFrame *frame, FvError *error);
void fv_scenes_close(FvScenes *scenes);
