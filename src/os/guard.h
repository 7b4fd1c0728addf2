/* Input files, which no output may replace. They are recognised by identity, not by name. */
#ifndef FV_OS_GUARD_H
#define FV_OS_GUARD_H

#include "os/file.h"

/* A file that is read, and the name that messages give it. */
typedef struct FvGuarded {
    FvFileId id;
    const char *name;
} FvGuarded;

#define FV_MAX_GUARDED 64

typedef struct FvGuard {
    FvGuarded file[FV_MAX_GUARDED];
    int count;
} FvGuard;

/* Adds a file whose identity is known. */
void fv_guard_add(FvGuard *guard, FvFileId id, const char *name);

/* Adds the file of this name, if there is one. */
void fv_guard_add_path(FvGuard *guard, const char *path);

/* The guarded file with this identity, or NULL. */
const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id);

#endif
