/*
 * Regions: a rectangle, or a mask with a weight for each luma sample. Metrics that support a region weight the values
 * that they pool. docs/command.md
 */
#pragma once

#include "option/option.h"

/* Weights in [0, 255], rows without gaps. */
typedef struct FvMask {
    uint8_t *weight; /* NULL: the mask is a video, whose frames have their own weights */
    int width, height;
} FvMask;

typedef struct FvRegionOptions {
    const char *rectangle, *path; /* rectangle "W:H:X:Y"; path of a mask; NULL: not given */
    const FvMask *mask;           /* mask at `path`, which the metric that names it has read */
} FvRegionOptions;

/* Defines the options of the region that is member `at` of Struct. */
#define FV_REGION_OPTIONS(X, Struct, at)                                                                             \
    X(Struct, at.rectangle, TEXT,                                                                                    \
      ("roi", NULL, NULL, NULL, "only the part W:H:X:Y of the pictures counts; unset: all of them"))                 \
    X(Struct, at.path, PATH,                                                                                         \
      ("roi_mask", NULL, "gray picture or video of the pictures' size, whose samples are weights"))

/* Returns the region in a struct of options; NULL: the table has none. */
FvRegionOptions *fv_region_among(const void *options, const FvOptions *table);

/* Returns whether the options give a rectangle or a mask. */
static inline bool fv_region_given(const FvRegionOptions *region)
{
    return region && (region->rectangle || region->path);
}

/* Checks the options. FV_ERROR_USAGE: they contradict each other, or the rectangle is invalid. */
FvStatus fv_region_check(const FvRegionOptions *region, const char *owner, FvError *error);

/* The position of a map's values on the luma samples of a frame. */
typedef struct FvRegionGrid {
    int width, height; /* size of the map, in values */
    int across, down;  /* luma samples per value, at most 1024 */
    int left, above;   /* first luma sample of the first value, at least 0 */
    const char *each;  /* name of a value in messages, such as "sample of Cb" */
} FvRegionGrid;

/*
 * The weights of a map's values. A value's weight is the sum of the weights of its luma samples; beyond the picture,
 * the last column or row repeats. All weights are divided by their greatest common divisor. If all are equal, there
 * are none.
 */
typedef struct FvWeights {
    uint32_t *weight; /* NULL: all values count the same */
    ptrdiff_t stride; /* distance of rows, in values; 64 more values may be read after the end of a row */
    uint64_t sum;     /* sum of all weights; 0: no value has a weight, which only a frame of a mask video can cause */
    uint32_t most;    /* greatest weight */
    uint32_t divisor; /* divisor by which all weights were divided */
} FvWeights;

/* Weighs the values of a map: once for all frames, or by each frame of a mask that is a video. */
typedef struct FvWeigher {
    FvRegionGrid grid;
    FvWeights all;     /* weights of all frames; none without a region, and none if `moving` */
    bool moving;       /* the mask is a video, so each frame has its own weights */
    size_t at;         /* bytes from the beginning of the frame's memory to its weights */
    const char *owner; /* name of the metric, with which messages begin */
} FvWeigher;

/*
 * Opens a weigher for frames of `width` x `height`. Adds the memory for a frame's own weights to *frame_bytes. The
 * caller closes the weigher, also after a failure. FV_ERROR_INPUT: the region does not fit the frames, or all weights
 * are 0.
 */
FvStatus fv_weigher_open(FvWeigher *weigher, const FvRegionOptions *region, int width, int height,
                         const FvRegionGrid *grid, const char *owner, size_t *frame_bytes, FvError *error);

/* Opens a weigher for the samples of a plane, of which `columns` x `rows` are compared. */
FvStatus fv_weigher_open_plane(FvWeigher *weigher, const FvRegionOptions *region, const FvFormat *format, int plane,
                               int columns, int rows, const char *owner, size_t *frame_bytes, FvError *error);

void fv_weigher_close(FvWeigher *weigher);

/* Returns whether any frame can have weights. */
static inline bool fv_weigher_weighs(const FvWeigher *weigher)
{
    return weigher->moving || weigher->all.weight;
}

/*
 * Computes the weights of a frame, whose memory begins at `frame`, from the frame `mask` of a mask video; NULL: all
 * weights are equal.
 */
void fv_weigher_weigh(const FvWeigher *weigher, const FvFrame *mask, void *frame);

/* Returns the weights of a frame, which must have been computed. */
const FvWeights *fv_weights_of(const FvWeigher *weigher, const void *frame);

/*
 * Checks that a value has a weight. FV_ERROR_INPUT: none has. number: number of the frame of the mask video; -1: the
 * weights are those of all frames.
 */
FvStatus fv_weights_check(const FvWeigher *weigher, const FvWeights *weights, int64_t number, FvError *error);

/*
 * Checks that the sum of weights is at most `most`, so that sums of squares of this depth fit into 63 bits.
 * FV_ERROR_INPUT: it is not.
 */
FvStatus fv_weights_check_sum(const FvWeigher *weigher, const FvWeights *weights, double most, int depth,
                              int64_t number, FvError *error);

/* Returns the greatest common divisor of two numbers; if one is 0, the other number. */
uint64_t fv_common_divisor(uint64_t a, uint64_t b);
