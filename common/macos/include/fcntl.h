#pragma once

#include_next <fcntl.h>

#define POSIX_FADV_SEQUENTIAL 1
#define posix_fadvise(fd, first, size, advice) (void)fcntl(fd, F_RDAHEAD, 1)
#define F_SETPIPE_SZ F_GETFD /* has no effect: macOS enlarges pipes by itself */
