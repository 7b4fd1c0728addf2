#include "input/libav/demux.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/packet/mov_tracks.h"
#include "input/packet/truncation.h"
#include "os/memory.h"

/* Counts the video streams of the file, except cover pictures, and finds stream number `choice`, counted from 1. */
static int count_streams(const AVFormatContext *demuxer, int choice, int *found)
{
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

/*
 * Chooses the video that players show first: the default one, or else the largest. -1: there are only cover pictures.
 */
static int choose_video(const FvDemux *demux)
{
    const AVFormatContext *demuxer = demux->container.demuxer;
    const uint64_t auxiliary =
        fv_container_is_mov(demuxer) ? fv_mov_auxiliary_tracks(&demux->container.source->stream) : 0;
    int chosen = -1;
    int64_t best = -1;
    for (unsigned i = 0; i < demuxer->nb_streams; i++) {
        const AVStream *stream = demuxer->streams[i];
        const AVCodecParameters *codec = stream->codecpar;
        if (codec->codec_type != AVMEDIA_TYPE_VIDEO || stream->disposition & AV_DISPOSITION_ATTACHED_PIC ||
            (i < 64 && auxiliary >> i & 1))
            continue;
        const bool usual = stream->disposition & AV_DISPOSITION_DEFAULT;
        const int64_t rank = ((int64_t)usual << 40) + (int64_t)codec->width * codec->height;
        if (rank > best) {
            best = rank;
            chosen = (int)i;
        }
    }
    return chosen;
}

static FvStatus find_video(FvDemux *demux, int choice, FvError *error)
{
    FvSource *source = demux->container.source;
    AVFormatContext *demuxer = demux->container.demuxer;
    const int best = av_find_best_stream(demuxer, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    const int usual = choose_video(demux);
    int stream = usual < 0 ? best : usual, chosen = -1;
    source->info.streams = count_streams(demuxer, choice ? choice : -1, &chosen);
    if (choice > source->info.streams && source->info.streams)
        return fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video stream %d; choose 1 to %d", source->info.path,
                       choice, source->info.streams);
    stream = choice && stream >= 0 ? chosen : stream;
    source->info.stream = choice;
    for (int i = 1; !choice && i <= source->info.streams; i++) {
        int other = -1;
        count_streams(demuxer, i, &other);
        source->info.stream = other == stream ? i : source->info.stream;
    }
    if (stream < 0 && fv_libav_log_complained(demux->container.log))
        return fv_container_fail(&demux->container, "has no video stream", stream, error);
    if (stream < 0)
        return fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video stream", source->info.path);
    if (demuxer->streams[stream]->disposition & AV_DISPOSITION_ATTACHED_PIC)
        return fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video stream, only an attached picture",
                       source->info.path);
    for (unsigned i = 0; i < demuxer->nb_streams; i++)
        demuxer->streams[i]->discard = (int)i == stream ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
    demux->stream = stream;
    return FV_OK;
}

FvStatus fv_demux_open(FvDemux *demux, FvSource *source, const char *format, int choice, enum AVCodecID known,
                       FvLibavLog *log, FvError *error)
{
    FvStatus status = fv_container_open(&demux->container, source, format, known, log, error);
    if (!status)
        status = find_video(demux, choice, error);
    if (status)
        return status;
    bool good = (demux->packet = av_packet_alloc()) != NULL;
    for (int i = 0; i < FV_DEMUX_AHEAD; i++)
        good &= (demux->ahead[i].packet = av_packet_alloc()) != NULL;
    return good ? FV_OK : fv_fail_memory(error, sizeof *demux->packet);
}

void fv_demux_close(FvDemux *demux)
{
    fv_container_close(&demux->container);
    av_packet_free(&demux->packet);
    for (int i = 0; i < FV_DEMUX_AHEAD; i++)
        av_packet_free(&demux->ahead[i].packet);
    fv_packets_free(&demux->seen);
    demux->begun = false;
    demux->looked = 0;
    demux->shown = 0;
}

const AVStream *fv_demux_stream(const FvDemux *demux)
{
    return demux->container.demuxer->streams[demux->stream];
}

bool fv_demux_is_encrypted(const FvDemux *demux)
{
    const AVStream *stream = fv_demux_stream(demux);
    const uint32_t tag = stream->codecpar->codec_tag;
    const bool transport = !strcmp(demux->container.demuxer->iformat->name, "mpegts");
#if LIBAVCODEC_VERSION_MAJOR >= 61
    const bool states = av_packet_side_data_get(
        stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data, AV_PKT_DATA_ENCRYPTION_INIT_INFO);
#else
    const bool states = av_stream_get_side_data(stream, AV_PKT_DATA_ENCRYPTION_INIT_INFO, NULL);
#endif
    /* Types of streams that Apple's "MPEG-2 Stream Encryption Format for HTTP Live Streaming" gives to H.264. */
    return states || tag == MKTAG('e', 'n', 'c', 'v') || (transport && tag == 0xdb);
}

const AVCodecParameters *fv_demux_codec(const FvDemux *demux)
{
    return fv_demux_stream(demux)->codecpar;
}

static int read_packet(FvDemux *demux, AVPacket *packet)
{
    int code;
    do {
        av_packet_unref(packet);
        fv_memory_watch();
        code = fv_libav_result(av_read_frame(demux->container.demuxer, packet));
    } while (!code && packet->stream_index != demux->stream);
    return code;
}

/*
 * Returns whether the packet ends a part. Where transport streams were joined, the counters jump, and the last packet
 * of the first stream is marked as damaged. That packet is complete after all if the next packet begins a stream,
 * that is, a key frame whose time is earlier, or much later.
 */
static bool ends_a_part(FvDemux *demux)
{
    const AVRational base = fv_demux_stream(demux)->time_base;
    int64_t last = demux->packet->dts;
    if (strcmp(demux->container.demuxer->iformat->name, "mpegts"))
        return false;
    for (int i = 0; i < FV_DEMUX_AHEAD; i++) {
        const AVPacket *next = demux->ahead[i].packet;
        if (i == demux->looked) {
            demux->ahead[i].code = read_packet(demux, demux->ahead[i].packet);
            demux->looked++;
        }
        if (demux->ahead[i].code || last == AV_NOPTS_VALUE || next->dts == AV_NOPTS_VALUE)
            return false;
        if (next->flags & AV_PKT_FLAG_KEY &&
            (next->dts <= last || next->dts - last > av_rescale(1, base.den, base.num)))
            return true;
        last = next->dts;
    }
    return false;
}

int fv_demux_peek(FvDemux *demux, AVPacket *packet)
{
    return read_packet(demux, packet);
}

/* Returns the next packet: the first of `ahead`, or a new one. */
static int next_packet(FvDemux *demux)
{
    AVPacket *packet = demux->packet;
    if (!demux->looked)
        return read_packet(demux, packet);
    const int code = demux->ahead[0].code;
    av_packet_unref(packet);
    demux->packet = demux->ahead[0].packet;
    memmove(&demux->ahead[0], &demux->ahead[1], (FV_DEMUX_AHEAD - 1) * sizeof *demux->ahead);
    demux->ahead[FV_DEMUX_AHEAD - 1].packet = packet;
    demux->looked--;
    return code;
}

/* Skips the packets before the one at which decoding begins, and ignores errors in them. */
static int pass_lead(FvDemux *demux)
{
    int code = 0;
    for (int64_t i = 0; i < demux->start.packets && !code; i++)
        code = read_packet(demux, demux->packet);
    demux->start.leading = true;
    if (!code)
        code = read_packet(demux, demux->packet);
    fv_libav_log_clear_here(demux->container.log);
    return code;
}

int fv_demux_read(FvDemux *demux)
{
    AVFormatContext *demuxer = demux->container.demuxer;
    int code = demux->start.late && !demux->begun ? pass_lead(demux) : next_packet(demux);
    while (!code && fv_late_start_drops(&demux->start, demux->packet))
        code = next_packet(demux);

    if (!code && !demux->begun) {
        demux->begun = true;
        demux->last_dts = AV_NOPTS_VALUE;
        demux->first_dts = demux->packet->dts;
        demux->first_pts = demux->packet->pts;
        fv_facts_take_packet(demux->facts, fv_demux_codec(demux), demux->packet);
    }

    if (!code && demux->packet->flags & AV_PKT_FLAG_CORRUPT && ends_a_part(demux))
        demux->packet->flags &= ~AV_PKT_FLAG_CORRUPT;
    if (code == AVERROR_EOF && demuxer->pb && demuxer->pb->error < 0)
        return demuxer->pb->error;
    if (code == FV_LIBAV_MEMORY)
        return code;
    if (code == AVERROR_EOF && demux->container.io) {
        const int64_t lacks = fv_missing_bytes(&demux->container.source->stream, demuxer->iformat->name);
        if (lacks > 0)
            av_log(demuxer, AV_LOG_ERROR, "its last %" PRId64 " bytes are missing\n", lacks);
    }
    /* Demuxers skip damage if they can, but the loss must be reported. */
    if (fv_libav_log_complained_here(demux->container.log) || (!code && demux->packet->flags & AV_PKT_FLAG_CORRUPT))
        return AVERROR_INVALIDDATA;

    if (!code) {
        fv_packets_add(&demux->seen, demux->packet, fv_demux_codec(demux)->codec_id);
        demux->shown += !(demux->packet->flags & AV_PKT_FLAG_DISCARD);
        if (demux->packet->dts != AV_NOPTS_VALUE)
            demux->last_dts = demux->packet->dts;
    }
    return code;
}

FvStatus fv_demux_next(FvDemux *demux, FvError *error)
{
    const FvSource *source = demux->container.source;
    int code;
    do
        code = fv_demux_read(demux);
    while (!code && demux->packet->flags & AV_PKT_FLAG_DISCARD);
    if (!code)
        return FV_OK;
    if (code != AVERROR_EOF)
        return fv_demux_fail_frame(demux, NULL, "read, the file is damaged or cut short", code, error);
    return source->info.frames > source->next && source->indexed ? fv_demux_fail_short(demux, error) : FV_END;
}

void fv_demux_put_back(FvDemux *demux)
{
    AVPacket *packet = demux->packet;
    demux->packet = demux->ahead[0].packet;
    demux->ahead[0].packet = packet;
    demux->ahead[0].code = 0;
    demux->looked = 1;
    demux->shown = 0;
    fv_packets_free(&demux->seen);
}

int64_t fv_demux_decoded_at(const AVPacket *packet)
{
    return packet->dts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
}

bool fv_demux_find(FvDemux *demux, int64_t dts, int64_t pts)
{
    const AVRational base = fv_demux_stream(demux)->time_base;
    AVPacket *packet = demux->ahead[0].packet;
    demux->looked = 0;
    for (int seconds = 0; seconds <= 4; seconds += 2) {
        const int64_t before = av_sat_sub64(dts, av_rescale(seconds, base.den, base.num));
        if (av_seek_frame(demux->container.demuxer, demux->stream, before, AVSEEK_FLAG_BACKWARD) < 0)
            continue;
        while (!read_packet(demux, packet)) {
            const bool dated = pts == AV_NOPTS_VALUE || dts != pts;
            if ((!dated || fv_demux_decoded_at(packet) == dts) && (pts == AV_NOPTS_VALUE || packet->pts == pts)) {
                demux->looked = 1;
                demux->ahead[0].code = 0;
                fv_packets_free(&demux->seen);
                return true;
            }
            if (fv_demux_decoded_at(packet) > dts)
                break;
        }
    }
    return false;
}

FvStatus fv_demux_fail_frame(const FvDemux *demux, const AVCodecContext *decoder, const char *what, int code,
                             FvError *error)
{
    const FvSource *source = demux->container.source;
    char text[256];
    FvStatus status = fv_libav_status(code, decoder ? decoder->coded_width : 0, decoder ? decoder->coded_height : 0);
    fv_libav_log_take(demux->container.log, code, text, sizeof text);
    if (status == FV_ERROR_INPUT && fv_facts_explain(demux->facts, source, text, error))
        return status;
    return fv_fail(error, fv_libav_failure(status, code), "%s: frame %" PRId64 " cannot be %s: %s", source->info.path,
                   source->next, what, text);
}

FvStatus fv_demux_fail_short(const FvDemux *demux, FvError *error)
{
    const FvSource *source = demux->container.source;
    return fv_fail(error, FV_FAIL_CUT_SHORT,
                   "%s ends after %" PRId64 " of the %" PRId64
                   " frames in its index; the others could not be decoded",
                   source->info.path, source->next, source->info.frames);
}
