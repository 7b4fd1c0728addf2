/* Chooses the display of a metric by its options and by tags. */
#pragma once

#include "feature/display.h"
#include "metric/light.h"

/* Returns `given` with "auto" and -1 replaced by what the tags say, or else by the defaults of docs/metrics/pu.md. */
FvDisplayOptions fv_display_by_tags(const FvMetricInstance *run, const FvDisplayOptions *given);

/*
 * Chooses the display, for FvMetric.init, and describes it in run->note. FV_ERROR_USAGE if no display fits the tags,
 * or if tags or options contradict each other; the message names the option that helps.
 */
FvStatus fv_display_choose(FvMetricInstance *run, const FvDisplayOptions *given, FvError *error);
