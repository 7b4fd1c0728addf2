/* How the two videos are read and made comparable, from the options. Each returns FV_ERROR_USAGE after a message. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/* The tags, stream, rotation and RGB conversion of one side. */
FvStatus pairing_tags(const Options *options, int side, FvSourceParams *params);

/* Everything but the crops that pairing_find_bars finds. */
FvStatus pairing_params(const Options *options, FvScoreParams *params);

/* With --crop-ref auto or --crop-dis auto: reads the file to its end and fills the crop. */
FvStatus pairing_find_bars(const Options *options, int side, const FvSourceParams *source, FvCrop *crop);

/* The time that `option` gives, "90", "1:30" or "0:01:30.5", into microseconds; NULL: 0. `zero`: the text may be 0.
 */
FvStatus pairing_time(const char *option, const char *text, bool zero, int64_t *time);
