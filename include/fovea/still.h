/*
 * Stills: maps and scores of one pair of frames, for changing options of a metric. A program that computes a map:
 *
 *     #include <fovea/fovea.h>
 *
 *     FvStatus map_pair(const FvFrame *reference, const FvFrame *distorted, FvError *error);
 *
 *     FvStatus map_pair(const FvFrame *reference, const FvFrame *distorted, FvError *error)
 *     {
 *         FvStill *still = NULL;
 *         FvMap map;
 *         FvStatus status = fv_still_open(&still, &(FvStillParams){0}, reference, distorted, error);
 *         if (!status)
 *             status = fv_still_map(still, "ssim", "ssim", &map, error);
 *         if (!status)
 *             printf("%d x %d, first value %g\n", map.width, map.height, (double)map.data[0]);
 *         fv_still_close(&still);
 *         return status;
 *     }
 */
#ifndef FOVEA_STILL_H
#define FOVEA_STILL_H

#include <fovea/cancel.h>
#include <fovea/frame.h>
#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A still, which keeps one pair of frames on the device that computes its maps. When options change, it computes only
 * the affected steps again. Nothing is read or uploaded twice. One thread at a time.
 */
typedef struct FvStill FvStill;

typedef struct FvStillParams {
    const char *device;     /* NULL or "cpu", or a GPU's FvDeviceInfo.name; not "auto" */
    const char *isa;        /* instruction set of the CPU; NULL or "auto": the best */
    int threads;            /* number of threads on the CPU, [0, 256]; 0: one */
    const FvCancel *cancel; /* or NULL. A stop request ends fv_still_map() with FV_ERROR_PARTIAL and without a map; on
                               a GPU only after its current work */
} FvStillParams;

/*
 * Opens a still, which the caller closes. It keeps references to both frames, which must be in host memory; reference
 * may be NULL. Metrics follow the colour in their formats. FV_ERROR_USAGE: the number of threads is out of its range,
 * `device` or `isa` is none of these names, or a frame for a GPU is not in host memory. FV_ERROR_INPUT: sizes, chroma
 * formats or depths of the two differ. FV_ERROR_DEVICE: the device does not exist, cannot be opened or failed, or the
 * CPU cannot run the instruction set.
 */
FV_API FvStatus fv_still_open(FvStill **still, const FvStillParams *params, const FvFrame *reference,
                              const FvFrame *distorted, FvError *error);

/*
 * Replaces the pair, under the conditions of fv_still_open(); the device stays open. After a failure the still has no
 * pair, and fv_still_map() returns FV_ERROR_USAGE until it gets one.
 */
FV_API FvStatus fv_still_pair(FvStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error);

/*
 * Computes the map `name` of `metric` ("name" or "name=option=value:...") and its scores; name NULL: scores only. The
 * data of *map is valid until the next call with this still; map may be NULL. fv_still_map_on_device() leaves the map
 * on the device. FV_ERROR_USAGE: there is no such metric or map, its options are wrong, or the metric has several
 * features, needs a reference that the still lacks, or needs more than one pair; the previous map then stays valid.
 * FV_ERROR_INPUT: a file that an option names cannot be read. FV_ERROR_DEVICE: the device failed, or cannot compute
 * the metric.
 */
FV_API FvStatus fv_still_map(FvStill *still, const char *metric, const char *name, FvMap *map, FvError *error);

/*
 * Returns a score of the last successful call by the name of its output; NaN: there is none, as after fv_still_pair()
 * or a call that failed while it computed. There is also none if the weights of a region are a video, since a single
 * pair does not determine which frame of that video applies.
 */
FV_API double fv_still_value(const FvStill *still, const char *output);

FV_API void fv_still_close(FvStill **still);

#ifdef __cplusplus
}
#endif

#endif
