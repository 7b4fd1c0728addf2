/*
 * Where errors count: a rectangle, or a mask with a weight for each sample of luma. Metrics that take a region weight
 * the values that they pool. docs/command.md
 */
#pragma once

#include "option/option.h"

/* Weights from 0 to 255, rows without gaps. */
typedef struct FvMask {
    uint8_t *weight;
    int width, height;
} FvMask;

typedef struct FvRegionOptions {
    const char *rectangle, *path; /* "W:H:X:Y"; a mask. NULL: not given */
    const FvMask *mask;           /* of `path`; the metric that names it has read it */
} FvRegionOptions;

/* The options of a region that is the member `at` of Struct. */
#define FV_REGION_OPTIONS(X, Struct, at)                                                                             \
    X(Struct, at.rectangle, TEXT,                                                                                    \
      ("roi", NULL, NULL, NULL, "only the part W:H:X:Y of the pictures counts; unset: all of them"))                 \
    X(Struct, at.path, PATH, ("roi_mask", NULL, "gray picture of the pictures' size, whose samples are weights"))

/* The region among a struct of options; NULL: the table has none. */
FvRegionOptions *fv_region_among(const void *options, const FvOptions *table);

/* Whether only a part counts, or parts count differently. */
static inline bool fv_region_given(const FvRegionOptions *region)
{
    return region && (region->rectangle || region->path);
}

/* FV_ERROR_USAGE: the options contradict each other, or the rectangle is not one. */
FvStatus fv_region_check(const FvRegionOptions *region, const char *owner, FvError *error);

/* How the values of a map lie on the luma samples of a picture. */
typedef struct FvRegionGrid {
    int width, height; /* values */
    int across, down;  /* samples of luma that a value stands for; 1024 at most */
    int left, above;   /* the first of them for the first value; not negative */
    const char *each;  /* one of the values, for messages: "sample of Cb" */
} FvRegionGrid;

/*
 * The weight of each value of a map: the sum of the weights of its samples of luma, where those beyond the last
 * column or row repeat it. All are divided by their greatest common divisor; equal ones are none.
 */
typedef struct FvWeights {
    uint32_t *weight; /* NULL: all values count the same */
    ptrdiff_t stride; /* in values; the end of a row may be passed by 64 */
    uint64_t sum;     /* of all weights */
    uint32_t most;    /* the greatest one */
} FvWeights;

/*
 * `width`, `height`: of the pictures. The caller frees the weights, also after a failure. FV_ERROR_INPUT: the region
 * does not fit the pictures, or all weights are 0.
 */
FvStatus fv_region_weigh(FvWeights *weights, const FvRegionOptions *region, int width, int height,
                         const FvRegionGrid *grid, const char *owner, FvError *error);

/* The same for the samples of a plane; `columns` and `rows` of it are compared. */
FvStatus fv_region_weigh_plane(FvWeights *weights, const FvRegionOptions *region, const FvFormat *format, int plane,
                               int columns, int rows, const char *owner, FvError *error);

/* The weighted sum of squares of this depth might not fit. */
FvStatus fv_region_refuse_sum(int depth, const char *owner, FvError *error);

void fv_weights_free(FvWeights *weights);
