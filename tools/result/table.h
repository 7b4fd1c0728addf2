/* The scores as a table for people. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "fovea/fovea.h"

/* The distorted video, for time codes. */
typedef struct TableVideo {
    FvFormat format;
    int64_t first; /* its frame that is number 0 of the scores */
} TableVideo;

void table_print(FILE *file, const FvSession *session, const TableVideo *video);

#endif
