/*
 * Follows two videos pair by pair, by their sampled signatures, and finds where they part: frames that one of them
 * drops, repeats or shows black, and what is wrong with all of one's pictures. docs/alignment.md
 */
#pragma once

#include "picture/signature.h"

#define FV_FOLLOW_EVENTS 64      /* events that are kept */
#define FV_FOLLOW_LEAST_STILL 12 /* least number of frames that show one picture in a freeze */

typedef enum FvFollowKind {
    FV_FOLLOW_FROZEN, /* the distorted video shows one picture from `first` to `last` while the reference moves */
    FV_FOLLOW_BLANK,  /* a side is of one colour from `first` to `last` and the other one is not */
    FV_FOLLOW_SHIFT,  /* an offset from `first` on */
} FvFollowKind;

typedef struct FvFollowEvent {
    FvFollowKind kind;
    int side;            /* side of a BLANK event */
    int64_t first, last; /* numbers of pairs */
    int offset;          /* SHIFT: distorted frame n then shows reference frame n + offset */
    bool black;          /* BLANK */
} FvFollowEvent;

typedef enum FvMirror { FV_MIRROR_NONE, FV_MIRROR_SIDES, FV_MIRROR_UPSIDE_DOWN, FV_MIRROR_BOTH } FvMirror;

enum { FV_EDGE_TOP, FV_EDGE_BOTTOM, FV_EDGE_LEFT, FV_EDGE_RIGHT, FV_EDGES };

typedef struct FvFollow FvFollow;

/* `offset` is where the videos begin: distorted frame n shows reference frame n + offset. */
FvStatus fv_follow_open(FvFollow **follow, int64_t offset, FvError *error);
void fv_follow_close(FvFollow **follow);

/* The sampled signatures of the next pair, of pictures of at least 64x36. */
void fv_follow_add(FvFollow *follow, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE]);

/* Ends the search. Call it after the last pair. */
void fv_follow_end(FvFollow *follow);

/* Returns `count` events, in the order of their first frames, of which *kept were kept. */
const FvFollowEvent *fv_follow_events(const FvFollow *follow, int *kept, int *count);
FvMirror fv_follow_mirror(const FvFollow *follow);
bool fv_follow_bar(const FvFollow *follow, int side, int edge); /* a bar on this side only */

/* Returns how many pairs agree at the offset with which the videos began, and clearly less at the offsets beside it.
 */
int64_t fv_follow_fits(const FvFollow *follow);
