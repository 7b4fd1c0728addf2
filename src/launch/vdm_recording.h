/* A recording of the visual discrimination model: the places of its planes and tables, and its kernels' arguments. */
#pragma once

#include "feature/vdm_plan.h"
#include "gpu/launches.h"
#include "kernel/vdm.h"

/* Offsets in floats of a pair's planes, whose rows have no gaps. */
typedef struct FvVdmPlaces {
    int32_t chain[2][FV_VDM_HALVINGS + 1]; /* planes from the frame to the retina, as in the plan */
    int32_t wide[2];                       /* plane between the two directions of resampling */
    int32_t gauss[2][FV_VDM_LEVELS + 2], mean[2][FV_VDM_LEVELS + 1], sum[FV_VDM_LEVELS];
    int32_t transient[2][FV_VDM_TRANSIENT_LEVEL + 1]; /* used with temporal channels only */
    int32_t map[FV_VDM_HALVINGS + 1]; /* planes from the retina's size to the frame's, used if they differ */
    size_t floats;
} FvVdmPlaces;

FvVdmPlaces fv_vdm_places(const FvVdmPlan *plan);

/* Offsets in bytes of the constants, and the end of all constants. */
typedef struct FvVdmTables {
    size_t weights[FV_VDM_LEVELS], display;
    size_t across, down, linear; /* offsets of tables that list input samples and then their weights */
    size_t end;
} FvVdmTables;

/* A recording in progress. */
typedef struct FvVdmRecording {
    const FvVdmPlan *plan;
    const FvGpuBatch *batch;
    FvVdmPlaces places;
    FvVdmTables tables;
} FvVdmRecording;

/*
 * fv_vdm_args() returns arguments without a level, fv_vdm_level_args() those for a level that is computed from the
 * planes of the next level.
 */
FvVdmArgs fv_vdm_args(const FvVdmRecording *r);
FvVdmArgs fv_vdm_level_args(const FvVdmRecording *r, int level);

/* Launches a kernel over both frames, or one, with one sample per thread. */
void fv_vdm_launch_areas(const FvVdmRecording *r, const FvKernel *kernel, FvVdmArgs *args, uint32_t pictures);
