#include "input/plain/interleaved.h"

#include "base/error.h"
#include "input/planes.h"
#include "os/memory.h"

int64_t fv_interleaved_bytes(const FvLayout *layout, const FvFormat *format)
{
    int64_t bytes = 0;
    for (int plane = 0; plane < fv_layout_planes(layout); plane++) {
        int height;
        fv_format_plane_size(format, plane, NULL, &height);
        bytes += (int64_t)fv_layout_row(layout, format, plane) * height;
    }
    return bytes;
}

static FvStatus read_rows(FvSource *source, const FvLayout *layout, FvFrame *frame, uint8_t *stored, FvError *error)
{
    int64_t got = 0;
    FvBadWord bad;
    for (int from = 0; from < fv_layout_planes(layout); from++) {
        const size_t row = fv_layout_row(layout, &frame->format, from);
        int height;
        fv_format_plane_size(&frame->format, from, NULL, &height);
        for (int y = 0; y < height; y++) {
            size_t length;
            FvStatus status = fv_stream_read(&source->stream, stored, row, &length, error);
            got += (int64_t)length;
            if (!status && length < row)
                status = fv_fail_cut(source, got, fv_interleaved_bytes(layout, &frame->format), error);
            if (!status && !fv_layout_take(layout, frame, from, y, stored, &bad))
                status = fv_fail_sample(source, bad.plane, bad.x, y, bad.word, error);
            if (status)
                return status;
        }
    }
    return FV_OK;
}

FvStatus fv_interleaved_read(FvSource *source, const FvLayout *layout, FvFrame **frame, FvError *error)
{
    const FvFormat *format = &source->info.format;
    const size_t luma = fv_layout_row(layout, format, 0), chroma = fv_layout_row(layout, format, 1);
    const size_t most = luma > chroma ? luma : chroma;
    FvStatus status = fv_frame_pool_get(source->pool, frame, error);
    if (status)
        return status;
    uint8_t *stored = fv_alloc(most);
    status = stored ? read_rows(source, layout, *frame, stored, error) : fv_fail_memory(error, most);
    fv_free(stored);
    if (status)
        fv_frame_unref(frame);
    return status;
}
