/* A CUDA device for tests of pictures in its memory: NVIDIA's, or an imitation in host memory whose calls can
 * fail. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct OnCuda {
    bool all; /* the device has kernels for every feature, not only for psnr */
    /* Opens the device, before all other calls. Returns false if this machine has none; *why is the reason. */
    bool (*open)(const char **why);
    /* Creates a context of the client. NULL: the device has only its primary context. */
    void *(*context)(void);
    void (*close_context)(void *context);
    /* Starts a copy to memory of a context (NULL: the primary one) in its default stream, without waiting for it. */
    bool (*upload)(void *context, uint64_t to, const void *from, size_t bytes);
    /* Called before and after each run; NULL: nothing to do. clean() returns false if the run left objects behind. */
    void (*reset)(long failing, bool lost);
    bool (*clean)(char *why, size_t size);
    /* Returns the number of calls since reset() that could have failed. NULL: calls cannot be made to fail. */
    long (*calls)(void);
    /* Makes the n-th allocation, thread or file from now on fail, and counts them. 0: none fails. */
    void (*starve)(long n);
    long (*allocations)(void);
    long (*downloads)(void); /* number of pictures copied to the host since reset(); NULL: not counted */
} OnCuda;

extern const OnCuda on_cuda;
