/* The clock for timing work, and deadlines for threads that wait. */
#pragma once

#include <time.h>

/* Returns the time in seconds of a clock that only goes forward. */
static inline double fv_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Returns the time on a clock `nanoseconds` from now, [0, 10^9]. */
static inline struct timespec fv_time_in(clockid_t clock, long nanoseconds)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += nanoseconds;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}
