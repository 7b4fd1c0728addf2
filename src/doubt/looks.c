#include "doubt/looks.h"

#include <stdlib.h>

#include "base/error.h"

FvLook *fv_looks_next(FvLooks *looks, FvError *error)
{
    if (looks->count == looks->room) {
        const int room = looks->room ? 2 * looks->room : FV_LOOK_FIRST;
        FvLook *grown = realloc(looks->look, (size_t)room * sizeof *grown);
        if (!grown) {
            fv_fail_memory(error, (size_t)room * sizeof *grown);
            return NULL;
        }
        looks->look = grown;
        looks->room = room;
    }
    return &looks->look[looks->count];
}

FvStatus fv_looks_copy(FvLooks *to, const FvLooks *from, int64_t first, int64_t end, FvError *error)
{
    for (int i = 0; i < from->count; i++) {
        if (from->look[i].number < first || from->look[i].number >= end)
            continue;
        FvLook *next = fv_looks_next(to, error);
        if (!next)
            return FV_ERROR_MEMORY;
        *next = from->look[i];
        to->count++;
    }
    return FV_OK;
}

void fv_looks_free(FvLooks *looks)
{
    free(looks->look);
    *looks = (FvLooks){.count = 0};
}
