/* The videos that are masks of regions: each is read once for all runs that it weights. docs/command.md */
#pragma once

#include "device/device.h"
#include "device/runs.h"
#include "fovea/source.h"

typedef struct FvMaskVideo {
    const char *path, *owner; /* of the first run that names it */
    FvSource *source;
    FvFrame *frame; /* the last one that was read */
    int64_t number; /* of that frame; -1: none */
} FvMaskVideo;

typedef struct FvMasks {
    FvMaskVideo video[FV_MAX_RUNS];
    int count;
    int of_run[FV_MAX_RUNS]; /* -1: the run has none */
} FvMasks;

/* After fv_runs_init. The caller closes the masks, also after a failure. */
FvStatus fv_masks_open(FvMasks *masks, const FvRuns *runs, int threads, const FvCancel *cancel, FvError *error);

/*
 * Gives a task that is scored frame `number` of each mask. FV_ERROR_INPUT: a mask ends before it, or the frame is
 * black, so that nothing counts.
 */
FvStatus fv_masks_give(FvMasks *masks, FvTask *task, int64_t number, FvError *error);

void fv_masks_close(FvMasks *masks);
