/* Lines on standard error, up to the level of the process. */
#pragma once

#include "libvmaf/libvmaf.h"

/* The level that a context asks for. The environment variable FOVEA_LOG (none, error, warning, info, debug) wins. */
void lv_log_level(enum VmafLogLevel level);

/* One line, without its end. */
__attribute__((format(printf, 2, 3))) void lv_log(enum VmafLogLevel level, const char *format, ...);
