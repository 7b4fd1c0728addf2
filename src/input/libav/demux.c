/* The packets of a video in order, from libavformat, and the damage in them. */
#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"
#include "os/memory.h"

FvStatus fv_libav_fail_inks(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: %s: convert the picture to RGB of 8 or 16 bits first, for instance to PNG", source->info.path,
                   ((const FvLibav *)source->state)->inks);
}

FvStatus fv_libav_fail_frame(const FvSource *source, const char *what, int code, FvError *error)
{
    FvLibav *libav = source->state;
    char text[256];
    FvStatus status = fv_libav_status(code, libav->decoder ? libav->decoder->coded_width : 0,
                                      libav->decoder ? libav->decoder->coded_height : 0);
    fv_libav_log_take(&libav->log, code, text, sizeof text);
    if (libav->inks && status == FV_ERROR_INPUT)
        return fv_libav_fail_inks(source, error);
    if (libav->animated_webp && status == FV_ERROR_INPUT)
        return fv_fail(error, status,
                       "%s: is an animated WebP, which this libavcodec does not decode (%s): webpmux -get frame 1 %s "
                       "-o FILE.webp takes its first picture out",
                       source->info.path, text, source->info.path);
    return fv_fail(error, status, "%s: frame %" PRId64 " cannot be %s: %s", source->info.path, source->next, what,
                   text);
}

/* MOV and MP4 list every frame, which reveals a decoder that silently drops one. */
bool fv_libav_is_mov(const FvLibav *libav)
{
    return !strncmp(libav->container.demuxer->iformat->name, "mov,", 4);
}

const AVCodecParameters *fv_libav_codec(const FvLibav *libav)
{
    return libav->container.demuxer->streams[libav->stream]->codecpar;
}

static int read_packet(FvLibav *libav, AVPacket *packet)
{
    int code;
    do {
        av_packet_unref(packet);
        fv_memory_watch();
        code = fv_libav_result(av_read_frame(libav->container.demuxer, packet));
    } while (!code && packet->stream_index != libav->stream);
    return code;
}

/*
 * Where transport streams were joined, the counters jump, and the last packet of the first stream is marked as
 * damaged. It is whole if the next packet begins a stream: a key frame whose time goes back, or far ahead.
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

/* The extended header of WebP with its flag of an animation. */
static bool is_animated_webp(const uint8_t *bytes, size_t size)
{
    return size > 20 && !memcmp(bytes + 8, "WEBPVP8X", 8) && bytes[20] & 2;
}

/* Of animated pictures libavformat keeps the chunks in front of the first picture for itself. */
static void read_picture(FvLibav *libav)
{
    const AVCodecParameters *codec = fv_libav_codec(libav);
    const uint8_t *bytes = libav->packet->data;
    const size_t size = (size_t)libav->packet->size;
    if (codec->codec_id == AV_CODEC_ID_MJPEG)
        libav->inks = fv_inks_of_jpeg(bytes, size);
    else if (codec->codec_id == AV_CODEC_ID_WEBP) {
        libav->animated_webp = is_animated_webp(bytes, size);
        libav->turn = fv_orientation_of_webp(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_TIFF) {
        libav->inks = fv_inks_of_tiff(bytes, size);
        libav->turn = fv_orientation_of_tiff(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_PNG) {
        libav->png = fv_png_read(bytes, size);
        libav->turn = fv_orientation_of_png(bytes, size);
    } else if (codec->codec_id == AV_CODEC_ID_APNG)
        libav->png = fv_png_read(codec->extradata, (size_t)codec->extradata_size);
}

int fv_libav_demux(FvLibav *libav)
{
    int64_t lacks;
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
        libav->last_dts = AV_NOPTS_VALUE;
        libav->first_dts = libav->packet->dts;
        libav->first_pts = libav->packet->pts;
        read_picture(libav);
    }
    if (!code && libav->packet->flags & AV_PKT_FLAG_CORRUPT && ends_a_part(libav))
        libav->packet->flags &= ~AV_PKT_FLAG_CORRUPT;
    if (code == AVERROR_EOF && libav->container.demuxer->pb && libav->container.demuxer->pb->error < 0)
        return libav->container.demuxer->pb->error;
    if (code == FV_LIBAV_MEMORY)
        return code;
    if (code == AVERROR_EOF && (lacks = fv_container_lacks(&libav->container)) > 0)
        av_log(libav->container.demuxer, AV_LOG_ERROR, "its last %" PRId64 " bytes are missing\n", lacks);
    /* Demuxers skip damage where they can, and the loss must be reported. */
    if (fv_libav_log_complained_here(&libav->log) || (!code && libav->packet->flags & AV_PKT_FLAG_CORRUPT))
        return AVERROR_INVALIDDATA;
    if (!code && !fv_packets_add(&libav->seen, libav->packet, fv_libav_codec(libav)->codec_id))
        libav->unlisted = true;
    libav->shown += !code && !(libav->packet->flags & AV_PKT_FLAG_DISCARD);
    if (!code && libav->packet->dts != AV_NOPTS_VALUE)
        libav->last_dts = libav->packet->dts;
    return code;
}

FvStatus fv_libav_fail_short(const FvSource *source, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: ends after %" PRId64 " of the %" PRId64
                   " frames in its index; the others could not be decoded",
                   source->info.path, source->next, source->info.frames);
}

int64_t fv_libav_decoded_at(const AVPacket *packet)
{
    return packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

FvStatus fv_libav_next_packet(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    int code;
    do
        code = fv_libav_demux(libav);
    while (!code && libav->packet->flags & AV_PKT_FLAG_DISCARD);
    if (!code)
        return FV_OK;
    if (code != AVERROR_EOF)
        return fv_libav_fail_frame(source, "read, the file is damaged or cut short", code, error);
    return source->info.frames > source->next && source->indexed ? fv_libav_fail_short(source, error) : FV_END;
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
            if (fv_libav_decoded_at(packet) == dts && (pts == AV_NOPTS_VALUE || packet->pts == pts)) {
                libav->looked = 1;
                libav->ahead_code[0] = 0;
                fv_packets_free(&libav->seen);
                return true;
            }
            if (fv_libav_decoded_at(packet) > dts)
                break;
        }
    }
    return false;
}
