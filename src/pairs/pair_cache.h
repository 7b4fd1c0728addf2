/* A cache of the pairs that were decoded on the way to another pair, for reading backwards. */
#pragma once

#include "picture/frame.h"

#define FV_PASSED_PAIRS 512 /* maximum number of cached pairs */

typedef struct FvPassedPair {
    int64_t number;
    FvFrame *frames[2];
} FvPassedPair;

typedef struct FvPassedPairs {
    size_t room;                        /* maximum number of bytes of frames */
    FvPassedPair pair[FV_PASSED_PAIRS]; /* the cached pairs, by ascending number */
    int count;
} FvPassedPairs;

size_t fv_pair_bytes(FvFrame *const frames[2]);

/* Returns how many pairs of `bytes` bytes each fit. */
int fv_passed_most(const FvPassedPairs *passed, size_t bytes);

/*
 * Adds a pair and takes over its frames. If its number is not above the last one, all other pairs are dropped first.
 */
void fv_passed_keep(FvPassedPairs *passed, int64_t number, FvFrame *frames[2]);

/* Finds a pair; the caller owns a reference to each frame. False: the pair is not cached. */
bool fv_passed_find(const FvPassedPairs *passed, int64_t number, FvFrame *frames[2]);

void fv_passed_drop_all(FvPassedPairs *passed);
