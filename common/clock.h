/* The clock by which work is timed. */
#pragma once

#include <time.h>

/* Seconds of a clock that only goes forward. */
static inline double fv_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
