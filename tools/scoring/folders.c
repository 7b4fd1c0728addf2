#include "scoring/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"

/* The names of a folder's files in order. */
typedef struct Folder {
    const char *path;
    struct dirent **entries;
    int count;
} Folder;

static int is_shown(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool folders_is_one(const char *path)
{
    struct stat info;
    return path && !stat(path, &info) && S_ISDIR(info.st_mode);
}

static char *path_of(const Folder *folder, int i)
{
    const char *name = folder->entries[i]->d_name;
    const size_t length = strlen(folder->path), room = length + strlen(name) + 2;
    char *path = malloc(room);
    if (path)
        snprintf(path, room, "%s%s%s", folder->path, length && folder->path[length - 1] == '/' ? "" : "/", name);
    return path;
}

/* Leaves the names of regular files. */
static FvStatus list(Folder *folder)
{
    int kept = 0;
    FvStatus status = FV_OK;
    folder->count = scandir(folder->path, &folder->entries, is_shown, by_bytes);
    if (folder->count < 0) {
        folder->count = 0;
        return complain(FV_ERROR_INPUT, "%s: the folder cannot be read: %s", folder->path, strerror(errno));
    }
    for (int i = 0; i < folder->count; i++) {
        struct stat info;
        char *path = path_of(folder, i);
        if (!path)
            status = FV_ERROR_MEMORY;
        if (path && !stat(path, &info) && S_ISREG(info.st_mode))
            folder->entries[kept++] = folder->entries[i];
        else
            free(folder->entries[i]);
        free(path);
    }
    folder->count = kept;
    return status ? complain(status, "out of memory for the names of the files") : FV_OK;
}

static void end(Folder *folder)
{
    for (int i = 0; i < folder->count; i++)
        free(folder->entries[i]);
    free(folder->entries);
}

/* A file of `folder` stays out, as the other folder has none of its name. */
static void tell(const Folder *folder, int i, const Folder *other)
{
    char *path = path_of(folder, i);
    warn("%s is left out: %s has no file of this name", path ? path : folder->path, other->path);
    free(path);
}

static size_t stem_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

/* The partner of a name; -1: there is none; -2, after a message: several have the same stem. */
static int find(const Folder *folder, const char *name)
{
    const size_t stem = stem_of(name);
    int found = -1;
    for (int i = 0; i < folder->count; i++)
        if (!strcmp(folder->entries[i]->d_name, name))
            return i;
    for (int i = 0; i < folder->count; i++) {
        const char *other = folder->entries[i]->d_name;
        if (stem_of(other) != stem || strncmp(other, name, stem))
            continue;
        if (found >= 0) {
            complain(FV_ERROR_USAGE, "%s may pair with %s and with %s of %s: leave one of these in the folder", name,
                     folder->entries[found]->d_name, other, folder->path);
            return -2;
        }
        found = i;
    }
    return found;
}

static FvStatus add(ArgList *to, const Folder *folder, int i)
{
    char *path = path_of(folder, i);
    if (!path)
        return complain(FV_ERROR_MEMORY, "out of memory for the names of the files");
    arg_list_add(to, path);
    return FV_OK;
}

static FvStatus pair_all(ArgList *references, ArgList *encodes, const Folder *ref, const Folder *dis, bool *taken)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < dis->count && !status; i++) {
        const int partner = find(ref, dis->entries[i]->d_name);
        if (partner == -2)
            return FV_ERROR_USAGE;
        if (partner < 0) {
            tell(dis, i, ref);
            continue;
        }
        taken[partner] = true;
        status = add(references, ref, partner);
        if (!status)
            status = add(encodes, dis, i);
    }
    for (int i = 0; i < ref->count && !status; i++)
        if (!taken[i])
            tell(ref, i, dis);
    if (!status && !encodes->count)
        return complain(FV_ERROR_USAGE, "no file of %s has a name like one of %s", dis->path, ref->path);
    return status;
}

FvStatus folders_pair(ArgList *references, ArgList *encodes, const char *reference, const char *distorted)
{
    Folder ref = {.path = reference}, dis = {.path = distorted};
    FvStatus status = list(&ref);
    if (!status)
        status = list(&dis);
    bool *taken = calloc((size_t)ref.count + 1, sizeof *taken);
    if (!status && !taken)
        status = complain(FV_ERROR_MEMORY, "out of memory for the names of the files");
    if (!status)
        status = pair_all(references, encodes, &ref, &dis, taken);
    free(taken);
    end(&ref);
    end(&dis);
    return status;
}
