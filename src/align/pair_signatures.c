#include "align/pair_signatures.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const size_t one = FV_PAIR_SIGNATURE * sizeof(uint16_t);

void fv_pair_signatures_free(FvPairSignatures *pairs)
{
    free(pairs->numbers);
    *pairs = (FvPairSignatures){.count = 0};
}

static FvStatus grow_signatures(FvPairSignatures *pairs, int64_t room, FvError *error)
{
    uint16_t *grown = realloc(pairs->numbers, (size_t)room * one);
    if (!grown)
        return fv_fail_memory(error, (size_t)room * one);
    pairs->numbers = grown;
    pairs->room = room;
    return FV_OK;
}

FvStatus fv_pair_signatures_add(FvPairSignatures *pairs, const int32_t reference[FV_SIGNATURE],
                                const int32_t distorted[FV_SIGNATURE], FvError *error)
{
    const int32_t *signature[2] = {reference, distorted};
    FvStatus status = FV_OK;
    if (pairs->count == pairs->room)
        status = grow_signatures(pairs, pairs->room ? pairs->room + pairs->room / 2 : 64, error);
    if (status)
        return status;
    uint16_t *to = pairs->numbers + pairs->count++ * FV_PAIR_SIGNATURE;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            *to++ = (uint16_t)signature[side][c];
    return FV_OK;
}

FvStatus fv_pair_signatures_take(FvPairSignatures *to, FvPairSignatures *pairs, int64_t most, FvError *error)
{
    const int64_t count = most < pairs->count ? most : pairs->count;
    FvStatus status = count ? grow_signatures(to, count, error) : FV_OK;
    if (status || !count)
        return status;
    memcpy(to->numbers, pairs->numbers, (size_t)count * one);
    to->first = pairs->first;
    to->count = count;
    pairs->first += count;
    pairs->count -= count;
    memmove(pairs->numbers, pairs->numbers + count * FV_PAIR_SIGNATURE, (size_t)pairs->count * one);
    return FV_OK;
}

void fv_pair_signatures_read(const FvPairSignatures *pairs, int64_t pair, int32_t signature[2][FV_SIGNATURE])
{
    const uint16_t *from = pairs->numbers + pair * FV_PAIR_SIGNATURE;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            signature[side][c] = *from++;
}
