#include "pairs/pair_cache.h"

#include <string.h>

size_t fv_pair_bytes(FvFrame *const frames[2])
{
    size_t bytes = 0;
    for (int side = 0; side < 2; side++)
        for (const FvFrame *frame = frames[side]; frame; frame = fv_frame_ycbcr(frame))
            bytes += fv_format_bytes(&frame->format);
    return bytes;
}

int fv_passed_most(const FvPassedPairs *passed, size_t bytes)
{
    const size_t most = bytes ? passed->room / bytes : 0;
    return most < FV_PASSED_PAIRS ? (int)most : FV_PASSED_PAIRS;
}

static void drop(FvPassedPairs *passed, int count)
{
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&passed->pair[i].frames[side]);
    passed->count -= count;
    memmove(passed->pair, passed->pair + count, (size_t)passed->count * sizeof *passed->pair);
}

void fv_passed_drop_all(FvPassedPairs *passed)
{
    drop(passed, passed->count);
}

void fv_passed_keep(FvPassedPairs *passed, int64_t number, FvFrame *frames[2])
{
    const int most = fv_passed_most(passed, fv_pair_bytes(frames));
    if (passed->count && passed->pair[passed->count - 1].number >= number)
        fv_passed_drop_all(passed);
    if (passed->count && passed->count >= most)
        drop(passed, passed->count - most + (most > 0));
    if (most)
        passed->pair[passed->count++] = (FvPassedPair){number, {frames[0], frames[1]}};
    else
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&frames[side]);
    frames[0] = frames[1] = NULL;
}

bool fv_passed_find(const FvPassedPairs *passed, int64_t number, FvFrame *frames[2])
{
    for (int i = 0; i < passed->count; i++)
        if (passed->pair[i].number == number) {
            for (int side = 0; side < 2; side++)
                frames[side] = passed->pair[i].frames[side] ? fv_frame_ref(passed->pair[i].frames[side]) : NULL;
            return true;
        }
    return false;
}
