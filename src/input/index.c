#include "input/index.h"

#include <stdlib.h>

#define FIRST_ROOM 1024

int64_t fv_index_entry(const FvIndex *index, int64_t frame)
{
    int64_t low = 0, high = index->shown.entry_count;
    while (high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (index->entries[middle] <= frame)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void fv_index_free(FvIndex *index)
{
    free(index->entries);
    free(index->enter_pts);
    free(index->enter_dts);
    free(index->place);
    free(index->time);
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
