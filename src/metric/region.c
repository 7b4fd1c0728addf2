#include "metric/region.h"

#include <string.h>

#include "base/error.h"
#include "fovea/source.h"
#include "os/memory.h"
#include "picture/frame.h"

FvStatus fv_mask_open(FvSource **source, const char *path, const char *owner, int threads, const FvCancel *cancel,
                      FvError *error)
{
    const FvSourceParams params = {.path = path, .rgb = FV_RGB_KEEP, .threads = threads, .cancel = cancel};
    FvStatus status = fv_source_open(source, &params, error);
    if (status)
        return status;
    const FvSourceInfo *info = fv_source_info(*source);
    const FvFormat *format = &info->format;
    if (format->chroma != FV_CHROMA_400 || format->depth != 8 || info->alpha)
        status = fv_fail(error, FV_ERROR_INPUT,
                         "%s: the mask '%s' is not gray with 8 bits and without alpha: convert it, for example with "
                         "ffmpeg -i MASK -pix_fmt gray %s",
                         owner, path, info->image ? "mask.png" : "-c:v ffv1 mask.mkv");
    else if (format->range == FV_RANGE_LIMITED)
        status = fv_fail(error, FV_ERROR_INPUT,
                         "%s: the mask '%s' has limited range, whose black is not 0: convert it, for example with "
                         "ffmpeg -i MASK -vf 'lut=c0=(val-16)*255/219' -c:v ffv1 -color_range pc mask.mkv",
                         owner, path);
    if (status)
        fv_source_close(source);
    return status;
}

/* Copies the samples of a mask, and counts those that are not 0. */
static FvStatus copy_mask(FvMask *mask, const FvFrame *frame, int64_t *weighty, FvError *error)
{
    const size_t width = (size_t)frame->format.width, height = (size_t)frame->format.height;
    *mask = (FvMask){fv_alloc(width * height), frame->format.width, frame->format.height};
    *weighty = 0;
    if (!mask->weight)
        return fv_fail_memory(error, width * height);
    for (size_t y = 0; y < height; y++)
        memcpy(mask->weight + y * width, frame->data[0] + (ptrdiff_t)y * frame->stride[0], width);
    for (size_t i = 0; i < width * height; i++)
        *weighty += mask->weight[i] != 0;
    return FV_OK;
}

static FvStatus read_picture(FvMask *mask, FvSource *source, const char *path, const char *owner, FvError *error)
{
    FvFrame *frame = NULL;
    int64_t weighty = 0;
    FvStatus status = fv_source_read(source, &frame, error);
    if (!status)
        status = copy_mask(mask, frame, &weighty, error);
    if (!status && !weighty)
        status = fv_fail(error, FV_ERROR_INPUT, "%s: the mask '%s' is black everywhere; make the part to score white",
                         owner, path);
    fv_frame_unref(&frame);
    return status;
}

static FvStatus read_mask(FvMask *mask, const char *path, const char *owner, FvError *error)
{
    FvSource *source = NULL;
    FvStatus status = fv_mask_open(&source, path, owner, 1, NULL, error);
    if (status)
        return status;
    const FvSourceInfo *info = fv_source_info(source);
    if (info->image)
        status = read_picture(mask, source, path, owner, error);
    else
        *mask = (FvMask){NULL, info->format.width, info->format.height};
    fv_source_close(&source);
    return status;
}

FvStatus fv_region_read(FvRegionOptions *region, const char *owner, FvError *error)
{
    FvStatus status = fv_region_check(region, owner, error);
    if (status || !region->path)
        return status;
    FvMask *mask = fv_alloc_zero(sizeof *mask);
    region->mask = mask;
    return mask ? read_mask(mask, region->path, owner, error) : fv_fail_memory(error, sizeof *mask);
}

void fv_region_free(const FvRegionOptions *region)
{
    if (!region || !region->mask)
        return;
    fv_free(region->mask->weight);
    fv_free((void *)region->mask);
}
