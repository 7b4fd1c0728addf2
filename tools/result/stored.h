/* A report that was stored once, by fovea or by libvmaf, as the numbers that it prints. docs/recheck.md */
#pragma once

#include "fovea/fovea.h"
#include "json_read.h"

typedef enum StoredKind { STORED_FOVEA, STORED_JSON, STORED_XML, STORED_CSV } StoredKind;

typedef struct StoredNumber {
    const char *name; /* of the score */
    const char *pool; /* NULL: of one frame; "clip": of the whole clip; "run": of the run, such as its speed;
                         "part": of an interval or a scene */
    int64_t frame;
    const char *text; /* as the file prints it; "null" and names of numbers that are not finite included */
} StoredNumber;

typedef struct Stored {
    const char *path;
    StoredKind kind;
    const char *version; /* of the program that wrote it; NULL: the file does not say */
    int64_t numerics;    /* numerics version of fovea; 0: another program */
    StoredNumber *number;
    size_t count;
    const char **column; /* the names of scores that frames have, each once */
    int columns;
    int64_t frames, last, step; /* how many frames, the number of the last one, and the distance of all numbers */
    int width, height;          /* of the pictures; 0: the file does not say */
    size_t lost;                /* numbers of rows that lack values, so that their columns are not known */
    FvDocument document;        /* of JSON: all that the file says, numbers as texts */
    /* Owned by this noun: */
    char *text;
    size_t room;
    int column_room;
} Stored;

/* Reads a file, whose form its content tells. FV_ERROR_INPUT after a message; stored_close in any case. */
FvStatus stored_open(Stored *stored, const char *path);

/* Whether frames have this score. */
bool stored_has(const Stored *stored, const char *column);

/* Describes a stored result: "libvmaf 3.2.0, JSON, 48 frames". Returns text. */
char *stored_describe(const Stored *stored, char *text, size_t size);

void stored_close(Stored *stored);
