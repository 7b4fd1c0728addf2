#pragma once

#include_next <fcntl.h>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_NONBLOCK 0
#define O_DIRECTORY 0x10000000
int windows_open(const char *path, int flags, ...); /* folders, too */
#define open(...) windows_open(__VA_ARGS__)

#define F_GETFD 1
int fcntl(int fd, int command); /* knows only F_GETFD: returns whether the descriptor is open */
