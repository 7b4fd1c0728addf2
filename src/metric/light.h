/* The colour of two videos by their tags, for metrics that turn samples into light. */
#pragma once

#include "feature/light.h"
#include "metric/metric.h"

/* The curve among fv_light_transfers for transfer characteristics of H.273, bt709 for 0; NULL: there is none. */
const char *fv_light_transfer_of(int code);

/* Returns whether a transfer is for standard dynamic range, or 0. */
bool fv_light_is_sdr(int transfer);

/* Returns the name in fv_light_primaries for a code point. */
const char *fv_light_primaries_of(int code);

/* `given` with each "auto" replaced: by what the tags say, or by BT.709, limited range and chroma at the left. */
FvLightOptions fv_light_by_tags(const FvMetricRun *run, const FvLightOptions *given);

/*
 * FV_ERROR_USAGE, with the option that helps, where an option is "auto" and a tag has no value for it, or the videos
 * are tagged with different ones. Members of `given` that are NULL are not checked.
 */
FvStatus fv_light_check(const FvMetricRun *run, const FvLightOptions *given, FvError *error);

/* Writes what counts and what no tag says into run->note. */
void fv_light_note(FvMetricRun *run, const FvLightOptions *given);
