/* The pictures of a video, by libavcodec on the CPU. */
#include <inttypes.h>

#include "os/cancel.h"
#include "base/error.h"
#include "input/libav_calls.h"
#include "input/libav_video.h"
#include "os/memory.h"

/* Whether the picture of the packet that was read is left out. */
static bool is_left_out(FvLibav *libav)
{
    return libav->entered && (libav->packet->pts < libav->entered_pts ||
                              fv_skips_take(&libav->skips, libav->packet, fv_libav_codec(libav)));
}

/* Gives the decoder one packet, or the end of the stream, which may be a premature one. */
static FvStatus feed(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    do
        code = fv_libav_demux(libav);
    while (!code && is_left_out(libav));
    if (code && code != AVERROR_EOF && code != FV_LIBAV_MEMORY) {
        fv_libav_log_take(&libav->log, code, libav->cut, sizeof libav->cut);
        fv_libav_log_clear(&libav->log);
    }
    if (code == FV_LIBAV_MEMORY)
        return fv_libav_fail_frame(source, "read", code, error);
    fv_memory_watch();
    code = fv_libav_result(avcodec_send_packet(libav->decoder, code ? NULL : libav->packet));
    av_packet_unref(libav->packet);
    return code ? fv_libav_fail_frame(source, "decoded", code, error) : FV_OK;
}

static int receive(FvLibav *libav)
{
    fv_memory_watch();
    return fv_libav_result(avcodec_receive_frame(libav->decoder, libav->picture));
}

FvStatus fv_libav_decode(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    while ((code = receive(libav)) == AVERROR(EAGAIN)) {
        FvStatus status = feed(source, error);
        if (status)
            return status;
    }
    if (code && code != AVERROR_EOF)
        return fv_libav_fail_frame(source, "decoded", code, error);
    /* Concealed damage looks like video; it must not get a score. Some decoders only log that they conceal. */
    if (fv_libav_log_complained(&libav->log) ||
        (!code && (libav->picture->flags & AV_FRAME_FLAG_CORRUPT || libav->picture->decode_error_flags)))
        return fv_libav_fail_frame(source, "decoded, its data are damaged or incomplete", AVERROR_INVALIDDATA, error);
    if (code && *libav->cut)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be read, the file is damaged or cut short: %s",
                       source->info.path, source->next, libav->cut);
    if (code && source->info.frames > source->next && fv_libav_is_mov(libav))
        return fv_libav_fail_short(source, error);
    return code ? FV_END : FV_OK;
}

/*
 * When threads fail, one does the same again. Several frames may have been under way, so that nobody knows which one
 * is damaged, and a thread may have logged an error of another source. What is read and what is refused is then the
 * same for any number of threads.
 */
FvStatus fv_libav_decode_next(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = fv_libav_decode(source, error);
    if (!status || status == FV_END || *libav->cut || fv_cancel_requested(source->cancel) ||
        !libav->decoder->active_thread_type)
        return status;
    fv_libav_stop(libav);
    status = fv_libav_start(source, 1, error);
    int64_t number = source->next;
    for (source->next = 0; source->next < number && !status; source->next++)
        status = fv_libav_decode(source, error);
    return status ? status : fv_libav_decode(source, error);
}
