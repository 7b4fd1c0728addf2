/* Makes a separate folder for the files that fovea keeps between runs, for tests of one such file. */
#pragma once

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char cache_folder[] = "/tmp/fovea-cache-XXXXXX", cache_inner[64], cache_path[80]; /* folder, subfolder, file */

static inline int cache_open(const char *name)
{
    setlocale(LC_ALL, "de_DE.UTF-8"); /* has decimal commas, if the locale is installed */
    if (!mkdtemp(cache_folder) || setenv("XDG_CACHE_HOME", cache_folder, 1))
        return -1;
    snprintf(cache_inner, sizeof cache_inner, "%s/fovea", cache_folder);
    snprintf(cache_path, sizeof cache_path, "%s/%s", cache_inner, name);
    return 0;
}

static inline int cache_close(void **state)
{
    unlink(cache_path);
    rmdir(cache_inner);
    return rmdir(cache_folder);
}
