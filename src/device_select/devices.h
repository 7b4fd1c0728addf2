/* The devices of this build and machine. */
#pragma once

#include "device/device.h"
#include "gpu/drivers.h"

/* Opens the device with this name: "auto", "cpu", "vulkan:1", ... */
FvStatus fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error);

/*
 * Returns whether "auto" may find a GPU. It calls no driver, because loading one takes long on machines without a
 * GPU.
 */
bool fv_devices_may_have_gpu(void);

/* The results of earlier sessions for a feature on a GPU. */
typedef struct FvKnown {
    bool tested, good;
    double speed;    /* speed relative to one processor that needs FvFeature.cost; 0: unknown */
    double shown[2]; /* measured picoseconds per luma sample on a processor and on the GPU; 0: unknown */
} FvKnown;

/* Returns the results on this device; NULL: on the GPU of the last session. */
FvKnown fv_devices_known(FvDevice *device, const FvFeature *feature);

struct FvGpu;

/*
 * The device of "auto": the first usable hardware GPU of the drivers, a list that ends with NULL, else the CPU.
 * FvDevice.passed names a GPU that was found and not opened.
 */
FvStatus fv_devices_open_best(FvDevice **device, const FvDriver *drivers, const FvDeviceParams *params,
                              FvError *error);

/* The driver of a GPU by its name, "vulkan:1"; "cpu" and "auto" are refused. */
FvStatus fv_devices_open_gpu(struct FvGpu **gpu, const char *name, FvError *error);
