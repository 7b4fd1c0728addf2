/* The launches of a feature on any GPU: launch/<noun>.c defines one FvGpuFeature for the kernels of kernel/<noun>. */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "device/compare.h"
#include "gpu/gpu.h"

/* The needs of one feature instance, per frame pair unless stated otherwise. */
typedef struct FvGpuPlan {
    bool float64;          /* given: the device computes with doubles */
    size_t work_bytes;     /* device memory, content undefined at first */
    size_t result_bytes;   /* device memory that comes back to the host */
    size_t constant_bytes; /* once per run: device memory that `constants` fills */
    size_t lasting_bytes; /* once per run: device memory that lasts from batch to batch, content undefined at first */
    uint64_t maps; /* bit i: `record` makes map i; if another map is requested, the CPU computes the instance */
} FvGpuPlan;

/*
 * Some frame pairs on their way through the GPU together. Each address belongs to the first pair; the next pair's is
 * a stride farther, and kernels find theirs by FV_GROUP_Z. All are multiples of 256.
 */
typedef struct FvGpuBatch {
    FvGpu *gpu;
    int count;       /* number of pairs, which is the depth of launches */
    int first_stage; /* first stage to run; results of earlier stages are those of an earlier batch (FvFeature.resume)
                      */
    uint64_t pairs;  /* FvPair[count] */
    uint64_t constants;
    uint64_t lasting;
    /* For runs with lasting memory: which pair each frame is, in order of frames, and the index of the first one. The
     * pairs from `scored` on belong to skipped frames. */
    const int *order;
    int64_t first;
    int scored;
    uint64_t work, results;
    uint32_t work_stride, result_stride; /* distance from pair to pair, in units of 256 bytes */
    const FvGpuMemory *memory[3];        /* memory of work, results and maps */
    struct {
        uint64_t work, results;
        uint32_t work_stride, result_stride;
    } input[FV_MAX_INPUTS]; /* inputs (run->input), whose results are finished and visible */
    /* Rows of float32, tight, of the size of run->map. 0: no frame of this batch wants the map. */
    uint64_t map[FV_MAX_MAPS];
    uint32_t map_stride[FV_MAX_MAPS]; /* distance from pair to pair, in units of 256 bytes */
} FvGpuBatch;

/* A trial: further frames for the self-test that use other kernels than usual. 10 bits, 4:2:0. */
typedef struct FvGpuTrial {
    const char *options; /* NULL after the last one */
    int width, height, fill;
} FvGpuTrial;

typedef struct FvGpuFeature {
    const FvKernel *const *kernels; /* all kernels that `record` may launch, NULL at the end */
    const FvGpuTrial *trials;       /* or NULL */
    int pairs;                      /* preferred batch size of latency-bound kernels; 0: chosen by the frame size */
    bool float64;     /* the kernels use doubles, and a device without them cannot compute the instance */
    size_t most_work; /* bytes of a pair that their indices reach; 0: any */
    /*
     * Fills *plan, after FvFeature.init. Returns false and one sentence in `why` if the GPU cannot compute this
     * instance; true and a sentence for the report if it computes only a part.
     */
    bool (*plan)(const FvRun *run, FvGpuPlan *plan, char *why, size_t size);
    /* Fills plan.constant_bytes; NULL without constants. */
    void (*constants)(const FvRun *run, void *constants);
    /* Launches everything for a batch. Earlier commands are finished and visible. */
    void (*record)(const FvRun *run, const FvGpuBatch *batch);
    /* Turns plan.result_bytes of one pair into work->frame as the CPU's stages leave it, for FvFeature.terms. */
    void (*results)(const FvRun *run, const FvWork *work, const void *result);
} FvGpuFeature;

#define FV_GPU_FLOATS ((size_t)INT32_MAX * sizeof(float)) /* most work of kernels that count floats */

/* Fills *plan with the needs of an instance; false and one sentence in `why` if the GPU cannot compute it. */
bool fv_gpu_plan(const FvGpu *gpu, const FvRun *run, FvGpuPlan *plan, char *why, size_t size);

/* Launches x by y workgroups for every pair. */
void fv_gpu_launch(const FvGpuBatch *batch, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y);

/* Makes earlier launches finish, and their results visible, before later ones. */
void fv_gpu_barrier(const FvGpuBatch *batch);

/* Sets memory of the batch's work, results or maps. Address and bytes are multiples of 4. */
void fv_gpu_fill(const FvGpuBatch *batch, uint64_t address, size_t bytes, uint32_t word);
