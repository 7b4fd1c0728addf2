/* The features of a session or a test, each once. Inputs come before the features that read them. */
#pragma once

#include "device/feature.h"

typedef struct FvFeatureInstances {
    FvFeatureInstance run[FV_MAX_INSTANCES];
    int count;
    FvFormat ycbcr_variant[2]; /* formats of the Y'CbCr variants: reference, distorted */
} FvFeatureInstances;

/*
 * Finds the instance of `feature` with these options on these frames (FvFeatureInstance.ycbcr_variant), or adds it
 * with its inputs. *position is its index in the list. The options are copied.
 */
FvStatus fv_instances_add(FvFeatureInstances *runs, const FvFeature *feature, const void *options, bool ycbcr_variant,
                          int *position, FvError *error);

/* Calls init of each instance. ref is NULL without a reference. The caller has set isa, threads and wanted_maps. */
FvStatus fv_instances_init(FvFeatureInstances *runs, const FvFormat *ref, const FvFormat *dis, FvError *error);

/* The instance's terms of a frame whose memory is complete. All NaNs become one, so that devices give equal bits. */
FvStatus fv_instance_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error);

void fv_instances_close(FvFeatureInstances *runs);

/* The position of an input among the instances. */
static inline int fv_instance_input(const FvFeatureInstance *runs, int run, int input)
{
    return (int)(runs[run].input[input] - runs);
}

/* Releases the options in a list of wants. */
void fv_wants_free(FvWants *wants);
