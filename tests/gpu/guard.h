/* Guard bands for a GPU's memory: every block is filled with garbage, and has a known pattern before and after it. */
#pragma once

#include "gpu/gpu.h"

/* guard_install() guards the blocks that one GPU allocates from now on, and checks each when it is freed;
 * guard_remove() ends that. */
void guard_install(FvGpu *gpu);
void guard_remove(FvGpu *gpu);

/* Number of blocks that were checked, and found damaged, since guard_install(). */
extern int guard_checked, guard_damaged;

/* Bytes of device memory in use now, and the maximum so far. Allocations beyond guard_room bytes fail. */
extern size_t guard_used, guard_peak, guard_room;

/* Number of waits that succeed before the device is lost. */
extern int guard_waits;
