/* Numbers of a report without the report, for the command of fovea alone: libvmaf has no such call, and libvmaf.so
 * exports none. */
#pragma once

#include <stdbool.h>

#include "libvmaf/libvmaf.h"

/*
 * The number that vmaf_write_output() prints under `name`, in all its digits: of the picture `index` where `pool` is
 * NULL; of all pictures where `pool` is "min", "max", "mean" or "harmonic_mean"; of the clip where it is "clip".
 * false: the report has no such number.
 */
bool lv_report_number(VmafContext *context, const char *name, const char *pool, unsigned index, double *value);
