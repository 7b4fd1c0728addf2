/* Libraries that are opened at run time and stay open. */
#pragma once

/* NULL when it cannot be opened. Opening a library again gives the same handle. */
void *fv_library_open(const char *file);

/* The address of a function, or NULL. */
void *fv_library_find(void *library, const char *function);

/* Why this thread's last call of these failed, or NULL. Valid until the next call. */
const char *fv_library_error(void);
