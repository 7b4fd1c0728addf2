/* Stills: one pair whose map and scores follow the options of a metric. */
#ifndef FOVEA_STILL_H
#define FOVEA_STILL_H

#include <fovea/frame.h>
#include <fovea/metric.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One pair, many parameters: a still keeps a pair where its maps are computed, and when options change computes again
 * only what they change. Nothing is read or uploaded twice. One thread at a time.
 */
typedef struct FvStill FvStill;

typedef struct FvStillParams {
    const char *device; /* NULL or "cpu"; a GPU as fv_devices_list names it */
    const char *isa;    /* CPU instructions; NULL or "auto": the best */
    int threads;        /* on the CPU, [0, 256]; 0: one */
} FvStillParams;

/*
 * The still holds references to both frames, which the host must be able to read; reference may be NULL. Both have
 * the same size, chroma and depth: FV_ERROR_INPUT otherwise. Close it with fv_still_close, whatever comes of its
 * maps.
 */
FV_API FvStatus fv_still_open(FvStill **still, const FvStillParams *params, const FvFrame *reference,
                              const FvFrame *distorted, FvError *error);

/*
 * Another pair takes the place of the one before, on the device that is open already, under the same conditions.
 * After a failure the still has no pair, and its maps are FV_ERROR_USAGE until it gets one.
 */
FV_API FvStatus fv_still_pair(FvStill *still, const FvFrame *reference, const FvFrame *distorted, FvError *error);

/*
 * The map of this name of a metric "name" or "name=option=value:...", and its scores; map NULL: scores only. The data
 * of *map (which may be NULL) is valid until the next call with this still. After a failure of options
 * (FV_ERROR_USAGE) the map before stays. Takes metrics that are made of one feature and look at one pair; the others
 * are FV_ERROR_USAGE, and what the device cannot compute is FV_ERROR_DEVICE. fv_still_map_on_device leaves the map on
 * the device.
 */
FV_API FvStatus fv_still_map(FvStill *still, const char *metric, const char *name, FvMap *map, FvError *error);

/* A score of the last call that succeeded, by the name of its output; NaN when there is none. */
FV_API double fv_still_value(const FvStill *still, const char *output);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_still_close(FvStill **still);

#ifdef __cplusplus
}
#endif

#endif
