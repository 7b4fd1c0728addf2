/* Opens shared libraries at run time; they stay open. */
#pragma once

#include <stdbool.h>

/* Opens a library. Opening it again returns the same handle. NULL: it cannot be opened. */
void *fv_library_open(const char *file);

/* Returns the address of a function, or NULL. */
void *fv_library_find(void *library, const char *function);

/*
 * Returns whether this thread's last open, or a text of fv_library_error(), failed for lack of memory or file
 * descriptors.
 */
bool fv_library_lacks(const char *why);

/*
 * Returns why the last call of fv_library_open() or fv_library_find() in this thread failed, or NULL. The text is
 * valid until the next call.
 */
const char *fv_library_error(void);
