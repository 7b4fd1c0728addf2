/* The sampled signatures of pairs, which a shard stores so that the merge can follow the videos. */
#pragma once

#include "picture/signature.h"

#define FV_PAIR_SIGNATURE                                                                                            \
    (2 * FV_SIGNATURE) /* numbers per pair: the reference's signature, then the distorted video's */

typedef struct FvPairSignatures {
    int64_t first; /* the number of the first pair */
    int64_t count, room;
    uint16_t *numbers;
} FvPairSignatures;

void fv_pair_signatures_free(FvPairSignatures *pairs);

FvStatus fv_pair_signatures_add(FvPairSignatures *pairs, const int32_t reference[FV_SIGNATURE],
                                const int32_t distorted[FV_SIGNATURE], FvError *error);

/* Moves the first pairs, at most `most`, from `pairs` to `to`, which must be empty. */
FvStatus fv_pair_signatures_take(FvPairSignatures *to, FvPairSignatures *pairs, int64_t most, FvError *error);

void fv_pair_signatures_read(const FvPairSignatures *pairs, int64_t pair, int32_t signature[2][FV_SIGNATURE]);
