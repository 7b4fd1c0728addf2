/* Counts of calls to the test's driver. Each run sets them to zero. */
#pragma once

#include <stdint.h>

typedef struct FakeCounts {
    int64_t launches, lists;
    int64_t uploaded, read; /* number of bytes copied to and from the device */
    int64_t allocations;
} FakeCounts;

extern FakeCounts fake_counts;
