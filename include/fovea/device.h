/*
 * Devices: the CPU and GPUs, their self-tests, and their measured speeds. A program that lists them:
 *
 *     FvDeviceList *list = NULL;
 *     if (!fv_devices_list(&list, NULL))
 *         for (int i = 0; i < fv_devices_count(list); i++)
 *             printf("%s: %s\n", fv_devices_info(list, i)->name, fv_devices_info(list, i)->title);
 *     fv_devices_close(&list);
 *
 * FvDeviceInfo.usable says whether a session can use a device.
 */
#ifndef FOVEA_DEVICE_H
#define FOVEA_DEVICE_H

#include <fovea/cancel.h>

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FvDeviceInfo {
    const char *name;   /* name for FvSessionParams.device: "cpu", "vulkan:0", "cuda:0", "hip:0" */
    const char *title;  /* product name of the processor */
    const char *driver; /* driver and its version; for the CPU its instruction sets, best first */
    uint64_t memory;    /* memory in bytes */
    bool usable;
    const char *limits; /* limits of a GPU's kernels; "" for the CPU */
    const char *lacks;  /* why the device is not usable, or what it lacks; "": it lacks nothing */
    bool software;      /* a GPU driver that computes on the CPU; "auto" never chooses it */
} FvDeviceInfo;

typedef struct FvDeviceList FvDeviceList;

/*
 * Lists the devices of this machine, which each call examines again. The caller closes *list. A missing driver is not
 * an error: its device is listed as not usable. fv_devices_info() returns device i in [0, count), else NULL; it
 * belongs to the list. fv_devices_in_all() returns whether device i is one of those that the name "all" means: a
 * usable GPU that is not software, and that no earlier device of "all" is through another driver.
 */
FV_API FvStatus fv_devices_list(FvDeviceList **list, FvError *error);
FV_API int fv_devices_count(const FvDeviceList *list);
FV_API const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i);
FV_API bool fv_devices_in_all(const FvDeviceList *list, int i);
FV_API void fv_devices_close(FvDeviceList **list);

/*
 * Returns the number of processors that this process may use, at least 1: those of its affinity, or fewer if the
 * quota of its control group, rounded up, is lower. It is the default number of threads. Thread-safe.
 */
FV_API int fv_processors(void);

/*
 * Tests a GPU against plain C: every operation of its arithmetic, scaling, the conversion of decoded pictures, and
 * every metric that has kernels, on small frames. Calls `report` once for each metric that has kernels, for "scaling"
 * and for "decoding"; `why` is "" when the test passed. The results are stored for later sessions. A session runs the
 * same tests when it uses a device, driver or kernel for the first time, and computes the metrics that fail on the
 * CPU instead. The CPU always passes without a call of `report`, since it is the standard. FV_ERROR_USAGE: `device`
 * does not have the form of FvDeviceInfo.name. FV_ERROR_DEVICE: a test failed, or the device does not exist or cannot
 * be opened. FV_ERROR_PARTIAL: `cancel`, which may be NULL, requested a stop, which ended the tests after the current
 * one.
 */
FV_API FvStatus fv_device_verify(const char *device, const FvCancel *cancel,
                                 void (*report)(void *opaque, const char *metric, bool good, const char *why),
                                 void *opaque, FvError *error);

typedef struct FvDeviceReportParams {
    const char *credit;     /* name that the report credits; NULL: none */
    bool brief;             /* test only a short list of frames and measure no speeds; takes seconds */
    const FvCancel *cancel; /* or NULL. A request ends the tests after the current one: FV_ERROR_PARTIAL */
    void (*on_test)(void *opaque, const char *text); /* called before each test with its name; or NULL */
    void *opaque;
} FvDeviceReportParams;

/*
 * Tests a device against plain C on a long list of frames and options, measures its speeds, and writes the outcome to
 * `file` as JSON, which docs/devices/README.md describes. For the CPU, each instruction set is tested. Stored results
 * of earlier tests are neither read nor written. The report contains no name of a user, host or file, and no serial
 * number. *differing gets the number of metrics of which any bit differs. FV_ERROR_USAGE: `device` does not have the
 * form of FvDeviceInfo.name, or is "auto". FV_ERROR_DEVICE: the device does not exist or cannot be opened.
 * FV_ERROR_PARTIAL: a stop was requested. Failed writes are not reported; check ferror(file).
 */
FV_API FvStatus fv_device_report(const char *device, const FvDeviceReportParams *params, FILE *file, int *differing,
                                 FvError *error);

/*
 * Lists the speeds measured on this machine, by which "auto" chooses a device: calls `tell` with one sentence for
 * each, the latest measurement last. FV_ERROR_INPUT: the file that stores them is damaged and is ignored.
 */
FV_API FvStatus fv_speeds_list(void (*tell)(void *opaque, const char *line), void *opaque, FvError *error);

/* Deletes the file with the measured speeds. FV_ERROR_OUTPUT: it cannot be deleted. */
FV_API FvStatus fv_speeds_clear(FvError *error);

#ifdef __cplusplus
}
#endif

#endif
