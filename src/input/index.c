#include "input/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rank.h"

#define FIRST_ROOM 1024

int64_t fv_index_entry(const FvIndex *index, int64_t frame)
{
    const int64_t after = fv_rank(index->entries, index->shown.entry_count, frame + 1);
    return after ? after - 1 : 0;
}

static bool copy_numbers(int64_t **to, const int64_t *from, int64_t count)
{
    *to = from ? malloc((size_t)count * sizeof *from + 1) : NULL;
    if (*to)
        memcpy(*to, from, (size_t)count * sizeof *from);
    return *to || !from;
}

FvStatus fv_index_copy(FvIndex *copy, const FvIndex *index, FvError *error)
{
    const int64_t frames = index->shown.frames, entries = index->shown.entry_count;
    *copy = (FvIndex){.shown = index->shown};
    const bool good = copy_numbers(&copy->entries, index->entries, entries) &&
                      copy_numbers(&copy->enter_pts, index->enter_pts, entries) &&
                      copy_numbers(&copy->enter_dts, index->enter_dts, entries) &&
                      copy_numbers(&copy->place, index->place, frames) &&
                      copy_numbers(&copy->time, index->time, frames) &&
                      copy_numbers(&copy->packets, index->packets, frames);
    copy->shown.entries = copy->entries;
    if (!good)
        fv_index_free(copy);
    return good ? FV_OK : fv_fail_memory(error, (size_t)frames * sizeof(int64_t));
}

void fv_index_free(FvIndex *index)
{
    free(index->entries);
    free(index->enter_pts);
    free(index->enter_dts);
    free(index->place);
    free(index->time);
    free(index->packets);
    *index = (FvIndex){.entries = NULL};
}

bool fv_numbers_add(FvNumbers *numbers, int64_t item)
{
    if (numbers->count == numbers->room) {
        const int64_t room = numbers->room ? 2 * numbers->room : FIRST_ROOM;
        int64_t *grown = realloc(numbers->item, (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        numbers->item = grown;
        numbers->room = room;
    }
    numbers->item[numbers->count++] = item;
    return true;
}
