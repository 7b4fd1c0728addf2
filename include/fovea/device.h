/* Devices: the CPU and GPUs. */
#ifndef FOVEA_DEVICE_H
#define FOVEA_DEVICE_H

#include <fovea/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FvDeviceInfo {
    const char *name;   /* what --device takes: "cpu", "vulkan:0", "cuda:0" */
    const char *title;  /* the processor's own name */
    const char *driver; /* driver and its version; for the CPU the instruction sets, best first */
    uint64_t memory;    /* bytes */
    bool usable;
    const char *limits; /* for a GPU, what bounds its kernels; "" for the CPU */
    const char *lacks;  /* why it is not usable, or what it lacks; "" for nothing */
    bool software;      /* a GPU's driver that computes on the CPU; "auto" never chooses it */
} FvDeviceInfo;

typedef struct FvDeviceList FvDeviceList;

/* Looks at the machine anew. Absent drivers are not an error: their device is listed as not usable. */
FV_API FvStatus fv_devices_list(FvDeviceList **list, FvError *error);
FV_API int fv_devices_count(const FvDeviceList *list);
FV_API const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i);
FV_API void fv_devices_close(FvDeviceList **list);

/*
 * Tests a GPU now: every operation of its arithmetic, and every metric that has kernels, against plain C on small
 * frames, and scaling. `report` is called once for each metric and for "scaling", `why` being "" for a good one. A
 * session does the same by itself when it meets a device, driver or kernel for the first time; metrics that fail are
 * then computed on the CPU. Returns FV_ERROR_DEVICE when anything failed or the device cannot be opened. The CPU is
 * the measure and always passes.
 */
FV_API FvStatus fv_device_verify(const char *device,
                                 void (*report)(void *opaque, const char *metric, bool good, const char *why),
                                 void *opaque, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
