/* Opens the devices of this build and machine by name, and by "auto". */
#pragma once

#include "device/device.h"
#include "gpu/drivers.h"

/* Opens the device that params->name names: "auto", "cpu", "vulkan:1", ... */
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

/* Returns the results for `feature` on a device; `device` NULL: on the GPU of the last session. */
FvKnown fv_devices_known(FvDevice *device, const FvFeature *feature);

struct FvGpu;

/*
 * Opens the device of "auto": the first usable hardware GPU of `drivers`, a list that ends with a zeroed entry, or
 * else the CPU. FvDevice.passed names a GPU that was found but not opened.
 */
FvStatus fv_devices_open_best(FvDevice **device, const FvDriver *drivers, const FvDeviceParams *params,
                              FvError *error);

/* Opens a GPU by its name, such as "vulkan:1", without an FvDevice on it. Refuses "cpu" and "auto". */
FvStatus fv_devices_open_gpu(struct FvGpu **gpu, const char *name, FvError *error);

/* Lists devices as fv_devices_list() does, with the GPUs of `drivers`, a list that ends with a zeroed entry. */
FvStatus fv_devices_list_of(FvDeviceList **list, const FvDriver *drivers, FvError *error);
