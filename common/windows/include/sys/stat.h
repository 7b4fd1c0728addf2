#pragma once

#include_next <sys/stat.h>
#include <io.h>

#define S_ISLNK(mode) 0
#define S_ISSOCK(mode) 0
#define lstat(path, info) stat(path, info)
#define mkdir(path, mode) ((void)(mode), mkdir(path))
