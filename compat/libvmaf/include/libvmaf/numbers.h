/*
 * The numbers of a report, for the command `fovea vmaf` only: libvmaf has no such call, so libvmaf.so does not export
 * this one.
 */
#pragma once

#include <stdbool.h>

#include "libvmaf/libvmaf.h"

/*
 * Returns, in full precision, the number that vmaf_write_output() prints under `name`. `pool` NULL: of the picture
 * `index`; "min", "max", "mean" or "harmonic_mean": pooled over all pictures; "clip": of the clip. false: the report
 * has no such number.
 */
bool lv_report_number(VmafContext *context, const char *name, const char *pool, unsigned index, double *value);
