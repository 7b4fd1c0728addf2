/* Counts of the calls to the test's driver, since they were set to zero. */
#pragma once

#include <stdint.h>

typedef struct FakeCounts {
    int64_t launches, lists;
    int64_t uploaded, read; /* bytes, between memory of the host and of the device */
    int64_t allocations;
} FakeCounts;

extern FakeCounts fake_counts;
