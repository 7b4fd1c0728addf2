/* The visual discrimination model on GPUs: maps that scores do not need. */
#pragma once

#include "launch/vdm_recording.h"

/*
 * Record the maps of levels, before the levels' sums are added up, and the map of probability, after the map of JND.
 */
void fv_vdm_record_level_maps(const FvVdmRecording *r);
void fv_vdm_record_chance(const FvVdmRecording *r);
