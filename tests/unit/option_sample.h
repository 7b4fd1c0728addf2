/* A table of options of every type, for tests. */
#pragma once

#include "option/option.h"

typedef struct Sample {
    bool flag;
    int count;
    double share;
    const char *mode, *path;
} Sample;

static const char *const sample_modes[] = {"fast", "slow", NULL};

#define SAMPLE_OPTIONS(X)                                                                                            \
    X(Sample, flag, BOOL, ("flag", "f", 0, "a switch"))                                                              \
    X(Sample, count, INT, ("count", "c", 3, -7, 1000, "px", "a number"))                                             \
    X(Sample, share, REAL, ("share", "s", 0.5, -1e300, 1e300, NULL, "a part"))                                       \
    X(Sample, mode, TEXT, ("mode", "m", "fast", sample_modes, "one of two"))                                         \
    X(Sample, path, TEXT, ("another_path", NULL, NULL, NULL, "any text"))
FV_OPTIONS(sample, SAMPLE_OPTIONS);

static const FvOptions sample_options = {sample_info, sample_offset, sample_count};
