/*
 * Follows two videos pair by pair, by their sampled signatures, and finds where they differ: frames that one video
 * drops, repeats or shows black, and bars or mirroring that all pictures of one video have. docs/alignment.md
 */
#pragma once

#include "picture/signature.h"

#define FV_FOLLOW_EVENTS 64      /* maximum number of events that are kept */
#define FV_FOLLOW_LEAST_STILL 12 /* least number of frames that show one picture in a freeze */

typedef enum FvFollowKind {
    FV_FOLLOW_FROZEN, /* the distorted video shows one picture from `first` to `last` while the reference moves */
    FV_FOLLOW_BLANK,  /* one video has a single colour from `first` to `last`, and the other has not */
    FV_FOLLOW_SHIFT,  /* the videos have another offset from `first` on */
} FvFollowKind;

typedef struct FvFollowEvent {
    FvFollowKind kind;
    int side;            /* side of a BLANK event */
    int64_t first, last; /* numbers of the first and last pair of the event */
    int offset;          /* SHIFT: distorted frame n then shows reference frame n + offset */
    bool black;          /* for BLANK: the colour is black */
} FvFollowEvent;

typedef enum FvMirror { FV_MIRROR_NONE, FV_MIRROR_SIDES, FV_MIRROR_UPSIDE_DOWN, FV_MIRROR_BOTH } FvMirror;

enum { FV_EDGE_TOP, FV_EDGE_BOTTOM, FV_EDGE_LEFT, FV_EDGE_RIGHT, FV_EDGES };

typedef struct FvFollow FvFollow;

/* Opens a search. offset: at the beginning of the videos, distorted frame n shows reference frame n + offset. */
FvStatus fv_follow_open(FvFollow **follow, int64_t offset, FvError *error);
void fv_follow_close(FvFollow **follow);

/* Adds the sampled signatures of the next pair, whose pictures have at least 64x36 samples. */
void fv_follow_add(FvFollow *follow, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE]);

/* Ends the search. Call it after the last pair. */
void fv_follow_end(FvFollow *follow);

/* Returns the *kept events that were kept, in the order of their first pairs. *count: number of all events. */
const FvFollowEvent *fv_follow_events(const FvFollow *follow, int *kept, int *count);
FvMirror fv_follow_mirror(const FvFollow *follow);
bool fv_follow_bar(const FvFollow *follow, int side, int edge); /* whether only this side has a bar at this edge */

/*
 * Returns how many pairs fit at the offset given to fv_follow_open() and clearly less at both offsets next to it.
 */
int64_t fv_follow_fits(const FvFollow *follow);
