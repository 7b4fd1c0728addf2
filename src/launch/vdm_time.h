/* The visual discrimination model on GPUs: the temporal channels. */
#pragma once

#include "launch/vdm_recording.h"

/*
 * fv_vdm_record_time() records the temporal filters frame by frame; their states persist. fv_vdm_record_transient()
 * records the addition of the transient responses to their level's sum. Both include barriers, and are used with
 * temporal channels only.
 */
void fv_vdm_record_time(const FvVdmRecording *r);
void fv_vdm_record_transient(const FvVdmRecording *r);
