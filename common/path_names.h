/* Finds the parts of paths. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Returns whether a letter of a path separates folders: Windows takes both slashes. */
static inline bool fv_is_slash(char letter)
{
#if defined(_WIN32)
    return letter == '/' || letter == '\\';
#else
    return letter == '/';
#endif
}

/* Returns the last slash of a path; NULL: it has none. */
static inline const char *fv_last_slash(const char *path)
{
    const char *slash = NULL;
    for (; *path; path++)
        slash = fv_is_slash(*path) ? path : slash;
    return slash;
}

/* Returns the name of a file without its folders; a path that ends with a slash as it is. */
static inline const char *fv_base_name(const char *path)
{
    const char *slash = fv_last_slash(path);
    return slash && slash[1] ? slash + 1 : path;
}
