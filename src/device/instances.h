/* The feature instances of a session or a test, without duplicates. Inputs precede the instances that read them. */
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

/*
 * Calls FvFeature.init of each instance. ref: NULL without a reference. The caller has set isa, threads and
 * wanted_maps.
 */
FvStatus fv_instances_init(FvFeatureInstances *runs, const FvFormat *ref, const FvFormat *dis, FvError *error);

/*
 * Computes the terms of a frame whose memory is complete. Replaces every NaN by the same NaN, so that all devices
 * return equal bits.
 */
FvStatus fv_instance_terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error);

void fv_instances_close(FvFeatureInstances *runs);

/* Returns the index of input `input` of instance `run`. */
static inline int fv_instance_input(const FvFeatureInstance *runs, int run, int input)
{
    return (int)(runs[run].input[input] - runs);
}

/* Releases the options in a list of wants. */
void fv_wants_free(FvWants *wants);
