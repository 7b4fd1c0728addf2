/* The colour of two videos by their tags, for metrics that convert samples to linear light. */
#pragma once

#include "feature/light.h"
#include "metric/metric.h"

/*
 * Returns the curve in fv_light_transfers for transfer characteristics of H.273; bt709 for 0, NULL if there is none.
 */
const char *fv_light_transfer_of(int code);

/* Returns whether a transfer characteristic of H.273 is for standard dynamic range; true for 0 as well. */
bool fv_light_is_sdr(int transfer);

/* Returns the name in fv_light_primaries for a code point of H.273. */
const char *fv_light_primaries_of(int code);

/*
 * Returns `given` with each "auto" replaced by what the tags say, or else by BT.709, limited range, and left-sited
 * chroma.
 */
FvLightOptions fv_light_by_tags(const FvMetricInstance *run, const FvLightOptions *given);

/*
 * FV_ERROR_USAGE if an option is "auto" and no value of it fits a tag, or if the two videos have different tags; the
 * message names the option that helps. Members of `given` that are NULL are not checked.
 */
FvStatus fv_light_check(const FvMetricInstance *run, const FvLightOptions *given, FvError *error);

/* Writes to run->note which colour is assumed, and which part of it no tag states. */
void fv_light_note(FvMetricInstance *run, const FvLightOptions *given);
