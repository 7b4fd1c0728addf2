/* The sampled signatures of pairs, kept for those that follow the videos later: shards. */
#pragma once

#include "picture/signature.h"

#define FV_SIGNED_PAIR (2 * FV_SIGNATURE) /* numbers of a pair: the reference's signature, then the distorted one */

typedef struct FvSigned {
    int64_t first; /* the number of the first pair */
    int64_t count, room;
    uint16_t *numbers;
} FvSigned;

void fv_signed_free(FvSigned *pairs);

FvStatus fv_signed_add(FvSigned *pairs, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE],
                       FvError *error);

/* Moves the first pairs, `most` at most, to `to`, which has none. */
FvStatus fv_signed_take(FvSigned *to, FvSigned *pairs, int64_t most, FvError *error);

void fv_signed_read(const FvSigned *pairs, int64_t pair, int32_t signature[2][FV_SIGNATURE]);
