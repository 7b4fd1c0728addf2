#pragma once

#include_next <sys/stat.h>
#include <io.h>

#define S_ISLNK(mode) 0
#define S_ISSOCK(mode) 0
/* Also finds folders whose names end in a slash. `stat` names _stat64, for the function and for the structure. */
int windows_stat(const char *path, struct stat *info);
#define _stat64(path, info) windows_stat(path, info)
#define lstat(path, info) stat(path, info)
#define mkdir(path, mode) ((void)(mode), mkdir(path))
