/* Everything that libavformat opens and libavcodec decodes to planar YUV or gray. docs/input.md */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "input/alone.h"
#include "input/prores.h"
#include "libav_calls.h"
#include "libav_video.h"
#include "mem.h"
#include "packets.h"
#include "planes.h"
#include "rgb.h"
#include "tags.h"

#define LITTLE 8 /* frames that are decoded before something else is tried */

/* ---- Decoding -------------------------------------------------------------------------------------------------- */

static FvStatus fail_frame(const FvSource *source, const char *what, int code, FvError *error)
{
    FvLibav *libav = source->state;
    char text[256];
    FvStatus status = fv_libav_status(code, libav->decoder ? libav->decoder->coded_width : 0,
                                      libav->decoder ? libav->decoder->coded_height : 0);
    fv_libav_log_take(&libav->log, code, text, sizeof text);
    return fv_fail(error, status, "%s: frame %" PRId64 " cannot be %s: %s", source->info.path, source->next, what,
                   text);
}

/* MOV and MP4 list every frame, so a decoder that silently leaves one out can be caught. */
bool fv_libav_is_mov(const FvLibav *libav)
{
    return !strncmp(libav->container.demuxer->iformat->name, "mov,", 4);
}

static int read_packet(FvLibav *libav, AVPacket *packet)
{
    int code;
    do {
        av_packet_unref(packet);
        code = av_read_frame(libav->container.demuxer, packet);
    } while (!code && packet->stream_index != libav->stream);
    return code;
}

/*
 * Where transport streams were joined, the counters jump and the last packet of the first one is marked as damaged.
 * It is whole when what follows begins a stream: a key frame whose time goes back, or far ahead.
 */
static bool ends_a_part(FvLibav *libav)
{
    const AVRational base = libav->container.demuxer->streams[libav->stream]->time_base;
    int64_t last = libav->packet->dts;
    if (strcmp(libav->container.demuxer->iformat->name, "mpegts"))
        return false;
    for (int i = 0; i < FV_LIBAV_AHEAD; i++) {
        if (i == libav->looked) {
            libav->ahead_code[i] = read_packet(libav, libav->ahead[i]);
            libav->looked++;
        }
        const AVPacket *next = libav->ahead[i];
        if (libav->ahead_code[i] || last == AV_NOPTS_VALUE || next->dts == AV_NOPTS_VALUE)
            return false;
        if (next->flags & AV_PKT_FLAG_KEY &&
            (next->dts <= last || next->dts - last > av_rescale(1, base.den, base.num)))
            return true;
        last = next->dts;
    }
    return false;
}

int fv_libav_demux(FvLibav *libav)
{
    int code;
    if (libav->looked) {
        AVPacket *packet = libav->packet;
        av_packet_unref(packet);
        code = libav->ahead_code[0];
        libav->packet = libav->ahead[0];
        for (int i = 1; i < FV_LIBAV_AHEAD; i++) {
            libav->ahead[i - 1] = libav->ahead[i];
            libav->ahead_code[i - 1] = libav->ahead_code[i];
        }
        libav->ahead[FV_LIBAV_AHEAD - 1] = packet;
        libav->looked--;
    } else {
        code = read_packet(libav, libav->packet);
    }
    if (!code && !libav->begun) {
        libav->begun = true;
        libav->first_dts = libav->packet->dts;
        libav->first_pts = libav->packet->pts;
    }
    if (!code && libav->packet->flags & AV_PKT_FLAG_CORRUPT && ends_a_part(libav))
        libav->packet->flags &= ~AV_PKT_FLAG_CORRUPT;
    if (code == AVERROR_EOF && libav->container.demuxer->pb && libav->container.demuxer->pb->error < 0)
        return libav->container.demuxer->pb->error;
    /* Demuxers go on after damage where they can; what they left out must not go unnoticed. */
    if (fv_libav_log_complained(&libav->log) || (!code && libav->packet->flags & AV_PKT_FLAG_CORRUPT))
        return AVERROR_INVALIDDATA;
    return code;
}

static const AVCodecParameters *codecpar_of(const FvLibav *libav)
{
    return libav->container.demuxer->streams[libav->stream]->codecpar;
}

/* Whether nobody wants the picture of the packet that was read. */
static bool is_left_out(FvLibav *libav)
{
    return libav->entered && (libav->packet->pts < libav->entered_pts ||
                              fv_skips_take(&libav->skips, libav->packet, codecpar_of(libav)));
}

/* Gives the decoder one packet, or the end of the stream, which may be a premature one. */
static FvStatus feed(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    do
        code = fv_libav_demux(libav);
    while (!code && is_left_out(libav));
    if (code && code != AVERROR_EOF) {
        fv_libav_log_take(&libav->log, code, libav->cut, sizeof libav->cut);
        fv_libav_log_clear(&libav->log);
    }
    code = avcodec_send_packet(libav->decoder, code ? NULL : libav->packet);
    av_packet_unref(libav->packet);
    return code ? fail_frame(source, "decoded", code, error) : FV_OK;
}

static FvStatus fail_short(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: ends after %" PRId64 " of the %" PRId64
                   " frames that its index promises; the others could not be decoded",
                   source->info.path, source->next, source->info.frames);
}

/* Puts the next decoded picture into libav->picture. */
static FvStatus decode(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    while ((code = avcodec_receive_frame(libav->decoder, libav->picture)) == AVERROR(EAGAIN)) {
        FvStatus status = feed(source, error);
        if (status)
            return status;
    }
    if (code && code != AVERROR_EOF)
        return fail_frame(source, "decoded", code, error);
    /* Concealed damage looks like video; it must not get a score. Some decoders only log that they conceal. */
    if (fv_libav_log_complained(&libav->log) ||
        (!code && (libav->picture->flags & AV_FRAME_FLAG_CORRUPT || libav->picture->decode_error_flags)))
        return fail_frame(source, "decoded, its data are damaged or incomplete", AVERROR_INVALIDDATA, error);
    if (code && *libav->cut)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be read, the file is damaged or cut short: %s",
                       source->info.path, source->next, libav->cut);
    if (code && source->info.frames > source->next && fv_libav_is_mov(libav))
        return fail_short(source, error);
    return code ? FV_END : FV_OK;
}

static FvRange range_of(const FvLibav *libav, const AVFrame *picture)
{
    if (libav->pixels.rgb)
        return FV_RANGE_LIMITED; /* it becomes that */
    if (libav->pixels.full || picture->color_range == AVCOL_RANGE_JPEG)
        return FV_RANGE_FULL;
    return picture->color_range == AVCOL_RANGE_MPEG ? FV_RANGE_LIMITED : FV_RANGE_UNKNOWN;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

/* Counts the video streams of the file, without covers, and finds the one with number `choice`, from 1. */
static int count_streams(const FvLibav *libav, int choice, int *found)
{
    const AVFormatContext *demuxer = libav->container.demuxer;
    int count = 0;
    for (unsigned i = 0; i < demuxer->nb_streams; i++) {
        const AVStream *stream = demuxer->streams[i];
        count += stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO &&
                 !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
        if (count == choice && *found < 0)
            *found = (int)i;
    }
    return count;
}

static FvStatus find_video(FvSource *source, const AVCodec **codec, FvError *error)
{
    FvLibav *libav = source->state;
    int stream = av_find_best_stream(libav->container.demuxer, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    int chosen = -1, none = 0;
    source->info.streams = count_streams(libav, libav->choice ? libav->choice : -1, &chosen);
    if (libav->choice > source->info.streams && source->info.streams)
        return fv_fail(error, FV_ERROR_INPUT, "%s: has %d video stream%s, there is no stream %d", source->info.path,
                       source->info.streams, source->info.streams > 1 ? "s" : "", libav->choice);
    stream = libav->choice && stream >= 0 ? chosen : stream;
    source->info.stream = libav->choice;
    for (int i = 1; !libav->choice && i <= source->info.streams; i++, none = -1) {
        none = -1;
        count_streams(libav, i, &none);
        source->info.stream = none == stream ? i : source->info.stream;
    }
    if (stream < 0 && fv_libav_log_complained(&libav->log))
        return fv_container_fail(&libav->container, "has no video stream", stream, error);
    if (stream < 0)
        return fv_fail(error, FV_ERROR_INPUT, "%s: has no video stream", source->info.path);
    if (libav->container.demuxer->streams[stream]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return fv_fail(error, FV_ERROR_INPUT, "%s: has no video stream, only an attached picture", source->info.path);
    for (unsigned i = 0; i < libav->container.demuxer->nb_streams; i++)
        libav->container.demuxer->streams[i]->discard = (int)i == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    libav->stream = stream;
    enum AVCodecID id = libav->container.demuxer->streams[stream]->codecpar->codec_id;
    *codec = avcodec_find_decoder(id);
    if (!*codec)
        return fv_fail(error, FV_ERROR_INPUT, "%s: this build of libavcodec has no decoder for %s", source->info.path,
                       avcodec_get_name(id));
    return FV_OK;
}

/*
 * Threads that decode one frame each would end the process over a damaged MPEG-4 stream (an assertion of FFmpeg 5.1)
 * and gain nothing for FFV1, whose slices are independent.
 */
static bool slices_only(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG4 || codec == AV_CODEC_ID_FFV1;
}

/* With threads these decoders overlook damaged slices that one thread finds. */
static bool one_thread(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO;
}

static bool alloc_packets(FvLibav *libav)
{
    bool good = (libav->packet = av_packet_alloc()) != NULL;
    for (int i = 0; i < FV_LIBAV_AHEAD; i++)
        good &= (libav->ahead[i] = av_packet_alloc()) != NULL;
    return good;
}

/* Decoders that take every field that they do not know for damage. What else is damaged they log as an error. */
static bool refuses_tags(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_TIFF;
}

static FvStatus open_decoder(FvSource *source, const AVCodec *codec, int threads, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    AVCodecContext *decoder = libav->decoder = avcodec_alloc_context3(codec);
    libav->picture = av_frame_alloc();
    if (!decoder || !libav->picture)
        return fv_fail_memory(error, sizeof *decoder);
    int code = avcodec_parameters_to_context(decoder, stream->codecpar);
    if (code < 0)
        return fv_container_fail(&libav->container, "its video stream cannot be decoded", code, error);
    decoder->opaque = &libav->log;
    decoder->pkt_timebase = stream->time_base;
    /* What comes through a pipe cannot be decoded a second time to find the damaged frame. */
    decoder->thread_count = source->stream.waits || one_thread(codec->id) ? 1 : threads;
    if (slices_only(codec->id))
        decoder->thread_type = FF_THREAD_SLICE;
    decoder->max_pixels = fv_container_pixels(source);
    /* Damage is an error, and where a decoder only marks it, the marked picture must come out to be refused. */
    decoder->err_recognition = (refuses_tags(codec->id) ? 0 : AV_EF_EXPLODE) | AV_EF_CRCCHECK;
    decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    /* The same samples on every processor, cropped as the stream says to the sample. */
    decoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    fv_libav_log_begin_threads();
    code = avcodec_open2(decoder, codec, NULL);
    fv_libav_log_end_threads();
    libav->log.threads = decoder->active_thread_type;
    return code < 0 ? fv_container_fail(&libav->container, "its decoder cannot be started", code, error) : FV_OK;
}

/* What the container says; edit lists and damaged files can make it wrong. */
static int64_t count_frames(const FvLibav *libav)
{
    AVStream *stream = libav->container.demuxer->streams[libav->stream];
    int entries = avformat_index_get_entries_count(stream);
    const AVRational rate = fv_tags_rate(stream);
    /* AVI counts ticks, of which a frame may have two. */
    if (!fv_libav_is_mov(libav) && stream->nb_frames > 0 && stream->duration > 0 && rate.den)
        return av_rescale_q(stream->duration, stream->time_base, av_inv_q(rate));
    if (stream->nb_frames <= 0 || entries <= 0)
        return stream->nb_frames > 0 ? stream->nb_frames : -1;
    int64_t shown = 0;
    for (int i = 0; i < entries; i++)
        shown += !(avformat_index_get_entry(stream, i)->flags & AVINDEX_DISCARD_FRAME);
    return shown ? shown : -1;
}

/* "01:02:03.456", as Matroska has it in the tags of a stream; 0: it has none. */
static double tagged_seconds(const AVStream *stream)
{
    const AVDictionaryEntry *tag = av_dict_get(stream->metadata, "DURATION", NULL, 0);
    int hours, minutes;
    double seconds;
    if (!tag || sscanf(tag->value, "%d:%d:%lf", &hours, &minutes, &seconds) != 3 || hours < 0 || minutes < 0)
        return 0;
    return 3600.0 * hours + 60.0 * minutes + seconds;
}

/* How long the container says that the video is; 0: it does not say. What is estimated from a part of it does not
 * count, nor do time stamps that may start again. */
static double stated_seconds(const FvLibav *libav)
{
    const AVFormatContext *demuxer = libav->container.demuxer;
    const AVStream *stream = demuxer->streams[libav->stream];
    double seconds = tagged_seconds(stream);
    const double start =
        stream->start_time == AV_NOPTS_VALUE ? 0 : (double)stream->start_time * av_q2d(stream->time_base);
    if (demuxer->iformat->flags & AVFMT_TS_DISCONT)
        return 0;
    if (seconds <= 0 && demuxer->nb_streams == 1 && demuxer->duration > 0 &&
        demuxer->duration_estimation_method == AVFMT_DURATION_FROM_STREAM)
        seconds = (double)demuxer->duration / AV_TIME_BASE;
    return start > 0 && seconds > start ? seconds - start : seconds;
}

/* RGB is refused, unless it is wanted and says nothing that the conversion would belie. */
static FvStatus check_rgb(const FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    if (!libav->pixels.rgb)
        return FV_OK;
    if (!libav->rgb)
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: its pixel format %s is RGB: --convert rgb makes Y'CbCr 4:4:4 of limited range of it, by the "
            "matrix of BT.709 or the one that --matrix-ref or --matrix-dis names",
            source->info.path, av_get_pix_fmt_name(libav->picture->format));
    if (libav->picture->color_range == AVCOL_RANGE_MPEG)
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: is RGB of limited range, for which there is no rule: convert it first",
                       source->info.path);
    return FV_OK;
}

static FvStatus describe(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    const AVFrame *picture = libav->picture;
    libav->pixel_format = picture->format;
    const char *refused = fv_pixels_describe(&libav->pixels, picture->format);
    if (refused) {
        const char *name = av_get_pix_fmt_name(picture->format);
        return fv_fail(
            error, FV_ERROR_INPUT,
            "%s: its pixel format %s %s, and fovea converts nothing by itself; convert the video to gray or "
            "YUV of 8 to 16 bits, for instance with ffmpeg and -pix_fmt yuv444p10le",
            source->info.path, name ? name : "(none)", refused);
    }
    FvStatus status = check_rgb(source, error);
    if (status)
        return status;
    source->info.format = (FvFormat){.width = picture->width,
                                     .height = picture->height,
                                     .chroma = libav->pixels.chroma,
                                     .depth = libav->pixels.depth,
                                     .range = range_of(libav, picture)};
    source->info.alpha = libav->pixels.alpha;
    fv_tags_of_stream(&source->info, &libav->container, stream, picture, libav->mastering);
    source->info.rgb = libav->pixels.rgb;
    if (source->info.rgb)
        source->info.format.matrix = libav->rgb;
    source->tick_num = stream->time_base.num;
    source->tick_den = stream->time_base.den;
    source->indexed = fv_libav_is_mov(libav);
    source->info.container = libav->container.demuxer->iformat->name;
    source->info.codec = avcodec_get_name(libav->decoder->codec_id);
    source->info.frames = count_frames(libav);
    source->seconds = stated_seconds(libav);
    FvError detail = {0};
    if (fv_format_check(&source->info.format, &detail))
        return fv_fail(error, FV_ERROR_INPUT, "%s: %s", source->info.path, detail.message);
    if (!libav->wants_alpha || !libav->pixels.alpha)
        return FV_OK;
    FvFormat alpha = source->info.format;
    alpha.chroma = FV_CHROMA_400;
    return fv_frame_pool_open(&libav->alpha, &alpha, error);
}

static bool probe(const FvSource *source)
{
    (void)source;
    return true;
}

void fv_libav_stop(FvLibav *libav)
{
    fv_chip_close(&libav->chip);
    libav->left = libav->begun = false;
    avcodec_free_context(&libav->decoder);
    fv_container_close(&libav->container);
    av_packet_free(&libav->packet);
    for (int i = 0; i < FV_LIBAV_AHEAD; i++)
        av_packet_free(&libav->ahead[i]);
    libav->looked = 0;
    libav->entered = libav->waiting = false;
    libav->cut[0] = 0;
    av_frame_free(&libav->picture);
}

FvStatus fv_libav_start_container(FvSource *source, const AVCodec **codec, FvError *error)
{
    FvLibav *libav = source->state;
    const enum AVCodecID known = libav->prores_by_libavcodec ? AV_CODEC_ID_NONE : AV_CODEC_ID_PRORES;
    FvStatus status = fv_container_open(&libav->container, source, libav->format, known, &libav->log, error);
    if (!status)
        status = find_video(source, codec, error);
    if (!status && !alloc_packets(libav))
        status = fv_fail_memory(error, sizeof *libav->packet);
    return status;
}

/* Opens everything there. */
static FvStatus start(FvSource *source, int threads, FvError *error)
{
    const AVCodec *codec;
    FvLibav *libav = source->state;
    FvStatus status = fv_libav_start_container(source, &codec, error);
    bool own = !status && codec->id == AV_CODEC_ID_PRORES && !libav->prores_by_libavcodec;
    if (!status && !own)
        status = open_decoder(source, codec, threads, error);
    /* What the demuxer tried in order to learn what the file is does not count. */
    if (!status)
        fv_libav_log_clear(&libav->log);
    return status;
}

/*
 * decode(), and when it fails on threads: the same again on one thread, from the beginning of the video. Several
 * frames may have been under way, so that nobody knows which one is damaged, and a thread may have logged an error of
 * another source. What is read and what is refused is then the same for any number of threads.
 */
static FvStatus decode_next(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = decode(source, error);
    if (!status || status == FV_END || *libav->cut || fv_cancel_requested(source->cancel) ||
        !libav->decoder->active_thread_type)
        return status;
    fv_libav_stop(libav);
    status = start(source, 1, error);
    int64_t number = source->next;
    for (source->next = 0; source->next < number && !status; source->next++)
        status = decode(source, error);
    return status ? status : decode(source, error);
}

/* ---- Where frames are ------------------------------------------------------------------------------------------ */

static FvStatus fail_place(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: frame %" PRId64
                   " is shown at another time than its packets promise, so frames cannot be told "
                   "apart by them: read the video from its beginning",
                   source->info.path, source->next);
}

static bool is_checked(const FvSource *source)
{
    return source->has_index && (source->strict || ((FvLibav *)source->state)->entered);
}

/* Of the picture that was decoded. */
static FvStatus check_time(const FvSource *source, FvError *error)
{
    const FvIndex *index = &source->index;
    const AVFrame *picture = ((FvLibav *)source->state)->picture;
    if (!is_checked(source) || !index->time ||
        (source->next < index->shown.frames && picture->pts == index->time[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

static int64_t decoded_at(const AVPacket *packet)
{
    return packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

/* Of the packet that was read, where each is a picture. */
static FvStatus check_place(const FvSource *source, FvError *error)
{
    const FvIndex *index = &source->index;
    if (!is_checked(source) || !index->place ||
        (source->next < index->shown.frames &&
         decoded_at(((FvLibav *)source->state)->packet) == index->place[source->next]))
        return FV_OK;
    return fail_place(source, error);
}

/* ---- ProRes, which fovea decodes itself -------------------------------------------------------------------- */

/* Puts the next frame's packet into libav->packet. */
static FvStatus next_packet(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    do
        code = fv_libav_demux(libav);
    while (!code && libav->packet->flags & AV_PKT_FLAG_DISCARD);
    if (!code)
        return FV_OK;
    if (code != AVERROR_EOF)
        return fail_frame(source, "read, the file is damaged or cut short", code, error);
    return source->info.frames > source->next && fv_libav_is_mov(libav) ? fail_short(source, error) : FV_END;
}

static FvStatus open_prores(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    uint32_t tag = stream->codecpar->codec_tag;
    int depth = tag == MKTAG('a', 'p', '4', 'h') || tag == MKTAG('a', 'p', '4', 'x') ? 12 : 10;
    FvStatus status = fv_prores_input_open(&libav->prores, params, depth, error);
    if (!status)
        status = next_packet(source, error);
    if (!status)
        status =
            fv_prores_input_describe(libav->prores, source, libav->packet->data, (size_t)libav->packet->size, error);
    if (!status)
        fv_tags_of_stream(&source->info, &libav->container, stream, NULL, libav->mastering);
    source->tick_num = stream->time_base.num;
    source->tick_den = stream->time_base.den;
    source->indexed = fv_libav_is_mov(libav);
    source->info.container = libav->container.demuxer->iformat->name;
    source->info.frames = count_frames(libav);
    source->seconds = stated_seconds(libav);
    return status;
}

static void release_packet(void *opaque)
{
    AVPacket *packet = opaque;
    av_packet_free(&packet);
}

static FvStatus read_prores(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    fv_libav_log_enter(&libav->log);
    FvStatus status = libav->waiting ? FV_OK : next_packet(source, error);
    fv_libav_log_leave();
    libav->waiting = false;
    libav->going = !status;
    if (!status)
        status = check_place(source, error);
    if (status)
        return status;
    const AVPacket *packet = libav->packet;
    AVPacket *copy = source->hands_packets ? av_packet_clone(packet) : NULL;
    if (copy)
        return fv_prores_input_hand(libav->prores, source, copy->data, (size_t)copy->size, release_packet, copy,
                                    frame, error);
    status = fv_prores_input_read(libav->prores, source, packet->data, (size_t)packet->size, frame, error);
    if (!status && packet->pts != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, packet->pts);
    return status;
}

static FvStatus open(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvLibav *libav = source->state = fv_alloc_zero(sizeof *libav);
    if (!libav)
        return fv_fail_memory(error, sizeof *libav);
    const char *format = params->reader ? strchr(params->reader, ':') : NULL;
    libav->format = format ? strdup(format + 1) : NULL;
    if (format && !libav->format)
        return fv_fail_memory(error, strlen(format));
    libav->choice = params->stream;
    libav->threads = params->threads;
    libav->wants_alpha = params->alpha;
    libav->rgb = !params->rgb ? 0 : params->tags.matrix ? params->tags.matrix : 1;
    libav->prores_by_libavcodec = params->decoder && !strcmp(params->decoder, "prores=libavcodec");
    FvStatus status = fv_libav_calls_open(source->info.path, error);
    if (status)
        return status;
    libav->opened = true;
    fv_libav_log_open(&libav->log);
    fv_libav_log_enter(&libav->log);
    status = start(source, params->threads, error);
    bool own = !status && !libav->decoder;
    /* Only a decoded picture tells for certain what the pictures are. */
    if (!status)
        status = own ? open_prores(source, params, error) : decode_next(source, error);
    fv_libav_log_leave();
    if (status == FV_END)
        return fv_fail(error, FV_ERROR_INPUT, "%s: holds no frame", source->info.path);
    libav->waiting = libav->going = !status;
    return status || own ? status : describe(source, error);
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static FvStatus check_same(const FvSource *source, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    const FvFormat *format = &source->info.format;
    char text[128];
    FvRange range = range_of(libav, picture);
    if (picture->format == libav->pixel_format && picture->width == format->width &&
        picture->height == format->height && (!range || !source->stated_range || range == source->stated_range))
        return FV_OK;
    const char *name = av_get_pix_fmt_name(picture->format);
    return fv_fail(
        error, FV_ERROR_INPUT,
        "%s: frame %" PRId64 " is %dx%d %s%s%s while the first one is %s; split the file where its format changes",
        source->info.path, source->next, picture->width, picture->height, name ? name : "(none)", range ? " " : "",
        range ? fv_range_name(range) : "", fv_format_describe(format, text, sizeof text));
}

/* A word in this row, whose first byte is at `from`, has bits that its format lacks. `row` is overwritten. */
static FvStatus fail_bits(const FvSource *source, int plane, int y, uint16_t *row, const uint8_t *from, int width,
                          FvError *error)
{
    const FvPixels *pixels = &((FvLibav *)source->state)->pixels;
    FvWords words = pixels->component[plane].words;
    fv_samples_unpack16(row, from + pixels->component[plane].offset, (FvWords){words.step, words.swap, 0, UINT16_MAX},
                        width);
    int x = 0;
    while (!(row[x] & pixels->component[plane].empty))
        x++;
    return fv_fail_sample(source, plane, x, y, row[x], error);
}

/* Also looks at every sample: decoders of uncompressed video pass on what the file has. */
static FvStatus copy_plane(const FvSource *source, FvFrame *frame, int plane, int component, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    int width, height, from = libav->pixels.component[component].plane;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height; y++) {
        const uint8_t *stored = picture->data[from] + y * (ptrdiff_t)picture->linesize[from];
        void *row = frame->data[plane] + y * frame->stride[plane];
        if (!fv_pixels_unpack(&libav->pixels, component, row, stored, width))
            return fail_bits(source, component, y, row, stored, width, error);
    }
    return FV_OK;
}

static FvStatus copy(const FvSource *source, FvFrame *frame, FvError *error)
{
    const FvLibav *libav = source->state;
    const AVFrame *picture = libav->picture;
    FvStatus status = FV_OK;
    for (int plane = 0; plane < fv_format_planes(&frame->format) && !status; plane++)
        status = copy_plane(source, frame, plane, plane, error);
    if (!status && libav->pixels.rgb)
        fv_rgb_convert(frame, libav->rgb);
    if (picture->best_effort_timestamp != AV_NOPTS_VALUE)
        fv_frame_set_time(frame, picture->best_effort_timestamp);
    return status;
}

static FvStatus copy_alpha(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    fv_frame_unref(&source->alpha);
    FvStatus status = libav->alpha ? fv_frame_pool_get(libav->alpha, &source->alpha, error) : FV_OK;
    return !status && source->alpha ? copy_plane(source, source->alpha, 0, FV_PIXELS_ALPHA, error) : status;
}

static FvStatus read(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = FV_OK;
    bool done = false;
    if (libav->prores)
        return read_prores(source, frame, error);
    fv_libav_log_enter(&libav->log);
    if (libav->left)
        status = fv_libav_return_to_cpu(source, error);
    else if (libav->chip)
        status = fv_libav_read_chip(source, frame, &done, error);
    if (!status && !done && !libav->waiting)
        status = decode_next(source, error);
    libav->waiting = false;
    libav->going = !status;
    fv_libav_log_leave();
    if (done)
        return status;
    if (!status)
        status = check_time(source, error);
    if (!status)
        status = check_same(source, error);
    if (!status)
        status = fv_frame_pool_get(source->pool, frame, error);
    if (!status)
        status = copy(source, *frame, error);
    if (!status)
        status = copy_alpha(source, error);
    if (status)
        fv_frame_unref(frame);
    av_frame_unref(libav->picture);
    return status;
}

static void close(FvSource *source)
{
    FvLibav *libav = source->state;
    if (!libav)
        return;
    if (libav->opened) {
        fv_libav_log_enter(&libav->log);
        fv_libav_stop(libav);
        fv_libav_log_leave();
        fv_libav_log_close(&libav->log);
    }
    fv_skips_end(&libav->skips);
    fv_prores_input_close(&libav->prores);
    fv_frame_pool_close(&libav->alpha);
    free(libav->format);
    free(libav);
}

/* ---- Going to a frame ------------------------------------------------------------------------------------------ */

static FvStatus make_index(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    return fv_packets_index(source, libav->format, libav->container.demuxer, libav->stream, error);
}

FvStatus fv_libav_restart(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    fv_libav_stop(libav);
    source->next = 0;
    FvStatus status = start(source, libav->threads, error);
    libav->going = !status;
    return status;
}

/*
 * Leaves frames out up to `frame`. Those that nothing refers to are not even decoded, which shows when the picture
 * behind them comes: when it is the one of `frame` it waits to be read.
 */
FvStatus fv_libav_advance(FvSource *source, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = FV_OK;
    if (libav->entered && !libav->prores && source->index.time && fv_skips_possible(codecpar_of(libav)))
        fv_skips_begin(&libav->skips, &source->index, source->next, frame);
    for (; source->next < frame && !status; source->next = fv_skips_next(&libav->skips, source->next)) {
        if (libav->waiting)
            libav->waiting = false;
        else if (libav->prores)
            status = next_packet(source, error);
        else
            status = libav->entered ? decode(source, error) : decode_next(source, error);
        source->next = fv_skips_next(&libav->skips, source->next);
        if (!status)
            status = libav->prores ? check_place(source, error) : check_time(source, error);
        libav->waiting = !status && source->next == frame;
        if (libav->picture && !libav->waiting)
            av_frame_unref(libav->picture);
        source->next += !status && !libav->waiting;
    }
    fv_skips_end(&libav->skips);
    libav->going = !status;
    return status == FV_END ? fail_short(source, error) : status;
}

bool fv_libav_find_packet(FvLibav *libav, int64_t dts, int64_t pts)
{
    AVFormatContext *demuxer = libav->container.demuxer;
    const AVRational base = demuxer->streams[libav->stream]->time_base;
    for (int seconds = 0; seconds <= 4; seconds += 2) {
        const int64_t before = av_sat_sub64(dts, av_rescale(seconds, base.den, base.num));
        if (av_seek_frame(demuxer, libav->stream, before, AVSEEK_FLAG_BACKWARD) < 0)
            continue;
        AVPacket *packet = libav->ahead[0];
        while (!read_packet(libav, packet)) {
            if (decoded_at(packet) == dts && (pts == AV_NOPTS_VALUE || packet->pts == pts)) {
                libav->looked = 1;
                libav->ahead_code[0] = 0;
                return true;
            }
            if (decoded_at(packet) > dts)
                break;
        }
    }
    return false;
}

static bool find_entry(FvLibav *libav, const FvIndex *index, int64_t entry)
{
    return index->place ? fv_libav_find_packet(libav, index->place[entry], AV_NOPTS_VALUE)
                        : fv_libav_find_packet(libav, index->enter_dts[entry], index->enter_pts[entry]);
}

/* Goes to an entry of the index, or to the one before if it needs that, and on from there. */
static FvStatus jump(FvSource *source, int64_t entry, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    libav->looked = 0;
    libav->cut[0] = 0;
    libav->waiting = false;
    bool found = find_entry(libav, index, entry);
    /* What an entry shows first may hang on what is in front of it; what follows the next entry does not. */
    if (found && !index->place && !fv_packet_alone(libav->ahead[0], codecpar_of(libav))) {
        if (--entry < 1)
            return FV_ERROR_INPUT;
        libav->looked = 0;
        found = find_entry(libav, index, entry);
    }
    if (!found)
        return FV_ERROR_INPUT;
    if (libav->decoder)
        avcodec_flush_buffers(libav->decoder);
    fv_libav_log_clear(&libav->log);
    libav->entered = true;
    libav->entered_pts = libav->ahead[0]->pts;
    source->next = index->place ? entry : index->entries[entry];
    return fv_libav_advance(source, frame, error);
}

static FvStatus seek(FvSource *source, int64_t frame, FvError *error)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    const int64_t entry = index->place ? frame : fv_index_entry(index, frame);
    const int64_t first = index->place ? entry : index->entries[entry];
    const bool known = index->place || index->enter_pts; /* where the entry is */
    fv_libav_log_enter(&libav->log);
    FvStatus status = libav->chip || libav->left ? fv_libav_restart(source, error) : FV_OK;
    /* What was not entered is read on whole, so that a failure can be told for certain. Entering it anew is faster.
     */
    const bool slow = !libav->entered && known && !index->place && fv_skips_possible(codecpar_of(libav)) &&
                      frame - source->next > (frame - first) / 2 + LITTLE;
    const bool forward = libav->going && source->next <= frame && source->next >= first && !slow;
    if (!status)
        status = forward ? fv_libav_advance(source, frame, error)
                 : known ? jump(source, entry, frame, error)
                         : FV_END;
    if (status && !fv_cancel_requested(source->cancel)) {
        status = fv_libav_restart(source, error);
        if (!status)
            status = fv_libav_advance(source, frame, error);
    }
    fv_libav_log_leave();
    return status;
}

const FvSourceOps fv_source_libav = {"libav", probe, open, read, close, make_index, seek, fv_libav_use_chip};
