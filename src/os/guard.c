#include "os/guard.h"

#include <stdlib.h>
#include <string.h>

/* Returns whether a growing array of `count` elements is full: its capacity is always a power of two. */
static bool is_full(int count)
{
    return !(count & (count - 1));
}

static void *grow_array(void *array, int count, size_t bytes)
{
    return is_full(count) ? realloc(array, (count ? 2 * (size_t)count : 1) * bytes) : array;
}

/*
 * Returns the entry of a name, which it adds if it is not the last one: files of a sequence are added consecutively.
 */
static FvGuarded *entry_of(FvGuard *guard, const char *name)
{
    if (guard->count && !strcmp(guard->file[guard->count - 1].name, name))
        return &guard->file[guard->count - 1];
    FvGuarded *grown = grow_array(guard->file, guard->count, sizeof *grown);
    if (!grown)
        return NULL;
    guard->file = grown;
    FvGuarded *entry = &grown[guard->count];
    *entry = (FvGuarded){.name = strdup(name)};
    guard->count += entry->name != NULL;
    return entry->name ? entry : NULL;
}

static void add_unnamed(FvGuard *guard, FvFileId id)
{
    if (guard->unnamed_count < FV_GUARD_SPARE)
        guard->unnamed[guard->unnamed_count++] = id;
    else
        guard->incomplete = true;
}

void fv_guard_add(FvGuard *guard, FvFileId id, const char *name)
{
    if (!id.known)
        return;
    FvGuarded *entry = entry_of(guard, name);
    FvFileId *grown = entry ? grow_array(entry->ids, entry->count, sizeof *grown) : NULL;
    if (!grown) {
        add_unnamed(guard, id);
        return;
    }
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
    for (int i = 0; i < from->unnamed_count; i++)
        add_unnamed(guard, from->unnamed[i]);
}

const FvGuarded *fv_guard_find(const FvGuard *guard, FvFileId id)
{
    static const FvGuarded nameless = {.name = "an input file"};
    for (int i = 0; i < guard->count; i++)
        for (int k = 0; k < guard->file[i].count; k++)
            if (fv_file_same(id, guard->file[i].ids[k]))
                return &guard->file[i];
    for (int i = 0; i < guard->unnamed_count; i++)
        if (fv_file_same(id, guard->unnamed[i]))
            return &nameless;
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
