/*
 * Estimates, for "auto", whether the CPU or a GPU finishes a run of known length first: a GPU must save more time
 * than its start takes.
 */
#pragma once

#include "device_select/devices.h"

/* Measured like all figures of the estimate: docs/performance.md, "What auto takes". */
#define FV_DECODE_SECONDS 10e-9 /* seconds in which one processor decodes a luma sample */
#define FV_HWDEC_START 0.4      /* seconds to start and close hardware decoders */

typedef struct FvEstimateParams {
    int64_t pairs;        /* number of pairs to score */
    double samples;       /* number of luma samples per frame */
    double bytes;         /* bytes of memory per pair */
    double cost;          /* sum of FvFeature.cost of all features */
    double gpu_cost;      /* sum of cost / speed of all features that a GPU computes */
    double host_cost;     /* FvFeature.cost of the features that the CPU computes while the GPU works */
    int untested;         /* number of features that must first be tested on the GPU */
    double untested_cost; /* cost of the untested features */
    bool open;            /* the GPU's driver and context are open already */
    int videos;           /* number of videos that must be decoded */
    int hwdec;            /* number of those videos that hardware decoders decode */
    int processors;       /* number of threads that read, decode and score */
    /* Measured seconds on the CPU and on the GPU; 0: unknown. */
    double start[2];   /* seconds until the first pair is read, including the start of the GPU */
    double arrival[2]; /* seconds to read a pair, if scoring is not the bottleneck */
    double work;       /* processor seconds to decode a pair */
} FvEstimateParams;

/* Returns a feature's time on the GPU in the unit of FvFeature.cost, picoseconds per luma sample. */
double fv_gpu_cost(const FvFeature *feature, const FvKnown *known);

/* Adds a feature. `known`: the results of earlier sessions for it on a GPU. */
void fv_estimate_add(FvEstimateParams *params, const FvFeature *feature, const FvKnown *known);

/* Seconds from the command to the last score. */
typedef struct FvEstimate {
    double cpu, gpu;
} FvEstimate;

FvEstimate fv_estimate(const FvEstimateParams *params);
