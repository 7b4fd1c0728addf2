#include "input/planes.h"

#include <inttypes.h>

#include "base/error.h"
#include "cpu/depth.h"
#include "picture/samples.h"

int64_t fv_planes_bytes(const FvFormat *format)
{
    int64_t bytes = 0;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        bytes += (int64_t)width * height * fv_format_sample_bytes(format);
    }
    return bytes;
}

FvStatus fv_fail_sample(const FvSource *source, int plane, int x, int y, unsigned value, FvError *error)
{
    static const char *const names[] = {"Y", "Cb", "Cr", "alpha"};
    int depth = source->info.format.depth;
    return fv_fail(error, FV_FAIL_DAMAGED,
                   "%s: frame %" PRId64 ", plane %s, column %d, row %d: the stored word %u is not a sample of %d "
                   "bits; the file's depth is probably another than the declared one",
                   source->info.path, source->next, names[plane], x, y, value, depth);
}

FvStatus fv_fail_cut(const FvSource *source, int64_t got, int64_t bytes, FvError *error)
{
    return fv_fail(error, FV_FAIL_CUT_SHORT,
                   "%s: frame %" PRId64 " is cut short: %" PRId64 " of its %" PRId64 " bytes are there",
                   source->info.path, source->next, got, bytes);
}

FvStatus fv_planes_check(const FvSource *source, const FvFrame *frame, int plane, int first, int rows, FvError *error)
{
    unsigned maximum = (1u << frame->format.depth) - 1;
    int width, height;
    if (frame->format.depth == 8 || (frame->format.depth == 16 && !FV_SWAP_LITTLE))
        return FV_OK;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    const ptrdiff_t stride = frame->stride[plane];
    uint8_t *words = frame->data[plane] + first * stride;
    for (int y = 0; y < rows && FV_SWAP_LITTLE; y++)
        fv_samples_unpack16((uint16_t *)(words + y * stride), words + y * stride, (FvWords){2, true, 0, UINT16_MAX},
                            width);
    const unsigned all = fv_depth_kernels(fv_isa_best())->join(words, stride, width, rows);
    if (all <= maximum)
        return FV_OK;
    for (int y = first;; y++) {
        const uint16_t *row = (const uint16_t *)(frame->data[plane] + y * frame->stride[plane]);
        for (int x = 0; x < width; x++)
            if (row[x] > maximum)
                return fv_fail_sample(source, plane, x, y, row[x], error);
    }
}
