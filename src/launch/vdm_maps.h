/* The visual discrimination model on GPUs: maps that scores do not need. */
#pragma once

#include "launch/vdm_recording.h"

/* Maps of levels, before their sums are added up; the probability, after the map of JND. */
void fv_vdm_record_level_maps(const FvVdmRecording *r);
void fv_vdm_record_chance(const FvVdmRecording *r);
