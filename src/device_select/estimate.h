/* The device of "auto" for a scoring of known length: a GPU has to win back the time of its start. */
#pragma once

#include "device_select/devices.h"

/* Measured, like all figures of the estimate: docs/performance.md, "What auto takes". */
#define FV_DECODE_SECONDS 10e-9 /* time in which one processor decodes a sample of luma */
#define FV_HWDEC_START 0.4      /* seconds to start hardware decoders and to close them */

typedef struct FvWorkload {
    int64_t pairs;        /* number of pairs to score */
    double samples;       /* luma samples of a frame */
    double bytes;         /* bytes of a pair in memory */
    double cost;          /* FvFeature.cost of all features */
    double gpu_cost;      /* cost / speed of all features that a GPU computes */
    double host_cost;     /* FvFeature.cost of the features that the CPU computes meanwhile */
    int untested;         /* features that the GPU has to be tested for first */
    double untested_cost; /* cost of the untested features */
    bool open;            /* the GPU's driver and context are there already */
    int videos;           /* number of videos that must be decoded */
    int hwdec;            /* how many of those hardware decoders take */
    int processors;       /* threads that read, decode and score */
    /* Measured seconds on the CPU and on the GPU; 0: unknown. */
    double start[2];   /* seconds until the first pair is read, including the start of the GPU */
    double arrival[2]; /* seconds in which a pair is read, if scoring is not the bottleneck */
    double work;       /* processor seconds to decode a pair */
} FvWorkload;

/* Picoseconds of a sample of luma on the GPU, as FvFeature.cost. */
double fv_gpu_cost(const FvFeature *feature, const FvKnown *known);

/* Adds a feature. `known`: what earlier sessions found out about it on a GPU. */
void fv_workload_add(FvWorkload *workload, const FvFeature *feature, const FvKnown *known);

/* Seconds from the command to the last score. */
typedef struct FvEstimate {
    double cpu, gpu;
} FvEstimate;

FvEstimate fv_estimate(const FvWorkload *workload);
