#pragma once

#include_next <sys/stat.h>
#include <io.h>

#define S_ISLNK(mode) 0
#define S_ISSOCK(mode) 0
/* Finds folders whose names end in a slash, too. stat is a name of _stat64, the structure's as well. */
int windows_stat(const char *path, struct stat *info);
#define _stat64(path, info) windows_stat(path, info)
#define lstat(path, info) stat(path, info)
#define mkdir(path, mode) ((void)(mode), mkdir(path))
