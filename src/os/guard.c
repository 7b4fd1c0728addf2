#include "os/guard.h"

#include <stdlib.h>
#include <string.h>

/* Rooms for arrays that grow: powers of two. */
static bool is_full(int count)
{
    return !(count & (count - 1));
}

static void *grow(FvGuard *guard, void *array, int count, size_t bytes)
{
    void *grown = is_full(count) ? realloc(array, (count ? 2 * (size_t)count : 1) * bytes) : array;
    guard->incomplete |= !grown;
    return grown;
}

/* The entry of a name. Files of a sequence come one after another. */
static FvGuarded *entry_of(FvGuard *guard, const char *name)
{
    if (guard->count && !strcmp(guard->file[guard->count - 1].name, name))
        return &guard->file[guard->count - 1];
    FvGuarded *grown = grow(guard, guard->file, guard->count, sizeof *grown);
    if (!grown)
        return NULL;
    guard->file = grown;
    FvGuarded *entry = &grown[guard->count];
    *entry = (FvGuarded){.name = strdup(name)};
    guard->incomplete |= !entry->name;
    guard->count += entry->name != NULL;
    return entry->name ? entry : NULL;
}

void fv_guard_add(FvGuard *guard, FvFileId id, const char *name)
{
    FvGuarded *entry = id.known ? entry_of(guard, name) : NULL;
    FvFileId *grown = entry ? grow(guard, entry->ids, entry->count, sizeof *grown) : NULL;
    if (!grown)
        return;
    entry->ids = grown;
    grown[entry->count++] = id;
}

void fv_guard_add_path(FvGuard *guard, const char *path)
{
    FvFileFacts facts;
    fv_file_facts_of(path, &facts);
    fv_guard_add(guard, facts.id, path);
}

void fv_guard_add_all(FvGuard *guard, const FvGuard *from)
{
    guard->incomplete |= from->incomplete;
    for (int i = 0; i < from->count; i++)
        for (int k = 0; k < from->file[i].count; k++)
            fv_guard_add(guard, from->file[i].ids[k], from->file[i].name);
}

const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id)
{
    for (int i = 0; i < guard->count; i++)
        for (int k = 0; k < guard->file[i].count; k++)
            if (fv_file_same(id, guard->file[i].ids[k]))
                return &guard->file[i];
    return NULL;
}

void fv_guard_free(FvGuard *guard)
{
    for (int i = 0; i < guard->count; i++) {
        free(guard->file[i].name);
        free(guard->file[i].ids);
    }
    free(guard->file);
    *guard = (FvGuard){.count = 0};
}
