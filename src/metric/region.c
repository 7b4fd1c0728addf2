#include "metric/region.h"

#include <string.h>

#include "base/error.h"
#include "fovea/source.h"
#include "os/memory.h"
#include "picture/frame.h"

/* Copies the samples, and counts those that are not 0. */
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

static FvStatus read_mask(FvMask *mask, const char *path, const char *owner, FvError *error)
{
    FvSource *source = NULL;
    FvFrame *frame = NULL;
    int64_t weighty;
    FvStatus status =
        fv_source_open(&source, &(FvSourceParams){.path = path, .rgb = FV_RGB_KEEP, .threads = 1}, error);
    if (status)
        return status;
    const FvSourceInfo *info = fv_source_info(source);
    if (info->format.chroma != FV_CHROMA_400 || info->format.depth != 8 || info->alpha || !info->image)
        status = fv_fail(error, FV_ERROR_INPUT,
                         "%s: the mask '%s' is not a gray picture of 8 bits without alpha, such as a PNG: convert it",
                         owner, path);
    if (!status)
        status = fv_source_read(source, &frame, error);
    if (!status)
        status = copy_mask(mask, frame, &weighty, error);
    if (!status && !weighty)
        status =
            fv_fail(error, FV_ERROR_INPUT, "%s: the mask '%s' is black everywhere, so nothing counts", owner, path);
    fv_frame_unref(&frame);
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
