#include "picture/pixels.h"

#include <stdlib.h>

#include "arith/scalar.h"
#include "arith/real.h"
#include "base/error.h"
#include "fovea/rgb.h"
#include "picture/floats.h"
#include "picture/format.h"
#include "picture/rgb.h"
#include "picture/ycbcr_variant.h"

#define FARTHEST 1e30 /* maximum distance of `lowest` and `highest` from 0 */
#define NEAREST 1e-30 /* minimum distance between both */

int fv_pixels_bytes(const FvPixels *pixels)
{
    return (const int[]){1, 2, 2, 4, 8}[pixels->type];
}

FvStatus fv_pixels_check(const FvPixels *pixels, const FvFormat *format, int matrix, FvError *error)
{
    FvStatus status = fv_format_check(format, error);
    const char *why = NULL;
    if (status)
        return status;
    if (!pixels->address)
        why = "they have no address";
    else if ((unsigned)pixels->type > FV_SAMPLE_FLOAT64)
        why = "their type does not exist";
    else if (pixels->components != 3 && pixels->components != 4)
        why = "RGB has 3 components, and RGBA 4";
    else if (pixels->components == 4 && (pixels->background < 0 || pixels->background > 0xffffff))
        why = "the background is outside 0 to 0xFFFFFF";
    else if (format->chroma != FV_CHROMA_RGB)
        why = "the chroma format of the frame is not RGB";
    else if (!fv_pixels_are_real(pixels) && (fv_pixels_bytes(pixels) == 1) != (format->depth == 8))
        why = "bytes are of 8 bits, and 16-bit integers of 9 to 16";
    else if (matrix && !fv_rgb_has_matrix(matrix))
        why = "RGB becomes Y'CbCr by the matrix of BT.709, BT.601 or BT.2020: code point 1, 5, 6 or 9";
    else if (fv_pixels_are_real(pixels) && (unsigned)pixels->rounding > FV_ROUND_FLOOR)
        why = "their rounding does not exist";
    else if (fv_pixels_are_real(pixels) && !(pixels->lowest >= -FARTHEST && pixels->highest <= FARTHEST &&
                                             pixels->highest - pixels->lowest >= NEAREST))
        why = "the range of their values does not ascend, ends beyond 1e30, or spans less than 1e-30";
    return why ? fv_fail(error, FV_ERROR_USAGE, "pixels cannot become a frame: %s", why) : FV_OK;
}

FvStatus fv_pixels_refuse(const FvPixels *pixels, int depth, const FvBadSample *bad, FvError *error)
{
    if (fv_pixels_are_real(pixels))
        return fv_fail(error, FV_ERROR_USAGE,
                       "pixels: the value%s%s of row %d, column %d, component %d is outside the range "
                       "%.9g to %.9g",
                       *bad->value ? " " : "", bad->value, bad->y, bad->x, bad->component, pixels->lowest,
                       pixels->highest);
    return fv_fail(error, FV_FAIL_DAMAGED, "%s of column %d, row %d: sample%s%s exceeds %d bits",
                   (const char *const[]){"red", "green", "blue", "alpha"}[bad->component], bad->x, bad->y,
                   *bad->value ? " " : "", bad->value, depth);
}

static double read_real(const uint8_t *at, FvSampleType type)
{
    float single;
    double value;
    if (type == FV_SAMPLE_FLOAT64)
        memcpy(&value, at, sizeof value);
    else if (type == FV_SAMPLE_FLOAT32) {
        memcpy(&single, at, sizeof single);
        value = (double)single;
    } else
        value = fv_float_value(16, fv_float_read_bits(16, (FvWords){0}, at));
    return value;
}

/* Replaces the real numbers of *pixels by integers of the depth, which the caller frees. */
static FvStatus quantise(FvPixels *pixels, const FvFormat *format, void **codes, FvError *error)
{
    const size_t count = (size_t)format->width * (size_t)format->height * (size_t)pixels->components;
    const bool bytes = format->depth == 8;
    const double peak = (1 << format->depth) - 1, span = pixels->highest - pixels->lowest;
    uint8_t *to = *codes = malloc(count * (bytes ? 1 : 2));
    if (!to)
        return fv_fail_memory(error, count * (bytes ? 1 : 2));
    for (int y = 0; y < format->height; y++)
        for (int x = 0; x < format->width; x++)
            for (int c = 0; c < pixels->components; c++) {
                const uint8_t *at = (const uint8_t *)(uintptr_t)pixels->address + y * pixels->row +
                                    x * pixels->pixel + c * pixels->component;
                const double value = read_real(at, pixels->type);
                if (!(value >= pixels->lowest && value <= pixels->highest)) {
                    FvBadSample bad = {.x = x, .y = y, .component = c};
                    snprintf(bad.value, sizeof bad.value, "%.9g", value);
                    return fv_pixels_refuse(pixels, format->depth, &bad, error);
                }
                const uint16_t code = (uint16_t)fv_real_code(value - pixels->lowest, span, peak, pixels->rounding);
                if (bytes)
                    *to++ = (uint8_t)code;
                else {
                    memcpy(to, &code, sizeof code);
                    to += sizeof code;
                }
            }
    pixels->type = bytes ? FV_SAMPLE_UINT8 : FV_SAMPLE_UINT16;
    pixels->address = (uint64_t)(uintptr_t)*codes;
    pixels->component = fv_pixels_bytes(pixels);
    pixels->pixel = pixels->component * pixels->components;
    pixels->row = pixels->pixel * format->width;
    return FV_OK;
}

static FvStatus fill(FvFrame **frame, const FvFormat *format, const FvPixels *pixels, FvError *error)
{
    const void *data[4];
    ptrdiff_t stride[4];
    for (int c = 0; c < 4; c++) {
        data[c] = (const uint8_t *)(uintptr_t)pixels->address + c * pixels->component;
        stride[c] = (ptrdiff_t)pixels->row;
    }
    FvStatus status = fv_frame_alloc(frame, format, error);
    if (!status)
        status = pixels->components == 4
                     ? fv_frame_fill_rgba(*frame, data, stride, (ptrdiff_t)pixels->pixel, pixels->background, error)
                     : fv_frame_fill_rgb(*frame, data, stride, (ptrdiff_t)pixels->pixel, error);
    return status;
}

FvStatus fv_pixels_make(FvFrame **frame, const FvFormat *format, const FvPixels *pixels, int matrix, FvError *error)
{
    FvPixels integers = *pixels;
    FvFrame *ycbcr = NULL;
    void *codes = NULL;
    const FvFormat variant = fv_variant_format(format, matrix);
    FvStatus status = fv_pixels_are_real(pixels) ? quantise(&integers, format, &codes, error) : FV_OK;
    if (!status)
        status = fill(frame, format, &integers, error);
    if (!status && matrix)
        status = fill(&ycbcr, &variant, &integers, error);
    free(codes);
    if (!status && matrix)
        return fv_frame_set_ycbcr(frame, ycbcr, error);
    fv_frame_unref(&ycbcr);
    if (status)
        fv_frame_unref(frame);
    return status;
}
