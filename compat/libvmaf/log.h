/* Prints lines on standard error, up to the log level of the process. */
#pragma once

#include "libvmaf/libvmaf.h"

/*
 * Sets the log level that a context requests. The environment variable FOVEA_LOG (none, error, warning, info, debug)
 * overrides it.
 */
void lv_log_level(enum VmafLogLevel level);

/* Prints one line; the text has no line end. */
__attribute__((format(printf, 2, 3))) void lv_log(enum VmafLogLevel level, const char *format, ...);
