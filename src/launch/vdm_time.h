/* The visual discrimination model on GPUs: the temporal channels. */
#pragma once

#include "launch/vdm_recording.h"

/*
 * Record the steps from the retina to the filters that last, frame after frame, and add the transient responses to a
 * level's sum. Both include barriers, and are used with temporal channels only.
 */
void fv_vdm_record_time(const FvVdmRecording *r);
void fv_vdm_record_transient(const FvVdmRecording *r);
