/* Stills: one pair of frames under changing options of a metric. */
#ifndef FOVEA_STILL_H
#define FOVEA_STILL_H

#include <fovea/cancel.h>
#include <fovea/frame.h>
#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One pair, many parameters: a still keeps a pair on the device that computes its maps. When options change, it
 * computes only the affected steps again. Nothing is read or uploaded twice. One thread at a time.
 */
typedef struct FvStill FvStill;

typedef struct FvStillParams {
    const char *device;     /* NULL or "cpu"; a GPU as fv_devices_list names it */
    const char *isa;        /* CPU instructions; NULL or "auto": the best */
    int threads;            /* on the CPU, [0, 256]; 0: one */
    const FvCancel *cancel; /* or NULL. A stop request ends fv_still_map: FV_ERROR_PARTIAL, and there is no map. On a
                               GPU once its work is done */
} FvStillParams;

/*
 * The still holds references to both frames, which must be readable by the host; reference may be NULL.
 * Metrics follow the colour in their formats. FV_ERROR_INPUT: their sizes, chroma formats or depths differ.
 */
FV_API FvStatus fv_still_open(FvStill **still, const FvStillParams *params, const FvFrame *reference,
                              const FvFrame *distorted, FvError *error);

/*
 * Replaces the pair, under the same conditions; the device stays open. After a failure the still has no pair, and its
 * maps are FV_ERROR_USAGE until it gets one.
 */
FV_API FvStatus fv_still_pair(FvStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error);

/*
 * Computes the map `name` of a metric, "name" or "name=option=value:...", and its scores; name NULL: scores only. The
 * data of *map is valid until the next call with this still; map may be NULL. The metric must consist of one feature
 * and need one pair only, or FV_ERROR_USAGE. After FV_ERROR_USAGE for options the map before stays valid.
 * FV_ERROR_DEVICE: the device cannot compute the metric. fv_still_map_on_device leaves the map on the device.
 */
FV_API FvStatus fv_still_map(FvStill *still, const char *metric, const char *name, FvMap *map, FvError *error);

/*
 * A score of the last successful call, by the name of its output; NaN: there is none, as where the weights of a
 * region are a video, since a pair does not tell which of its frames counts.
 */
FV_API double fv_still_value(const FvStill *still, const char *output);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_still_close(FvStill **still);

#ifdef __cplusplus
}
#endif

#endif
