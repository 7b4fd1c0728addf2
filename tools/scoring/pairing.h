/* Options that say what the videos are and how they are made comparable. */
#ifndef PAIRING_H
#define PAIRING_H

#include "cli/args.h"
#include "fovea/fovea.h"

/* As the command line has them; NULL and 0: not given. The reference's, then those of the distorted video. */
typedef struct Pairing {
    const char *range[2], *matrix[2], *transfer[2], *primaries[2], *siting[2];
    int64_t stream[2];
    const char *crop[2], *scale, *kernel;
    ArgList convert;
    const char *start, *duration;
} Pairing;

extern const char *const pairing_ranges[], *const pairing_sitings[];

/* FV_ERROR_USAGE after a message. */
FvStatus pairing_tags(const Pairing *pairing, int side, FvSourceParams *params);
FvStatus pairing_params(const Pairing *pairing, FvScoreParams *params);

/* With --crop-ref auto or --crop-dis auto: reads the file to its end and fills the crop. */
FvStatus pairing_find_bars(const Pairing *pairing, int side, const FvSourceParams *source, FvCrop *crop);

/* "90", "1:30" and "0:01:30.5" into microseconds. */
bool pairing_time(const char *text, int64_t *time);

#endif
