/* The sampled signatures of pairs, kept for those that follow the videos later: shards. */
#pragma once

#include "picture/signature.h"

#define FV_PAIR_SIGNATURE                                                                                            \
    (2 * FV_SIGNATURE) /* numbers of a pair: the reference's signature, then the distorted one */

typedef struct FvPairSignatures {
    int64_t first; /* the number of the first pair */
    int64_t count, room;
    uint16_t *numbers;
} FvPairSignatures;

void fv_pair_signatures_free(FvPairSignatures *pairs);

FvStatus fv_pair_signatures_add(FvPairSignatures *pairs, const int32_t reference[FV_SIGNATURE],
                                const int32_t distorted[FV_SIGNATURE], FvError *error);

/* Moves the first pairs, `most` at most, to `to`, which has none. */
FvStatus fv_pair_signatures_take(FvPairSignatures *to, FvPairSignatures *pairs, int64_t most, FvError *error);

void fv_pair_signatures_read(const FvPairSignatures *pairs, int64_t pair, int32_t signature[2][FV_SIGNATURE]);
