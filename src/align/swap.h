/* Whether one of two videos has its chroma planes exchanged: Cb where Cr belongs. docs/alignment.md */
#pragma once

#include "fovea/fovea.h"

typedef struct FvSwap {
    int swapped;  /* pairs that fit with exchanged planes */
    bool refuted; /* a pair does not */
} FvSwap;

/* The next pair, whose chroma the host can read. Grey pictures tell nothing. */
void fv_swap_add(FvSwap *swap, const FvFrame *reference, const FvFrame *distorted);

#define FV_SWAP_PAIRS 8 /* prove it; fewer where there are no more */
#define FV_SWAP_STEP 8  /* where the first pairs are grey, every eighth one is looked at behind them */
