#include "os/guard.h"

#include <stddef.h>

void fv_guard_add(FvGuard *guard, FvFileId id, const char *name)
{
    if (id.known && guard->count < FV_MAX_GUARDED)
        guard->file[guard->count++] = (FvGuarded){id, name};
}

void fv_guard_add_path(FvGuard *guard, const char *path)
{
    struct stat info;
    if (!stat(path, &info))
        fv_guard_add(guard, fv_file_id(&info), path);
}

const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id)
{
    for (int i = 0; i < guard->count; i++)
        if (fv_file_same(id, guard->file[i].id))
            return &guard->file[i];
    return NULL;
}
