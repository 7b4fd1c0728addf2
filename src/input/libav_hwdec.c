/* Videos whose container libavformat opens, decoded by a chip until the CPU has to go on. docs/nvdec.md */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/cancel.h"
#include "config.h"
#include "base/error.h"
#include "picture/frame.h"
#include "input/alone.h"
#include "input/libav_calls.h"
#include "input/libav_video.h"

static int demux_for_chip(void *opaque, const AVPacket **packet)
{
    FvLibav *libav = opaque;
    const int code = fv_libav_demux(libav);
    *packet = libav->packet;
    return code;
}

static FvStatus make_for_chip(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    const FvLibav *libav = opaque;
    return libav->use.make(libav->use.opaque, frame, format, memory, error);
}

/* NVDEC, or what was asked for; NULL: this build has none. */
static const FvChipOps *chip_ops(const FvLibav *libav)
{
#if FV_HAVE_NVDEC
    return libav->use.ops ? libav->use.ops : &fv_chip_nvdec;
#else
    return libav->use.ops;
#endif
}

/* Makes the first packet the next one, without opening a container anew that has all its times. */
static FvStatus rewind_container(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    const AVCodec *codec;
    const char *name = libav->container.demuxer->iformat->name;
    const bool timed = libav->begun && libav->first_dts != AV_NOPTS_VALUE && libav->first_pts != AV_NOPTS_VALUE;
    fv_chip_close(&libav->chip);
    if (libav->peeked) {
        libav->peeked = false;
        avcodec_free_context(&libav->decoder);
        av_frame_unref(libav->picture);
        return FV_OK;
    }
    libav->looked = 0;
    libav->waiting = libav->left = false;
    libav->cut[0] = 0;
    if (!timed || (!fv_libav_is_mov(libav) && strncmp(name, "matroska", 8)) ||
        !fv_libav_find_packet(libav, libav->first_dts, libav->first_pts)) {
        fv_libav_stop(libav);
        return fv_libav_start_container(source, &codec, error);
    }
    avcodec_free_context(&libav->decoder);
    av_frame_unref(libav->picture);
    return FV_OK;
}

/* Begins with the next packet. */
static FvStatus open_chip(FvSource *source, int64_t first, int64_t from, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    fv_libav_log_clear(&libav->log);
    return fv_chip_open(&libav->chip,
                        &(FvChipParams){.ops = chip_ops(libav),
                                        .context = libav->use.context,
                                        .parameters = stream->codecpar,
                                        .time_base = stream->time_base,
                                        .format = source->info.format,
                                        .stated_range = source->stated_range,
                                        .planes = source->planes,
                                        .decoders = libav->use.decoders,
                                        .delay = stream->codecpar->video_delay + 2,
                                        .on_host = libav->use.on_host,
                                        .signatures = libav->use.signatures,
                                        .first = first,
                                        .from = from,
                                        .room = libav->use.room,
                                        .make = make_for_chip,
                                        .demux = demux_for_chip,
                                        .opaque = libav},
                        error);
}

/* Begins with the first packet. */
static FvStatus start_chip(FvSource *source, FvError *error)
{
    FvStatus status = rewind_container(source, error);
    return status ? status : open_chip(source, 0, INT64_MIN, error);
}

/* Makes the next packet one in front of a frame from which a chip can begin. Its frame is *first. */
static FvStatus find_cut(FvSource *source, int64_t frame, int64_t *first, FvError *error)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    for (int64_t entry = fv_index_entry(index, frame); entry > 0; entry--) {
        libav->looked = 0;
        *first = index->entries[entry];
        if (!fv_libav_find_packet(libav, index->enter_dts[entry], index->enter_pts[entry]))
            break;
        if (fv_packet_part(libav->ahead[0], fv_libav_codec(libav)).begins)
            return FV_OK;
    }
    *first = 0;
    return rewind_container(source, error);
}

bool fv_libav_enter_chip(FvSource *source, int64_t frame)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    FvError error = {0};
    int64_t first;
    if (!index->enter_pts || !index->time)
        return false;
    if (source->next != frame) {
        fv_chip_close(&libav->chip);
        libav->cut[0] = 0;
        if (find_cut(source, frame, &first, &error) || open_chip(source, first, index->time[frame], &error))
            return false;
    }
    source->next = frame;
    return libav->going = true;
}

/* Whether a frame is the one that the index has there, where that is asked. */
static bool is_in_place(const FvSource *source, const FvFrame *frame)
{
    const FvIndex *index = &source->index;
    int64_t time;
    return !source->has_index || !source->strict || !index->time ||
           (source->next < index->shown.frames && fv_frame_time(frame, &time) && time == index->time[source->next]);
}

/* The next frame that the chip gives, checked like one that was decoded on the CPU. */
static FvStatus next_of_chip(const FvSource *source, FvChipFrame *made, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = fv_chip_read(libav->chip, made, error);
    if (!status && !is_in_place(source, made->frame)) {
        fv_frame_unref(&made->frame);
        status = fv_fail(error, FV_ERROR_DEVICE, "frame %" PRId64 " is shown at another time than the index has",
                         source->next);
    }
    if (status == FV_END && source->info.frames > source->next && fv_libav_is_mov(libav))
        status = fv_fail(error, FV_ERROR_DEVICE, "it gives %" PRId64 " of %" PRId64 " frames", source->next,
                         source->info.frames);
    return status;
}

FvStatus fv_libav_return_to_cpu(FvSource *source, FvError *error)
{
    const int64_t number = source->next;
    FvStatus status = fv_libav_restart(source, error);
    return status ? status : fv_libav_advance(source, number, error);
}

/*
 * The chip failed, so the CPU decodes from the beginning and decides what is refused. What comes next is frame
 * source->next, as it was before.
 */
static FvStatus retreat(FvSource *source, const FvError *why, FvError *error)
{
    const int64_t number = source->next;
    if (fv_cancel_requested(source->cancel))
        return fv_fail(error, FV_ERROR_PARTIAL, "%s", why->message);
    if (number)
        snprintf(source->decoder, sizeof source->decoder,
                 "CPU from frame %" PRId64 " on: the GPU fails there (%.150s)", number, why->message);
    else
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", why->message);
    return fv_libav_return_to_cpu(source, error);
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

static FvStatus deliver(FvSource *source, FvChipFrame *made, FvFrame **frame, FvError *error)
{
    const FvLibav *libav = source->state;
    int64_t time;
    if (made->is_signed && source->signature) {
        memcpy(source->signature, made->signature, sizeof made->signature);
        source->has_signature = true;
    }
    *frame = made->frame;
    if (!libav->use.copies)
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

FvStatus fv_libav_read_chip(FvSource *source, FvFrame **frame, bool *done, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = FV_OK;
    *done = false;
    while (!status && libav->chip && !*done) {
        FvChipFrame made;
        FvError reason = {0};
        status = next_of_chip(source, &made, &reason);
        *done = !status || status == FV_END;
        if (!status)
            status = deliver(source, &made, frame, error);
        else if (status != FV_END)
            status = retreat(source, &reason, error);
    }
    libav->going = !status;
    return status;
}

/* Goes back to the CPU, at the same frame, when somebody asks for more. */
static void leave_chip(FvSource *source)
{
    FvLibav *libav = source->state;
    if (!libav->chip)
        return;
    fv_libav_log_enter(&libav->log);
    fv_chip_close(&libav->chip);
    fv_libav_log_leave();
    libav->left = true;
}

bool fv_libav_may_use_chip(const FvSource *source, const FvSourceParams *params)
{
    const char *device = params->device ? params->device : params->scored_on;
    if (!device || source->stream.waits || params->alpha || params->rgb)
        return false;
    return !strncmp(device, "cuda", 4) || (!strcmp(device, "auto") && !access("/dev/nvidiactl", F_OK));
}

void fv_libav_use_chip(FvSource *source, const FvSourceChip *chip)
{
    FvLibav *libav = source->state;
    char what[64];
    FvError error = {0};
    if (!chip)
        leave_chip(source);
    if (!chip || libav->prores || libav->chip || source->next || !(libav->waiting || libav->peeked) ||
        source->stream.waits)
        return;
    if (!fv_chip_takes(libav->decoder->codec_id, libav->decoder->profile, &source->info.format, what, sizeof what)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: GPUs do not decode %s", what);
        return;
    }
    snprintf(source->decoder, sizeof source->decoder, "GPU (%s, %d bits)",
             fv_chip_codec_name(libav->decoder->codec_id), source->info.format.depth);
    libav->use = *chip;
    if (!chip_ops(libav)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: this build of fovea has no NVDEC");
        return;
    }
    fv_libav_log_enter(&libav->log);
    if (start_chip(source, &error)) {
        fv_chip_close(&libav->chip);
        libav->left = true;
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error.message);
    }
    fv_libav_log_leave();
}
