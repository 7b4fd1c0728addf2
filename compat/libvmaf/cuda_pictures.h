/* Pictures in CUDA's memory: whose context they lie in, the pool that they come from, and frames made of them. */
#pragma once

#include "cuda_calls.h"
#include "fovea/fovea.h"
#include "libvmaf/libvmaf_cuda.h"

/* Pictures of one kind, with luma only. It grows to the number of pictures that are out at once. */
typedef struct LvCudaPool LvCudaPool;

/* The CUDA context of a VmafContext since a state was imported. */
typedef struct LvCuda {
    const LvCudaCalls *calls;
    const VmafCudaState *state;
    LvCudaContext context;
    int device;
    bool primary;      /* the context is the device's primary one, which is released with this */
    LvCudaEvent event; /* recorded after the client's work; NULL before the first picture */
    VmafCudaPictureConfiguration cfg;
    LvCudaPool *pool; /* NULL: the client fetches pictures in host memory */
} LvCuda;

/* Accepts a pointer to NULL. After the sessions that read the pictures; pictures that are still out stay good. */
void lv_cuda_close(LvCuda **cuda);

/* In place of the pool that it has. */
int lv_cuda_pool_open(LvCuda *cuda, const VmafCudaPictureConfiguration *cfg);
void lv_cuda_pool_close(LvCudaPool **pool);

/* -ENOMEM: try again when pictures have come back. */
int lv_cuda_pool_fetch(LvCudaPool *pool, VmafPicture *picture);

/* Before frames are made of pictures: their device waits for the work that the client has queued so far. */
FvStatus lv_cuda_mark(LvCuda *cuda, FvError *error);

/*
 * The luma of a picture, as a frame of this session: where it lies if the session takes frames in the context's
 * memory, and else a copy in host memory. FV_ERROR_USAGE for one of another context.
 */
FvStatus lv_cuda_frame(LvCuda *cuda, FvSession *session, const VmafPicture *picture, const FvFormat *format,
                       FvFrame **frame, FvError *error);
