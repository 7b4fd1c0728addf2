/* A CUDA device for the test of pictures in its memory: NVIDIA's, or one of host memory whose calls can fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OnCuda {
    bool all; /* it has the kernels of every feature, not of psnr alone */
    /* Before everything else. False and a reason: there is none. */
    bool (*open)(const char **why);
    /* A context of the client's own; NULL: there is none but the primary one. */
    void *(*context)(void);
    void (*close_context)(void *context);
    /* Copies to memory of a context (NULL: the primary one), in its default stream, without waiting for the end. */
    bool (*upload)(void *context, uint64_t to, const void *from, size_t bytes);
    /* Before and after each run; NULL: nothing to do. `why`: what was left behind. */
    void (*reset)(long failing, bool lost);
    bool (*clean)(char *why, size_t size);
    /* Calls that could have failed since reset; NULL: none can be made to. */
    long (*calls)(void);
    /* From now on the n-th allocation, thread or file fails, and they are counted; 0: none does. */
    void (*starve)(long n);
    long (*allocations)(void);
    long (*downloads)(void); /* since reset; NULL: not counted */
} OnCuda;

extern const OnCuda on_cuda;
