/* Pipes that are read. Everything else counts as ready. */
#pragma once

#define POLLIN 1
#define POLLOUT 4

struct pollfd {
    int fd; /* negative: is passed over */
    short events, revents;
};

int poll(struct pollfd *files, unsigned long count, int milliseconds);
