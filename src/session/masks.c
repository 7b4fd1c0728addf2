#include "session/masks.h"

#include <string.h>

#include "base/error.h"
#include "metric/region.h"
#include "picture/frame.h"

#define NEAR 64 /* maximum distance, in frames, over which a mask video is read instead of sought */

static FvStatus open_video(FvMasks *masks, const char *path, const char *owner, int threads, const FvCancel *cancel,
                           int *place, FvError *error)
{
    for (*place = 0; *place < masks->count; ++*place)
        if (!strcmp(masks->video[*place].path, path))
            return FV_OK;
    FvMaskVideo *video = &masks->video[masks->count++];
    *video = (FvMaskVideo){.path = path, .owner = owner, .number = -1};
    return fv_mask_open(&video->source, path, owner, threads, cancel, error);
}

FvStatus fv_masks_open(FvMasks *masks, const FvFeatureInstances *runs, int threads, const FvCancel *cancel,
                       FvError *error)
{
    FvStatus status = FV_OK;
    for (int r = 0; r < runs->count && !status; r++) {
        const FvFeatureInstance *run = &runs->run[r];
        const FvRegionOptions *region = fv_region_among(run->options, &run->feature->options);
        masks->of_run[r] = -1;
        if (region && region->mask && !region->mask->weight)
            status = open_video(masks, region->path, run->feature->name, threads, cancel, &masks->of_run[r], error);
    }
    return status;
}

static bool is_black(const FvFrame *frame)
{
    for (int y = 0; y < frame->format.height; y++) {
        const uint8_t *row = frame->data[0] + y * frame->stride[0];
        if (row[0] || memcmp(row, row + 1, (size_t)frame->format.width - 1) != 0)
            return false;
    }
    return true;
}

static FvStatus read_frame(FvMaskVideo *video, int64_t number, FvError *error)
{
    FvStatus status = FV_OK;
    if (number == video->number)
        return FV_OK;
    if (number < video->number || number - video->number > NEAR) {
        status = fv_source_seek(video->source, number, error);
        video->number = number - 1;
    }
    while (!status && video->number < number) {
        fv_frame_unref(&video->frame);
        status = fv_source_read(video->source, &video->frame, error);
        video->number += !status;
    }
    if (status == FV_END || status == FV_ERROR_USAGE)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: the mask '%s' has no frame %lld: give each frame of the reference a frame of the mask, or "
            "score fewer frames",
            video->owner, video->path, (long long)number);
    if (!status && is_black(video->frame))
        status = fv_fail(error, FV_ERROR_INPUT,
                         "%s: frame %lld of the mask '%s' is black everywhere; make the part to score white, or "
                         "score other frames",
                         video->owner, (long long)number, video->path);
    return status;
}

FvStatus fv_masks_give(FvMasks *masks, FvTask *task, int64_t number, FvError *error)
{
    FvStatus status = FV_OK;
    task->mask_number = number;
    for (int i = 0; i < masks->count && !status; i++)
        status = read_frame(&masks->video[i], number, error);
    for (int r = 0; r < FV_MAX_INSTANCES && masks->count && !status; r++)
        if (masks->of_run[r] >= 0)
            task->mask[r] = fv_frame_ref(masks->video[masks->of_run[r]].frame);
    return status;
}

void fv_masks_close(FvMasks *masks)
{
    for (int i = 0; i < masks->count; i++) {
        fv_frame_unref(&masks->video[i].frame);
        fv_source_close(&masks->video[i].source);
    }
    masks->count = 0;
}
