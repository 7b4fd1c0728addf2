/*
 * The cheapest path through the distances of two videos gives each distorted frame the reference frame that it shows.
 * docs/alignment.md
 */
#pragma once

#include "picture/signature.h"

#define FV_ALIGN_BASES 9 /* number of bases: one by index, and eight by time, with phases in steps of 1/8 frame */

/* The signatures of the frames of a video, one after the other. */
typedef struct FvAlignVideo {
    int frames;
    int32_t *signatures;
} FvAlignVideo;

/*
 * The cheapest path through the distances of two videos. Row j has the distances of distorted frame j to the
 * reference frames base(j) + e, e from -reach to reach, at the places e + reach. -1: that reference frame does not
 * exist.
 */
typedef struct FvAlignPath {
    int base; /* 0: base(j) is by index; 1 + k: by time, with a phase of k/8 frames */
    int count, reach, width;
    int64_t *bases; /* [j]: base(j), the reference frame in the middle of row j */
    int32_t *distance;
    int32_t *came;  /* place in the previous row on the cheapest path to each place */
    int64_t *total; /* cost of the cheapest path to each place */
    int *path;      /* place of the cheapest path in each row */
    int64_t noise, price, least;
} FvAlignPath;

/*
 * Finds the cheapest path. rate_num/rate_den: reference frames per distorted frame, for the bases by time. The caller
 * closes the path, also after an error.
 */
FvStatus fv_align_path_open(FvAlignPath *path, const FvAlignVideo *reference, const FvAlignVideo *distorted, int base,
                            int64_t rate_num, int64_t rate_den, int reach, FvError *error);
void fv_align_path_close(FvAlignPath *path);

/* Returns the reference frame of distorted frame j, which may be outside the video. */
static inline int64_t fv_align_pair(const FvAlignPath *path, int j)
{
    return path->bases[j] + path->path[j] - path->reach;
}

static inline int32_t fv_align_distance(const FvAlignPath *path, int j)
{
    return path->distance[(ptrdiff_t)j * path->width + path->path[j]];
}

/*
 * Counts the certain frames. *certain: number of frames that show a reference frame and for which every other place
 * costs at least path->price more. *least_gap: the smallest difference in cost of any frame.
 */
FvStatus fv_align_certain(const FvAlignPath *path, int *certain, int64_t *least_gap, FvError *error);

/*
 * Finds the place that beats all others over the entire video and loses clearly in no quarter of it. *place: -1:
 * none.
 */
FvStatus fv_align_steady(const FvAlignPath *path, int *place, FvError *error);

/* Sorts the values and returns the one at index (count - 1) / 2, or 0 if count is 0. */
int64_t fv_align_median(int64_t *values, int count);
