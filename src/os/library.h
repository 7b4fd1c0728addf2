/* Libraries that are opened at run time and stay open. */
#pragma once

#include <stdbool.h>

/* NULL when it cannot be opened. Opening a library again gives the same handle. */
void *fv_library_open(const char *file);

/* The address of a function, or NULL. */
void *fv_library_find(void *library, const char *function);

/*
 * Returns whether this thread's last open, or a text of fv_library_error(), failed for lack of memory or file
 * descriptors.
 */
bool fv_library_lacks(const char *why);

/* Why this thread's last call of these failed, or NULL. Valid until the next call. */
const char *fv_library_error(void);
