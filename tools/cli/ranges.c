#include "cli/ranges.h"

#include <errno.h>
#include <stdlib.h>

/* Parses "7" or "3-9" before a comma or the end; false for anything else. */
static bool parse_range(const char **text, Range *range)
{
    char *end;
    if (**text < '0' || **text > '9')
        return false;
    errno = 0;
    range->first = range->last = strtoll(*text, &end, 10);
    if (*end == '-' && end[1] >= '0' && end[1] <= '9')
        range->last = strtoll(end + 1, &end, 10);
    if ((*end && *end != ',') || errno || range->first > range->last || range->last == INT64_MAX)
        return false;
    *text = end;
    return true;
}

FvStatus ranges_add(Ranges *ranges, const char *text)
{
    for (;; text++) {
        Range *grown = realloc(ranges->items, (size_t)(ranges->count + 1) * sizeof *grown);
        if (!grown)
            return FV_ERROR_MEMORY;
        ranges->items = grown;
        if (!parse_range(&text, &grown[ranges->count]))
            return FV_ERROR_USAGE;
        ranges->count++;
        if (!*text)
            return FV_OK;
    }
}

bool ranges_have(const Ranges *ranges, int64_t frame)
{
    for (int i = 0; i < ranges->count; i++)
        if (frame >= ranges->items[i].first && frame <= ranges->items[i].last)
            return true;
    return !ranges->count;
}

int64_t ranges_last(const Ranges *ranges)
{
    int64_t last = -1;
    for (int i = 0; i < ranges->count; i++)
        last = ranges->items[i].last > last ? ranges->items[i].last : last;
    return last;
}

void ranges_free(Ranges *ranges)
{
    free(ranges->items);
    *ranges = (Ranges){0};
}
