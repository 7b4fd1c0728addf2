#include "align/shift.h"

#include <stdlib.h>
#include <string.h>

#include "align/align.h"
#include "base/error.h"
#include "os/memory.h"

#define CERTAIN 12 /* minimum number of pairs that fit at an offset and not next to it; of short videos, half */

static const size_t one = FV_SIGNATURE * sizeof(int32_t);

FvStatus fv_shift_open(FvShift *shift, FvError *error)
{
    *shift = (FvShift){.on = true};
    for (int side = 0; side < 2; side++)
        if (!(shift->video[side].signatures = fv_alloc(FV_SHIFT_FRAMES * one)))
            return fv_fail_memory(error, FV_SHIFT_FRAMES * one);
    return FV_OK;
}

static void close_first(FvShift *shift)
{
    for (int side = 0; side < 2; side++) {
        fv_free(shift->video[side].signatures);
        shift->video[side] = (FvAlignVideo){0};
    }
}

void fv_shift_close(FvShift *shift)
{
    close_first(shift);
    fv_follow_close(&shift->follow);
    fv_reverse_close(&shift->reverse);
    free(shift->numbers);
    *shift = (FvShift){0};
}

static const int32_t *signature_at(const FvShift *shift, int side, int frame)
{
    return shift->video[side].signatures + (ptrdiff_t)frame * FV_SIGNATURE;
}

static FvStatus follow_first(const FvShift *shift, FvFollow **follow, FvError *error)
{
    FvStatus status = fv_follow_open(follow, shift->offset, error);
    for (int i = 0; i < shift->video[0].frames && !status; i++)
        fv_follow_add(*follow, signature_at(shift, 0, i), signature_at(shift, 1, i));
    return status;
}

/*
 * Tries the offset shift->offset. *fit: the pairs certainly fit, at least those before the first place where the
 * videos differ. *followed: the pairs followed so far; NULL: the pairs were followed to their end.
 */
static FvStatus try_offset(const FvShift *shift, FvFollow **followed, bool *fit, FvError *error)
{
    FvFollow *follow = NULL;
    int kept, count;
    FvStatus status = follow_first(shift, &follow, error);
    *fit = !status && fv_follow_fits(follow) >= CERTAIN;
    if (!status && !*fit) {
        fv_follow_end(follow);
        const FvFollowEvent *event = fv_follow_events(follow, &kept, &count);
        const int64_t fits = fv_follow_fits(follow);
        *fit = fits >= CERTAIN || 2 * fits >= shift->video[0].frames;
        for (int i = 0; i < kept && !*fit; i++)
            *fit = event[i].kind == FV_FOLLOW_SHIFT && fits;
        fv_follow_close(&follow);
    }
    *followed = follow;
    return status;
}

/*
 * Aligns the first pairs. Encoders that lag in slow scenes seem to begin late, so the offset must fit with certainty.
 */
static FvStatus align_first(FvShift *shift, FvError *error)
{
    bool fit = false;
    FvFollow *follow = NULL;
    FvAlignment found = {0};
    const size_t bytes = (size_t)shift->video[1].frames * one;
    FvAlignVideo changed = {shift->video[1].frames, fv_alloc(bytes)};
    if (!changed.signatures)
        return fv_fail_memory(error, bytes);
    memcpy(changed.signatures, shift->video[1].signatures, bytes);
    FvStatus status = fv_align_find(&found, &shift->video[0], &changed, &(FvAlignParams){0}, error);
    if (!status && found.answer == FV_ALIGN_OFFSET && found.offset) {
        const FvAlignVideo distorted = shift->video[1];
        shift->offset = found.offset;
        shift->video[1] = changed; /* fv_align_find() has removed the difference that all pairs share */
        status = try_offset(shift, &follow, &fit, error);
        fv_follow_close(&follow);
        shift->video[1] = distorted;
        shift->offset = fit ? shift->offset : 0;
    }
    fv_align_close(&found);
    fv_free(changed.signatures);
    return status;
}

static FvStatus settle(FvShift *shift, FvError *error)
{
    bool fit = false;
    FvStatus status = FV_OK;
    shift->settled = true;
    if (shift->video[0].frames >= 2 * FV_ALIGN_LEAST) {
        status = try_offset(shift, &shift->follow, &fit, error);
        if (!status && !fit)
            status = align_first(shift, error);
    }
    if (!status && !shift->follow)
        status = follow_first(shift, &shift->follow, error);
    close_first(shift);
    return status;
}

FvStatus fv_shift_add(FvShift *shift, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE],
                      FvError *error)
{
    const int32_t *signatures[2] = {reference, distorted};
    if (shift->most && shift->pairs++ >= shift->most)
        return FV_OK;
    FvStatus status = fv_reverse_add(&shift->reverse, reference, distorted, error);
    if (status)
        return status;
    if (shift->follow)
        fv_follow_add(shift->follow, reference, distorted);
    if (shift->settled)
        return FV_OK;
    for (int side = 0; side < 2; side++) {
        FvAlignVideo *video = &shift->video[side];
        memcpy(video->signatures + (ptrdiff_t)video->frames++ * FV_SIGNATURE, signatures[side], one);
    }
    return shift->video[0].frames < FV_SHIFT_FRAMES ? FV_OK : settle(shift, error);
}

FvStatus fv_shift_number(FvShift *shift, int64_t number, FvError *error)
{
    const bool differs = shift->numbers || number != shift->numbered;
    if (differs && shift->numbered >= shift->room) {
        const int64_t room = 2 * shift->numbered + FV_SHIFT_FRAMES;
        int64_t *grown = realloc(shift->numbers, (size_t)room * sizeof *grown);
        if (!grown)
            return fv_fail_memory(error, (size_t)room * sizeof *grown);
        for (int64_t i = 0; i < shift->numbered && !shift->numbers; i++)
            grown[i] = i;
        shift->numbers = grown;
        shift->room = room;
    }
    if (differs)
        shift->numbers[shift->numbered] = number;
    shift->numbered++;
    return FV_OK;
}

int64_t fv_shift_frame(const FvShift *shift, int64_t pair)
{
    return shift->numbers && pair < shift->numbered ? shift->numbers[pair] : pair;
}

FvStatus fv_shift_end(FvShift *shift, FvError *error)
{
    FvStatus status = !shift->on || shift->settled ? FV_OK : settle(shift, error);
    if (!status && shift->follow)
        fv_follow_end(shift->follow);
    shift->reversed = fv_reverse_found(&shift->reverse);
    return status;
}
