/* The mask videos of regions. Each is read once for all feature instances that it weights. docs/command.md */
#pragma once

#include "device/device.h"
#include "device/instances.h"
#include "fovea/source.h"

typedef struct FvMaskVideo {
    const char *path, *owner; /* path of the mask, and for messages the name of the first feature that uses it */
    FvSource *source;
    FvFrame *frame; /* the last frame that was read */
    int64_t number; /* number of `frame`; -1: none */
} FvMaskVideo;

typedef struct FvMasks {
    FvMaskVideo video[FV_MAX_INSTANCES];
    int count;
    int of_run[FV_MAX_INSTANCES]; /* index of each feature instance's mask; -1: none */
} FvMasks;

/* Opens the masks, after fv_instances_init(). The caller closes them, also after a failure. */
FvStatus fv_masks_open(FvMasks *masks, const FvFeatureInstances *runs, int threads, const FvCancel *cancel,
                       FvError *error);

/*
 * Sets the masks of a task that is scored to frame `number` of each mask video. FV_ERROR_INPUT: a mask video ends
 * before that frame, or the frame is black, so no sample has a weight.
 */
FvStatus fv_masks_give(FvMasks *masks, FvTask *task, int64_t number, FvError *error);

void fv_masks_close(FvMasks *masks);
