/* The files that are read meanwhile, which no output may replace. Known by identity, whatever their names are. */
#ifndef FV_OS_GUARD_H
#define FV_OS_GUARD_H

#include "os/file_id.h"
#include "fovea/fovea.h"

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

/* Adds the sources, as far as they are not NULL. */
void fv_guard_sources(FvGuard *guard, const FvSource *const *sources, int count);

/* Adds the videos of the session, once it has them, and the files that options of its metrics name. */
void fv_guard_session(FvGuard *guard, const FvSession *session);

/* The guarded file that this is, or NULL. */
const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id);

#endif
