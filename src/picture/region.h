/*
 * Where errors count: a rectangle, or a mask with a weight for each sample of luma. Metrics that take a region weight
 * the values that they pool. docs/command.md
 */
#pragma once

#include "option/option.h"

/* Weights from 0 to 255, rows without gaps. */
typedef struct FvMask {
    uint8_t *weight; /* NULL: of a video, each of whose frames has its own */
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
    X(Struct, at.path, PATH,                                                                                         \
      ("roi_mask", NULL, "gray picture or video of the pictures' size, whose samples are weights"))

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
    uint64_t sum;     /* of all weights; 0: no value counts, which only a frame of a mask can say */
    uint32_t most;    /* the greatest one */
    uint32_t divisor; /* by which all were divided */
} FvWeights;

/* Weighs the values of a map: once for all frames, or by each frame of a mask that is a video. */
typedef struct FvWeigher {
    FvRegionGrid grid;
    FvWeights all;     /* unless each frame has its own; without a region, and of such a frame, no weights */
    bool moving;       /* each frame has its own */
    size_t at;         /* bytes from the beginning of the frame's memory to its weights */
    const char *owner; /* begins messages */
} FvWeigher;

/*
 * `width`, `height`: of the pictures. Adds to *frame_bytes the memory that a frame's own weights take. The caller
 * closes the weigher, also after a failure. FV_ERROR_INPUT: the region does not fit the pictures, or all weights are
 * 0.
 */
FvStatus fv_weigher_open(FvWeigher *weigher, const FvRegionOptions *region, int width, int height,
                         const FvRegionGrid *grid, const char *owner, size_t *frame_bytes, FvError *error);

/* The same for the samples of a plane; `columns` and `rows` of it are compared. */
FvStatus fv_weigher_open_plane(FvWeigher *weigher, const FvRegionOptions *region, const FvFormat *format, int plane,
                               int columns, int rows, const char *owner, size_t *frame_bytes, FvError *error);

void fv_weigher_close(FvWeigher *weigher);

/* Whether any frame can have weights. */
static inline bool fv_weigher_weighs(const FvWeigher *weigher)
{
    return weigher->moving || weigher->all.weight;
}

/*
 * Where it is moving: makes the weights of a frame, whose memory begins at `frame`, from the frame of its mask. NULL:
 * all values count the same.
 */
void fv_weigher_weigh(const FvWeigher *weigher, const FvFrame *mask, void *frame);

/* The weights of a frame, which are made. */
const FvWeights *fv_weights_of(const FvWeigher *weigher, const void *frame);

/* FV_ERROR_INPUT: no value has a weight. `number`: of the frame of the mask that made them; -1: they are of all. */
FvStatus fv_weights_check(const FvWeigher *weigher, const FvWeights *weights, int64_t number, FvError *error);

/*
 * Also FV_ERROR_INPUT: their sum is above `most`, and sums of squares of this depth might not fit into 63 bits. Where
 * they are of all, only this is checked.
 */
FvStatus fv_weights_check_sum(const FvWeigher *weigher, const FvWeights *weights, double most, int depth,
                              int64_t number, FvError *error);

/* The greatest one of two numbers; of 0 and a number it is that number. */
uint64_t fv_common_divisor(uint64_t a, uint64_t b);
