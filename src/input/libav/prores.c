#include "input/libav/prores.h"

#include "input/libav/calls.h"

FvStatus fv_libav_open_prores(FvVideo *video, FvProresInput **prores, const FvSourceParams *params, FvError *error)
{
    FvSource *source = video->source;
    FvDemux *demux = &video->demux;
    AVStream *stream = demux->container.demuxer->streams[demux->stream];
    const uint32_t tag = stream->codecpar->codec_tag;
    const int depth = tag == MKTAG('a', 'p', '4', 'h') || tag == MKTAG('a', 'p', '4', 'x') ? 12 : 10;
    FvStatus status = fv_prores_input_open(prores, params, depth, error);
    if (!status)
        status = fv_demux_next(demux, error);
    if (!status)
        status = fv_prores_input_describe(*prores, source, demux->packet->data, (size_t)demux->packet->size, error);
    if (!status)
        fv_tags_of_stream(&source->info, &demux->container, stream, NULL, NULL, video->facts.mastering);
    fv_facts_take_container(&video->facts, source, demux->container.demuxer, stream);
    return status;
}

static void release_packet(void *opaque)
{
    AVPacket *packet = opaque;
    av_packet_free(&packet);
}

/*
 * Returns whether the packets of libavformat are unchanged bytes of the file, at the place that it states. If the
 * file lists all packets, nothing between them is read.
 */
static bool states_places(const FvVideo *video)
{
    const FvContainer *container = &video->demux.container;
    return fv_container_is_mov(container->demuxer) && container->io && !video->source->stream.waits &&
           video->source->info.frames > 0;
}

/* Reads the current packet from the file into memory of the device. */
static FvStatus load_packet_memory(FvVideo *video, FvProresInput *prores, FvFrame **frame, FvError *error)
{
    FvSource *source = video->source;
    const AVPacket *packet = video->demux.packet;
    const size_t size = (size_t)packet->size;
    FvPacketMemory memory;
    size_t got = 0;
    FvStatus status = fv_prores_input_load(prores, source, packet->pos, size, &memory, &got, error);
    if (!status && got < size)
        status =
            fv_demux_fail_frame(&video->demux, NULL, "read, the file is damaged or cut short", AVERROR_EOF, error);
    return status ? status : fv_prores_input_hand(prores, source, &memory, size, frame, error);
}

/*
 * Advances to the next packet. `aside`: libavformat need not read the packet's bytes, because load_packet_memory()
 * reads them.
 */
static FvStatus next_packet(FvVideo *video, bool aside, FvError *error)
{
    FvStatus status = FV_OK;
    if (video->state != FV_VIDEO_READY) {
        fv_libav_log_enter(&video->decoder.log);
        video->demux.container.aside = aside;
        status = fv_demux_next(&video->demux, error);
        video->demux.container.aside = false;
        fv_libav_log_leave();
    }
    fv_video_turn(video, status ? FV_VIDEO_FAILED : FV_VIDEO_TAKEN);
    return status ? status : fv_video_check_place(video, error);
}

FvStatus fv_libav_pass_prores(FvVideo *video, FvFrame **frame, FvError *error)
{
    FvSource *source = video->source;
    FvStatus status = next_packet(video, states_places(video), error);
    source->undecoded += !status;
    if (!status)
        status = fv_frame_skip_decoding(frame, &source->info.format, error);
    if (!status && video->demux.packet->pts != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, video->demux.packet->pts);
    return status;
}

FvStatus fv_libav_read_prores(FvVideo *video, FvProresInput *prores, FvFrame **frame, FvError *error)
{
    FvSource *source = video->source;
    const bool hands = fv_source_hands_packet(source), loads = hands && states_places(video);
    FvStatus status = next_packet(video, loads, error);
    if (status)
        return status;
    const AVPacket *packet = video->demux.packet;
    if (loads)
        return load_packet_memory(video, prores, frame, error);
    AVPacket *copy = hands ? av_packet_clone(packet) : NULL;
    if (copy)
        return fv_prores_input_hand(prores, source,
                                    &(FvPacketMemory){.bytes = copy->data, .release = release_packet, .opaque = copy},
                                    (size_t)copy->size, frame, error);
    status = fv_prores_input_read(prores, source, packet->data, (size_t)packet->size, frame, error);
    if (!status && packet->pts != AV_NOPTS_VALUE)
        fv_frame_set_time(*frame, packet->pts);
    return status;
}
