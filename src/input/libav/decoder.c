#include "input/libav/decoder.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/libav/pixels.h"
#include "input/packet/random_access.h"
#include "os/memory.h"
#include "picture/frame.h"

/* ---- Parts of pictures that were not decoded ------------------------------------------------------------------- */

/*
 * Some decoders silently skip what they cannot decode: the memory then still holds an earlier picture, which depends
 * on the number of threads. So fovea fills the memory for a decoder with words that no video has; a picture that
 * still contains such a word is damaged.
 */
static const uint64_t unwritten = 0x9be1d70c5a3f42e6u;

/* One word is checked in each block of ACROSS bytes and DOWN rows: decoders leave out larger parts than that. */
#define ACROSS 16
#define DOWN 8

static void forget_made(FvDecoderMade *made)
{
    for (int i = 0; i < made->count; i++)
        av_frame_free(&made->picture[i]);
    made->count = 0;
}

/* Removes the first `count` pictures from the list. */
static void shorten(FvDecoderMade *made, int count)
{
    for (int i = 0; i < count; i++)
        av_frame_free(&made->picture[i]);
    memmove(made->picture, made->picture + count, (size_t)(made->count - count) * sizeof *made->picture);
    made->count -= count;
}

static int add_made(FvDecoderMade *made, AVFrame *picture)
{
    AVFrame *copy = av_frame_clone(picture);
    if (!copy) {
        av_frame_unref(picture);
        return AVERROR(ENOMEM);
    }
    fv_lock(&made->lock);
    if (made->count == FV_DECODER_MADE)
        shorten(made, 1);
    made->picture[made->count++] = copy;
    fv_unlock(&made->lock);
    return 0;
}

/*
 * Fills memory with the word. Not checked by the thread sanitizer, which does not see how libavcodec passes a picture
 * from its threads to the caller.
 */
__attribute__((noinline, no_sanitize("thread"))) static void fill(uint64_t *words, size_t count)
{
    typedef uint64_t Eight __attribute__((vector_size(64), aligned(8), may_alias));
    const Eight eight = unwritten - (Eight){0};
    size_t i = 0;
    for (; i + 8 <= count; i += 8)
        *(Eight *)(words + i) = eight;
    for (; i < count; i++)
        words[i] = unwritten;
}

/* Allocates the memory of a picture, for AVCodecContext.get_buffer2. */
static int get_buffer(AVCodecContext *context, AVFrame *picture, int flags)
{
    FvDecoder *decoder = context->opaque;
    const int code = avcodec_default_get_buffer2(context, picture, flags);
    for (int i = 0; code >= 0 && i < AV_NUM_DATA_POINTERS && picture->buf[i]; i++)
        fill((uint64_t *)picture->buf[i]->data, picture->buf[i]->size / sizeof unwritten);
    return code >= 0 && context->codec_id == AV_CODEC_ID_HEVC ? add_made(&decoder->made, picture) : code;
}

/* Returns whether the word `unwritten` is at this address, which may be unaligned. */
static bool is_unwritten(const uint8_t *at)
{
    const unsigned bits = 8 * ((uintptr_t)at & 7);
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word == (bits ? unwritten >> bits | unwritten << (64 - bits) : unwritten);
}

static bool lacks_part(const AVFrame *picture)
{
    FvLibavPixels pixels;
    bool lacks = false;
    if (fv_pixels_describe(&pixels, picture->format))
        return false;
    const FvFormat format = {.width = picture->width, .height = picture->height, .chroma = pixels.chroma};
    for (int i = 0; i < fv_format_planes(&format); i++) {
        const int plane = pixels.component[i].plane;
        int width, height;
        fv_format_plane_size(&format, i, &width, &height);
        const int bytes = width * pixels.component[i].words.step;
        for (int y = 0; y < height; y += DOWN)
            for (int x = 0; x + 8 <= bytes; x += ACROSS)
                lacks |= is_unwritten(picture->data[plane] + y * (ptrdiff_t)picture->linesize[plane] + x);
    }
    return lacks;
}

/* Returns whether a delivered picture, or one that was decoded before it, lacks parts. */
static bool lacks_parts(FvDecoderMade *made, const AVFrame *picture)
{
    bool lacks = lacks_part(picture);
    int count = 0;
    fv_lock(&made->lock);
    for (int i = 0; i < made->count && !count; i++)
        if (made->picture[i]->buf[0]->data == picture->buf[0]->data)
            count = i + 1;
    for (int i = 0; i < count; i++)
        lacks |= lacks_part(made->picture[i]);
    shorten(made, count);
    fv_unlock(&made->lock);
    return lacks;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

/*
 * Returns whether threads must decode slices of one frame. Threads that decode one frame each would end the process
 * on a damaged MPEG-4 stream (an assertion of FFmpeg 5.1) and gain nothing for FFV1, whose slices are independent.
 */
static bool slices_only(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG4 || codec == AV_CODEC_ID_FFV1;
}

/*
 * Returns whether one thread must decode: with several, the decoder misses damaged slices, or decodes them
 * differently.
 */
static bool one_thread(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_MPEG1VIDEO || codec == AV_CODEC_ID_MPEG2VIDEO || codec == AV_CODEC_ID_VP8;
}

bool fv_decoder_adds_grain(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_AV1 || codec == AV_CODEC_ID_H264 || codec == AV_CODEC_ID_HEVC;
}

/*
 * Returns whether the decoder reports every field that it does not know as damage. Such a decoder logs other damage
 * as an error.
 */
static bool refuses_tags(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_TIFF;
}

FvStatus fv_decoder_open(FvDecoder *decoder, const FvDemux *demux, const AVCodec *codec, int threads, FvError *error)
{
    const AVStream *stream = fv_demux_stream(demux);
    const FvSource *source = demux->container.source;
    AVCodecContext *context = decoder->context = avcodec_alloc_context3(codec);
    decoder->picture = av_frame_alloc();
    decoder->end = FV_DECODER_GOES_ON;
    if (!context || !decoder->picture)
        return fv_fail_memory(error, sizeof *context);
    if (avcodec_parameters_to_context(context, stream->codecpar) < 0)
        return fv_fail_memory(error, (size_t)stream->codecpar->extradata_size);
    /*
     * Examining the streams has read later pictures, so the decoder starts with the colour that the container alone
     * states.
     */
    if (stream->index < FV_CONTAINER_STREAMS) {
        const FvHeaderColour *header = &demux->container.colour[stream->index];
        context->color_range = header->range;
        context->color_trc = header->transfer;
        context->color_primaries = header->primaries;
        context->colorspace = header->matrix;
    }
    context->opaque = decoder;
    context->get_buffer2 = get_buffer;
    /* Without this flag, FFmpeg 5 assumes that get_buffer2 must be called in one thread only. */
#if LIBAVCODEC_VERSION_MAJOR < 60
    _Pragma("GCC diagnostic push");
    _Pragma("GCC diagnostic ignored \"-Wdeprecated-declarations\"");
    context->thread_safe_callbacks = 1;
    _Pragma("GCC diagnostic pop");
#endif
    context->pkt_timebase = stream->time_base;
    /* A pipe cannot be decoded a second time to find the damaged frame. */
    context->thread_count = source->stream.waits || one_thread(codec->id) ? 1 : threads;
    if (slices_only(codec->id))
        context->thread_type = FF_THREAD_SLICE;
    /* dav1d's threads work on one picture, so damage delays no picture more than with one thread. */
    if (codec->id == AV_CODEC_ID_AV1)
        context->flags |= AV_CODEC_FLAG_LOW_DELAY;
    context->max_pixels = fv_container_pixels(source);
    /* With this flag, decoders export the parameters of film grain, and do not add the grain. */
    if (decoder->no_grain)
        context->export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN;
    /*
     * Damage is an error, and if a decoder only marks it, the marked picture must be delivered so that fovea can
     * refuse it.
     */
    decoder->log.late = demux->start.late;
    context->err_recognition = (refuses_tags(codec->id) || decoder->log.late ? 0 : AV_EF_EXPLODE) | AV_EF_CRCCHECK;
    context->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
    /* Decodes to equal samples on every processor, cropped exactly as the stream states. */
    context->flags |= AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    fv_thread_block_signals();
    fv_memory_watch();
    const int code = fv_libav_result(avcodec_open2(context, codec, NULL));
    fv_thread_restore_signals();
    if (code == AVERROR(EAGAIN) && context->thread_count > 1) { /* the system starts no more threads */
        fv_decoder_close(decoder);
        return fv_decoder_open(decoder, demux, codec, 1, error);
    }
    decoder->log.threads = context->active_thread_type;
    return code < 0 ? fv_container_fail(&demux->container, "its decoder cannot be started", code, error) : FV_OK;
}

void fv_decoder_close(FvDecoder *decoder)
{
    avcodec_free_context(&decoder->context);
    forget_made(&decoder->made);
    av_frame_free(&decoder->picture);
    decoder->end = FV_DECODER_GOES_ON;
}

void fv_decoder_flush(FvDecoder *decoder)
{
    if (decoder->context)
        avcodec_flush_buffers(decoder->context);
    forget_made(&decoder->made);
    decoder->end = FV_DECODER_GOES_ON;
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

bool fv_decoder_peek(FvDecoder *decoder, FvDemux *demux)
{
    int code = fv_demux_read(demux);
    if (!code)
        code = demux->looked ? AVERROR(EAGAIN) : avcodec_send_packet(decoder->context, demux->packet);
    if (!code)
        code = avcodec_send_packet(decoder->context, NULL);
    if (!code)
        code = avcodec_receive_frame(decoder->context, decoder->picture);
    if (code || fv_libav_log_complained(&decoder->log) || decoder->picture->flags & AV_FRAME_FLAG_CORRUPT ||
        decoder->picture->decode_error_flags)
        return false;
    fv_demux_put_back(demux);
    return true;
}

/* Sends one packet, or the end of the stream, which may be premature, to the decoder. */
static FvStatus feed(FvDecoder *decoder, FvDemux *demux, const FvDecoderFilter *filter, FvError *error)
{
    const FvSource *source = demux->container.source;
    int code;
    do
        code = fv_demux_read(demux);
    while (!code && filter->leaves_out(filter->opaque, demux->packet));
    if (code == FV_LIBAV_MEMORY)
        return fv_demux_fail_frame(demux, decoder->context, "read", code, error);
    if (code && code != AVERROR_EOF) {
        fv_libav_log_take(&decoder->log, code, decoder->cut, sizeof decoder->cut);
        fv_libav_log_clear_here(&decoder->log);
    }
    if (code && decoder->end != FV_DECODER_CUT)
        decoder->end = code == AVERROR_EOF ? FV_DECODER_ENDS : FV_DECODER_CUT;

    const AVCodecParameters *codec = fv_demux_codec(demux);
    /* Damaged slices may overlap, so a later slice may overwrite samples that another thread already refers to. */
    if (!code && decoder->context->active_thread_type && fv_packet_serial_hevc(demux->packet, codec)) {
        decoder->threads = 1;
        return fv_demux_fail_frame(demux, decoder->context, "decoded by several threads", AVERROR_INVALIDDATA, error);
    }
    if (!code && fv_packet_mixes_dnxhd(demux->packet, codec))
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be decoded: parts of its picture are RGB and others may be "
                       "Y'CbCr, which libavcodec does not tell apart; convert the video with the program that made "
                       "it",
                       source->info.path, source->next);
    fv_memory_watch();
    code = fv_libav_result(avcodec_send_packet(decoder->context, code ? NULL : demux->packet));
    av_packet_unref(demux->packet);
    return code ? fv_demux_fail_frame(demux, decoder->context, "decoded", code, error) : FV_OK;
}

/*
 * Returns whether no earlier picture is lost. At the end of a truncated file, a decoder also delivers pictures that
 * wait for earlier ones, which are then lost. A lost packet would be decoded after the last one that was read, so a
 * picture that is shown before it follows without a gap. A picture that a packet made the decoder deliver has the
 * packet's number, however many threads delay it.
 */
static bool follows(const AVFrame *picture, const FvDemux *demux)
{
    const int64_t time = picture->best_effort_timestamp;
    if (picture->pkt_dts != AV_NOPTS_VALUE)
        return true;
    if (time == AV_NOPTS_VALUE)
        return !fv_demux_codec(demux)->video_delay;
    return time <= (demux->last_dts == AV_NOPTS_VALUE ? demux->first_pts : demux->last_dts);
}

FvStatus fv_decoder_read(FvDecoder *decoder, FvDemux *demux, const FvDecoderFilter *filter, FvError *error)
{
    const FvSource *source = demux->container.source;
    const AVFrame *picture = decoder->picture;
    int code;
    for (;;) {
        fv_memory_watch();
        code = fv_libav_result(avcodec_receive_frame(decoder->context, decoder->picture));
        if (code != AVERROR(EAGAIN))
            break;
        FvStatus status = feed(decoder, demux, filter, error);
        if (status)
            return status;
    }
    if (code && code != AVERROR_EOF)
        return fv_demux_fail_frame(demux, decoder->context, "decoded", code, error);
    /* Concealed damage looks like video; it must not get a score. Some decoders only log that they conceal. */
    if (fv_libav_log_complained(&decoder->log) ||
        (!code && (picture->flags & AV_FRAME_FLAG_CORRUPT || picture->decode_error_flags)))
        return fv_demux_fail_frame(demux, decoder->context, "decoded, its data are damaged or incomplete",
                                   AVERROR_INVALIDDATA, error);
    if (!code && lacks_parts(&decoder->made, picture))
        return fv_demux_fail_frame(demux, decoder->context, "decoded, a part of its picture is missing",
                                   AVERROR_INVALIDDATA, error);
    if (decoder->end == FV_DECODER_CUT && (code || !follows(picture, demux)))
        return fv_fail(error, FV_FAIL_CUT_SHORT,
                       "%s: frame %" PRId64 " cannot be read, the file is damaged or cut short: %s",
                       source->info.path, source->next, decoder->cut);
    return code ? FV_END : FV_OK;
}
