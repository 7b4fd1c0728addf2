#include "align/shift.h"

#include <string.h>

#include "align/align.h"
#include "base/error.h"
#include "os/memory.h"

FvStatus fv_shift_open(FvShift *shift, FvError *error)
{
    const size_t bytes = (size_t)FV_SHIFT_FRAMES * FV_SIGNATURE * sizeof(int32_t);
    for (int side = 0; side < 2; side++)
        if (!(shift->video[side].signatures = fv_alloc(bytes)))
            return fv_fail_memory(error, bytes);
    return FV_OK;
}

void fv_shift_close(FvShift *shift)
{
    for (int side = 0; side < 2; side++)
        fv_free(shift->video[side].signatures);
    *shift = (FvShift){0};
}

void fv_shift_add(FvShift *shift, const int32_t reference[FV_SIGNATURE], const int32_t distorted[FV_SIGNATURE])
{
    const int32_t *signatures[2] = {reference, distorted};
    if (shift->video[0].frames == FV_SHIFT_FRAMES)
        return;
    for (int side = 0; side < 2; side++) {
        FvAlignVideo *video = &shift->video[side];
        memcpy(video->signatures + (size_t)video->frames++ * FV_SIGNATURE, signatures[side],
               FV_SIGNATURE * sizeof(int32_t));
    }
}

FvStatus fv_shift_find(FvShift *shift, int64_t *offset, FvError *error)
{
    FvAlignment found = {0};
    FvStatus status = FV_OK;
    *offset = 0;
    if (shift->video[0].frames < 2 * FV_ALIGN_LEAST)
        return FV_OK;
    status = fv_align_find(&found, &shift->video[0], &shift->video[1], &(FvAlignParams){0}, error);
    if (!status && found.answer == FV_ALIGN_OFFSET)
        *offset = found.offset;
    fv_align_close(&found);
    return status;
}
