#include "align/gaps.h"

#define LEAST_TICKS 4     /* least ticks per frame, so that rounded times distinguish one frame from two */
#define MOST_FRAMES 1000  /* maximum number of frames of a gap; a longer one is a join of two recordings */
#define REGULAR_FOR_GAP 8 /* minimum number of regular steps per gap; with fewer, the rate varies */

/*
 * Returns how many frames the time to the last frame spans; 0: no whole number. Containers round each time to a tick.
 */
static int64_t step_of(const FvGaps *gaps, int side, int64_t ticks)
{
    const double frame = gaps->frame[side], step = (double)ticks - (double)gaps->last[side];
    if (step <= 0 || step > MOST_FRAMES * frame)
        return 0;
    const int64_t frames = (int64_t)(step / frame + 0.5);
    const double off = step - (double)frames * frame;
    return off >= -1 && off <= 1 ? frames : 0;
}

void fv_gaps_expect(FvGaps *gaps, int side, const FvFormat *format, int tick_num, int tick_den)
{
    if (format->rate_num > 0 && tick_num > 0)
        gaps->frame[side] = (double)format->rate_den * tick_den / ((double)format->rate_num * tick_num);
}

void fv_gaps_add(FvGaps *gaps, const bool timed[2], const int64_t ticks[2])
{
    int64_t step[2] = {1, 1};
    for (int side = 0; side < 2; side++) {
        if (gaps->frame[side] < LEAST_TICKS)
            continue;
        if (gaps->pairs)
            step[side] = timed[side] ? step_of(gaps, side, ticks[side]) : 0;
        gaps->odd[side] += !step[side];
        gaps->last[side] = ticks[side];
    }
    for (int side = 0; side < 2 && gaps->pairs; side++) {
        gaps->regular[side] += step[side] == 1;
        /* An equal gap on both sides was there before encoding. */
        if (step[side] <= 1 || step[0] == step[1])
            continue;
        if (!gaps->gaps[side]++) {
            gaps->first[side] = gaps->pairs;
            gaps->missing[side] = step[side] - 1;
        }
    }
    gaps->pairs++;
}

bool fv_gaps_found(const FvGaps *gaps, int side)
{
    return gaps->gaps[side] && !gaps->odd[side] && REGULAR_FOR_GAP * gaps->gaps[side] <= gaps->regular[side];
}
