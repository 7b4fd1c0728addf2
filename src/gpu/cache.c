#include "gpu/cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "os/file.h"
#include "os/folder.h"

bool fv_gpu_cache_path(char *path, size_t size, const char *name)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    char folder[3800];
    int length;
    if (cache && *cache == '/')
        length = snprintf(folder, sizeof folder, "%s", cache);
    else if (home && *home == '/')
        length = snprintf(folder, sizeof folder, "%s/.cache", home);
    else
        return false;
    if (length < 0 || length >= (int)sizeof folder)
        return false;
    fv_folder_make(folder, 0777);
    snprintf(path, size, "%s/fovea", folder);
    fv_folder_make(path, 0777);
    length = snprintf(path, size, "%s/fovea/%s", folder, name);
    FvFileFacts facts;
    fv_file_facts_of(path, &facts);
    return length > 0 && length < (int)size && (facts.kind == FV_FILE_ABSENT || facts.kind == FV_FILE_REGULAR);
}

uint64_t fv_gpu_hash(uint64_t hash, const void *data, size_t size)
{
    const uint8_t *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash;
}
