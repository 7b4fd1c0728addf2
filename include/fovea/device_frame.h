/* Frames and maps in the memory of a device. */
#ifndef FOVEA_DEVICE_FRAME_H
#define FOVEA_DEVICE_FRAME_H

#include <fovea/session.h>
#include <fovea/still.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A decoder on the session's device can leave its frames there: it fills frames that fv_session_frame() allocates in
 * device memory, or wraps its own memory with fv_session_wrap(). docs/examples/device_frames.c is a program that does
 * both. In such frames, data[] is NULL. They can be pushed into this session only. They must be released before the
 * session is closed, in the thread that uses the session.
 */
typedef enum FvMemory {
    FV_MEMORY_PINNED, /* host memory that the device reads directly: an upload needs no extra copy */
    FV_MEMORY_DEVICE, /* memory of the device itself */
} FvMemory;

/* The place of a frame's samples on the device, and the event after which they are complete. */
typedef struct FvDeviceFrame {
    uint64_t address[3]; /* address of each plane's first sample: CUdeviceptr or VkDeviceAddress */
    ptrdiff_t stride[3]; /* bytes from one row to the next */
    void *sync; /* CUevent, or timeline VkSemaphore. NULL: the samples are complete, or, on CUDA, will be after the
                   work that was submitted to FvDeviceHandles.cuda_stream */
    uint64_t sync_value;           /* the samples are complete once the semaphore reaches this value */
    void (*release)(void *opaque); /* called once, in any thread, when the library no longer needs memory given to
                                      fv_session_wrap(); may be NULL */
    void *opaque;
} FvDeviceFrame;

/* The objects of a device's API, for sharing memory with it. Objects of other APIs are NULL. */
typedef struct FvDeviceHandles {
    const char *kind; /* "cpu", "vulkan", "cuda", "hip"; NULL: there is no device */
    int index;
    void *cuda_context, *cuda_stream; /* work that is submitted to this stream reads all frames in device memory */
    void *vulkan_instance, *vulkan_physical_device, *vulkan_device, *vulkan_queue;
    uint32_t vulkan_queue_family;
} FvDeviceHandles;

/* Writes the objects of the session's device. If "auto" has not chosen a device yet, it is opened now. */
FV_API void fv_session_device(const FvSession *session, FvDeviceHandles *handles);

/*
 * Returns whether the device computes every metric, so that frames in its memory can be pushed. Call it after the
 * session has been started.
 */
FV_API bool fv_session_takes_device_frames(const FvSession *session);

/* A map in the memory of the device that computed it. */
typedef struct FvDeviceMap {
    const FvMapInfo *info;
    double minimum, maximum; /* bounds of the values with the options of the call */
    int width, height;
    uint64_t address; /* address of float32 values, row by row: a CUdeviceptr, the device address of a Vulkan buffer,
                         or, on the CPU, an address in host memory */
    ptrdiff_t stride; /* distance from one row to the next, in floats */
} FvDeviceMap;

/*
 * Computes a map as fv_still_map() does, and leaves it on the device. It is complete when the call returns and valid
 * until the next call with this still, fv_still_close() included. FV_ERROR_USAGE: name is NULL.
 */
FV_API FvStatus fv_still_map_on_device(FvStill *still, const char *metric, const char *name, FvDeviceMap *map,
                                       FvError *error);

/* Writes the objects of the still's device, for reading maps in its memory. */
FV_API void fv_still_device(const FvStill *still, FvDeviceHandles *handles);

/*
 * Makes a frame with undefined samples in memory of the session's device; the caller owns one reference. On the CPU,
 * both kinds of memory give ordinary frames. FV_ERROR_USAGE: the format is outside its ranges, or `memory` is outside
 * its enum. FV_ERROR_DEVICE: the device is out of memory.
 */
FV_API FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                                 FvError *error);

/*
 * Makes a frame over the caller's device memory. The device reads it in place if all addresses and strides are
 * multiples of 16 and every row is readable up to a multiple of 16 bytes. Otherwise the device copies it first, and
 * rows must be readable up to a multiple of 4 bytes. Calls where->release also on failure. FV_ERROR_USAGE: the
 * session is on the CPU, or an address is 0 or a stride less than a row.
 */
FV_API FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format,
                                const FvDeviceFrame *where, FvError *error);

/*
 * Writes the place of a frame's samples to *where, without sync and release. Returns false for frames in host memory.
 */
FV_API bool fv_frame_device(const FvFrame *frame, FvDeviceFrame *where);

/*
 * Sets the event that must happen before a device frame is read, as in FvDeviceFrame. Call it before the frame is
 * pushed.
 */
FV_API void fv_frame_sync(FvFrame *frame, void *sync, uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
