/* A recording of the visual discrimination model: where its planes and tables are, and the arguments of its kernels.
 */
#pragma once

#include "feature/vdm_plan.h"
#include "gpu/launches.h"
#include "kernel/vdm.h"

/* Offsets in floats of the planes of a pair, rows tight. */
typedef struct FvVdmPlaces {
    int32_t chain[2][FV_VDM_HALVINGS + 1]; /* steps from the frame to the retina, as in the plan */
    int32_t wide[2];                       /* between the directions of resampling */
    int32_t gauss[2][FV_VDM_LEVELS + 2], mean[2][FV_VDM_LEVELS + 1], sum[FV_VDM_LEVELS];
    int32_t transient[2][FV_VDM_TRANSIENT_LEVEL + 1]; /* used with temporal channels only */
    int32_t map[FV_VDM_HALVINGS + 1]; /* steps from the retina's size to the frame's, used if they differ */
    size_t floats;
} FvVdmPlaces;

FvVdmPlaces fv_vdm_places(const FvVdmPlan *plan);

/* Offsets in bytes of the constants, and of all of them their end. */
typedef struct FvVdmTables {
    size_t weights[FV_VDM_LEVELS], display;
    size_t across, down, linear; /* numbers of samples; their weights follow */
    size_t end;
} FvVdmTables;

/* A recording under way. */
typedef struct FvVdmRecording {
    const FvVdmPlan *plan;
    const FvGpuBatch *batch;
    FvVdmPlaces places;
    FvVdmTables tables;
} FvVdmRecording;

/* Arguments without a level, and those for a level that is written from the planes of the next one. */
FvVdmArgs fv_vdm_args(const FvVdmRecording *r);
FvVdmArgs fv_vdm_level_args(const FvVdmRecording *r, int level);

uint32_t fv_vdm_groups(int samples, int each);

/* Both pictures, or one, in areas of one sample a thread. */
void fv_vdm_launch_areas(const FvVdmRecording *r, const FvKernel *kernel, FvVdmArgs *args, uint32_t pictures);
