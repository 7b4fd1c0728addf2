/* Parses lists of frames or shards as users write them: 3,7,10-20. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "fovea/fovea.h"

typedef struct Range {
    int64_t first, last;
} Range;

typedef struct Ranges {
    Range *items;
    int count; /* 0: every frame */
} Ranges;

/* Appends the ranges in `text`. Returns FV_ERROR_USAGE or FV_ERROR_MEMORY without printing a message. */
FvStatus ranges_add(Ranges *ranges, const char *text);

bool ranges_have(const Ranges *ranges, int64_t frame);

/* Returns the greatest frame; -1: all frames are included. */
int64_t ranges_last(const Ranges *ranges);

void ranges_free(Ranges *ranges);
