/* Devices: the CPU and GPUs. */
#ifndef FOVEA_DEVICE_H
#define FOVEA_DEVICE_H

#include <fovea/cancel.h>

#include <stdio.h>

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

/* Examines the machine each time. A missing driver is not an error: its device is listed as not usable. */
FV_API FvStatus fv_devices_list(FvDeviceList **list, FvError *error);
FV_API int fv_devices_count(const FvDeviceList *list);
FV_API const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i);
FV_API void fv_devices_close(FvDeviceList **list);

/* The processors that this process may use, at least 1: those of its affinity, or fewer where the quota of its
 * control group, rounded up, is less. By default this many threads work. Thread-safe. */
FV_API int fv_processors(void);

/*
 * Tests a GPU against plain C: every operation of its arithmetic, and scaling and every metric with kernels on small
 * frames. Calls `report` once for each metric and once for "scaling"; `why` is "" when the test passed. A session
 * runs the same tests when it meets a device, driver or kernel for the first time, and computes metrics that fail on
 * the CPU. FV_ERROR_DEVICE: a test failed, or the device cannot be opened. The CPU always passes: it sets the
 * standard. A stop request of `cancel`, which may be NULL, ends the tests after the current one: FV_ERROR_PARTIAL.
 */
FV_API FvStatus fv_device_verify(const char *device, const FvCancel *cancel,
                                 void (*report)(void *opaque, const char *metric, bool good, const char *why),
                                 void *opaque, FvError *error);

typedef struct FvDeviceReportParams {
    const char *credit;     /* whom the report names; NULL: nobody */
    bool brief;             /* a short list of frames, without speeds: a try that takes seconds */
    const FvCancel *cancel; /* or NULL. A stop request ends the tests after the current one: FV_ERROR_PARTIAL */
    void (*hear)(void *opaque, const char *text); /* or NULL: hears which feature is tested next */
    void *opaque;
} FvDeviceReportParams;

/*
 * Tests a device against plain C on a long list of frames and options, measures its speeds, and writes the outcome to
 * `file` as JSON that docs/devices/README.md describes. Of the CPU, each instruction set is tested. Results that are
 * kept from earlier tests are neither read nor written. The report holds no name of a user, host or file, and no
 * serial number. *differing: number of metrics with a bit that is not the same. FV_ERROR_DEVICE: the device cannot be
 * opened.
 */
FV_API FvStatus fv_device_report(const char *device, const FvDeviceReportParams *params, FILE *file, int *differing,
                                 FvError *error);

/*
 * What this machine has shown of its speeds, by which "auto" chooses a device: calls `tell` with a sentence for each,
 * the one shown last at the end. FV_ERROR_INPUT: the file they are kept in is damaged, and counts for nothing.
 */
FV_API FvStatus fv_speeds_tell(void (*tell)(void *opaque, const char *line), void *opaque, FvError *error);

/* Removes that file. FV_ERROR_OUTPUT: it stays. */
FV_API FvStatus fv_speeds_forget(FvError *error);

#ifdef __cplusplus
}
#endif

#endif
