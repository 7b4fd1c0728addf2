/* Reads raw video: the file does not describe itself, so the caller must describe it. docs/input.md */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "compare_text.h"
#include "input/plain/interleaved.h"
#include "input/plain/planar.h"
#include "input/planes.h"

static bool probe(const FvSource *source)
{
    return fv_has_extension(source->path, ".yuv") || fv_has_extension(source->path, ".raw") ||
           fv_has_extension(source->path, ".v210");
}

static int64_t frame_bytes(const FvSource *source)
{
    const FvFormat *format = &source->info.format;
    return source->state ? fv_interleaved_bytes(source->state, format) : fv_planes_bytes(format);
}

static FvStatus check_length(const FvSource *source, FvError *error)
{
    int64_t bytes = source->stream.left, frame = frame_bytes(source);
    if (bytes < 0 || bytes % frame == 0)
        return FV_OK;
    char format[128];
    return fv_fail(error, FV_FAIL_CUT_SHORT,
                   "%s: its %" PRId64 " bytes are not a multiple of the %" PRId64
                   " bytes of a %s frame; check the size, "
                   "the chroma format and the depth that were given",
                   source->info.path, bytes, frame, fv_format_describe(&source->info.format, format, sizeof format));
}

/*
 * Finds the layout that the caller named, with the given chroma format and depth. Without a name each component has a
 * plane.
 */
static FvStatus find_layout(FvSource *source, const FvSourceParams *params, FvError *error)
{
    const FvLayout *layout = fv_layout_find(params->raw_layout);
    if (!params->raw_layout)
        return FV_OK;
    if (!layout)
        return fv_fail(error, FV_ERROR_USAGE,
                       "%s: unknown layout '%s'; use a name such as nv12, p010, uyvy422 or v210", source->info.path,
                       params->raw_layout);
    FvError detail;
    if (fv_layout_check(layout, &params->raw, &detail))
        return fv_fail(error, FV_ERROR_USAGE, "%s: %s", source->info.path, detail.message);
    source->state = (void *)layout;
    return FV_OK;
}

static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    const FvFormat *format = &params->raw;
    if (!format->width || !format->height || !format->depth)
        return fv_fail(error, FV_ERROR_USAGE, "%s: raw video needs its %s to be given", source->info.path,
                       !format->width    ? "width"
                       : !format->height ? "height"
                                         : "depth in bits");
    FvError detail = {0};
    if (fv_format_check(format, &detail))
        return fv_fail(error, FV_ERROR_USAGE, "%s: %s", source->info.path, detail.message);
    FvStatus status = find_layout(source, params, error);
    if (status)
        return status;
    source->info.container = "raw";
    source->info.codec = "rawvideo";
    source->info.format = *format;
    source->info.frames = source->stream.left < 0 ? -1 : source->stream.left / frame_bytes(source);
    source->info.frames_exact = source->info.frames >= 0;
    return check_length(source, error);
}

static FvStatus read_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    bool more;
    FvStatus status = fv_stream_more(&source->stream, &more, error);
    if (status || !more)
        return status ? status : FV_END;
    return source->state ? fv_interleaved_read(source, source->state, frame, error)
                         : fv_planar_read(source, frame, error);
}

/* Skips a frame of which the file's remaining length shows that it is complete; otherwise reads it. */
static FvStatus pass_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    if (source->stream.left < frame_bytes(source))
        return read_frame(source, frame, error);
    fv_stream_seek(&source->stream, fv_stream_position(&source->stream) + frame_bytes(source));
    source->undecoded++;
    return fv_frame_skip_decoding(frame, &source->info.format, error);
}

static FvStatus make_index(FvSource *source, FvError *error)
{
    source->index.shown.frames = source->info.frames;
    return FV_OK;
}

static FvStatus seek(FvSource *source, int64_t frame, FvError *error)
{
    fv_stream_seek(&source->stream, frame * frame_bytes(source));
    source->next = frame;
    return FV_OK;
}

const FvSourceOps fv_source_raw = {"raw", probe, open_reader, read_frame, NULL,       make_index,
                                   seek,  NULL,  NULL,        NULL,       pass_frame, NULL};
