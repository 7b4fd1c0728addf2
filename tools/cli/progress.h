/* Shows the progress of a run on standard error: a bar on a terminal, or one JSON object per line. */
#pragma once

#include "fovea/fovea.h"

typedef enum ProgressStyle { PROGRESS_NONE, PROGRESS_BAR, PROGRESS_JSON } ProgressStyle;

/*
 * Returns the style for a value of --progress. "auto": a bar if standard error is a terminal. NULL: the same, or none
 * if `quiet`.
 */
ProgressStyle progress_style(const char *name, bool quiet);

/* The facts of a run that the bar shows and FvProgress lacks. */
typedef struct ProgressMore {
    int64_t about;     /* estimated number of frames, for a run that does not know its number; below 1: unknown */
    int done, encodes; /* number of encodes that have ended, and of all encodes; `encodes` 0: the run has one pair */
} ProgressMore;

/* Shows the progress, at most ten times per second. `more` may be NULL. */
void progress_show(ProgressStyle style, const FvProgress *progress, const ProgressMore *more);

/* Shows the last progress, however recent the previous display, and ends the bar. */
void progress_finish(ProgressStyle style);
