#include "picture/turn.h"

#include "base/error.h"

#define BLOCK 16 /* side, in samples, of the squares that are rotated one at a time, for the cache */

FvStatus fv_turn_format(const FvFormat *from, int degrees, const char *path, FvFormat *to, FvError *error)
{
    const bool sideways = degrees != 180, columns_back = degrees != 90, rows_back = degrees != 270;
    *to = *from;
    if (sideways) {
        to->width = from->height;
        to->height = from->width;
    }
    const FvChromaSteps steps = fv_chroma_steps(from->chroma);
    if ((sideways && steps.across != steps.down) || (columns_back && from->width % steps.across) ||
        (rows_back && from->height % steps.down))
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: %s of %dx%d has no chroma format when it is turned by %d degrees: turn the other video "
                       "the other way, with `reference.rotate` and `distorted.rotate`",
                       path, fv_chroma_name(from->chroma), from->width, from->height, degrees);
    return FV_OK;
}

typedef struct Plane {
    const uint8_t *from;
    uint8_t *to;
    ptrdiff_t from_stride, to_stride;
    int width, height; /* size of `to` */
    int degrees, bytes;
} Plane;

/* Returns the address of the sample that becomes sample (x, y) of the rotated picture. */
static const uint8_t *source_of(const Plane *p, int x, int y)
{
    const int column = p->degrees == 90 ? y : p->degrees == 180 ? p->width - 1 - x : p->height - 1 - y;
    const int row = p->degrees == 90 ? p->width - 1 - x : p->degrees == 180 ? p->height - 1 - y : x;
    return p->from + row * p->from_stride + (ptrdiff_t)column * p->bytes;
}

static void turn_block(const Plane *p, int left, int top)
{
    const int right = left + BLOCK < p->width ? left + BLOCK : p->width;
    const int bottom = top + BLOCK < p->height ? top + BLOCK : p->height;
    for (int y = top; y < bottom; y++) {
        uint8_t *to = p->to + y * p->to_stride;
        for (int x = left; x < right; x++)
            if (p->bytes == 1)
                to[x] = *source_of(p, x, y);
            else
                ((uint16_t *)(void *)to)[x] = *(const uint16_t *)(const void *)source_of(p, x, y);
    }
}

FvStatus fv_turn_frame(FvFramePool *pool, int degrees, FvFrame **frame, FvError *error)
{
    FvFrame *turned = NULL;
    int64_t time;
    FvStatus status = fv_frame_pool_get(pool, &turned, error);
    if (status)
        return status;
    for (int i = 0; i < fv_format_planes(&turned->format); i++) {
        Plane plane = {.from = (*frame)->data[i],
                       .to = turned->data[i],
                       .from_stride = (*frame)->stride[i],
                       .to_stride = turned->stride[i],
                       .degrees = degrees,
                       .bytes = fv_format_sample_bytes(&turned->format)};
        fv_format_plane_size(&turned->format, i, &plane.width, &plane.height);
        for (int y = 0; y < plane.height; y += BLOCK)
            for (int x = 0; x < plane.width; x += BLOCK)
                turn_block(&plane, x, y);
    }
    if (fv_frame_time(*frame, &time))
        fv_frame_set_time(turned, time);
    fv_frame_unref(frame);
    *frame = turned;
    return FV_OK;
}
