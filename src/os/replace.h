/* How a new file takes the place of an older one. Failures set errno. */
#pragma once

#include <stdbool.h>

/* The descriptor that a path stands for ("-" is standard output), which is written and not replaced; or -1. */
int fv_replace_descriptor(const char *path);

/* The path of the file to replace, with '/' before its last part: links in that part are followed, also a link that
 * leads to nothing yet. The caller frees it. NULL on failure. */
char *fv_replace_target(const char *path);

/* Whether a file can be made in the target's folder. */
bool fv_replace_takes(const char *target);

/* Makes a file that does not exist: a descriptor, or -1. */
int fv_replace_create(const char *path);

/* Gives an open file the permissions of another one, as far as the user may. */
void fv_replace_permit(int fd, unsigned permissions);

/* Brings what was written to the disk. */
bool fv_replace_flush(int fd);

/* The same for the names in the target's folder. */
void fv_replace_flush_folder(const char *target);

/* Renames a file, in the place of the one that may have the name. */
bool fv_replace(const char *path, const char *target);

/* The same; a file that has the name stays, and EEXIST is the reason. */
bool fv_replace_none(const char *path, const char *target);
