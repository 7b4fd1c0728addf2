/* Shows the progress of a run on standard error: a bar on a terminal, or one JSON object per line. */
#pragma once

#include "fovea/fovea.h"

typedef enum ProgressStyle { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_JSON } ProgressStyle;

/*
 * Returns the style for a value of --progress. "auto": a bar if standard error is a terminal. NULL: the same, or none
 * if `quiet`.
 */
ProgressStyle progress_style(const char *name, bool quiet);

/* Shows the progress, at most ten times per second. */
void progress_show(ProgressStyle style, const FvProgress *progress);

/* Shows the last progress, however recent the previous display, and ends the bar. */
void progress_finish(ProgressStyle style);
