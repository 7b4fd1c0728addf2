/* Videos whose container libavformat opens, decoded by hardware decoders. docs/nvdec.md */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "base/error.h"
#include "picture/frame.h"
#include "input/packet/random_access.h"
#include "input/hwdec/codecs.h"
#include "input/libav/calls.h"
#include "input/libav/video.h"

static int demux(void *opaque, const AVPacket **packet)
{
    FvLibav *libav = opaque;
    const int code = fv_libav_demux(libav);
    *packet = libav->packet;
    return code;
}

static FvStatus make_frame(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error)
{
    const FvLibav *libav = opaque;
    return libav->loan.make(libav->loan.opaque, frame, format, memory, error);
}

/* The decoder that the loan names, or NVDEC; NULL: this build has none. */
static const FvHwdecOps *decoder_ops(const FvLibav *libav)
{
#if FV_HAVE_NVDEC
    return libav->loan.ops ? libav->loan.ops : &fv_hwdec_nvdec;
#else
    return libav->loan.ops;
#endif
}

/* Makes the first packet the next one. A container that states all times is not opened again. */
static FvStatus rewind_container(FvSource *source, FvError *error)
{
    FvLibav *libav = source->state;
    const AVCodec *codec;
    const char *name = libav->container.demuxer->iformat->name;
    const bool timed = libav->begun && libav->first_dts != AV_NOPTS_VALUE && libav->first_pts != AV_NOPTS_VALUE;
    fv_hwdec_close(&libav->hwdec);
    if (libav->peeked) {
        libav->peeked = false;
        avcodec_free_context(&libav->decoder);
        fv_libav_forget_made(&libav->made);
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
    fv_libav_forget_made(&libav->made);
    av_frame_unref(libav->picture);
    return FV_OK;
}

/* Begins with the next packet. */
static FvStatus open_hwdec(FvSource *source, int64_t first, int64_t from, FvError *error)
{
    FvLibav *libav = source->state;
    const AVStream *stream = libav->container.demuxer->streams[libav->stream];
    fv_libav_log_clear(&libav->log);
    return fv_hwdec_open(&libav->hwdec,
                         &(FvHwdecParams){.ops = decoder_ops(libav),
                                          .context = libav->loan.context,
                                          .parameters = stream->codecpar,
                                          .time_base = stream->time_base,
                                          .format = source->info.format,
                                          .stated_range = source->stated_range,
                                          .stated = libav->stated,
                                          .planes = source->lent.planes,
                                          .decoders = libav->loan.decoders,
                                          .delay = stream->codecpar->video_delay + 2,
                                          .on_host = libav->loan.on_host,
                                          .is_signed = libav->loan.is_signed,
                                          .first = first,
                                          .from = from,
                                          .room = libav->loan.room,
                                          .make = make_frame,
                                          .demux = demux,
                                          .opaque = libav},
                         error);
}

/* Begins with the first packet. */
static FvStatus start_hwdec(FvSource *source, FvError *error)
{
    FvStatus status = rewind_container(source, error);
    return status ? status : open_hwdec(source, 0, INT64_MIN, error);
}

/* Makes a packet the next one from which decoding can begin and reach `frame`. That packet's frame is *first. */
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

bool fv_libav_enter_hwdec(FvSource *source, int64_t frame)
{
    FvLibav *libav = source->state;
    const FvIndex *index = &source->index;
    FvError error = {0};
    int64_t first;
    if (!index->enter_pts || !index->time)
        return false;
    if (source->next != frame) {
        fv_hwdec_close(&libav->hwdec);
        libav->cut[0] = 0;
        if (find_cut(source, frame, &first, &error) || open_hwdec(source, first, index->time[frame], &error))
            return false;
    }
    source->next = frame;
    return libav->going = true;
}

/* Whether the index agrees on the frame, in a source that is strict about it. */
static bool is_in_place(const FvSource *source, const FvFrame *frame)
{
    const FvIndex *index = &source->index;
    int64_t time;
    return !source->has_index || !source->strict || !index->time ||
           (source->next < index->shown.frames && fv_frame_time(frame, &time) && time == index->time[source->next]);
}

/* The next frame, checked like a frame that the CPU decoded. */
static FvStatus next_frame(const FvSource *source, FvHwdecFrame *made, FvError *error)
{
    FvLibav *libav = source->state;
    FvStatus status = fv_hwdec_read(libav->hwdec, made, error);
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

static FvStatus deliver(FvSource *source, FvHwdecFrame *made, FvFrame **frame, FvError *error)
{
    const FvLibav *libav = source->state;
    int64_t time;
    if (made->is_signed && source->signature) {
        memcpy(source->signature, made->signature, sizeof made->signature);
        source->has_signature = true;
    }
    *frame = made->frame;
    if (!libav->loan.copies)
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

FvStatus fv_libav_read_hwdec(FvSource *source, FvFrame **frame, bool *fails, FvError *error)
{
    FvHwdecFrame made;
    FvStatus status = next_frame(source, &made, error);
    *fails = status && status != FV_END;
    return status ? status : deliver(source, &made, frame, error);
}

/* Goes on without hardware decoders, at the same frame, when the source is read again. */
static void leave_hwdec(FvSource *source)
{
    FvLibav *libav = source->state;
    if (!libav->hwdec)
        return;
    fv_libav_log_enter(&libav->log);
    fv_hwdec_close(&libav->hwdec);
    fv_libav_log_leave();
    libav->left = true;
}

bool fv_libav_may_use_hwdec(const FvSource *source, const FvSourceParams *params)
{
    const char *device = params->device ? params->device : params->scored_on;
    if (!device || source->stream.waits || params->alpha || params->rgb || params->no_grain)
        return false;
    return !strncmp(device, "cuda", 4) || (!strcmp(device, "auto") && fv_hwdec_installed());
}

bool fv_libav_suits_hwdec(const FvSource *source)
{
    const FvLibav *libav = source->state;
    char what[64];
    return fv_hwdec_installed() && libav->decoder && libav->decoder->codec_id != AV_CODEC_ID_VP9 &&
           !source->stream.waits &&
           fv_hwdec_takes(libav->decoder->codec_id, libav->decoder->profile, &source->info.format, what, sizeof what);
}

void fv_libav_use_hwdec(FvSource *source, const FvHwdecLoan *loan)
{
    FvLibav *libav = source->state;
    char what[64];
    FvError error = {0};
    if (!loan)
        leave_hwdec(source);
    if (!loan || libav->prores || libav->hwdec || source->next || !(libav->waiting || libav->peeked) ||
        source->stream.waits)
        return;
    if (!fv_hwdec_takes(libav->decoder->codec_id, libav->decoder->profile, &source->info.format, what, sizeof what)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: GPUs do not decode %s", what);
        return;
    }
    const bool vp9 = libav->decoder->codec_id == AV_CODEC_ID_VP9;
    if (vp9 && !loan->named) {
        snprintf(source->decoder, sizeof source->decoder,
                 "CPU: GPUs decode damaged VP9 that the CPU refuses, unless the device is named");
        return;
    }
    snprintf(source->decoder, sizeof source->decoder, "GPU (%s, %d bits%s)",
             fv_hwdec_codec_name(libav->decoder->codec_id), source->info.format.depth,
             vp9 ? ", which does not refuse all damage" : "");
    libav->loan = *loan;
    if (!decoder_ops(libav)) {
        snprintf(source->decoder, sizeof source->decoder, "CPU: this build of fovea has no NVDEC");
        return;
    }
    fv_libav_log_enter(&libav->log);
    if (start_hwdec(source, &error)) {
        fv_hwdec_close(&libav->hwdec);
        libav->left = true;
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error.message);
    }
    fv_libav_log_leave();
}
