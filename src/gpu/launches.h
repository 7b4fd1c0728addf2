/* The launches of a feature on any GPU: launch/<noun>.c defines one FvGpuFeature for the kernels kernel/<noun>. */
#pragma once

#include "kernel/host.h"
#include "kernel/pair.h"
#include "device/compare.h"
#include "gpu/gpu.h"

/* The memory that one feature instance needs, per frame pair unless stated otherwise. */
typedef struct FvGpuPlan {
    bool float64;          /* input: the device computes with doubles */
    size_t work_bytes;     /* device memory for intermediate results, initially undefined */
    size_t result_bytes;   /* device memory that is copied back to the host */
    size_t constant_bytes; /* per instance: device memory that `constants` fills */
    size_t lasting_bytes;  /* per instance: device memory that persists from batch to batch, initially undefined */
    uint64_t maps; /* bit i: `record` computes map i; if another map is requested, the CPU computes the instance */
} FvGpuPlan;

/*
 * A batch: several frame pairs that a GPU computes together. Each address belongs to the first pair. The next pair's
 * address is one stride higher, and kernels find their pair by FV_GROUP_Z. All addresses and strides are multiples of
 * 256 bytes.
 */
typedef struct FvGpuBatch {
    FvGpu *gpu;
    int count;       /* number of pairs, which is the depth of launches */
    int first_stage; /* first stage to compute; the results of earlier stages are those of a previous batch
                        (FvFeature.resume) */
    uint64_t pairs;  /* address of FvPair[count] */
    uint64_t constants;
    uint64_t lasting;
    /*
     * For instances with lasting memory: the pair of each frame in the order of frames, and the first frame's index.
     * The pairs from `scored` on belong to skipped frames.
     */
    const int *order;
    int64_t first;
    int scored;
    uint64_t work, results;
    uint32_t work_stride, result_stride; /* distance between pairs, in units of 256 bytes */
    const FvGpuMemory *memory[3];        /* the memory blocks of work, results and maps */
    struct {
        uint64_t work, results;
        uint32_t work_stride, result_stride;
    } input[FV_MAX_INPUTS]; /* the inputs (run->input), whose results are finished and visible */
    /* Rows of float32 without gaps, of the size of run->map. 0: no frame of this batch requested the map. */
    uint64_t map[FV_MAX_MAPS];
    uint32_t map_stride[FV_MAX_MAPS]; /* distance between pairs, in units of 256 bytes */
} FvGpuBatch;

/* A trial: a further case of the self-test, with 4:2:0 frames whose options, size or depth select other kernels. */
typedef struct FvGpuTrial {
    const char *options; /* options of the metric; NULL: end of the list */
    int width, height, fill;
    int depth;    /* depth in bits; 0 stands for 10 */
    int transfer; /* 0, or the transfer of H.273 of frames with BT.2020 primaries */
} FvGpuTrial;

typedef struct FvGpuFeature {
    const FvKernel *const *kernels; /* all kernels that `record` may launch, then NULL */
    const FvGpuTrial *trials;       /* list of trials; NULL: none */
    int pairs;                      /* preferred batch size of latency-bound kernels; 0: chosen by the frame size */
    bool float64;     /* the kernels use doubles, so a device without them cannot compute the instance */
    size_t most_work; /* maximum bytes of work memory per pair that the kernels' indices reach; 0: no limit */
    /*
     * Fills *plan; called after FvFeature.init. Returns false and one sentence in `why` if the GPU cannot compute
     * this instance. Returns true and a sentence for the report if the GPU computes only a part of it.
     */
    bool (*plan)(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size);
    /* Fills plan.constant_bytes of memory; NULL if there are no constants. */
    void (*constants)(const FvFeatureInstance *run, void *constants);
    /* Launches all kernels of a batch. Earlier commands have finished, and their results are visible. */
    void (*record)(const FvFeatureInstance *run, const FvGpuBatch *batch);
    /*
     * Converts plan.result_bytes of one pair to the form in which the CPU's stages leave work->frame, for
     * FvFeature.terms.
     */
    void (*results)(const FvFeatureInstance *run, const FvWork *work, const void *result);
} FvGpuFeature;

/* Maximum work bytes of kernels that index floats in work memory with int. */
#define FV_GPU_FLOATS ((size_t)INT32_MAX * sizeof(float))

/*
 * Fills *plan with the memory that an instance needs. Returns false and one sentence in `why` if the GPU cannot
 * compute it.
 */
bool fv_gpu_plan(const FvGpu *gpu, const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size);

/* Returns the number of workgroups that process `items`, `each` per workgroup. */
static inline uint32_t fv_gpu_groups(int items, int each)
{
    return (uint32_t)((items + each - 1) / each);
}

/* Launches x by y workgroups per pair. */
void fv_gpu_launch(const FvGpuBatch *batch, const FvKernel *kernel, const void *args, uint32_t x, uint32_t y);

/* Makes earlier launches finish, and their results visible, before later ones. */
void fv_gpu_barrier(const FvGpuBatch *batch);

/* Fills memory of the batch's work, results or maps with a word. Address and bytes are multiples of 4. */
void fv_gpu_fill(const FvGpuBatch *batch, uint64_t address, size_t bytes, uint32_t word);
