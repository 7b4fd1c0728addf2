#pragma once

#include_next <stdio.h>
#include <sys/types.h>

typedef struct cookie_io_functions_t {
    ssize_t (*write)(void *cookie, const char *bytes, size_t size);
    int (*close)(void *cookie);
} cookie_io_functions_t;

/* Makes a stream that only writes, whatever `mode` says. */
FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions);
