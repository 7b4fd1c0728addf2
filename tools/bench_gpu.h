/* The part of fovea bench that measures a GPU. */
#ifndef FV_TOOLS_BENCH_GPU_H
#define FV_TOOLS_BENCH_GPU_H

#include "fovea/fovea.h"

/* Prints, for one metric and clip, the speed from each kind of memory and the time of each kernel. */
FvStatus bench_gpu_metric(const char *device, const char *metric, FvFrame *const ref[2], FvFrame *const dis[2],
                          FvError *error);

/* Prints what plain copies reach on the device. */
FvStatus bench_gpu_copies(const char *device, FvError *error);

#endif
