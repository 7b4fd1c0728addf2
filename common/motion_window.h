/*
 * Motion of VMAF: computes scores from the changes between frames, with a window over neighbouring frames.
 * docs/metrics/motion.md
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct FvMotionWindow {
    int64_t
        distance; /* distance of the two frames of a change: 1 or 2; the first `distance` frames have a change of 0 */
    double blend_factor, blend_offset, max_val;
    bool moving_average;
    bool (*exists)(const void *clip, int64_t frame);
    double (*change)(const void *clip, int64_t frame); /* change of a frame; any finite value for a missing one */
    const void *clip;
} FvMotionWindow;

static inline double fv_motion_least(double a, double b)
{
    return a < b ? a : b;
}

static inline double fv_motion2(const FvMotionWindow *w, int64_t frame)
{
    int64_t before = frame - (w->distance - 1);
    if (frame < w->distance)
        return 0;
    if (!w->exists(w->clip, frame + 1))
        return w->change(w->clip, frame);
    double after = w->change(w->clip, frame + 1);
    return before >= w->distance ? fv_motion_least(w->change(w->clip, before), after) : after;
}

static inline double fv_motion_blend(const FvMotionWindow *w, double motion)
{
    double blended = motion * w->blend_factor + (1 - w->blend_factor) * fv_motion_least(w->blend_offset, motion);
    return fv_motion_least(blended, w->max_val);
}

/* Returns the blended change of the first frame that has a change; 0: no frame has one. */
static inline double fv_motion_first(const FvMotionWindow *w)
{
    return w->exists(w->clip, w->distance) ? fv_motion_blend(w, w->change(w->clip, w->distance)) : 0;
}

static inline double fv_motion3(const FvMotionWindow *w, int64_t frame)
{
    if (frame < w->distance)
        return fv_motion_first(w);
    double here = fv_motion_blend(w, fv_motion2(w, frame));
    if (!w->moving_average)
        return here;
    double before = frame == w->distance ? fv_motion_first(w) : fv_motion_blend(w, fv_motion2(w, frame - 1));
    return (here + before) / 2.0;
}
