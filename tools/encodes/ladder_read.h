/* Reads a stored report of several encodes. */
#pragma once

#include "encodes/ladder.h"
#include "json_read.h"

/* A stored report of several encodes. */
typedef struct StoredLadder {
    Ladder ladder; /* has no curves and no pictures; refers to `document` */
    FvDocument document;
} StoredLadder;

/*
 * Opens a zeroed report. *is: whether the file is a report of several encodes; if not, returns FV_OK without a
 * message. On failure, prints a message and returns its status. Call stored_ladder_close in any case.
 */
FvStatus stored_ladder_open(StoredLadder *stored, const char *path, bool *is);
void stored_ladder_close(StoredLadder *stored);
