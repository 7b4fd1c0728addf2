/* The two videos that a command reads at the same time. */
#ifndef VIDEOS_H
#define VIDEOS_H

#include "fovea/fovea.h"

/*
 * FV_ERROR_USAGE after a message when both names stand for one pipe, which two readers would split between them.
 * Either may be NULL.
 */
FvStatus videos_check(const char *reference, const char *distorted);

#endif
