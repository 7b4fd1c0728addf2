/* The progress of a scoring on standard error: a bar on a terminal, or one JSON object a line. */
#pragma once

#include "fovea/fovea.h"

typedef enum ProgressStyle { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_JSON } ProgressStyle;

/* NULL and "auto": a bar when standard error is a terminal. */
ProgressStyle progress_style(const char *name);

/* At most ten times a second. */
void progress_show(ProgressStyle style, const FvProgress *progress);

/* The last line, whatever the time, then the end of the bar. */
void progress_finish(ProgressStyle style);
