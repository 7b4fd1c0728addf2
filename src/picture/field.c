#include "picture/field.h"

#include "picture/frame.h"

int fv_field_rows(const FvFormat *format)
{
    return format->chroma == FV_CHROMA_420 ? 4 : 2;
}

FvFormat fv_field_format(const FvFormat *format)
{
    FvFormat field = *format;
    const int rows = fv_field_rows(format);
    field.height = format->height / rows * rows / 2;
    return field;
}

static void release_frame(void *opaque)
{
    FvFrame *frame = opaque;
    fv_frame_unref(&frame);
}

FvStatus fv_field_take(FvFrame **frame, int field, FvError *error)
{
    FvFrame *whole = *frame;
    const FvFormat format = fv_field_format(&whole->format);
    uint8_t *data[3] = {NULL, NULL, NULL};
    ptrdiff_t stride[3] = {0, 0, 0};
    int64_t ticks;
    const bool timed = fv_frame_time(whole, &ticks);
    for (int plane = 0; plane < fv_format_planes(&format); plane++) {
        data[plane] = whole->data[plane] + field * whole->stride[plane];
        stride[plane] = 2 * whole->stride[plane];
    }
    const FvStatus status = fv_frame_wrap(frame, &format, data, stride,
                                          &(FvFramePlace){.release = release_frame, .opaque = whole}, error);
    if (!status && timed)
        fv_frame_set_time(*frame, ticks);
    return status;
}
