/*
 * The reader of all files that libavformat opens and libavcodec, a hardware decoder or fovea decodes. docs/input.md
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rank.h"
#include "input/libav/calls.h"
#include "input/libav/choice.h"
#include "input/libav/hardware.h"
#include "input/libav/prores.h"
#include "input/libav/seek.h"
#include "input/libav/skip_frames.h"
#include "input/libav/unpack.h"
#include "input/packet/codec_string.h"
#include "input/packet/random_access.h"
#include "os/cancel.h"
#include "os/memory.h"
#include "picture/colour.h"

typedef struct FvReader {
    FvVideo video;
    FvHardware hardware;
    FvProresInput *prores; /* decodes the video instead of libavcodec; NULL: libavcodec does */
    FvUnpack unpack;
} FvReader;

/*
 * Decodes the first picture, or reads the first packet of ProRes, because only a picture states the format with
 * certainty.
 */
static FvStatus find_first(FvReader *reader, const FvSourceParams *params, FvError *error)
{
    FvVideo *video = &reader->video;
    const bool peeks = fv_hardware_wanted(video->source, params);
    FvStatus status = fv_video_start(video, peeks ? 1 : params->threads, error);
    if (!status && video->decoder.context)
        status = fv_video_find_start(video, peeks ? 1 : params->threads, error);
    video->skips.how = FV_SKIPPING_UNKNOWN;
    if (!status && !video->decoder.context)
        status = fv_libav_open_prores(video, &reader->prores, params, error);
    else if (!status && peeks && fv_decoder_peek(&video->decoder, &video->demux))
        fv_video_turn(video, FV_VIDEO_PEEK);
    else if (!status) {
        if (peeks) {
            status = fv_video_restart(video, error);
            video->skips.how = FV_SKIPPING_UNKNOWN;
        }
        if (!status)
            status = fv_video_decode(video, error);
    }
    fv_video_turn(video, status ? FV_VIDEO_FAILED : FV_VIDEO_FOUND);
    return status;
}

static FvStatus open_reader(FvSource *source, const FvSourceParams *params, FvError *error)
{
    FvReader *reader = source->state = fv_alloc_zero(sizeof *reader);
    if (!reader)
        return fv_fail_memory(error, sizeof *reader);
    FvVideo *video = &reader->video;
    const char *format = params->reader ? strchr(params->reader, ':') : NULL;
    video->source = source;
    source->rgb_matrix = params->tags.matrix ? params->tags.matrix : FV_H273_BT709;
    video->choice = params->stream;
    video->prores_by_libavcodec = params->decoder && !strcmp(params->decoder, "prores=libavcodec");
    video->decoder.threads = params->threads;
    video->decoder.no_grain = params->no_grain;
    reader->hardware.video = video;
    reader->unpack = (FvUnpack){
        .rgb = params->rgb, .background = params->background, .tags = params->tags, .wants_alpha = params->alpha};
    fv_mutex_open(&video->decoder.made.lock);
    fv_libav_log_open(&video->decoder.log);
    video->format = format ? strdup(format + 1) : NULL;
    if (format && !video->format)
        return fv_fail_memory(error, strlen(format));
    fv_libav_log_enter(&video->decoder.log);
    FvStatus status = fv_facts_take_file(&video->facts, source, error);
    if (!status)
        status = find_first(reader, params, error);
    fv_libav_log_leave();
    if (status == FV_END)
        return fv_fail(error, FV_FAIL_NO_VIDEO, "%s has no video frame; check that the file is complete",
                       source->info.path);
    return status || reader->prores ? status : fv_unpack_describe(&reader->unpack, video, error);
}

/* Makes the CPU decode, which begins at the start of the video and skips the frames that were read. */
static FvStatus return_to_cpu(FvReader *reader, FvError *error)
{
    const int64_t number = reader->video.source->next;
    fv_hardware_close(&reader->hardware);
    FvStatus status = fv_video_restart(&reader->video, error);
    return status ? status : fv_video_advance(&reader->video, number, error);
}

/*
 * Returns to the CPU after hardware decoders have failed for the reason in `error`: only the CPU decides whether the
 * video is refused. If the source is cancelled, the decoders remain in use.
 */
static FvStatus retreat(FvReader *reader, FvError *error)
{
    FvSource *source = reader->video.source;
    if (fv_cancel_requested(source->cancel))
        return error->status = FV_ERROR_PARTIAL;
    if (source->next)
        snprintf(source->decoder, sizeof source->decoder,
                 "CPU from frame %" PRId64 " on: the GPU fails there (%.150s)", source->next, error->message);
    else
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error->message);
    return return_to_cpu(reader, error);
}

/* Decodes the next frame into decoder.picture; hardware decoders deliver *frame itself. */
static FvStatus find_picture(FvReader *reader, FvFrame **frame, FvError *error)
{
    FvVideo *video = &reader->video;
    bool fails = false;
    FvStatus status = FV_OK;
    if (video->state == FV_VIDEO_LEFT || fv_skip_lacks_frames(video)) {
        status = return_to_cpu(reader, error);
    } else if (video->state == FV_VIDEO_HARDWARE) {
        status = fv_hardware_read(&reader->hardware, frame, &fails, error);
        if (!fails)
            return status;
        status = retreat(reader, error);
        if (video->state == FV_VIDEO_HARDWARE)
            return status;
    } else {
        status = fv_video_settle(video, error);
    }
    if (!status)
        status = fv_skip_decode_needed(video, error);
    fv_video_turn(video, status ? FV_VIDEO_FAILED : FV_VIDEO_TAKEN);
    return status;
}

static FvStatus read_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvReader *reader = source->state;
    FvVideo *video = &reader->video;
    if (reader->prores)
        return fv_libav_read_prores(video, reader->prores, frame, error);
    fv_skip_choose(video);
    fv_libav_log_enter(&video->decoder.log);
    FvStatus status = find_picture(reader, frame, error);
    fv_libav_log_leave();
    if (video->state == FV_VIDEO_HARDWARE)
        return status;
    const AVFrame *picture = video->decoder.picture;
    if (!status && source->next && !fv_unpack_is_frame(&reader->unpack, video)) {
        source->info.pictures = (int)source->next + 1;
        status = FV_END;
    }
    if (!status)
        status = fv_video_check_time(video, error);
    if (!status)
        status = fv_unpack_check(&reader->unpack, source, picture, error);
    if (!status)
        status = fv_frame_pool_get(source->pool, frame, error);
    if (!status)
        status = fv_unpack_copy(&reader->unpack, source, picture, *frame, error);
    if (status)
        fv_frame_unref(frame);
    if (video->decoder.picture)
        av_frame_unref(video->decoder.picture);
    return status;
}

static FvStatus pass_frame(FvSource *source, FvFrame **frame, FvError *error)
{
    FvReader *reader = source->state;
    FvVideo *video = &reader->video;
    if (reader->prores)
        return fv_libav_pass_prores(video, frame, error);
    fv_skip_choose(video);
    return video->skips.how > FV_SKIPPING_NONE && !fv_skip_lacks_frames(video) ? fv_skip_frame(video, frame, error)
                                                                               : read_frame(source, frame, error);
}

static FvStatus seek_frame(FvSource *source, int64_t frame, FvError *error)
{
    FvReader *reader = source->state;
    FvVideo *video = &reader->video;
    FvStatus status = FV_OK;
    fv_libav_log_enter(&video->decoder.log);
    const bool hardware = video->state == FV_VIDEO_HARDWARE;
    if (!hardware || !fv_hardware_enter(&reader->hardware, frame)) {
        if (hardware)
            snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU cannot enter the video at a frame");
        fv_hardware_close(&reader->hardware);
        status = fv_video_seek(video, frame, error);
    }
    fv_libav_log_leave();
    return status;
}

static FvStatus make_index(FvSource *source, FvError *error)
{
    const FvVideo *video = &((FvReader *)source->state)->video;
    return fv_packets_index(&source->index, source, video->format, video->demux.container.demuxer,
                            video->demux.stream, &video->demux.start, error);
}

static FvStatus list_packets(FvSource *source, FvIndex *index, FvError *error)
{
    return fv_packets_read(index, &((FvReader *)source->state)->video.demux.seen, error);
}

/* ---- Packets --------------------------------------------------------------------------------------------------- */

static FvStatus describe_coding(FvSource *source, FvCoding *coding, FvError *error)
{
    const FvReader *reader = source->state;
    const AVCodecParameters *codec = fv_demux_codec(&reader->video.demux);
    const FvIndex *index = &source->index;
    bool described;
    if (!index->time || !(index->place || index->enter_pts))
        return fv_fail(error, FV_FAIL_UNSUPPORTED, "%s does not state the time of each of its packets",
                       source->info.path);
    if (!fv_codec_string(coding->codec, sizeof coding->codec, codec, &described))
        return fv_fail(error, FV_FAIL_UNSUPPORTED, "%s: other decoders have no name for its %s", source->info.path,
                       avcodec_get_name(codec->codec_id));
    coding->description = described ? codec->extradata : NULL;
    coding->description_size = described ? (size_t)codec->extradata_size : 0;
    return FV_OK;
}

static FvStatus enter_packets(FvSource *source, int64_t frame, FvError *error)
{
    FvReader *reader = source->state;
    fv_libav_log_enter(&reader->video.decoder.log);
    FvStatus status = fv_video_enter(&reader->video, frame, error);
    fv_libav_log_leave();
    return status;
}

static FvStatus read_packet(FvSource *source, FvPacket *packet, FvError *error)
{
    FvReader *reader = source->state;
    FvVideo *video = &reader->video;
    FvDemux *demux = &video->demux;
    const FvIndex *index = &source->index;
    fv_libav_log_enter(&video->decoder.log);
    const int code = fv_demux_read(demux);
    fv_libav_log_leave();
    if (code == AVERROR_EOF)
        return FV_END;
    if (code)
        return fv_demux_fail_frame(demux, NULL, "read, the file is damaged or cut short", code, error);
    const AVPacket *read = demux->packet;
    if (fv_packet_has_new_sets(read))
        return fv_fail(error, FV_FAIL_UNSUPPORTED, "%s changes the set-up of its decoder in the middle",
                       source->info.path);
    const int64_t number = fv_rank(index->time, index->shown.frames, read->pts);
    const bool shown = !(read->flags & AV_PKT_FLAG_DISCARD) && read->pts >= video->entered_pts &&
                       number < index->shown.frames && index->time[number] == read->pts;
    *packet = (FvPacket){.data = read->data,
                         .size = (size_t)read->size,
                         .number = shown ? number : -1,
                         .key = read->flags & AV_PKT_FLAG_KEY};
    return FV_OK;
}

static const FvPacketOps packet_ops = {describe_coding, enter_packets, read_packet};

static bool suits_hwdec(const FvSource *source)
{
    return fv_hardware_suits(&((const FvReader *)source->state)->video);
}

static void use_hwdec(FvSource *source, const FvHwdecService *service)
{
    FvReader *reader = source->state;
    reader->hardware.stated = reader->unpack.stated;
    fv_hardware_use(&reader->hardware, service);
}

static void close_reader(FvSource *source)
{
    FvReader *reader = source->state;
    if (!reader)
        return;
    FvVideo *video = &reader->video;
    fv_libav_log_enter(&video->decoder.log);
    fv_hardware_close(&reader->hardware);
    fv_video_stop(video);
    fv_libav_log_leave();
    fv_libav_log_close(&video->decoder.log);
    fv_prores_input_close(&reader->prores);
    fv_frame_pool_close(&reader->unpack.alpha);
    free(video->format);
    fv_mutex_close(&video->decoder.made.lock);
    fv_free(reader);
}

static unsigned version(void)
{
    return avformat_version();
}

/* The only name of this folder's files that other files of the build see, such as fv_libav_59. */
extern const FvLibavRelease AV_JOIN(fv_libav_, LIBAVFORMAT_VERSION_MAJOR);
const FvLibavRelease AV_JOIN(fv_libav_, LIBAVFORMAT_VERSION_MAJOR) = {
    .ffmpeg = LIBAVFORMAT_VERSION_MAJOR - 54,
    .open = fv_libav_calls_open,
    .version = version,
    .source = {"libav", NULL, open_reader, read_frame, close_reader, make_index, seek_frame, suits_hwdec, use_hwdec,
               list_packets, pass_frame, &packet_ops}};
