/* ProRes in a container that libavformat reads; fovea decodes it itself. */
#include "input/libav/calls.h"
#include "input/libav/video.h"
#include "input/libav/tags.h"

FvStatus fv_libav_open_prores(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    uint32_t tag = stream->codecpar->codec_tag;
    int depth = tag == MKTAG('a', 'p', '4', 'h') || tag == MKTAG('a', 'p', '4', 'x') ? 12 : 10;
    FvStatus status = fv_prores_input_open(&libav->prores, params, depth, error);
    if (!status)
        status = fv_libav_next_packet(source, error);
    if (!status)
        status =
            fv_prores_input_describe(libav->prores, source, libav->packet->data, (size_t)libav->packet->size, error);
    if (!status)
        fv_tags_of_stream(&source->info, &libav->container, stream, NULL, NULL, libav->mastering);
    fv_libav_take_container(source);
    return status;
}

static void release_packet(void *opaque)
{
    AVPacket *packet = opaque;
    av_packet_free(&packet);
}

/*
 * Whether the packets that libavformat gives are bytes of the file as they stand, at the place that it states. Where
 * the file lists all of them, nothing else is read on the way from one to the next.
 */
static bool states_places(const FvSource *source)
{
    const FvLibav *libav = source->state;
    return fv_libav_is_mov(libav) && libav->container.io && !source->stream.waits && source->info.frames > 0;
}

/* The packet that libavformat has come to, out of the file to the device. */
static FvStatus load(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    const size_t size = (size_t)libav->packet->size;
    FvPacketMemory memory;
    size_t got = 0;
    FvStatus status = fv_prores_input_load(libav->prores, source, libav->packet->pos, size, &memory, &got, error);
    if (!status && got < size)
        status = fv_libav_fail_frame(source, "read, the file is damaged or cut short", AVERROR_EOF, error);
    return status ? status : fv_prores_input_hand(libav->prores, source, &memory, size, frame, error);
}

/* The next packet, which need not be loaded where a device does that. */
static FvStatus next_packet(FvSource *source, bool aside, FvError *error)
{
    FvLibav *libav = source->state;
    fv_libav_log_enter(&libav->log);
    libav->container.aside = aside;
    FvStatus status = libav->waiting ? FV_OK : fv_libav_next_packet(source, error);
    libav->container.aside = false;
    fv_libav_log_leave();
    libav->waiting = false;
    libav->going = !status;
    return status ? status : fv_libav_check_place(source, error);
}

FvStatus fv_libav_pass_prores(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = next_packet(source, states_places(source), error);
    source->passed += !status;
    if (!status)
        status = fv_frame_pass(frame, &source->info.format, error);
    if (!status && libav->packet->pts != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, libav->packet->pts);
    return status;
}

FvStatus fv_libav_read_prores(FvSource *source, FvFrame **frame, FvError *error)
{
    FvLibav *libav = source->state;
    const bool loads = source->lent.hands_packets && states_places(source);
    FvStatus status = next_packet(source, loads, error);
    if (status)
        return status;
    const AVPacket *packet = libav->packet;
    if (loads)
        return load(source, frame, error);
    AVPacket *copy = source->lent.hands_packets ? av_packet_clone(packet) : NULL;
    if (copy)
        return fv_prores_input_hand(libav->prores, source,
                                    &(FvPacketMemory){.bytes = copy->data, .release = release_packet, .opaque = copy},
                                    (size_t)copy->size, frame, error);
    status = fv_prores_input_read(libav->prores, source, packet->data, (size_t)packet->size, frame, error);
    if (!status && packet->pts != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, packet->pts);
    return status;
}
