/* The visual discrimination model on GPUs: the temporal channels. */
#pragma once

#include "launch/vdm_recording.h"

/* From the retina to the filters that last, frame after frame; adds the transient responses to a level's sum. Both
 * with barriers, and only with temporal channels. */
void fv_vdm_record_time(const FvVdmRecording *r);
void fv_vdm_record_transient(const FvVdmRecording *r);
