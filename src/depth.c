#include "depth.h"

#include "frame.h"

static void promote_row8(uint16_t *to, const uint8_t *from, int width, int shift)
{
    for (int x = 0; x < width; x++)
        to[x] = (uint16_t)(from[x] << shift);
}

static void promote_row16(uint16_t *to, const uint16_t *from, int width, int shift)
{
    for (int x = 0; x < width; x++)
        to[x] = (uint16_t)(from[x] << shift);
}

FvStatus fv_frame_promote(FvFrame **frame, int depth, FvError *error)
{
    FvFrame *from = *frame, *to;
    FvFormat format = from->format;
    int shift = depth - format.depth;
    format.depth = depth;
    FvStatus status = fv_frame_alloc(&to, &format, error);
    if (status)
        return status;
    for (int plane = 0; plane < fv_format_planes(&format); plane++) {
        int width, height;
        fv_format_plane_size(&format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint16_t *to_row = (uint16_t *)(to->data[plane] + y * to->stride[plane]);
            const uint8_t *from_row = from->data[plane] + y * from->stride[plane];
            if (from->format.depth == 8)
                promote_row8(to_row, from_row, width, shift);
            else
                promote_row16(to_row, (const uint16_t *)from_row, width, shift);
        }
    }
    if (fv_frame_vouched(from))
        fv_frame_vouch(to);
    fv_frame_unref(frame);
    *frame = to;
    return FV_OK;
}
