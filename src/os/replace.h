/* Replaces a file by a new one. Failures set errno. */
#pragma once

#include <stdbool.h>

/* Returns the descriptor that a path means ("-" is standard output), which is written and not replaced; or -1. */
int fv_replace_descriptor(const char *path);

/* The path of the file to replace, with '/' before its last part: links in that part are followed, also a link that
 * leads to nothing yet. The caller frees it. NULL on failure. */
char *fv_replace_target(const char *path);

/* Returns whether a file can be made in the target's folder. */
bool fv_replace_takes(const char *target);

/* Makes a file that does not exist: a descriptor, or -1. */
int fv_replace_create(const char *path);

/* Gives an open file the permissions of another one, as far as the user may. */
void fv_replace_permit(int fd, unsigned permissions);

/* Brings what was written to the disk. */
bool fv_replace_flush(int fd);

/* Flushes the names in the target's folder to the disk. */
void fv_replace_flush_folder(const char *target);

/* Renames a file, in the place of the one that may have the name. */
bool fv_replace(const char *path, const char *target);

/* Gives a new file its name, unless a file has the name already; errno is then EEXIST. */
bool fv_replace_none(const char *path, const char *target);
