#include "input/plain/planar.h"

#include "input/planes.h"
#include "input/slices.h"
#include "picture/samples.h"

/* Number of bytes read before they are checked, small enough to be still in a near cache. */
#define BATCH_BYTES (64 << 10)

static FvStatus read_plane(FvSource *source, FvFrame *frame, int plane, int64_t *got, FvError *error)
{
    int width, height;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    size_t row_bytes = (size_t)width * fv_format_sample_bytes(&frame->format);
    bool check = frame->format.depth > 8 && (frame->format.depth < 16 || FV_SWAP_LITTLE);
    int batch = !check ? height : (int)(BATCH_BYTES / row_bytes) + 1;
    for (int y = 0; y < height; y += batch) {
        int rows = height - y < batch ? height - y : batch;
        size_t length;
        FvStatus status = fv_stream_read_rows(&source->stream, frame->data[plane] + y * frame->stride[plane],
                                              frame->stride[plane], row_bytes, rows, &length, error);
        if (status)
            return status;
        *got += (int64_t)length;
        if (length < row_bytes * rows)
            return fv_fail_cut(source, *got, fv_planes_bytes(&source->info.format), error);
        status = fv_planes_check(source, frame, plane, y, rows, error);
        if (status)
            return status;
    }
    return FV_OK;
}

FvStatus fv_planar_read(FvSource *source, FvFrame **frame, FvError *error)
{
    /* Checked before memory is allocated, so that a small file with a large header costs nothing. */
    int64_t left = source->stream.left;
    if (left >= 0 && left < fv_planes_bytes(&source->info.format))
        return fv_fail_cut(source, left, fv_planes_bytes(&source->info.format), error);
    const bool slices = fv_slices_fit(source);
    FvStatus status = slices ? fv_slices_frame(source, frame, error) : fv_frame_pool_get(source->pool, frame, error);
    int64_t got = 0;
    if (!status && slices)
        status = fv_slices_read(source, *frame, error);
    else
        for (int plane = 0; !status && plane < fv_format_planes(&source->info.format); plane++)
            status = read_plane(source, *frame, plane, &got, error);
    if (status)
        fv_frame_unref(frame);
    return status;
}
