/* Pictures in CUDA's memory: their context, their pool, and the frames made from them. */
#pragma once

#include "cuda_calls.h"
#include "fovea/fovea.h"
#include "libvmaf/libvmaf_cuda.h"

/* A pool of pictures of one format, with luma only. It grows to the greatest number of pictures in use at once. */
typedef struct LvCudaPool LvCudaPool;

/* The CUDA part of a VmafContext into which a state was imported. */
typedef struct LvCuda {
    const LvCudaCalls *calls;
    const VmafCudaState *state;
    LvCudaContext context;
    int device;
    bool primary;      /* the context is the device's primary one; lv_cuda_close() releases it */
    LvCudaEvent event; /* recorded after the client's work; NULL before the first picture */
    VmafCudaPictureConfiguration cfg;
    LvCudaPool *pool; /* NULL: the client fetches pictures in host memory */
} LvCuda;

/*
 * Closes the state. Call after closing the sessions that read the pictures. Pictures that the client still has remain
 * valid. Accepts a pointer to NULL.
 */
void lv_cuda_close(LvCuda **cuda);

/* Opens a pool, which replaces the previous one. Returns 0 or a negative errno. */
int lv_cuda_pool_open(LvCuda *cuda, const VmafCudaPictureConfiguration *cfg);
void lv_cuda_pool_close(LvCudaPool **pool);

/* Fetches a picture. -ENOMEM: try again when pictures have been released. */
int lv_cuda_pool_fetch(LvCudaPool *pool, VmafPicture *picture);

/* Makes the device wait for the work that the client has queued so far. Call before making frames from pictures. */
FvStatus lv_cuda_mark(LvCuda *cuda, FvError *error);

/*
 * Makes a frame of a picture's luma for this session: in place if the session accepts frames in the context's memory,
 * else a copy in host memory. FV_ERROR_USAGE: the picture is of another context.
 */
FvStatus lv_cuda_frame(LvCuda *cuda, FvSession *session, const VmafPicture *picture, const FvFormat *format,
                       FvFrame **frame, FvError *error);
