/* The pairs of a video that were looked at, in their order. */
#pragma once

#include "doubt/look.h"

typedef struct FvLooks {
    FvLook *look;
    int count, room; /* room: at most FV_LOOK_MOST */
} FvLooks;

/* Room for one more, which the caller fills and counts; NULL: memory has ended. */
FvLook *fv_looks_next(FvLooks *looks, FvError *error);

/* Adds copies of those of pairs [first, end). */
FvStatus fv_looks_copy(FvLooks *to, const FvLooks *from, int64_t first, int64_t end, FvError *error);

/* Drops those of pairs from `end` on. */
void fv_looks_cut(FvLooks *looks, int64_t end);

void fv_looks_free(FvLooks *looks);
