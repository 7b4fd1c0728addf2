/*
 * A look at a pair of pictures: integer sums of small block means and of line profiles, from which a named mistake is
 * found later. docs/doubt.md
 */
#pragma once

#include "input/frame_selection.h"
#include "picture/signature.h"

#define FV_LOOK_FIRST 8 /* looks at the start of the videos */
#define FV_LOOK_STEP 8  /* distance of the looked-at pairs behind them */
#define FV_LOOK_MOST 64 /* most looks of a video */

/* The frames of a video that are looked at, where this one is of pair 0. */
static inline FvSome fv_looked_frames(int64_t first)
{
    return (FvSome){first, FV_LOOK_FIRST, FV_LOOK_STEP, (FV_LOOK_MOST - FV_LOOK_FIRST + 1) * FV_LOOK_STEP};
}

static inline bool fv_looks_at(int64_t pair)
{
    const FvSome looked = fv_looked_frames(0);
    return fv_some_has(&looked, pair);
}

#define FV_LOOK_VECTOR 7 /* 1, Y, Cb, Cr of the reference, Y, Cb, Cr of the distorted picture */
#define FV_LOOK_MOMENTS (FV_LOOK_VECTOR * (FV_LOOK_VECTOR + 1) / 2)
#define FV_LOOK_BINS 32

enum { FV_BIN_N, FV_BIN_R, FV_BIN_D, FV_BIN_RR, FV_BIN_RD, FV_BIN_DD, FV_BIN_SUMS };
enum { FV_AXIS_ROWS, FV_AXIS_COLUMNS, FV_AXES };

/* How the lines of two pictures fit each other. */
enum {
    FV_LINES_UNKNOWN, /* the pictures differ in size or are too small */
    FV_LINES_ALIKE,   /* in place, to a code */
    FV_LINES_APART,   /* in place no better than elsewhere */
    FV_LINES_FIELDS,  /* fit when each two lines are exchanged */
    FV_LINES_SHIFTED, /* + e: line i of the distorted picture is line i + e of the reference */
};
#define FV_LINES_FARTHEST 4 /* farthest shift, each way */
#define FV_LINES_SHIFT(e) (FV_LINES_SHIFTED + FV_LINES_FARTHEST + (e))

/* Black lines at one end of one side's picture. */
typedef struct FvLookBar {
    int64_t lines;
    int64_t bright; /* 1: the other side has a picture there */
} FvLookBar;

typedef struct FvLookLines {
    int64_t count;       /* number of lines */
    int64_t fit;         /* FV_LINES_... */
    FvLookBar bar[2][2]; /* [side][start, end] */
} FvLookLines;

/* Nothing but 64-bit integers: shards write it as it lies (shard/shard.c). */
typedef struct FvLook {
    int64_t number;                   /* number of the pair */
    int64_t coloured;                 /* 1: both pictures have chroma; 0: the moments have zeros in its place */
    int64_t moments[FV_LOOK_MOMENTS]; /* sums of products over the blocks: rows of the upper triangle */
    int64_t bins[FV_LOOK_BINS][FV_BIN_SUMS]; /* n and the sums of r, d, rr, rd, dd, by the reference's luma */
    FvLookLines lines[FV_AXES];
} FvLook;

#define FV_LOOK_NUMBERS (sizeof(FvLook) / sizeof(int64_t))

/* Whether a look that was read from a file may have been made by fv_look_make. */
bool fv_look_is_whole(const FvLook *look);

/* Whether pictures of these formats are large enough, in each plane. */
bool fv_look_fits(const FvFormat *reference, const FvFormat *distorted);

/* Both pictures can be read by the host and fit. */
FvStatus fv_look_make(FvLook *look, int64_t number, const FvFrame *reference, const FvFrame *distorted,
                      FvError *error);

/* Signatures of R, G and B in 16 bits become those of Y, Cb and Cr by BT.709, of limited range. */
void fv_look_rgb(int32_t sig[3][FV_SIGNATURE], int depth);
