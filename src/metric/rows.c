#include "metric/rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

#define FIRST_CAPACITY 256

FvStatus fv_rows_reserve(FvRowTable *table, FvTerm **row, FvError *error)
{
    if (table->count == table->capacity) {
        int64_t capacity = table->capacity ? 2 * table->capacity : FIRST_CAPACITY;
        size_t bytes = (size_t)capacity * ((size_t)table->width * sizeof *table->terms + 1);
        FvTerm *terms = realloc(table->terms, bytes);
        table->terms = terms ? terms : table->terms;
        int64_t *number = realloc(table->number, (size_t)capacity * sizeof *number);
        table->number = number ? number : table->number;
        bool *skipped = realloc(table->skipped, (size_t)capacity * sizeof *skipped);
        table->skipped = skipped ? skipped : table->skipped;
        bool *lost = table->lost ? realloc(table->lost, (size_t)capacity * sizeof *lost) : NULL;
        if (lost)
            memset(lost + table->count, 0, (size_t)(capacity - table->count) * sizeof *lost);
        table->lost = lost ? lost : table->lost;
        if (!terms || !number || !skipped || !lost != !table->lost)
            return fv_fail_memory(error, bytes);
        table->capacity = capacity;
    }
    *row = table->terms + table->count * table->width;
    memset(*row, 0, (size_t)table->width * sizeof **row);
    return FV_OK;
}

void fv_rows_commit(FvRowTable *table, int64_t number, bool skipped)
{
    table->number[table->count] = number;
    table->skipped[table->count++] = skipped;
}

FvStatus fv_rows_lose(FvRowTable *table, int64_t row, FvError *error)
{
    if (!table->lost && !(table->lost = calloc((size_t)table->capacity, sizeof *table->lost)))
        return fv_fail_memory(error, (size_t)table->capacity);
    table->lost[row] = table->skipped[row] = true;
    return FV_OK;
}

bool fv_rows_lack(const FvRowTable *table, int64_t first, int64_t last)
{
    for (int64_t i = first < 0 ? 0 : first; i <= last && i < table->count && table->lost; i++)
        if (table->lost[i])
            return true;
    return false;
}

void fv_rows_free(FvRowTable *table)
{
    free(table->terms);
    free(table->number);
    free(table->skipped);
    free(table->lost);
    *table = (FvRowTable){0};
}

const FvTerm *fv_rows_at(const FvRows *rows, int want, int64_t frame)
{
    const FvRowTable *table = rows->table;
    int run = rows->run[want];
    if (frame < rows->first || frame > rows->last || frame < 0 || frame >= table->count ||
        (table->skipped[frame] && !table->every[run]) || (table->lost && table->lost[frame]))
        return NULL;
    return table->terms + frame * table->width + table->offset[run];
}

FvRows fv_rows_from(const FvRows *rows, int want)
{
    FvRows part = *rows;
    part.run += want;
    return part;
}
