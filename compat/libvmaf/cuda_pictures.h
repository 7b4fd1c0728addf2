/* Pictures in CUDA's memory: whose context they lie in, the pool that they come from, and frames made of them. */
#ifndef LV_CUDA_PICTURES_H
#define LV_CUDA_PICTURES_H

#include "fovea/fovea.h"
#include "libvmaf/libvmaf_cuda.h"

/* What a VmafContext knows of CUDA since a state was imported. */
typedef struct LvCuda LvCuda;

/* Accepts a pointer to NULL. After the sessions that read the pictures; pictures that are still out stay good. */
void lv_cuda_close(LvCuda **cuda);

/* The CUcontext. */
void *lv_cuda_context(const LvCuda *cuda);

/* Whether the client fetches pictures in CUDA's memory, which have luma only. */
bool lv_cuda_on_device(const LvCuda *cuda);

/* Pictures of one kind, as many as are out at once. */
typedef struct LvCudaPool LvCudaPool;

/* Takes a picture's memory back, from any thread. */
void lv_cuda_take_back(LvCudaPool *pool, void *block);

/* Before frames are made of pictures: what the client has the device do with them so far is waited for. */
FvStatus lv_cuda_mark(LvCuda *cuda, FvError *error);

/*
 * The luma of a picture, as a frame of this session: where it lies if the session takes frames in the context's
 * memory, and else a copy in host memory. FV_ERROR_USAGE for one of another context.
 */
FvStatus lv_cuda_frame(LvCuda *cuda, FvSession *session, const VmafPicture *picture, const FvFormat *format,
                       FvFrame **frame, FvError *error);

#endif
