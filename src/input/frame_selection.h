/* The frames of a video that are needed when only each n-th frame is scored. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A selection of frames. All zeros: every frame. */
typedef struct FvFrameSelection {
    int64_t every;       /* each n-th frame from `first` on is scored; 0 and 1: all frames are needed */
    int64_t first;       /* number of the frame from which `every` counts; all frames before it are needed */
    int64_t whole;       /* number of frames from `first` on that are all needed */
    int64_t back, ahead; /* frames needed before and after each scored frame */
} FvFrameSelection;

/*
 * A few frames of a video: the first ones from `begin` on, then every step-th, and from `end` on every later-th. All
 * zeros: none. Where only multiples of `every` are read, the first of these at or after each of those frames.
 */
typedef struct FvSome {
    int64_t begin;            /* number of the frame that counts as 0 */
    int64_t first;            /* number of frames at the start that all are needed */
    int64_t step, later, end; /* distance of the frames before and from `end` on */
    int64_t whole, every;     /* from frame `whole` on, only multiples of `every` are read; every 0: all frames are */
} FvSome;

static inline bool fv_some_has(const FvSome *some, int64_t frame)
{
    const int64_t number = frame - some->begin, step = number < some->end ? some->step : some->later;
    const int64_t every = some->every > 1 && number >= some->whole ? some->every : 1;
    return number >= 0 && number % every == 0 && (number < some->first || (step && number % step < every));
}

static inline bool fv_selection_leaves_out(const FvFrameSelection *need)
{
    return need->every > need->back + need->ahead + 1;
}

static inline bool fv_selection_has(const FvFrameSelection *need, int64_t frame)
{
    const int64_t number = frame - need->first, behind = number % (need->every > 1 ? need->every : 1);
    return number < need->whole || !fv_selection_leaves_out(need) || behind <= need->ahead ||
           need->every - behind <= need->back;
}
