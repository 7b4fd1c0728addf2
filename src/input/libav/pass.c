/* Frames that are not needed are not decoded, where that changes no other frame. */
#include <string.h>

#include "input/libav/calls.h"
#include "input/libav/video.h"

void fv_libav_end_passing(FvLibav *libav)
{
    fv_skips_end(&libav->skips);
    libav->passing = FV_PASSING_NONE;
}

/*
 * Codecs of which each packet certainly is one picture that needs no other packet. libavcodec's own mark also has
 * codecs with pictures that refer to earlier ones, and with packets of several pictures.
 */
static bool has_whole_packets(enum AVCodecID codec)
{
    static const enum AVCodecID whole[] = {
        AV_CODEC_ID_PRORES,   AV_CODEC_ID_DNXHD,   AV_CODEC_ID_MJPEG,   AV_CODEC_ID_JPEG2000, AV_CODEC_ID_DVVIDEO,
        AV_CODEC_ID_HUFFYUV,  AV_CODEC_ID_FFVHUFF, AV_CODEC_ID_UTVIDEO, AV_CODEC_ID_MAGICYUV, AV_CODEC_ID_HAP,
        AV_CODEC_ID_RAWVIDEO, AV_CODEC_ID_V210,    AV_CODEC_ID_R210,    AV_CODEC_ID_R10K,     AV_CODEC_ID_PNG,
        AV_CODEC_ID_TIFF,     AV_CODEC_ID_DPX,     AV_CODEC_ID_EXR,     AV_CODEC_ID_BMP,      AV_CODEC_ID_TARGA};
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (whole[i] == codec)
            return true;
    return false;
}

/* Whether the frames have times by which a picture that comes out tells its number. An index reads the file. */
static bool has_times(FvSource *source)
{
    const FvSourceIndex *index;
    FvError ignored;
    return !source->stream.waits && !source->images && !fv_source_index(source, &index, &ignored) &&
           source->index.time;
}

void fv_libav_choose_passing(FvSource *source)
{
    FvLibav *libav = source->state;
    if (libav->passing || libav->peeked || libav->hwdec || libav->left || !fv_need_leaves_out(&source->lent.need))
        return;
    libav->passing = FV_PASSING_NONE;
    if (libav->entered)
        return;
    const AVCodecParameters *codec = fv_libav_codec(libav);
    libav->need = source->lent.need;
    libav->passes_from = libav->shown;
    if (has_whole_packets(codec->codec_id)) {
        libav->passing = FV_PASSING_PACKETS;
    } else if (fv_skips_possible(codec) && has_times(source)) {
        fv_skips_begin(&libav->skips, &source->index, source->next, source->index.shown.frames, &libav->need);
        libav->passing = libav->skips.out ? FV_PASSING_SKIPS : FV_PASSING_NONE;
    }
}

bool fv_libav_lacks_frames(const FvSource *source)
{
    const FvLibav *libav = source->state;
    return libav->passing > FV_PASSING_NONE && memcmp(&libav->need, &source->lent.need, sizeof libav->need);
}

bool fv_libav_drops(FvLibav *libav)
{
    const AVPacket *packet = libav->packet;
    if (packet->flags & AV_PKT_FLAG_DISCARD)
        return false;
    if (libav->passing == FV_PASSING_PACKETS)
        return !fv_need_has(&libav->need, libav->shown - 1);
    return libav->passing == FV_PASSING_SKIPS && fv_skips_take(&libav->skips, packet, fv_libav_codec(libav));
}

/* When the packets say that a frame is shown. */
static int64_t time_of(const FvSource *source, int64_t frame)
{
    const FvLibav *libav = source->state;
    if (libav->passing == FV_PASSING_SKIPS)
        return frame < source->index.shown.frames ? source->index.time[frame] : AV_NOPTS_VALUE;
    const bool listed = libav->passing == FV_PASSING_PACKETS && !libav->unlisted && frame < libav->seen.shown.count;
    return listed ? libav->seen.shown.item[frame] : AV_NOPTS_VALUE;
}

/* Where a picture comes out at another time than its packet says, everything is decoded again, from the beginning. */
static FvStatus decode_timed(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    const int64_t number = source->next;
    FvStatus status = fv_libav_decode_next(source, error);
    if (status || libav->passing <= FV_PASSING_NONE ||
        libav->picture->pts == time_of(source, fv_skips_next(&libav->skips, number)))
        return status;
    status = fv_libav_restart(source, error);
    if (!status)
        status = fv_libav_advance(source, number, error);
    return status || libav->waiting ? status : fv_libav_decode_next(source, error);
}

FvStatus fv_libav_decode_needed(FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    return libav->waiting ? FV_OK : decode_timed(source, error);
}

/* The packet of the frame has been dropped, or is read and dropped now. */
static FvStatus pass_packet(FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    source->passed++;
    if (source->next < libav->shown)
        return FV_OK;
    return libav->drained ? fv_libav_decode_next(source, error) : fv_libav_next_packet(source, error);
}

/* Whether the packet was dropped shows when the next picture comes, which then waits to be read. */
static FvStatus pass_picture(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = libav->waiting ? FV_OK : decode_timed(source, error);
    const bool dropped = fv_skips_next(&libav->skips, source->next) > source->next;
    libav->waiting = !status && dropped;
    source->passed += dropped;
    if (!status && !dropped)
        av_frame_unref(libav->picture);
    return status == FV_END && dropped ? FV_OK : status;
}

FvStatus fv_libav_pass(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    const bool packets = libav->passing == FV_PASSING_PACKETS && source->next >= libav->passes_from;
    fv_libav_log_enter(&libav->log);
    FvStatus status = packets ? pass_packet(source, error) : pass_picture(source, error);
    libav->going = !status;
    fv_libav_log_leave();
    if (!status)
        status = fv_frame_pass(frame, &source->info.format, error);
    const int64_t shown = time_of(source, source->next);
    const int64_t ticks =
        shown == AV_NOPTS_VALUE && packets && !libav->unlisted ? libav->seen.decoded.item[source->next] : shown;
    if (!status && ticks != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, ticks);
    return status;
}
