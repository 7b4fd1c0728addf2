#include "picture/format.h"

#include <stdio.h>

#include "base/error.h"
#include "os/memory.h"

FvStatus fv_format_check(const FvFormat *format, FvError *error)
{
    FV_REQUIRE(error, format);
    if (format->width < 1 || format->width > FV_MAX_SIDE || format->height < 1 || format->height > FV_MAX_SIDE)
        return fv_fail(error, FV_ERROR_USAGE, "picture size %dx%d is outside 1x1 to %dx%d", format->width,
                       format->height, FV_MAX_SIDE, FV_MAX_SIDE);
    if (format->depth < 8 || format->depth > 16)
        return fv_fail(error, FV_ERROR_USAGE, "a depth of %d bits is outside 8 to 16", format->depth);
    if ((unsigned)format->chroma > FV_CHROMA_410)
        return fv_fail(error, FV_ERROR_USAGE, "chroma format number %d does not exist", (int)format->chroma);
    if ((unsigned)format->range > FV_RANGE_FULL)
        return fv_fail(error, FV_ERROR_USAGE, "range number %d does not exist", (int)format->range);
    if ((unsigned)format->siting > FV_SITING_BOTTOM)
        return fv_fail(error, FV_ERROR_USAGE, "chroma siting number %d does not exist", (int)format->siting);
    const int codes[] = {format->transfer, format->primaries, format->matrix};
    for (int i = 0; i < 3; i++)
        if (codes[i] < 0 || codes[i] > 255)
            return fv_fail(error, FV_ERROR_USAGE, "%d is outside the code points of H.273, 0 to 255", codes[i]);
    if (format->peak < 0 || format->peak > 10000)
        return fv_fail(error, FV_ERROR_USAGE, "a peak of %d cd/m2 is outside 0 to 10000", format->peak);
    return FV_OK;
}

FvStatus fv_format_check_scored(const FvFormat *format, FvError *error)
{
    FvStatus status = fv_format_check(format, error);
    return status || fv_chroma_is_scored(format->chroma)
               ? status
               : fv_fail(error, FV_FAIL_FORMAT, "frames of %s are not compared: `convert=chroma` makes %s of them",
                         fv_chroma_name(format->chroma),
                         fv_chroma_name(fv_chroma_common(format->chroma, format->chroma)));
}

FvChromaSteps fv_chroma_steps(FvChroma chroma)
{
    static const FvChromaSteps steps[] = {
        [FV_CHROMA_420] = {2, 2}, [FV_CHROMA_422] = {2, 1}, [FV_CHROMA_411] = {4, 1}, [FV_CHROMA_440] = {1, 2},
        [FV_CHROMA_410] = {4, 4}, [FV_CHROMA_444] = {1, 1}, [FV_CHROMA_400] = {1, 1}, [FV_CHROMA_RGB] = {1, 1}};
    return steps[chroma];
}

bool fv_chroma_is_scored(FvChroma chroma)
{
    return chroma <= FV_CHROMA_RGB;
}

FvChroma fv_chroma_common(FvChroma a, FvChroma b)
{
    const FvChromaSteps first = fv_chroma_steps(a), second = fv_chroma_steps(b);
    const bool whole_rows = first.across == 1 || second.across == 1,
               whole_columns = first.down == 1 || second.down == 1;
    return whole_rows ? FV_CHROMA_444 : whole_columns ? FV_CHROMA_422 : FV_CHROMA_420;
}

int fv_format_planes(const FvFormat *format)
{
    return !format ? 0 : format->chroma == FV_CHROMA_400 ? 1 : 3;
}

int fv_format_sample_bytes(const FvFormat *format)
{
    return !format ? 0 : format->depth > 8 ? 2 : 1;
}

void fv_format_plane_size(const FvFormat *format, int plane, int *width, int *height)
{
    int ignored;
    width = width ? width : &ignored;
    height = height ? height : &ignored;
    *width = *height = 0;
    if (!format || plane < 0 || plane >= fv_format_planes(format))
        return;
    const FvChromaSteps steps = fv_chroma_steps(plane ? format->chroma : FV_CHROMA_444);
    *width = (format->width + steps.across - 1) / steps.across;
    *height = (format->height + steps.down - 1) / steps.down;
}

bool fv_format_same_shape(const FvFormat *a, const FvFormat *b)
{
    return a->width == b->width && a->height == b->height && a->chroma == b->chroma && a->depth == b->depth;
}

ptrdiff_t fv_format_stride(const FvFormat *format, int plane)
{
    int width, height;
    fv_format_plane_size(format, plane, &width, &height);
    return (ptrdiff_t)FV_ROUND_UP((size_t)width * fv_format_sample_bytes(format) + FV_ROW_PADDING, FV_ALIGN);
}

static size_t plane_bytes(const FvFormat *format, int plane)
{
    int width, height;
    fv_format_plane_size(format, plane, &width, &height);
    return (size_t)fv_format_stride(format, plane) * height;
}

size_t fv_format_plane_bytes(const FvFormat *format)
{
    size_t bytes = 0;
    for (int plane = 0; plane < fv_format_planes(format); plane++)
        bytes += plane_bytes(format, plane);
    return bytes;
}

const char *fv_chroma_name(FvChroma chroma)
{
    static const char *const names[] = {"4:0:0", "4:2:0", "4:2:2", "4:4:4", "RGB", "4:1:1", "4:4:0", "4:1:0"};
    return (unsigned)chroma <= FV_CHROMA_410 ? names[chroma] : "?";
}

const char *fv_range_name(FvRange range)
{
    static const char *const names[] = {"unknown", "limited", "full"};
    return (unsigned)range <= FV_RANGE_FULL ? names[range] : "?";
}

const char *fv_siting_name(FvSiting siting)
{
    static const char *const names[] = {"unknown", "left", "center", "topleft", "top", "bottomleft", "bottom"};
    return (unsigned)siting <= FV_SITING_BOTTOM ? names[siting] : "?";
}

const char *fv_fields_name(FvFieldOrder order)
{
    static const char *const names[] = {"unknown", "progressive", "top field first", "bottom field first", "mixed"};
    return (unsigned)order <= FV_FIELDS_MIXED ? names[order] : "?";
}

char *fv_format_describe(const FvFormat *format, char *text, size_t size)
{
    if (!text || !size)
        return text;
    *text = 0;
    if (!format)
        return text;
    int length = snprintf(text, size, "%dx%d %s %d-bit", format->width, format->height,
                          fv_chroma_name(format->chroma), format->depth);
    if (format->range && length >= 0 && (size_t)length < size)
        length += snprintf(text + length, size - length, " %s", fv_range_name(format->range));
    if (format->rate_den && length >= 0 && (size_t)length < size)
        snprintf(text + length, size - length, " %d/%d fps", format->rate_num, format->rate_den);
    return text;
}
