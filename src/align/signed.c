#include "align/signed.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static const size_t one = FV_SIGNED_PAIR * sizeof(uint16_t);

void fv_signed_free(FvSigned *pairs)
{
    free(pairs->numbers);
    *pairs = (FvSigned){.count = 0};
}

static FvStatus grow(FvSigned *pairs, int64_t room, FvError *error)
{
    uint16_t *grown = realloc(pairs->numbers, (size_t)room * one);
    if (!grown)
        return fv_fail_memory(error, (size_t)room * one);
    pairs->numbers = grown;
    pairs->room = room;
    return FV_OK;
}

FvStatus fv_signed_add(FvSigned *pairs, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE],
                       FvError *error)
{
    const int32_t *signature[2] = {reference, distorted};
    FvStatus status = FV_OK;
    if (pairs->count == pairs->room)
        status = grow(pairs, pairs->room ? pairs->room + pairs->room / 2 : 64, error);
    if (status)
        return status;
    uint16_t *to = pairs->numbers + pairs->count++ * FV_SIGNED_PAIR;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            *to++ = (uint16_t)signature[side][c];
    return FV_OK;
}

FvStatus fv_signed_take(FvSigned *to, FvSigned *pairs, int64_t most, FvError *error)
{
    const int64_t count = most < pairs->count ? most : pairs->count;
    FvStatus status = count ? grow(to, count, error) : FV_OK;
    if (status || !count)
        return status;
    memcpy(to->numbers, pairs->numbers, (size_t)count * one);
    to->first = pairs->first;
    to->count = count;
    pairs->first += count;
    pairs->count -= count;
    memmove(pairs->numbers, pairs->numbers + count * FV_SIGNED_PAIR, (size_t)pairs->count * one);
    return FV_OK;
}

void fv_signed_read(const FvSigned *pairs, int64_t pair, int32_t signature[2][FV_SIGNATURE])
{
    const uint16_t *from = pairs->numbers + pair * FV_SIGNED_PAIR;
    for (int side = 0; side < 2; side++)
        for (int c = 0; c < FV_SIGNATURE; c++)
            signature[side][c] = *from++;
}
