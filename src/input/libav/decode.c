/* The pictures of a video, by libavcodec on the CPU. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "os/cancel.h"
#include "base/error.h"
#include "input/packet/random_access.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"
#include "os/memory.h"
#include "picture/frame.h"

/* ---- Parts of pictures that were not decoded ------------------------------------------------------------------- */

/*
 * Some decoders leave out what they cannot decode and say nothing: the memory then shows an earlier picture, another
 * one with other threads. Memory that a decoder gets is therefore filled with words that no video has, and a picture
 * that still has one is damaged.
 */
static const uint64_t unwritten = 0x9be1d70c5a3f42e6u;

/* Every piece of this many bytes and rows is looked at in one place: decoders leave out more than that. */
#define ACROSS 16
#define DOWN 8

void fv_libav_forget_made(FvLibavMade *made)
{
    for (int i = 0; i < made->count; i++)
        av_frame_free(&made->picture[i]);
    made->count = 0;
}

/* Takes the first `count` pictures away. */
static void shorten(FvLibavMade *made, int count)
{
    for (int i = 0; i < count; i++)
        av_frame_free(&made->picture[i]);
    memmove(made->picture, made->picture + count, (size_t)(made->count - count) * sizeof *made->picture);
    made->count -= count;
}

static int add_made(FvLibavMade *made, AVFrame *picture)
{
    AVFrame *copy = av_frame_clone(picture);
    if (!copy) {
        av_frame_unref(picture);
        return AVERROR(ENOMEM);
    }
    fv_lock(&made->lock);
    if (made->count == FV_LIBAV_MADE)
        shorten(made, 1);
    made->picture[made->count++] = copy;
    fv_unlock(&made->lock);
    return 0;
}

/* libavcodec hands a picture from its threads to the caller by means that a thread sanitizer does not see. */
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

int fv_libav_get_buffer(AVCodecContext *decoder, AVFrame *picture, int flags)
{
    FvLibav *libav = (FvLibav *)((char *)decoder->opaque - offsetof(FvLibav, log));
    const int code = avcodec_default_get_buffer2(decoder, picture, flags);
    for (int i = 0; code >= 0 && i < AV_NUM_DATA_POINTERS && picture->buf[i]; i++)
        fill((uint64_t *)picture->buf[i]->data, picture->buf[i]->size / sizeof unwritten);
    return code >= 0 && decoder->codec_id == AV_CODEC_ID_HEVC ? add_made(&libav->made, picture) : code;
}

/* The word as it lies at an unaligned address. */
static bool is_unwritten(const uint8_t *at)
{
    const unsigned bits = 8 * ((uintptr_t)at & 7);
    uint64_t word;
    memcpy(&word, at, sizeof word);
    return word == (bits ? unwritten >> bits | unwritten << (64 - bits) : unwritten);
}

static bool lacks_part(const AVFrame *picture)
{
    FvPixels pixels;
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

/* The same for a picture that came out, and for those that were decoded before it. */
static bool lacks_parts(FvLibavMade *made, const AVFrame *picture)
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

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

/* Whether the picture of the packet that was read is left out. */
static bool is_left_out(FvLibav *libav)
{
    return fv_libav_drops(libav) ||
           (libav->entered && (libav->packet->pts < libav->entered_pts ||
                               fv_skips_take(&libav->skips, libav->packet, fv_libav_codec(libav))));
}

/* Gives the decoder one packet, or the end of the stream, which may be a premature one. */
static FvStatus feed(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    do
        code = fv_libav_demux(libav);
    while (!code && is_left_out(libav));
    libav->drained |= code != 0;
    if (code && code != AVERROR_EOF && code != FV_LIBAV_MEMORY) {
        fv_libav_log_take(&libav->log, code, libav->cut, sizeof libav->cut);
        fv_libav_log_clear_here(&libav->log);
    }
    /* Damaged slices may cover each other, while another thread already refers to the first one. */
    if (!code && libav->decoder->active_thread_type && fv_packet_serial_hevc(libav->packet, fv_libav_codec(libav))) {
        libav->threads = 1;
        return fv_libav_fail_frame(source, "decoded by several threads", AVERROR_INVALIDDATA, error);
    }
    if (!code && fv_packet_mixes_dnxhd(libav->packet, fv_libav_codec(libav)))
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be decoded: parts of its picture are RGB and others may be "
                       "Y'CbCr, which libavcodec does not tell apart; convert the video with the program that made "
                       "it",
                       source->info.path, source->next);
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

/*
 * Behind the place where a file is cut, a decoder hands out pictures that wait for earlier ones. Whether no earlier
 * one is lost: lost packets are decoded after the last one that was read, and their pictures shown later still. A
 * picture that a packet made the decoder hand out is of the number that it has, however many threads delay it.
 */
static bool follows(const FvLibav *libav)
{
    const AVFrame *picture = libav->picture;
    const int64_t time = picture->best_effort_timestamp;
    if (picture->pkt_dts != AV_NOPTS_VALUE)
        return true;
    if (time == AV_NOPTS_VALUE)
        return !fv_libav_codec(libav)->video_delay;
    return time <= (libav->last_dts == AV_NOPTS_VALUE ? libav->first_pts : libav->last_dts);
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
    if (!code && lacks_parts(&libav->made, libav->picture))
        return fv_libav_fail_frame(source, "decoded, a part of its picture is missing", AVERROR_INVALIDDATA, error);
    if (*libav->cut && (code || !follows(libav)))
        return fv_fail(error, FV_ERROR_INPUT,
                       "%s: frame %" PRId64 " cannot be read, the file is damaged or cut short: %s",
                       source->info.path, source->next, libav->cut);
    if (code && source->info.frames > fv_skips_next(&libav->skips, source->next) && source->indexed)
        return fv_libav_fail_short(source, error);
    return code ? FV_END : FV_OK;
}

/*
 * When threads fail, one does the same again. Several frames may have been under way, so it is unknown which one
 * is damaged, and a thread may have logged an error of another source. What is read and what is refused is then the
 * same for any number of threads.
 */
FvStatus fv_libav_decode_next(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    FvError first = {0};
    FvStatus status = fv_libav_decode(source, &first);
    const bool ended = *libav->cut && !fv_libav_log_complained(&libav->log);
    if (!status || status == FV_END)
        return status;
    if (ended || fv_cancel_requested(source->cancel) || !libav->decoder->active_thread_type) {
        if (error)
            *error = first;
        return status;
    }
    fv_libav_stop(libav);
    status = fv_libav_start(source, 1, error);
    int64_t number = source->next;
    for (source->next = 0; source->next < number && !status; source->next++)
        status = fv_libav_decode(source, error);
    return status ? status : fv_libav_decode(source, error);
}
