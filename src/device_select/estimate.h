/* The device of "auto" for a scoring of known length: a GPU has to win back the time of its start. */
#pragma once

#include "device_select/devices.h"

/* Measured, like all figures of the estimate: docs/performance.md, "What auto takes". */
#define FV_DECODE_SECONDS 10e-9 /* time in which one processor decodes a sample of luma */
#define FV_HWDEC_START 0.4      /* seconds to start hardware decoders and to close them */

typedef struct FvWorkload {
    int64_t pairs;        /* to be scored */
    double samples;       /* of luma in a pair's frame */
    double bytes;         /* of a pair, as it lies in memory */
    double cost;          /* FvFeature.cost of all features */
    double gpu_cost;      /* cost / speed of all features that a GPU computes */
    double host_cost;     /* FvFeature.cost of the features that the CPU computes meanwhile */
    int untested;         /* features that the GPU has to be tested for first */
    double untested_cost; /* their cost */
    bool open;            /* the GPU's driver and context are there already */
    int videos;           /* that are decoded */
    int hwdec;            /* of these, videos that hardware decoders take */
    int processors;       /* threads that read, decode and score */
    /* What the machine has shown on the CPU, and on the GPU, in seconds; 0: nothing. */
    double start[2];   /* until the first pair comes, with the start of the GPU */
    double arrival[2]; /* in which a pair comes, where scoring does not hold it up */
    double work;       /* of processors, to decode a pair */
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
