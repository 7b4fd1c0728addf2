/* Files for later processes, in the user's cache folder: verdicts on GPUs and compiled kernels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The file `name` in "$XDG_CACHE_HOME/fovea" or "~/.cache/fovea", which is made; false without a home, and where the
 * name is a pipe's, which would be waited for, or another thing's.
 */
bool fv_gpu_cache_path(char *path, size_t size, const char *name);

#define FV_GPU_HASH UINT64_C(14695981039346656037)

/* FNV-1a, from FV_GPU_HASH on. */
uint64_t fv_gpu_hash(uint64_t hash, const void *data, size_t size);
