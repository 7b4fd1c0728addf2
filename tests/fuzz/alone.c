/* The fuzzed build holds only what Y4M and raw need; this stands for the reader that is linked from source.c as well. */
#include "source.h"

static bool never(const FvSource *source)
{
    (void)source;
    return false;
}

const FvSourceOps fv_source_icpf = {.name = "icpf", .probe = never};
