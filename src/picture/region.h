/*
 * Regions: a rectangle, or a mask with a weight for each luma sample. Metrics that support a region weight the values
 * that they pool. docs/command.md
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
    const FvMask *mask;           /* mask at `path`, which the metric that names it has read */
} FvRegionOptions;

/* The options of a region that is the member `at` of Struct. */
#define FV_REGION_OPTIONS(X, Struct, at)                                                                             \
    X(Struct, at.rectangle, TEXT,                                                                                    \
      ("roi", NULL, NULL, NULL, "only the part W:H:X:Y of the pictures counts; unset: all of them"))                 \
    X(Struct, at.path, PATH,                                                                                         \
      ("roi_mask", NULL, "gray picture or video of the pictures' size, whose samples are weights"))

/* The region among a struct of options; NULL: the table has none. */
FvRegionOptions *fv_region_among(const void *options, const FvOptions *table);

/* Returns whether there is a rectangle or a mask. */
static inline bool fv_region_given(const FvRegionOptions *region)
{
    return region && (region->rectangle || region->path);
}

/* FV_ERROR_USAGE: the options contradict each other, or the rectangle is not one. */
FvStatus fv_region_check(const FvRegionOptions *region, const char *owner, FvError *error);

/* The position of a map's values on the luma samples of a frame. */
typedef struct FvRegionGrid {
    int width, height; /* values */
    int across, down;  /* luma samples per value, at most 1024 */
    int left, above;   /* the first of them for the first value; not negative */
    const char *each;  /* one of the values, for messages: "sample of Cb" */
} FvRegionGrid;

/*
 * The weight of each value of a map: the sum of the weights of its samples of luma, where those beyond the last
 * column or row repeat it. All are divided by their greatest common divisor; equal ones are none.
 */
typedef struct FvWeights {
    uint32_t *weight; /* NULL: all values count the same */
    ptrdiff_t stride; /* values from one row to the next; 64 more may be read after the end of a row */
    uint64_t sum;     /* sum of all weights; 0: no value has a weight, which only a frame of a mask video can cause */
    uint32_t most;    /* the greatest one */
    uint32_t divisor; /* divisor of all weights */
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
 * Computes the weights of a frame, whose memory begins at `frame`, from its frame of a mask video. NULL: all weights
 * are equal.
 */
void fv_weigher_weigh(const FvWeigher *weigher, const FvFrame *mask, void *frame);

/* The weights of a frame, which are made. */
const FvWeights *fv_weights_of(const FvWeigher *weigher, const void *frame);

/* FV_ERROR_INPUT: no value has a weight. `number`: of the frame of the mask that made them; -1: they are of all. */
FvStatus fv_weights_check(const FvWeigher *weigher, const FvWeights *weights, int64_t number, FvError *error);

/*
 * Checks that the sum of weights is at most `most`, so that sums of squares of this depth fit into 63 bits.
 * FV_ERROR_INPUT: it is not.
 */
FvStatus fv_weights_check_sum(const FvWeigher *weigher, const FvWeights *weights, double most, int depth,
                              int64_t number, FvError *error);

/* The greatest one of two numbers; of 0 and a number it is that number. */
uint64_t fv_common_divisor(uint64_t a, uint64_t b);
