/* The looks of a run, in order of their pairs. */
#pragma once

#include "doubt/look.h"

typedef struct FvLooks {
    FvLook *look;
    int count, room;
} FvLooks;

/* Returns memory for one more look, which the caller fills and then adds to `count`; NULL: memory ran out. */
FvLook *fv_looks_next(FvLooks *looks, FvError *error);

/* Appends copies of the looks at pairs [first, end). */
FvStatus fv_looks_copy(FvLooks *to, const FvLooks *from, int64_t first, int64_t end, FvError *error);

void fv_looks_free(FvLooks *looks);
