/* Finds files by * and ? in the last part of a path. */
#pragma once

#include <stddef.h>

#define GLOB_NOCHECK 1 /* a pattern without a match is itself the result */

typedef struct glob_t {
    size_t gl_pathc;
    char **gl_pathv;
} glob_t;

int glob(const char *pattern, int flags, void *error, glob_t *found);
void globfree(glob_t *found);
