/* Reads the mask of a region of interest. docs/command.md */
#pragma once

#include "picture/region.h"

/*
 * Checks the options and reads the mask that they name; of a video, only the size is read. The caller frees
 * region->mask with fv_region_free(), also after a failure. owner: the name at the start of messages. FV_ERROR_INPUT
 * if the file is not a mask.
 */
FvStatus fv_region_read(FvRegionOptions *region, const char *owner, FvError *error);

/* Opens the still picture or video of a mask. FV_ERROR_INPUT if its samples are not weights from 0 to 255. */
FvStatus fv_mask_open(FvSource **source, const char *path, const char *owner, int threads, const FvCancel *cancel,
                      FvError *error);

/* Frees the mask. Does nothing if `region` is NULL or has no mask. */
void fv_region_free(const FvRegionOptions *region);
