/* Replaces a file by a new one. Failures set errno. */
#pragma once

#include <stdbool.h>

/*
 * Returns the descriptor for which a path stands, as "-" does for standard output, and which is written instead of
 * replacing a file; -1: none.
 */
int fv_replace_descriptor(const char *path);

/*
 * Returns the path of the file to replace, which has a '/' before its last part. Links in that part are followed,
 * even to a file that does not exist yet. The caller frees the path. NULL on failure.
 */
char *fv_replace_target(const char *path);

/* Returns whether a file can be made in the target's folder. */
bool fv_replace_takes(const char *target);

/* Creates a file, which must not exist. Returns a descriptor, or -1. */
int fv_replace_create(const char *path);

/* Sets the permissions of an open file, as far as the user may. */
void fv_replace_permit(int fd, unsigned permissions);

/* Flushes the written data to the disk. */
bool fv_replace_flush(int fd);

/* Flushes the names in the target's folder to the disk. */
void fv_replace_flush_folder(const char *target);

/* Renames a file to `target`, replacing a file of that name. */
bool fv_replace(const char *path, const char *target);

/* Renames a file to `target`, unless that exists; errno is then EEXIST. */
bool fv_replace_none(const char *path, const char *target);
