/* The display of a metric by options and tags. */
#pragma once

#include "feature/display.h"
#include "metric/light.h"

/* `given` with "auto" and -1 replaced: by what the tags say, or by the defaults of docs/metrics/pu.md. */
FvDisplayOptions fv_display_by_tags(const FvMetricRun *run, const FvDisplayOptions *given);

/*
 * Chooses the display, for FvMetric.init, and describes it in run->note. FV_ERROR_USAGE, with the option that helps:
 * tags have no display or contradict each other, or options do.
 */
FvStatus fv_display_choose(FvMetricRun *run, const FvDisplayOptions *given, FvError *error);
