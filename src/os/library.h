/* Libraries that are opened at run time and stay open. */
#ifndef FV_OS_LIBRARY_H
#define FV_OS_LIBRARY_H

/* NULL: it cannot be opened. Opening one again gives the same. */
void *fv_library_open(const char *file);

/* The address of a function, or NULL. */
void *fv_library_find(void *library, const char *function);

/* Why the last of these calls of this thread failed, or NULL. Valid until the next one. */
const char *fv_library_error(void);

#endif
