/* Frames on a device. */
#ifndef FOVEA_DEVICE_FRAME_H
#define FOVEA_DEVICE_FRAME_H

#include <fovea/session.h>
#include <fovea/still.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A decoder on the session's device can leave its pictures there: it fills frames that fv_session_frame() allocates
 * in device memory, or wraps its own memory with fv_session_wrap(). docs/examples/device_frames.c shows both. Such
 * frames have data[] NULL, can be pushed into this session only, and must be released before the session is closed,
 * in the thread that uses the session.
 */
typedef enum FvMemory {
    FV_MEMORY_PINNED, /* host memory that the device reads directly: an upload needs no extra copy */
    FV_MEMORY_DEVICE, /* the device's own */
} FvMemory;

/* Where a frame's samples are on the device, and when they are complete. */
typedef struct FvDeviceFrame {
    uint64_t address[3];           /* of the first sample of each plane: CUdeviceptr, VkDeviceAddress */
    ptrdiff_t stride[3];           /* bytes from one row to the next */
    void *sync;                    /* CUevent, or VkSemaphore of the timeline kind; NULL: the samples are complete, or
                                      on CUDA will be after the work that FvDeviceHandles.cuda_stream has already */
    uint64_t sync_value;           /* the samples are complete once the semaphore reaches this value */
    void (*release)(void *opaque); /* fv_session_wrap: called once the library is done with the samples, in any
                                      thread; or NULL */
    void *opaque;
} FvDeviceFrame;

/* The device's own objects, for sharing. NULL where this kind of device has none. */
typedef struct FvDeviceHandles {
    const char *kind; /* "cpu", "vulkan", "cuda" */
    int index;
    void *cuda_context, *cuda_stream; /* all frames in device memory are read by work of this stream */
    void *vulkan_instance, *vulkan_physical_device, *vulkan_device, *vulkan_queue;
    uint32_t vulkan_queue_family;
} FvDeviceHandles;

FV_API void fv_session_device(const FvSession *session, FvDeviceHandles *handles);

/* After start: whether the device computes every metric, so that frames in its memory can be pushed. */
FV_API bool fv_session_takes_device_frames(const FvSession *session);

/* A map in the memory of the device that computed it. */
typedef struct FvDeviceMap {
    const FvMapInfo *info;
    double minimum, maximum; /* bounds of the values with these options */
    int width, height;
    uint64_t address; /* of float32 numbers, row by row: a CUdeviceptr, the device address of a Vulkan buffer, or, on
                         the CPU, an address in host memory */
    ptrdiff_t stride; /* from one row to the next, in floats */
} FvDeviceMap;

/*
 * As fv_still_map, but the map stays on the device. It is complete when the call returns and valid until the next
 * call with this still, fv_still_close included. The map needs a name: NULL is FV_ERROR_USAGE.
 */
FV_API FvStatus fv_still_map_on_device(FvStill *still, const char *metric, const char *name, FvDeviceMap *map,
                                       FvError *error);

/* The objects of the still's device, for reading such maps. */
FV_API void fv_still_device(const FvStill *still, FvDeviceHandles *handles);

/*
 * A frame with undefined samples in memory of the session's device. On the CPU, both kinds are ordinary frames.
 * FV_ERROR_DEVICE: the memory has no room.
 */
FV_API FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                                 FvError *error);

/*
 * A frame over the caller's device memory. It is read in place if all addresses and strides are multiples of 16 and
 * every row is readable up to a multiple of 16 bytes. Otherwise the device copies it first, and rows must be readable
 * up to a multiple of 4 bytes. Calls where->release also on failure.
 */
FV_API FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format,
                                const FvDeviceFrame *where, FvError *error);

/* Where a frame's samples are; sync and release are left out. False for frames in host memory. */
FV_API bool fv_frame_device(const FvFrame *frame, FvDeviceFrame *where);

/* What has to happen before a device frame is read, as in FvDeviceFrame; to be set before it is pushed. */
FV_API void fv_frame_sync(FvFrame *frame, void *sync, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
