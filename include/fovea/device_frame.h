/* Frames on a device. */
#ifndef FOVEA_DEVICE_FRAME_H
#define FOVEA_DEVICE_FRAME_H

#include <fovea/session.h>
#include <fovea/still.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A decoder on the session's device leaves its pictures there: it asks for frames in device memory and fills them, or
 * wraps memory of its own. docs/examples/device_frames.c shows both. Such frames can be pushed into this session
 * only, have data[] NULL, and are released before the session is closed, in the thread that uses it.
 */
typedef enum FvMemory {
    FV_MEMORY_PINNED, /* host memory that the device reads by itself: uploads need no copy before */
    FV_MEMORY_DEVICE, /* the device's own */
} FvMemory;

/* Where a frame's samples are on the device, and when they are complete. */
typedef struct FvDeviceFrame {
    uint64_t address[3];           /* of the first sample of each plane: CUdeviceptr, VkDeviceAddress */
    ptrdiff_t stride[3];           /* bytes from one row to the next */
    void *sync;                    /* CUevent, or VkSemaphore of the timeline kind; NULL: the samples are complete */
    uint64_t sync_value;           /* what the semaphore has to reach */
    void (*release)(void *opaque); /* fv_session_wrap: called once the library is done with the samples; or NULL */
    void *opaque;
} FvDeviceFrame;

/* The device's objects, to share them. NULL for what this kind of device does not have. */
typedef struct FvDeviceHandles {
    const char *kind; /* "cpu", "vulkan", "cuda" */
    int index;
    void *cuda_context, *cuda_stream;
    void *vulkan_instance, *vulkan_physical_device, *vulkan_device, *vulkan_queue;
    uint32_t vulkan_queue_family;
} FvDeviceHandles;

FV_API void fv_session_device(const FvSession *session, FvDeviceHandles *handles);

/* After start: whether the device computes everything by itself, so that frames in its memory can be pushed. */
FV_API bool fv_session_takes_device_frames(const FvSession *session);

/* A map that was left where it was computed. */
typedef struct FvDeviceMap {
    const FvMapInfo *info;
    double minimum, maximum; /* what a value can be with these options */
    int width, height;
    uint64_t address; /* of float32 numbers, row by row: a CUdeviceptr, the device address of a Vulkan buffer, or, on
                         the CPU, an address in host memory */
    ptrdiff_t stride; /* from one row to the next, in floats */
} FvDeviceMap;

/*
 * As fv_still_map, but the map is not brought to the host. The device has written it when the call returns; it is
 * valid until the next call with this still, which fv_still_close is, too. The map needs a name: NULL is
 * FV_ERROR_USAGE.
 */
FV_API FvStatus fv_still_map_on_device(FvStill *still, const char *metric, const char *name, FvDeviceMap *map,
                                       FvError *error);

/* The objects of the still's device, to read such maps with. */
FV_API void fv_still_device(const FvStill *still, FvDeviceHandles *handles);

/*
 * A frame with undefined samples in memory of the session's device. On the CPU, both kinds are ordinary frames.
 * FV_ERROR_DEVICE when there is no room.
 */
FV_API FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                                 FvError *error);

/*
 * A frame over device memory of the caller, which is read where it lies if all addresses and strides are multiples of
 * 16 and every row is readable up to a multiple of 16 bytes. Otherwise the device copies it before it is read, and
 * rows need be readable up to a multiple of 4. Calls where->release also when it fails.
 */
FV_API FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format,
                                const FvDeviceFrame *where, FvError *error);

/* Where a frame is; false for frames in host memory. sync and release are not given. */
FV_API bool fv_frame_device(const FvFrame *frame, FvDeviceFrame *where);

/* What has to happen before a device frame is read, as in FvDeviceFrame; to be set before it is pushed. */
FV_API void fv_frame_sync(FvFrame *frame, void *sync, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
