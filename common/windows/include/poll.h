/* poll() for reading from pipes. Every other descriptor counts as ready. */
#pragma once

#define POLLIN 1
#define POLLOUT 4

struct pollfd {
    int fd; /* negative: the entry is ignored */
    short events, revents;
};

int poll(struct pollfd *files, unsigned long count, int milliseconds);
