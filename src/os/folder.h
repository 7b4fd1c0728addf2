/* Creates, locks, lists and removes folders. */
#pragma once

#include <stdbool.h>

typedef struct FvFolder FvFolder;

/* Creates a folder unless it exists; false with errno. */
bool fv_folder_make(const char *path, unsigned mode);

/*
 * Creates a folder unless it exists, and locks it for the caller alone, also within this process, until
 * fv_folder_unlock(). Returns a descriptor, or -1 with errno: EWOULDBLOCK if the folder is locked, or others remove
 * it again and again. A file system without locks protects nothing.
 */
int fv_folder_lock(const char *path);

void fv_folder_unlock(int fd);

/* Opens a folder to list it. NULL with errno. */
FvFolder *fv_folder_open(const char *path);

/*
 * Returns the next name, in no particular order, which is valid until the next call; NULL after the last one, or for
 * a NULL folder.
 */
const char *fv_folder_next(FvFolder *folder);

void fv_folder_close(FvFolder *folder);

/* Removes an empty folder; false with errno. */
bool fv_folder_remove(const char *path);
