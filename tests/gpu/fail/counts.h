/* Counts of the calls to the test's driver, since they were set to zero. */
#pragma once

#include <stdint.h>

typedef struct FakeCounts {
    int64_t launches, lists;
    int64_t uploaded, read; /* bytes copied to the device, and from it */
    int64_t allocations;
} FakeCounts;

extern FakeCounts fake_counts;
