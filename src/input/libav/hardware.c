#include "input/libav/hardware.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "input/hwdec/codecs.h"
#include "input/libav/calls.h"
#include "input/packet/random_access.h"
#include "picture/frame.h"

static int next_packet(void *opaque, const AVPacket **packet)
{
    FvDemux *demux = &((FvHardware *)opaque)->video->demux;
    const int code = fv_demux_read(demux);
    *packet = demux->packet;
    return code;
}

static FvStatus make_frame(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    const FvHwdecService *service = &((const FvHardware *)opaque)->service;
    return service->make(service->opaque, frame, format, memory, error);
}

/* Returns the operations of the decoder that the device offers, or of NVDEC; NULL: this build has none. */
static const FvHwdecOps *decoder_ops(const FvHwdecService *service)
{
#if FV_HAVE_NVDEC
    return service->ops ? service->ops : &fv_hwdec_nvdec;
#else
    return service->ops;
#endif
}

/* Makes the first packet the next one. A container that states all times is not opened again. */
static FvStatus rewind_container(FvVideo *video, FvError *error)
{
    FvDemux *demux = &video->demux;
    const AVCodec *codec;
    const AVFormatContext *demuxer = demux->container.demuxer;
    const bool timed = demux->begun && demux->first_dts != AV_NOPTS_VALUE && demux->first_pts != AV_NOPTS_VALUE &&
                       (fv_container_is_mov(demuxer) || !strncmp(demuxer->iformat->name, "matroska", 8));
    if (video->state != FV_VIDEO_PEEKED && (!timed || !fv_demux_find(demux, demux->first_dts, demux->first_pts)))
        return fv_video_rewind(video, &codec, error);
    fv_decoder_close(&video->decoder);
    return FV_OK;
}

/* Opens hardware decoders, which begin with the next packet: that of frame `first`. */
static FvStatus open_hwdec(FvHardware *hardware, int64_t first, int64_t from, FvError *error)
{
    FvVideo *video = hardware->video;
    const FvSource *source = video->source;
    const FvHwdecService *service = &hardware->service;
    const AVStream *stream = fv_demux_stream(&video->demux);
    fv_libav_log_clear(&video->decoder.log);
    FvStatus status = fv_hwdec_open(&hardware->hwdec,
                                    &(FvHwdecParams){.ops = decoder_ops(service),
                                                     .context = service->context,
                                                     .parameters = stream->codecpar,
                                                     .time_base = stream->time_base,
                                                     .format = source->info.format,
                                                     .stated_range = source->stated_range,
                                                     .stated = hardware->stated,
                                                     .planes = source->services.planes,
                                                     .whole = source->services.whole,
                                                     .decoders = service->decoders,
                                                     .delay = stream->codecpar->video_delay + 2,
                                                     .on_host = service->on_host,
                                                     .has_signature = service->has_signature,
                                                     .first = first,
                                                     .from = from,
                                                     .end = service->end,
                                                     .room = service->room,
                                                     .make = make_frame,
                                                     .demux = next_packet,
                                                     .opaque = hardware},
                                    error);
    if (!status)
        fv_video_turn(video, FV_VIDEO_HANDED);
    return status;
}

/* Finds a packet from which decoding can begin and reach `frame`, and makes it the next one. *first: its frame. */
static FvStatus find_cut(FvVideo *video, int64_t frame, int64_t *first, FvError *error)
{
    FvDemux *demux = &video->demux;
    const FvIndex *index = &video->source->index;
    for (int64_t entry = fv_index_entry(index, frame); entry > 0; entry--) {
        *first = index->entries[entry];
        if (!fv_demux_find(demux, index->enter_dts[entry], index->enter_pts[entry]))
            break;
        if (fv_packet_part(demux->ahead[0].packet, fv_demux_codec(demux)).begins)
            return FV_OK;
    }
    *first = 0;
    return rewind_container(video, error);
}

bool fv_hardware_enter(FvHardware *hardware, int64_t frame)
{
    FvSource *source = hardware->video->source;
    const FvIndex *index = &source->index;
    FvError error = {0};
    int64_t first;
    if (!index->enter_pts || !index->time)
        return false;
    if (source->next != frame) {
        fv_hwdec_close(&hardware->hwdec);
        if (find_cut(hardware->video, frame, &first, &error) ||
            open_hwdec(hardware, first, index->time[frame], &error))
            return false;
    }
    source->next = frame;
    return true;
}

/* Returns whether the index confirms the frame, in a source that requires it. */
static bool is_in_place(const FvSource *source, const FvFrame *frame)
{
    const FvIndex *index = &source->index;
    int64_t time;
    return !source->has_index || !source->strict || !index->time ||
           (source->next < index->shown.frames && fv_frame_time(frame, &time) && time == index->time[source->next]);
}

static void copy_frame(FvFrame *to, const FvFrame *from)
{
    for (int plane = 0; plane < fv_format_planes(&to->format); plane++) {
        int width, height;
        fv_format_plane_size(&to->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            memcpy(to->data[plane] + y * to->stride[plane], from->data[plane] + y * from->stride[plane],
                   (size_t)width * (size_t)fv_format_sample_bytes(&to->format));
    }
}

static FvStatus deliver(const FvHardware *hardware, FvHwdecFrame *made, FvFrame **frame, FvError *error)
{
    FvSource *source = hardware->video->source;
    int64_t time;
    if (made->has_signature && source->signature) {
        memcpy(source->signature, made->signature, sizeof made->signature);
        source->has_signature = true;
    }
    *frame = made->frame;
    if (!hardware->service.copies)
        return FV_OK;
    *frame = NULL;
    FvStatus status = fv_frame_pool_get(source->pool, frame, error);
    if (!status)
        copy_frame(*frame, made->frame);
    if (!status && fv_frame_time(made->frame, &time))
        fv_frame_set_time(*frame, time);
    fv_frame_unref(&made->frame);
    return status;
}

FvStatus fv_hardware_read(FvHardware *hardware, FvFrame **frame, bool *fails, FvError *error)
{
    const FvVideo *video = hardware->video;
    const FvSource *source = video->source;
    FvHwdecFrame made;
    FvStatus status = fv_hwdec_read(hardware->hwdec, &made, error);
    if (!status && !is_in_place(source, made.frame)) {
        fv_frame_unref(&made.frame);
        status = fv_fail(error, FV_ERROR_DEVICE, "frame %" PRId64 " is shown at another time than the index has",
                         source->next);
    }
    if (status == FV_END && source->info.frames > source->next && fv_container_is_mov(video->demux.container.demuxer))
        status = fv_fail(error, FV_ERROR_DEVICE, "it gives %" PRId64 " of %" PRId64 " frames", source->next,
                         source->info.frames);
    *fails = status && status != FV_END;
    return status ? status : deliver(hardware, &made, frame, error);
}

void fv_hardware_close(FvHardware *hardware)
{
    fv_hwdec_close(&hardware->hwdec);
}

bool fv_hardware_wanted(const FvSource *source, const FvSourceParams *params)
{
    const char *device = params->device ? params->device : params->scored_on;
    if (!device || source->stream.waits || params->alpha || params->rgb || params->no_grain)
        return false;
    const bool any = !strcmp(device, "auto") || !strcmp(device, "all");
    return !strncmp(device, "cuda", 4) || (any && fv_hwdec_installed());
}

bool fv_hardware_suits(const FvVideo *video)
{
    const AVCodecContext *decoder = video->decoder.context;
    const FvSource *source = video->source;
    char what[64];
    return fv_hwdec_installed() && decoder && decoder->codec_id != AV_CODEC_ID_VP9 && !source->stream.waits &&
           fv_hwdec_takes(decoder->codec_id, decoder->profile, &source->info.format, what, sizeof what);
}

void fv_hardware_use(FvHardware *hardware, const FvHwdecService *service)
{
    FvVideo *video = hardware->video;
    FvSource *source = video->source;
    const AVCodecContext *decoder = video->decoder.context;
    char what[64];
    FvError error = {0};
    if (!service && hardware->hwdec) { /* the caller withdraws the decoders, so the next read continues at the same
                                       frame without them */
        fv_libav_log_enter(&video->decoder.log);
        fv_hwdec_close(&hardware->hwdec);
        fv_libav_log_leave();
        fv_video_turn(video, FV_VIDEO_BACK);
    }
    if (!service || !decoder || source->next || source->stream.waits ||
        !(video->state == FV_VIDEO_READY || video->state == FV_VIDEO_PEEKED))
        return;
    if (!fv_hwdec_takes(decoder->codec_id, decoder->profile, &source->info.format, what, sizeof what)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: GPUs do not decode %s", what);
        return;
    }
    const bool vp9 = decoder->codec_id == AV_CODEC_ID_VP9;
    if (vp9 && !service->named) {
        snprintf(source->decoder, sizeof source->decoder,
                 "CPU: GPUs decode damaged VP9 that the CPU refuses, unless the device is named");
        return;
    }
    snprintf(source->decoder, sizeof source->decoder, "GPU (%s, %d bits%s)", fv_hwdec_codec_name(decoder->codec_id),
             source->info.format.depth, vp9 ? ", which does not refuse all damage" : "");
    hardware->service = *service;
    if (!decoder_ops(service)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: this build of fovea has no NVDEC");
        return;
    }
    fv_libav_log_enter(&video->decoder.log);
    FvStatus status = rewind_container(video, &error);
    if (!status)
        status = open_hwdec(hardware, 0, INT64_MIN, &error);
    if (status) {
        fv_hwdec_close(&hardware->hwdec);
        fv_video_turn(video, FV_VIDEO_BACK);
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error.message);
    }
    fv_libav_log_leave();
}
