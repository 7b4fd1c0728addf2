/* A GPU as a device of a session, for any driver: the functions that FvDeviceOps needs (gpu/drivers.c). */
#pragma once

#include "device/device.h"
#include "gpu/launches.h"

FvStatus fv_gpu_device_open(FvDevice **device, const FvDeviceOps *ops, const FvGpuOps *driver,
                            const FvDeviceParams *params, FvError *error);
/* Opens the device on a GPU that is already open; closing the device leaves the GPU open. */
FvStatus fv_gpu_device_borrow(FvDevice **device, FvGpu *gpu, FvError *error);
/*
 * Returns whether the GPU has kernels and memory for the instance; gpu/selftest/selftest.h tests whether results are
 * right.
 */
bool fv_gpu_device_supports(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size);
int fv_gpu_device_in_flight(FvDevice *device, const FvFeatureInstance *runs, int count, FvArrival arrival);
FvStatus fv_gpu_device_start(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                             int *in_flight, FvError *error);
FvStatus fv_gpu_device_submit(FvDevice *device, FvTask *task, FvError *error);
FvStatus fv_gpu_device_wait(FvDevice *device, FvTask *task, FvError *error);
FvStatus fv_gpu_device_frame(FvDevice *device, FvFrame **frame, const FvFormat *format, FvMemory memory,
                             FvError *error);
FvStatus fv_gpu_device_packet(FvDevice *device, FvPacketMemory *memory, size_t bytes, FvError *error);
FvFeed *fv_gpu_device_feed(FvDevice *device, int side, int lanes);
FvStatus fv_gpu_device_wrap(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvDeviceFrame *where,
                            FvError *error);
/* gpu/selftest/selftest.h tests whether frames are right. */
FvStatus fv_gpu_device_make_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvPixels *pixels,
                                   int matrix, FvError *error);
uint64_t fv_gpu_device_room(FvDevice *device);
void fv_gpu_device_handles(const FvDevice *device, FvDeviceHandles *handles);
void fv_gpu_device_close(FvDevice **device);

/* Returns the GPU of one of the session's devices. */
FvGpu *fv_gpu_of_device(FvDevice *device);

/* Returns the bytes of frames uploaded so far. */
uint64_t fv_gpu_device_sent(const FvDevice *device);
