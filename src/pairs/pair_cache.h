/* Pairs that were decoded on the way to another one and are kept for walking backwards. */
#pragma once

#include "picture/frame.h"

#define FV_PASSED_PAIRS 512 /* at most */

typedef struct FvPassedPair {
    int64_t number;
    FvFrame *frames[2];
} FvPassedPair;

typedef struct FvPassedPairs {
    size_t room;                        /* bytes of frames that may be kept */
    FvPassedPair pair[FV_PASSED_PAIRS]; /* by ascending number */
    int count;
} FvPassedPairs;

size_t fv_pair_bytes(FvFrame *const frames[2]);

/* How many pairs of `bytes` each may be kept. */
int fv_passed_most(const FvPassedPairs *passed, size_t bytes);

/* Takes over the frames. A number that is not above the last one first drops all pairs. */
void fv_passed_keep(FvPassedPairs *passed, int64_t number, FvFrame *frames[2]);

/* The caller owns a reference to each frame. false: the pair was not kept. */
bool fv_passed_find(const FvPassedPairs *passed, int64_t number, FvFrame *frames[2]);

void fv_passed_drop_all(FvPassedPairs *passed);
