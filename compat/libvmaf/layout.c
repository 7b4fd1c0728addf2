/*
 * Checks the layout with which programs were compiled: on 64-bit machines, every size and offset, and every
 * enumerator.
 */
#include <stddef.h>
#include <stdint.h>

#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/version.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define PLACE(type, field, offset, bytes)                                                                            \
    _Static_assert(offsetof(type, field) == (offset) && sizeof(((type *)0)->field) == (bytes),                       \
                   #type "." #field " lies elsewhere")
#define NUMBER(name, value) _Static_assert((int)name == (value), #name " is another number")

#if UINTPTR_MAX == UINT64_MAX
SIZE(VmafConfiguration, 32);
PLACE(VmafConfiguration, log_level, 0, 4);
PLACE(VmafConfiguration, n_threads, 4, 4);
PLACE(VmafConfiguration, n_subsample, 8, 4);
PLACE(VmafConfiguration, cpumask, 16, 8);
PLACE(VmafConfiguration, gpumask, 24, 8);
SIZE(VmafPicture, 96);
PLACE(VmafPicture, pix_fmt, 0, 4);
PLACE(VmafPicture, bpc, 4, 4);
PLACE(VmafPicture, w, 8, 12);
PLACE(VmafPicture, h, 20, 12);
PLACE(VmafPicture, stride, 32, 24);
PLACE(VmafPicture, data, 56, 24);
PLACE(VmafPicture, ref, 80, 8);
PLACE(VmafPicture, priv, 88, 8);
SIZE(VmafModelConfig, 16);
PLACE(VmafModelConfig, name, 0, 8);
PLACE(VmafModelConfig, flags, 8, 8);
SIZE(VmafPictureConfiguration, 20);
PLACE(VmafPictureConfiguration, pic_params.w, 0, 4);
PLACE(VmafPictureConfiguration, pic_params.h, 4, 4);
PLACE(VmafPictureConfiguration, pic_params.bpc, 8, 4);
PLACE(VmafPictureConfiguration, pic_params.pix_fmt, 12, 4);
PLACE(VmafPictureConfiguration, pic_cnt, 16, 4);
SIZE(VmafModelCollectionScore, 40);
PLACE(VmafModelCollectionScore, type, 0, 4);
PLACE(VmafModelCollectionScore, bootstrap.bagging_score, 8, 8);
PLACE(VmafModelCollectionScore, bootstrap.stddev, 16, 8);
PLACE(VmafModelCollectionScore, bootstrap.ci.p95.lo, 24, 8);
PLACE(VmafModelCollectionScore, bootstrap.ci.p95.hi, 32, 8);
SIZE(VmafCudaConfiguration, 8);
SIZE(VmafCudaPictureConfiguration, 20);
PLACE(VmafCudaPictureConfiguration, pic_params, 0, 16);
PLACE(VmafCudaPictureConfiguration, pic_prealloc_method, 16, 4);
#endif

NUMBER(VMAF_LOG_LEVEL_NONE, 0);
NUMBER(VMAF_LOG_LEVEL_ERROR, 1);
NUMBER(VMAF_LOG_LEVEL_WARNING, 2);
NUMBER(VMAF_LOG_LEVEL_INFO, 3);
NUMBER(VMAF_LOG_LEVEL_DEBUG, 4);
NUMBER(VMAF_OUTPUT_FORMAT_NONE, 0);
NUMBER(VMAF_OUTPUT_FORMAT_XML, 1);
NUMBER(VMAF_OUTPUT_FORMAT_JSON, 2);
NUMBER(VMAF_OUTPUT_FORMAT_CSV, 3);
NUMBER(VMAF_OUTPUT_FORMAT_SUB, 4);
NUMBER(VMAF_POOL_METHOD_UNKNOWN, 0);
NUMBER(VMAF_POOL_METHOD_MIN, 1);
NUMBER(VMAF_POOL_METHOD_MAX, 2);
NUMBER(VMAF_POOL_METHOD_MEAN, 3);
NUMBER(VMAF_POOL_METHOD_HARMONIC_MEAN, 4);
NUMBER(VMAF_POOL_METHOD_NB, 5);
NUMBER(VMAF_PIX_FMT_UNKNOWN, 0);
NUMBER(VMAF_PIX_FMT_YUV420P, 1);
NUMBER(VMAF_PIX_FMT_YUV422P, 2);
NUMBER(VMAF_PIX_FMT_YUV444P, 3);
NUMBER(VMAF_PIX_FMT_YUV400P, 4);
NUMBER(VMAF_MODEL_FLAGS_DEFAULT, 0);
NUMBER(VMAF_MODEL_FLAG_DISABLE_CLIP, 1);
NUMBER(VMAF_MODEL_FLAG_ENABLE_TRANSFORM, 2);
NUMBER(VMAF_MODEL_FLAG_DISABLE_TRANSFORM, 4);
NUMBER(VMAF_MODEL_COLLECTION_SCORE_UNKNOWN, 0);
NUMBER(VMAF_MODEL_COLLECTION_SCORE_BOOTSTRAP, 1);
NUMBER(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_NONE, 0);
NUMBER(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE, 1);
NUMBER(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST, 2);
NUMBER(VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED, 3);
NUMBER(VMAF_API_VERSION_MAJOR, 3);
