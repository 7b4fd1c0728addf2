/* Reads a stored report of fovea or libvmaf as the numbers that it prints. docs/recheck.md */
#pragma once

#include "fovea/fovea.h"
#include "json_read.h"

typedef enum StoredKind { STORED_FOVEA, STORED_JSON, STORED_XML, STORED_CSV } StoredKind;

typedef struct StoredNumber {
    const char *name; /* name of the score */
    const char *pool; /* the number's pool. NULL: a value of one frame; "clip": of the whole clip; "run": of the run,
                         such as its speed; "part": of an interval or a scene */
    int64_t frame;
    const char *text; /* the number as the file prints it; may be "null" or the name of a number that is not finite */
} StoredNumber;

typedef struct Stored {
    const char *path;
    StoredKind kind;
    const char *version; /* version of the program that wrote the file; NULL: unknown */
    int64_t numerics;    /* numerics version of fovea; 0: another program wrote the file */
    StoredNumber *number;
    size_t count;
    const char **column; /* names of the scores of frames, each once */
    int columns;
    /* number of frames, number of the last one, and greatest common step between frame numbers */
    int64_t frames, last, step;
    int width, height;   /* size of the frames; 0: unknown */
    size_t lost;         /* count of numbers in rows that lack values, so that their columns are unknown */
    FvDocument document; /* whole content of a JSON file, with numbers as texts */
    /* Members for stored.c only. */
    char *text;
    size_t room;
    int column_room;
} Stored;

/*
 * Reads a file, and recognises its format by its content. On failure, prints a message and returns FV_ERROR_INPUT.
 * Call stored_close in any case.
 */
FvStatus stored_open(Stored *stored, const char *path);

/* Returns whether frames have this score. */
bool stored_has(const Stored *stored, const char *column);

/* Prints a description of the report into `text`, "libvmaf 3.2.0, JSON, 48 frames", and returns `text`. */
char *stored_describe(const Stored *stored, char *text, size_t size);

void stored_close(Stored *stored);
