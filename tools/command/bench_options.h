/* The options of fovea bench. */
#pragma once

#include "cli/commands.h"

typedef struct Bench {
    bool kernels, metrics, stills, scaling, csv, json;
    ArgList metric, size, depth, isa, threads, device, from;
    const char *progress; /* --progress; process_start() acts on it before this table is parsed */
    const char *filter, *clip, *reference, *distorted;
    const char *files, *record, *against;
    int64_t in_flight, milliseconds, frames;
    bool keep;
} Bench;

/* Measures, in fovea-bench; in `fovea`, replaces the process by the program fovea-bench. */
int bench_run(const void *values, const ArgList *words);
