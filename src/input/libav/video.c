#include "input/libav/video.h"

#include <inttypes.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/packet/random_access.h"
#include "os/cancel.h"

FvVideoState fv_video_after(FvVideoState state, FvVideoEvent event)
{
    /* clang-format off */
    enum { LOST = FV_VIDEO_LOST, NEXT = FV_VIDEO_NEXT, READY = FV_VIDEO_READY, PEEK = FV_VIDEO_PEEKED,
           HARD = FV_VIDEO_HARDWARE, LEFT = FV_VIDEO_LEFT };
    static const unsigned char after[FV_VIDEO_STATES][FV_VIDEO_EVENTS] = {
        /*                      OPENED PEEK  FOUND  TAKEN FAILED HANDED BACK */
        [FV_VIDEO_LOST]     = { NEXT,  LOST, LOST,  LOST, LOST,  HARD,  LEFT },
        [FV_VIDEO_NEXT]     = { NEXT,  PEEK, READY, NEXT, LOST,  HARD,  LEFT },
        [FV_VIDEO_READY]    = { NEXT, READY, READY, NEXT, LOST,  HARD,  LEFT },
        [FV_VIDEO_PEEKED]   = { NEXT,  PEEK, PEEK,  PEEK, LOST,  HARD,  LEFT },
        [FV_VIDEO_HARDWARE] = { NEXT,  HARD, HARD,  HARD, LOST,  HARD,  LEFT },
        [FV_VIDEO_LEFT]     = { NEXT,  LEFT, LEFT,  LEFT, LOST,  HARD,  LEFT },
    };
    /* clang-format on */
    return after[state][event];
}

void fv_video_turn(FvVideo *video, FvVideoEvent event)
{
    video->state = fv_video_after(video->state, event);
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

void fv_video_stop(FvVideo *video)
{
    fv_decoder_close(&video->decoder);
    fv_demux_close(&video->demux);
    fv_skips_stop(&video->skips);
    video->entered = false;
}

FvStatus fv_video_rewind(FvVideo *video, const AVCodec **codec, FvError *error)
{
    const enum AVCodecID known = video->prores_by_libavcodec ? AV_CODEC_ID_NONE : AV_CODEC_ID_PRORES;
    fv_video_stop(video);
    video->demux.facts = &video->facts;
    FvStatus status =
        fv_demux_open(&video->demux, video->source, video->format, video->choice, known, &video->decoder.log, error);
    if (status)
        return status;
    const enum AVCodecID id = fv_demux_codec(&video->demux)->codec_id;
    *codec = avcodec_find_decoder(id);
    const uint32_t tag = fv_demux_codec(&video->demux)->codec_tag;
    char fourcc[5] = "";
    for (int i = 0; i < 4; i++) {
        const int letter = tag >> 8 * i & 255;
        fourcc[i] = (char)(letter >= ' ' && letter < 127 ? letter : '?');
    }
    if (fv_demux_is_encrypted(&video->demux))
        return fv_facts_refuse_encrypted(video->source, error);
    if (*codec)
        return FV_OK;
    return fv_fail(
        error, FV_FAIL_UNSUPPORTED,
        "%s needs a decoder for %s (%s), which the installed FFmpeg lacks; install a full FFmpeg, or convert the "
        "video, for example to FFV1",
        video->source->info.path, id ? avcodec_get_name(id) : "of unknown name", tag ? fourcc : "no fourcc");
}

FvStatus fv_video_start(FvVideo *video, int threads, FvError *error)
{
    const AVCodec *codec;
    FvStatus status = fv_video_rewind(video, &codec, error);
    if (!status && (codec->id != AV_CODEC_ID_PRORES || video->prores_by_libavcodec))
        status = fv_decoder_open(&video->decoder, &video->demux, codec, threads, error);
    /* Ignores messages from the demuxer's attempts to recognise the file. */
    if (!status)
        fv_libav_log_clear(&video->decoder.log);
    fv_video_turn(video, status ? FV_VIDEO_FAILED : FV_VIDEO_OPENED);
    return status;
}

static bool leaves_out(void *opaque, const AVPacket *packet)
{
    FvVideo *video = opaque;
    return (video->entered && packet->pts < video->entered_pts) ||
           fv_skips_drop(&video->skips, packet, fv_demux_codec(&video->demux), video->demux.shown - 1);
}

static FvStatus decode_once(FvVideo *video, FvError *error)
{
    const FvSource *source = video->source;
    FvStatus status = fv_decoder_read(&video->decoder, &video->demux, &(FvDecoderFilter){leaves_out, video}, error);
    return status == FV_END && source->info.frames > fv_skips_next(&video->skips, source->next) && source->indexed
               ? fv_demux_fail_short(&video->demux, error)
               : status;
}

/* ---- Videos that begin within a group of pictures -------------------------------------------------------------- */

/* maximum number of packets before the first key packet, and after it up to a picture that is shown later */
#define MOST_PACKETS 3000
#define MOST_STARTS 8 /* maximum number of key packets that are tried */

/* A place where decoding may begin, and what is lost by that. */
typedef struct Begin {
    FvLateStart start; /* the key packet; `late` is false if there is none */
    int64_t packets;   /* number of packets that are left out */
    int64_t pictures;  /* number of these packets whose picture would be shown */
} Begin;

/* Finds key packet number `number`, from 0, of a video that is read from its first packet. */
static Begin look_for_start(FvVideo *video, int number)
{
    FvDemux *demux = &video->demux;
    AVPacket *packet = av_packet_alloc();
    Begin begin = {.packets = 0};
    for (int64_t i = 0; packet && i < MOST_PACKETS && !fv_demux_peek(demux, packet); i++) {
        const bool key = packet->flags & AV_PKT_FLAG_KEY && packet->pts != AV_NOPTS_VALUE;
        if (!begin.start.late && key && !number--) {
            begin.start = (FvLateStart){.late = true, .packets = i, .pts = packet->pts, .leading = true};
            continue;
        }
        if (begin.start.late && !fv_late_start_drops(&begin.start, packet))
            break;
        begin.packets++;
        begin.pictures += !(packet->flags & AV_PKT_FLAG_DISCARD);
    }
    av_packet_free(&packet);
    return begin;
}

/* Returns whether, from the first packet on, all `count` pictures up to time `pts` can be decoded. */
static bool decodes_up_to(FvVideo *video, int64_t pts, int64_t count, FvError *error)
{
    int64_t decoded = 0;
    while (!decode_once(video, error)) {
        const int64_t time = video->decoder.picture->pts;
        av_frame_unref(video->decoder.picture);
        if (time == AV_NOPTS_VALUE || time >= pts)
            return decoded >= count;
        decoded++;
    }
    return false;
}

FvStatus fv_video_find_start(FvVideo *video, int threads, FvError *error)
{
    FvDemux *demux = &video->demux;
    FvSource *source = video->source;
    FvError ignored;
    if (!fv_skips_possible(fv_demux_codec(demux)) || source->stream.waits || video->start_known)
        return FV_OK;
    video->start_known = true;
    demux->ahead[0].code = fv_demux_peek(demux, demux->ahead[0].packet);
    demux->looked = 1;
    if (demux->ahead[0].code || fv_packet_part(demux->ahead[0].packet, fv_demux_codec(demux)).begins)
        return FV_OK;

    FvStatus status = fv_video_start(video, threads, error);
    if (status)
        return status;
    /* Tries to decode from the first packet, then from one key packet after the other. */
    Begin begin = look_for_start(video, 0);
    bool good = !begin.start.late || !begin.packets;
    if (!good) {
        status = fv_video_start(video, threads, error);
        good = !status && decodes_up_to(video, begin.start.pts, begin.pictures, &ignored);
    }
    for (int key = 1; !status && !good && begin.start.late && key <= MOST_STARTS; key++) {
        demux->start = begin.start;
        source->info.left_out = begin.pictures;
        status = fv_video_start(video, threads, error);
        good = !status && !decode_once(video, &ignored);
        if (status || good)
            break;
        demux->start.late = false;
        source->info.left_out = 0;
        status = fv_video_start(video, threads, error);
        if (!status)
            begin = look_for_start(video, key);
    }
    return status ? status : fv_video_start(video, threads, error);
}

FvStatus fv_video_restart(FvVideo *video, FvError *error)
{
    video->source->next = 0;
    return fv_video_start(video, video->decoder.threads, error);
}

FvStatus fv_video_settle(FvVideo *video, FvError *error)
{
    FvDecoder *decoder = &video->decoder;
    if (video->state != FV_VIDEO_PEEKED)
        return FV_OK;
    const AVCodec *codec = decoder->context->codec;
    fv_decoder_close(decoder);
    fv_libav_log_clear(&decoder->log);
    FvStatus status = fv_decoder_open(decoder, &video->demux, codec, decoder->threads, error);
    fv_video_turn(video, status ? FV_VIDEO_FAILED : FV_VIDEO_OPENED);
    return status;
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

static FvStatus fail_place(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64 " is shown at another time than its packets state, so frames cannot be told "
                   "apart by them: read the video from its beginning",
                   source->info.path, source->next);
}

/* Returns whether the times or places of the index are those of the frames. */
static bool is_checked(const FvVideo *video, const int64_t *places)
{
    return places && video->source->has_index && (video->source->strict || video->entered);
}

FvStatus fv_video_check_time(const FvVideo *video, FvError *error)
{
    const FvSource *source = video->source;
    const FvIndex *index = &source->index;
    if (!is_checked(video, index->time) ||
        (source->next < index->shown.frames && video->decoder.picture->pts == index->time[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

FvStatus fv_video_check_place(const FvVideo *video, FvError *error)
{
    const FvSource *source = video->source;
    const FvIndex *index = &source->index;
    if (!is_checked(video, index->place) || (source->next < index->shown.frames &&
                                             fv_demux_decoded_at(video->demux.packet) == index->place[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

/*
 * Decodes a frame. If several threads fail, one thread decodes again: several frames may have been in progress, so it
 * is unknown which one is damaged, and a thread may have logged an error of another source. So the result and the
 * refusals are equal for any number of threads.
 */
FvStatus fv_video_decode(FvVideo *video, FvError *error)
{
    FvSource *source = video->source;
    FvDecoder *decoder = &video->decoder;
    FvError first = {0};
    FvStatus status = decode_once(video, &first);
    if (!status || status == FV_END)
        return status;
    const bool ended = decoder->end == FV_DECODER_CUT && !fv_libav_log_complained(&decoder->log);
    if (ended || fv_cancel_requested(source->cancel) || !decoder->context->active_thread_type) {
        if (error)
            *error = first;
        return status;
    }
    const int64_t number = source->next;
    status = fv_video_start(video, 1, error);
    for (source->next = 0; source->next < number && !status; source->next++)
        status = decode_once(video, error);
    return status ? status : decode_once(video, error);
}

/*
 * Skips the frames before `frame`. Those that nothing refers to are not decoded. That they were left out shows only
 * when the next picture arrives; if that is `frame`, it is kept to be read.
 */
FvStatus fv_video_advance(FvVideo *video, int64_t frame, FvError *error)
{
    FvSource *source = video->source;
    const bool decodes = video->decoder.context;
    FvStatus status = FV_OK;
    if (video->entered && decodes && source->index.time && fv_skips_possible(fv_demux_codec(&video->demux)))
        fv_skips_begin(&video->skips, &source->index, source->next, frame, NULL);
    for (; source->next < frame && !status; source->next = fv_skips_next(&video->skips, source->next)) {
        if (video->state == FV_VIDEO_READY)
            fv_video_turn(video, FV_VIDEO_TAKEN);
        else if (!decodes)
            status = fv_demux_next(&video->demux, error);
        else
            status = video->entered ? decode_once(video, error) : fv_video_decode(video, error);
        source->next = fv_skips_next(&video->skips, source->next);
        if (!status)
            status = decodes ? fv_video_check_time(video, error) : fv_video_check_place(video, error);
        if (!status && source->next == frame) {
            fv_video_turn(video, FV_VIDEO_FOUND);
            continue;
        }
        if (video->decoder.picture)
            av_frame_unref(video->decoder.picture);
        source->next += !status;
    }
    fv_skips_end(&video->skips);
    if (status)
        fv_video_turn(video, FV_VIDEO_FAILED);
    return status == FV_END ? fv_demux_fail_short(&video->demux, error) : status;
}
