/* Reads the mask of a region. docs/command.md */
#pragma once

#include "picture/region.h"

/*
 * Checks the options, and reads the mask that they name, of a video its size alone; region->mask is then the caller's
 * to free, also after a failure. `owner` begins messages. FV_ERROR_INPUT: the file is not a mask.
 */
FvStatus fv_region_read(FvRegionOptions *region, const char *owner, FvError *error);

/* Opens the picture or video of a mask. FV_ERROR_INPUT: its samples are not weights from 0 to 255. */
FvStatus fv_mask_open(FvSource **source, const char *path, const char *owner, int threads, const FvCancel *cancel,
                      FvError *error);

/* region NULL or without a mask: does nothing. */
void fv_region_free(const FvRegionOptions *region);
