/* Guard bands for a GPU's memory: every block gets garbage inside and a known pattern before and after it. */
#pragma once

#include "gpu/gpu.h"

/* From now on, blocks that the GPU allocates are guarded; they are checked when they are freed. One GPU at a time. */
void guard_install(FvGpu *gpu);
void guard_remove(FvGpu *gpu);

/* Blocks checked and found damaged since guard_install. */
extern int guard_checked, guard_damaged;

/* Device memory in use now and at most so far; allocations beyond guard_room fail. */
extern size_t guard_used, guard_peak, guard_room;

/* How many more waits succeed before the device is lost. */
extern int guard_waits;
