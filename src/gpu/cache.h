/* Files for later processes in the user's cache folder: verdicts about GPUs and compiled kernels. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the path of file `name` in "$XDG_CACHE_HOME/fovea" or "~/.cache/fovea" to `path`, and creates the folder.
 * Returns false if there is no home folder, or if the path exists and is not a regular file; opening a pipe would
 * block.
 */
bool fv_gpu_cache_path(char *path, size_t size, const char *name);

#define FV_GPU_HASH UINT64_C(14695981039346656037)

/* Returns the FNV-1a hash of `data`, continued from `hash`; start with FV_GPU_HASH. */
uint64_t fv_gpu_hash(uint64_t hash, const void *data, size_t size);
