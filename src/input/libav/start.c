/* What a video is read with, container and decoder, is opened and closed. */
#include "base/error.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"
#include "os/thread.h"
#include "os/memory.h"

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

/* With threads these decoders overlook damaged slices that one thread finds, or decode them to other samples. */
static bool one_thread(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_VP8;
}

bool fv_libav_adds_grain(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_AV1 || codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
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

/* FFmpeg 5 still asks whether any thread may call. */
static void take_memory(AVCodecContext *decoder)
{
    decoder->get_buffer2 = fv_libav_get_buffer;
#if LIBAVCODEC_VERSION_MAJOR < 60
    _Pragma("GCC diagnostic push");
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"");
    decoder->thread_safe_callbacks = 1;
    _Pragma("GCC diagnostic pop");
#endif
}

static FvStatus open_decoder(FvSource *source, const AVCodec *codec, int threads, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    AVCodecContext *decoder = libav->decoder = avcodec_alloc_context3(codec);
    libav->picture = av_frame_alloc();
    if (!decoder || !libav->picture)
        return fv_fail_memory(error, sizeof *decoder);
    if (avcodec_parameters_to_context(decoder, stream->codecpar) < 0)
        return fv_fail_memory(error, (size_t)stream->codecpar->extradata_size);
    decoder->opaque = &libav->log;
    take_memory(decoder);
    decoder->pkt_timebase = stream->time_base;
    /* What comes through a pipe cannot be decoded a second time to find the damaged frame. */
    decoder->thread_count = source->stream.waits || one_thread(codec->id) ? 1 : threads;
    if (slices_only(codec->id))
        decoder->thread_type = FF_THREAD_SLICE;
    /* dav1d's threads work on one picture, so that none comes later, behind damage, than with one thread. */
    if (codec->id == AV_CODEC_ID_AV1)
        decoder->flags |= AV_CODEC_FLAG_LOW_DELAY;
    decoder->max_pixels = fv_container_pixels(source);
    /* Decoders that hand out the parameters of the grain leave it to the caller. */
    if (libav->no_grain)
        decoder->export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN;
    /* Damage is an error, and where a decoder only marks it, the marked picture must come out to be refused. */
    decoder->err_recognition = (refuses_tags(codec->id) ? 0 : AV_EF_EXPLODE) | AV_EF_CRCCHECK;
    decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    /* The same samples on every processor, cropped as the stream says to the sample. */
    decoder->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    fv_thread_block_signals();
    fv_memory_watch();
    const int code = fv_libav_result(avcodec_open2(decoder, codec, NULL));
    fv_thread_restore_signals();
    if (code == AVERROR(EAGAIN) && decoder->thread_count > 1) { /* the system gives no more threads */
        avcodec_free_context(&libav->decoder);
        av_frame_free(&libav->picture);
        return open_decoder(source, codec, 1, error);
    }
    libav->log.threads = decoder->active_thread_type;
    return code < 0 ? fv_container_fail(&libav->container, "its decoder cannot be started", code, error) : FV_OK;
}

void fv_libav_stop(FvLibav *libav)
{
    fv_hwdec_close(&libav->hwdec);
    libav->left = libav->begun = libav->peeked = false;
    avcodec_free_context(&libav->decoder);
    fv_libav_forget_made(&libav->made);
    fv_container_close(&libav->container);
    av_packet_free(&libav->packet);
    for (int i = 0; i < FV_LIBAV_AHEAD; i++)
        av_packet_free(&libav->ahead[i]);
    fv_packets_free(&libav->seen);
    libav->looked = 0;
    libav->shown = 0;
    libav->entered = libav->waiting = libav->unlisted = libav->drained = false;
    fv_libav_end_passing(libav);
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

FvStatus fv_libav_start(FvSource *source, int threads, FvError *error)
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

bool fv_libav_peek(FvLibav *libav)
{
    AVPacket *packet;
    int code = fv_libav_demux(libav);
    if (!code)
        code = libav->looked ? AVERROR(EAGAIN) : avcodec_send_packet(libav->decoder, libav->packet);
    if (!code)
        code = avcodec_send_packet(libav->decoder, NULL);
    if (!code)
        code = avcodec_receive_frame(libav->decoder, libav->picture);
    if (code || fv_libav_log_complained(&libav->log) || libav->picture->flags & AV_FRAME_FLAG_CORRUPT ||
        libav->picture->decode_error_flags)
        return false;
    packet = libav->packet;
    libav->packet = libav->ahead[0];
    libav->ahead[0] = packet;
    libav->ahead_code[0] = 0;
    libav->looked = 1;
    libav->shown = 0;
    fv_packets_free(&libav->seen);
    return libav->peeked = true;
}

FvStatus fv_libav_settle(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    if (!libav->peeked)
        return FV_OK;
    const AVCodec *codec = libav->decoder->codec;
    libav->peeked = false;
    avcodec_free_context(&libav->decoder);
    fv_libav_forget_made(&libav->made);
    av_frame_free(&libav->picture);
    fv_libav_log_clear(&libav->log);
    return open_decoder(source, codec, libav->threads, error);
}

FvStatus fv_libav_restart(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    fv_libav_stop(libav);
    source->next = 0;
    FvStatus status = fv_libav_start(source, libav->threads, error);
    libav->going = !status;
    return status;
}
