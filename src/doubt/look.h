/*
 * A look: integer sums of the block means and the line profiles of a pair of frames, in which mistakes are found
 * later. docs/doubt.md
 */
#pragma once

#include "input/frame_selection.h"
#include "picture/signature.h"

#define FV_LOOK_FIRST 8  /* number of pairs at the start that all get a look */
#define FV_LOOK_STEP 8   /* distance of the pairs that get a look after those */
#define FV_LOOK_DENSE 64 /* number of looks after which the distance grows */
#define FV_LOOK_LATER 23 /* distance from then on: a prime, so that looks do not keep step with flashes */

/* Where a device decodes: number of pairs at the start that all get a look, and the factor of both distances. */
#define FV_LOOK_RARE_FIRST 2
#define FV_LOOK_RARE 16

/* Returns the pairs that get a look if the pairs `need` are read. */
static inline FvSome fv_looked_pairs(const FvFrameSelection *need)
{
    FvSome some = {.first = FV_LOOK_FIRST,
                   .step = FV_LOOK_STEP,
                   .later = FV_LOOK_LATER,
                   .end = (FV_LOOK_DENSE - FV_LOOK_FIRST + 1) * FV_LOOK_STEP};
    if (fv_selection_leaves_out(need)) {
        some.whole = need->whole;
        some.every = need->every;
    }
    return some;
}

/*
 * Makes looks rare where a device decodes: it scores a pair in less than a millisecond, and a copy of a pair for the
 * host takes several.
 */
static inline void fv_looked_pairs_thin(FvSome *some)
{
    some->first = FV_LOOK_RARE_FIRST;
    some->step *= FV_LOOK_RARE;
    some->later *= FV_LOOK_RARE;
}

/* Returns the maximum number of looks at `pairs` consecutive pairs. */
static inline int64_t fv_looks_most(int64_t pairs)
{
    const int64_t most = FV_LOOK_FIRST + pairs / FV_LOOK_STEP + 1;
    return most < pairs ? most : pairs;
}

#define FV_LOOK_VECTOR 7 /* number of variables: 1; Y, Cb, Cr of the reference; Y, Cb, Cr of the distorted frame */
#define FV_LOOK_MOMENTS (FV_LOOK_VECTOR * (FV_LOOK_VECTOR + 1) / 2)
#define FV_LOOK_BINS 32

enum { FV_BIN_N, FV_BIN_R, FV_BIN_D, FV_BIN_RR, FV_BIN_RD, FV_BIN_DD, FV_BIN_SUMS };
enum { FV_AXIS_ROWS, FV_AXIS_COLUMNS, FV_AXES };

/* How the lines of the two pictures of a pair match. */
enum {
    FV_LINES_UNKNOWN, /* the pictures differ in size, or are too small or too flat */
    FV_LINES_ALIKE,   /* lines at the same place match within an 8-bit code */
    FV_LINES_APART,   /* lines match neither at the same place nor as below */
    FV_LINES_FIELDS,  /* lines match when each line is exchanged with its neighbour, as fields are */
    FV_LINES_SHIFTED, /* + FV_LINES_FARTHEST + e: distorted line i matches reference line i + e */
};
#define FV_LINES_FARTHEST 4 /* maximum of |e|, the shift in lines */
#define FV_LINES_SHIFT(e) (FV_LINES_SHIFTED + FV_LINES_FARTHEST + (e))

/* Black lines at one edge of a picture. */
typedef struct FvLookBar {
    int64_t lines;
    int64_t bright; /* 1: the other picture is bright in these lines; else 0 */
} FvLookBar;

typedef struct FvLookLines {
    int64_t count;       /* number of lines of the picture along this axis */
    int64_t fit;         /* FV_LINES_UNKNOWN to FV_LINES_SHIFT(FV_LINES_FARTHEST) */
    FvLookBar bar[2][2]; /* [side][0: first lines, 1: last lines] */
} FvLookLines;

/*
 * A look at one pair. All members are 64-bit integers, because shards store the struct as an array (shard/shard.c).
 */
typedef struct FvLook {
    int64_t number;                   /* number of the distorted frame; of the pair, if pairs are by index */
    int64_t coloured;                 /* 1: both frames have chroma; 0: the moments of chroma are 0 */
    int64_t moments[FV_LOOK_MOMENTS]; /* sums over the blocks of products of two variables: upper triangle by rows */
    int64_t bins[FV_LOOK_BINS][FV_BIN_SUMS]; /* count, sums of lumas r, d and of rr, rd, dd; binned by r */
    FvLookLines lines[FV_AXES];
} FvLook;

#define FV_LOOK_NUMBERS (sizeof(FvLook) / sizeof(int64_t))

/* Returns whether fv_look_make() can have made a look that was read from a file. */
bool fv_look_is_whole(const FvLook *look);

/* Returns whether all planes of frames of these formats are large enough for a look. */
bool fv_look_fits(const FvFormat *reference, const FvFormat *distorted);

/*
 * Makes the look at a pair. The host must be able to read both frames, and their formats must pass fv_look_fits().
 * signature: what fv_sample_make() makes of the first plane of each frame; NULL: not known.
 */
FvStatus fv_look_make(FvLook *look, int64_t number, const FvFrame *const frame[2], const int32_t *const signature[2],
                      FvError *error);

/* Converts signatures of R, G and B, in 16 bits, to those of limited-range BT.709 Y, Cb and Cr. */
void fv_look_rgb(int32_t sig[3][FV_SIGNATURE], int depth);
