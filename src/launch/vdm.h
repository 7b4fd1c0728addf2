/* The visual discrimination model on GPUs: where its planes and tables are, and the parts of a recording. */
#ifndef FV_LAUNCH_VDM_H
#define FV_LAUNCH_VDM_H

#include "feature/vdm_plan.h"
#include "gpu/launches.h"
#include "kernel/vdm.h"

/* Offsets in floats of the planes of a pair, rows tight. */
typedef struct FvVdmPlaces {
    int32_t chain[2][FV_VDM_HALVINGS + 1]; /* from the picture to the retina, as in the plan */
    int32_t wide[2];                       /* between the directions of resampling */
    int32_t gauss[2][FV_VDM_LEVELS + 2], mean[2][FV_VDM_LEVELS + 1], sum[FV_VDM_LEVELS];
    int32_t transient[2][FV_VDM_TRANSIENT_LEVEL + 1]; /* only with temporal channels */
    int32_t map[FV_VDM_HALVINGS + 1]; /* from the retina's to the picture's; only where the two differ */
    size_t floats;
} FvVdmPlaces;

FvVdmPlaces fv_vdm_places(const FvVdmPlan *plan);

/* Offsets in bytes of the constants, and of all of them their end. */
typedef struct FvVdmTables {
    size_t weights[FV_VDM_LEVELS], display;
    size_t across, down, linear; /* numbers of samples; their weights follow */
    size_t end;
} FvVdmTables;

FvVdmTables fv_vdm_gpu_tables(const FvVdmPlan *plan, int depth);

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

/* Tables of the retina. `memory`: of the constants. */
void fv_vdm_retina_constants(const FvVdmPlan *plan, const FvVdmTables *tables, void *memory);

/* From what optics gives to the retina, and from the sums to the map of the picture: barriers included. */
void fv_vdm_record_retina(const FvVdmRecording *r);
void fv_vdm_record_enlarged(const FvVdmRecording *r);

/* From the retina to what stays of each frame, in order of frames, and what changes adds to a sum: barriers included.
 */
void fv_vdm_record_time(const FvVdmRecording *r);
void fv_vdm_record_transient(const FvVdmRecording *r);

/* Maps other than jnd: those of levels, before their sums are added up, and the probability, after the map. */
void fv_vdm_record_level_maps(const FvVdmRecording *r);
void fv_vdm_record_chance(const FvVdmRecording *r);

static inline bool fv_vdm_other_size(const FvVdmPlan *plan)
{
    return plan->halvings || plan->resampled;
}

#endif
