/*
 * The visual discrimination model on GPUs: resampling to a retina of another size than the frame, and back to the
 * frame.
 */
#pragma once

#include "launch/vdm_recording.h"

FvVdmTables fv_vdm_gpu_tables(const FvVdmPlan *plan, int depth);

/* Fills the tables of the retina. memory: start of all constants. */
void fv_vdm_retina_constants(const FvVdmPlan *plan, const FvVdmTables *tables, void *memory);

/*
 * fv_vdm_record_retina() records the steps from the frame after optics to the retina, fv_vdm_record_enlarged() those
 * from the sums to the map of the frame's size. Both include barriers.
 */
void fv_vdm_record_retina(const FvVdmRecording *r);
void fv_vdm_record_enlarged(const FvVdmRecording *r);
