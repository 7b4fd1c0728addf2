/* The visual discrimination model on GPUs: maps that scores do not need. */
#pragma once

#include "launch/vdm_recording.h"

/*
 * fv_vdm_record_level_maps() records the maps of levels; call it before the levels' sums are added up.
 * fv_vdm_record_chance() records the map of probability; call it after the map of JND.
 */
void fv_vdm_record_level_maps(const FvVdmRecording *r);
void fv_vdm_record_chance(const FvVdmRecording *r);
