/*
 * Finds gaps in the time stamps of videos of constant rate: frames that a container lost or never had.
 * docs/alignment.md
 */
#pragma once

#include "fovea/fovea.h"

typedef struct FvGaps {
    double frame[2]; /* ticks per frame; 0: the frames have no times or no rate */
    int64_t last[2]; /* time of the previous frame */
    int64_t pairs;
    int64_t regular[2], odd[2]; /* number of steps of one frame, and of no whole number of frames */
    int64_t gaps[2], first[2],
        missing[2]; /* number of gaps, the pair after the first gap, and the number of frames missing there */
} FvGaps;

/*
 * Sets the rate of a side, and the unit of its frames' times: tick_num/tick_den seconds; 0/0: the frames have no
 * times.
 */
void fv_gaps_expect(FvGaps *gaps, int side, const FvFormat *format, int tick_num, int tick_den);

/* Adds the next pair, whose frames have the times `ticks`. timed[side]: the time of that side's frame is known. */
void fv_gaps_add(FvGaps *gaps, const bool timed[2], const int64_t ticks[2]);

/* Returns whether the side has a constant rate except for a few gaps. */
bool fv_gaps_found(const FvGaps *gaps, int side);
