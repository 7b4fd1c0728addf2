/* Folders: made, listed, removed. */
#pragma once

#include <stdbool.h>

typedef struct FvFolder FvFolder;

/* Makes a folder unless there is one; false with errno. */
bool fv_folder_make(const char *path, unsigned mode);

/* NULL with errno. */
FvFolder *fv_folder_open(const char *path);

/* The next name, in any order, valid until the next call; NULL after the last one, or without a folder. */
const char *fv_folder_next(FvFolder *folder);

void fv_folder_close(FvFolder *folder);

/* Removes an empty folder; false with errno. */
bool fv_folder_remove(const char *path);
