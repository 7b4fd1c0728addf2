/* Input files, which no output may replace. They are recognised by identity, not by name. */
#pragma once

#include "os/file.h"

/* A name that messages use, and the files that it stands for: a sequence of images has many. */
typedef struct FvGuarded {
    char *name;
    FvFileId *ids;
    int count;
} FvGuarded;

#define FV_GUARD_SPARE 8 /* maximum number of files without a stored name */

/* The guarded files. Zeroed: none. */
typedef struct FvGuard {
    FvGuarded *file;
    int count;
    FvFileId unnamed[FV_GUARD_SPARE]; /* files for whose names memory did not suffice */
    int unnamed_count;
    bool incomplete; /* out of memory, and `unnamed` is full: no output can be opened */
} FvGuard;

/* Adds a file whose identity is known. */
void fv_guard_add(FvGuard *guard, FvFileId id, const char *name);

/* Adds the file of this name, if there is one. */
void fv_guard_add_path(FvGuard *guard, const char *path);

/* Adds all files of another guard. */
void fv_guard_add_all(FvGuard *guard, const FvGuard *from);

/* Returns the guarded file with this identity, or NULL. A file without a name gets the name "an input file". */
const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id);

void fv_guard_free(FvGuard *guard);
