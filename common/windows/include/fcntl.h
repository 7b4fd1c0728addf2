#pragma once

#include_next <fcntl.h>

#define O_CLOEXEC (_O_NOINHERIT | _O_BINARY)
#define O_NONBLOCK 0
#define O_DIRECTORY 0x10000000
int windows_open(const char *path, int flags, ...); /* also opens folders */
#define open(...) windows_open(__VA_ARGS__)

#define F_GETFD 1
int fcntl(int fd, int command); /* supports F_GETFD only: 0 if the descriptor is open, else -1 */
