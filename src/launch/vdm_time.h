/* The visual discrimination model on GPUs: the temporal channels. */
#pragma once

#include "launch/vdm_recording.h"

/*
 * Record the temporal filters, whose states persist, frame by frame, and the addition of the transient responses to a
 * level's sum. Both include barriers, and are used with temporal channels only.
 */
void fv_vdm_record_time(const FvVdmRecording *r);
void fv_vdm_record_transient(const FvVdmRecording *r);
