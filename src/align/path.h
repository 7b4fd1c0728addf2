/*
 * The cheapest path through the distances of two videos: for each distorted frame the reference frame that it shows.
 * docs/alignment.md
 */
#ifndef FV_ALIGN_PATH_H
#define FV_ALIGN_PATH_H

#include "picture/signature.h"

#define FV_ALIGN_BASES 9 /* by index, and by time with eight phases */

/* Signatures of a video, one after the other. */
typedef struct FvAlignVideo {
    int frames;
    int32_t *signatures;
} FvAlignVideo;

/*
 * Distances of each distorted frame j to the reference frames base(j) + e, e from -reach to reach; place e + reach in
 * a row of 2 reach + 1. -1: the frame does not exist.
 */
typedef struct FvAlignPath {
    int base; /* 0: index; 1 + k: by time, phase k of 8 */
    int count, reach, width;
    int64_t *bases; /* base(j) */
    int32_t *distance;
    int32_t *came;  /* where the cheapest way to each place came from */
    int64_t *total; /* its cost */
    int *path;      /* the place in each row */
    int64_t noise, price, least;
} FvAlignPath;

/* rate_num/rate_den: reference frames for each distorted frame, for the bases by time. To be closed in any case. */
FvStatus fv_align_path_open(FvAlignPath *path, const FvAlignVideo *reference, const FvAlignVideo *distorted, int base,
                            int64_t rate_num, int64_t rate_den, int reach, FvError *error);
void fv_align_path_close(FvAlignPath *path);

/* The reference frame of distorted frame j, which may lie outside the video. */
static inline int64_t fv_align_pair(const FvAlignPath *path, int j)
{
    return path->bases[j] + path->path[j] - path->reach;
}

static inline int32_t fv_align_distance(const FvAlignPath *path, int j)
{
    return path->distance[(ptrdiff_t)j * path->width + path->path[j]];
}

/* *certain: of the frames that show a reference frame, those for which any other place costs a price more. */
FvStatus fv_align_certain(const FvAlignPath *path, int *certain, int64_t *least_gap, FvError *error);

/* The one place that beats all others in every part of the video, or -1. */
FvStatus fv_align_steady(const FvAlignPath *path, int *place, FvError *error);

/* The element of rank (count - 1) / 2; 0 of none. Changes the order. */
int64_t fv_align_median(int64_t *values, int count);

#endif
