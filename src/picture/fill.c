/* Fills frames from layouts in which components share planes. */
#include "base/error.h"
#include "fovea/rgb.h"
#include "picture/frame.h"
#include "picture/layout.h"
#include "picture/rgb.h"
#include "picture/samples.h"

static FvStatus check_host(const FvFrame *frame, FvError *error)
{
    return frame->data[0]
               ? FV_OK
               : fv_fail(error, FV_ERROR_USAGE, "the frame lies in a device's memory, which the host cannot write");
}

FvStatus fv_frame_fill_layout(FvFrame *frame, const char *name, const void *const data[2], const ptrdiff_t stride[2],
                              FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    FV_REQUIRE(error, name);
    FV_REQUIRE(error, data);
    FV_REQUIRE(error, stride);
    const FvLayout *layout = fv_layout_find(name);
    if (!layout)
        return fv_fail(error, FV_ERROR_USAGE, "unknown layout '%s'; use a name such as nv12, p010, uyvy422 or v210",
                       name);
    for (int from = 0; from < fv_layout_planes(layout); from++)
        FV_REQUIRE(error, data[from]);
    FvStatus status = check_host(frame, error);
    if (!status)
        status = fv_layout_check(layout, &frame->format, error);
    for (int from = 0; from < fv_layout_planes(layout) && !status; from++) {
        int height;
        fv_format_plane_size(&frame->format, from, NULL, &height);
        for (int y = 0; y < height && !status; y++) {
            FvBadWord bad;
            if (!fv_layout_take(layout, frame, from, y, (const uint8_t *)data[from] + y * stride[from], &bad))
                status = fv_fail(error, FV_FAIL_DAMAGED,
                                 "plane %d, column %d, row %d: the word %u is not a sample of %d bits in %s",
                                 bad.plane, bad.x, y, bad.word, layout->depth, layout->name);
        }
    }
    if (!status)
        fv_frame_vouch(frame);
    return status;
}

/* ---- RGB ------------------------------------------------------------------------------------------------------- */

#define MOST_STEP 65536

static FvStatus check_rgb(const FvFormat *format, ptrdiff_t step, FvError *error)
{
    if (format->chroma != FV_CHROMA_RGB && (format->chroma != FV_CHROMA_444 || format->range != FV_RANGE_LIMITED))
        return fv_fail(error, FV_ERROR_USAGE, "RGB becomes 4:4:4 of limited range, and the frame is %s of %s range",
                       fv_chroma_name(format->chroma), fv_range_name(format->range));
    if (format->chroma != FV_CHROMA_RGB && !fv_rgb_has_matrix(format->matrix))
        return fv_fail(error, FV_ERROR_USAGE,
                       "RGB becomes Y'CbCr by the matrix of BT.709, BT.601 or BT.2020: code point 1, 5, 6 or 9, "
                       "and the frame's is %d",
                       format->matrix);
    return step && step >= -MOST_STEP && step <= MOST_STEP
               ? FV_OK
               : fv_fail(error, FV_ERROR_USAGE, "a step of %td bytes from pixel to pixel is 0 or beyond %d", step,
                         MOST_STEP);
}

static FvStatus take_component(FvFrame *frame, int plane, const uint8_t *from, ptrdiff_t stride, int step,
                               FvError *error)
{
    const int width = frame->format.width, depth = frame->format.depth;
    const FvWords words = {.step = step, .mask = UINT16_MAX};
    for (int y = 0; y < frame->format.height; y++) {
        uint8_t *row = frame->data[plane] + y * frame->stride[plane];
        unsigned all = 0;
        if (depth == 8)
            fv_samples_unpack8(row, from + y * stride, step, width);
        else
            all = fv_samples_unpack16((uint16_t *)row, from + y * stride, words, width);
        for (int x = 0; all >> depth; x++)
            if (((const uint16_t *)row)[x] >> depth)
                return fv_fail(error, FV_FAIL_DAMAGED, "%s of column %d, row %d: sample %d exceeds %d bits",
                               (const char *const[]){"red", "green", "blue",
                                                     "alpha"}[frame->format.chroma == FV_CHROMA_400 ? 3 : plane],
                               x, y, ((const uint16_t *)row)[x], depth);
    }
    return FV_OK;
}

static FvStatus finish_rgb(FvFrame *frame)
{
    if (frame->format.chroma != FV_CHROMA_RGB)
        fv_rgb_convert(frame, frame->format.matrix);
    fv_frame_vouch(frame);
    return FV_OK;
}

FvStatus fv_frame_fill_rgb(FvFrame *frame, const void *const data[3], const ptrdiff_t stride[3], ptrdiff_t step,
                           FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    FV_REQUIRE(error, data);
    FV_REQUIRE(error, stride);
    for (int plane = 0; plane < 3; plane++)
        FV_REQUIRE(error, data[plane]);
    FvStatus status = check_host(frame, error);
    if (!status)
        status = check_rgb(&frame->format, step, error);
    for (int plane = 0; plane < 3 && !status; plane++)
        status = take_component(frame, plane, data[plane], stride[plane], (int)step, error);
    if (status)
        return status;
    return finish_rgb(frame);
}

/* Blends the samples of a frame over the background, by their alpha. */
static FvStatus flatten(FvFrame *frame, const uint8_t *alpha, ptrdiff_t stride, ptrdiff_t step, int background,
                        FvError *error)
{
    FvFrame *plane;
    FvFormat format = frame->format;
    const int64_t peak = (1 << format.depth) - 1;
    format.chroma = FV_CHROMA_400;
    FvStatus status = fv_frame_alloc(&plane, &format, error);
    if (!status)
        status = take_component(plane, 0, alpha, stride, (int)step, error);
    for (int c = 0; c < 3 && !status; c++) {
        const int64_t under = (2 * (background >> (16 - 8 * c) & 255) * peak + 255) / 510;
        for (int y = 0; y < format.height; y++)
            fv_rgb_flatten(frame->data[c] + y * frame->stride[c], plane->data[0] + y * plane->stride[0], format.width,
                           format.depth, (int)under, false);
    }
    fv_frame_unref(&plane);
    return status;
}

FvStatus fv_frame_fill_rgba(FvFrame *frame, const void *const data[4], const ptrdiff_t stride[4], ptrdiff_t step,
                            int background, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    FV_REQUIRE(error, data);
    FV_REQUIRE(error, stride);
    for (int plane = 0; plane < 4; plane++)
        FV_REQUIRE(error, data[plane]);
    if (background < 0 || background > 0xffffff)
        return fv_fail(error, FV_ERROR_USAGE, "background %d is outside 0 to 0xFFFFFF", background);
    FvStatus status = check_host(frame, error);
    if (!status)
        status = check_rgb(&frame->format, step, error);
    for (int plane = 0; plane < 3 && !status; plane++)
        status = take_component(frame, plane, data[plane], stride[plane], (int)step, error);
    if (!status)
        status = flatten(frame, data[3], stride[3], step, background, error);
    return status ? status : finish_rgb(frame);
}

FvStatus fv_frame_set_ycbcr(FvFrame **frame, FvFrame *ycbcr, FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, frame);
    FV_REQUIRE(error, *frame);
    FV_REQUIRE(error, ycbcr);
    const FvFormat *rgb = &(*frame)->format;
    if (ycbcr->format.chroma != FV_CHROMA_RGB && ycbcr->format.width == rgb->width &&
        ycbcr->format.height == rgb->height)
        return fv_frame_join(frame, ycbcr, error);
    fv_frame_unref(&ycbcr);
    return fv_fail(error, FV_ERROR_USAGE, "the picture that goes with a frame is Y'CbCr of the same size");
}
