/*
 * Decodes with NVDEC through NVIDIA's own interface, because only that interface reports which pictures were damaged.
 * Decoder, conversion and session share a CUDA context, so that an address means the same in all of them.
 * docs/decoders.md
 */
#include "input/hwdec/nvdec.h"

#include <stdlib.h>

#include "base/error.h"
#include "gpu/selftest/selftest.h"
#include "input/hwdec/gate.h"
#include "input/libav/calls.h"
#include "input/packet/random_access.h"
#include "os/memory.h"

/* ---- Packets --------------------------------------------------------------------------------------------------- */

static FvStatus open_parser(FvNvdec *n, FvError *error)
{
    CUVIDPARSERPARAMS params = {
        .CodecType = fv_nvdec_codec(n->thread->shared->params.parameters->codec_id),
        .ulMaxNumDecodeSurfaces = 1, /* fv_nvdec_on_sequence() returns the actual number */
        .ulErrorThreshold = 100,     /* percent: the parser drops no damaged picture; fovea judges damage itself */
        .ulMaxDisplayDelay = FV_NVDEC_AHEAD,
        .pUserData = n,
        .pfnSequenceCallback = fv_nvdec_on_sequence,
        .pfnDecodePicture = fv_nvdec_on_decode,
        .pfnDisplayPicture = fv_nvdec_on_show};
    n->frame_num = -1;
    const CUresult result = n->cuvid->cuvidCreateVideoParser(&n->parser, &params);
    return result ? fv_fail(error, FV_ERROR_DEVICE, "its parser cannot be made: error %d", (int)result) : FV_OK;
}

static FvStatus parse_packet(FvNvdec *n, const AVPacket *packet, FvError *error)
{
    FvStatus status = n->parser ? FV_OK : open_parser(n, error);
    if (status)
        return status;
    CUVIDSOURCEDATAPACKET data = {.flags = packet ? CUVID_PKT_TIMESTAMP : CUVID_PKT_ENDOFSTREAM,
                                  .payload = packet ? packet->data : NULL,
                                  .payload_size = packet ? (tcu_ulong)packet->size : 0,
                                  .timestamp = packet ? packet->pts : 0};
    const CUresult result = n->cuvid->cuvidParseVideoData(n->parser, &data);
    if (!n->status && result)
        fv_nvdec_fail(n, "a packet cannot be decoded: error %d", (int)result);
    if (n->status)
        *error = n->error;
    return n->status;
}

static FvStatus parse_filtered(FvNvdec *n, const AVPacket *packet, FvError *error)
{
    AVPacket *copy = av_packet_clone(packet);
    int code = copy ? av_bsf_send_packet(n->filter, copy) : AVERROR(ENOMEM);
    FvStatus status = FV_OK;
    if (copy)
        av_packet_free(&copy);
    while (!code && !status && !(code = av_bsf_receive_packet(n->filter, n->filtered))) {
        status = parse_packet(n, n->filtered, error);
        av_packet_unref(n->filtered);
    }
    if (status || code == AVERROR(EAGAIN))
        return status;
    return fv_fail(error, FV_ERROR_DEVICE, "a packet is damaged");
}

static FvStatus end_part(FvNvdec *n, FvError *error)
{
    FvStatus status = parse_packet(n, NULL, error);
    n->cuvid->cuvidDestroyVideoParser(n->parser);
    n->parser = NULL;
    if (!status && !fv_nvdec_whole(n, INT64_MAX))
        status = fv_fail(error, FV_ERROR_DEVICE, "a picture is damaged");
    n->hidden.count = n->shown.count = 0;
    n->decoded = n->taken = 0;
    return status;
}

static FvStatus add_vp9(FvNvdec *n, const AVPacket *packet, FvError *error)
{
    const int shows = fv_packet_shows_vp9(packet, n->thread->shared->params.format.width);
    if (shows != 1)
        return shows < 0 ? fv_fail(error, FV_ERROR_DEVICE, "a packet is damaged")
                         : fv_fail(error, FV_ERROR_DEVICE, "a packet shows %d pictures", shows);
    return fv_numbers_add(&n->shown, packet->pts) ? FV_OK : fv_fail_memory(error, sizeof(int64_t));
}

/* Records whether a packet has other parameter sets than before, which may crop the picture differently. */
static void look_at_sets(FvNvdec *n, const AVPacket *packet)
{
    const FvPacketPart part = fv_packet_part(packet, n->thread->shared->params.parameters);
    n->sets = n->begun ? n->sets : part.sets;
    n->changed |= n->begun && (fv_packet_has_new_sets(packet) || (part.sets && part.sets != n->sets));
    n->begun = true;
}

static FvStatus decode(void *state, const AVPacket *packet, FvError *error)
{
    FvStatus status = FV_OK;
    FvNvdec *n = state;
    if (!packet)
        return end_part(n, error);
    if (packet->pts == AV_NOPTS_VALUE)
        return fv_fail(error, FV_ERROR_DEVICE, "its packets have no times");
    if (packet->flags & AV_PKT_FLAG_DISCARD && !fv_numbers_add(&n->hidden, packet->pts))
        return fv_fail_memory(error, sizeof(int64_t));
    look_at_sets(n, packet);
    if (n->thread->shared->params.parameters->codec_id == AV_CODEC_ID_VP9)
        status = add_vp9(n, packet, error);
    if (!status)
        status = n->filter ? parse_filtered(n, packet, error) : parse_packet(n, packet, error);
    return !status && n->guessed && n->changed
               ? fv_fail(error, FV_ERROR_DEVICE, "new parameter sets may cut off less")
               : status;
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

static FvStatus open_filter(FvNvdec *n, FvError *error)
{
    const AVCodecParameters *parameters = n->thread->shared->params.parameters;
    const char *name = parameters->codec_id == AV_CODEC_ID_H264   ? "h264_mp4toannexb"
                       : parameters->codec_id == AV_CODEC_ID_HEVC ? "hevc_mp4toannexb"
                                                                  : NULL;
    const AVBitStreamFilter *filter = name ? av_bsf_get_by_name(name) : NULL;
    if (!name)
        return FV_OK;
    if (!filter)
        return fv_fail(error, FV_ERROR_DEVICE, "this build of libavcodec lacks %s", name);
    n->filtered = av_packet_alloc();
    if (!n->filtered || av_bsf_alloc(filter, &n->filter) < 0 ||
        avcodec_parameters_copy(n->filter->par_in, parameters) < 0)
        return fv_fail_memory(error, sizeof *n->filtered);
    n->filter->time_base_in = n->thread->shared->params.time_base;
    return av_bsf_init(n->filter) < 0 ? fv_fail(error, FV_ERROR_DEVICE, "%s cannot be set up", name) : FV_OK;
}

/*
 * Creates the decoder, by the first packet of the video. The thread begins a part afterwards, so that the other
 * decoders meanwhile decode all parts.
 */
static FvStatus make_decoder(FvNvdec *n, FvError *error)
{
    const AVPacket *sample = n->thread->shared->sample;
    fv_hwdec_gate_enter(n->thread->index);
    n->making = true;
    FvStatus status = n->filter ? parse_filtered(n, sample, error) : parse_packet(n, sample, error);
    if (!status)
        status = parse_packet(n, NULL, error);
    n->making = false;
    fv_hwdec_gate_leave();
    if (n->parser)
        n->cuvid->cuvidDestroyVideoParser(n->parser);
    n->parser = NULL;
    return status || n->decoder ? status
                                : fv_fail(error, FV_ERROR_DEVICE, "its first packet does not describe its pictures");
}

static FvStatus open_decoder(void **state, FvHwdecThread *thread, FvError *error)
{
    FvNvdec *n = *state = fv_alloc_zero(sizeof *n);
    void *context = thread->shared->params.context;
    if (!n)
        return fv_fail_memory(error, sizeof *n);
    n->thread = thread;
    if (cuda_load_functions(&n->cuda, NULL) || cuvid_load_functions(&n->cuvid, NULL) ||
        !n->cuvid->cuvidGetDecodeStatus)
        return fv_fail(error, FV_ERROR_DEVICE, "NVIDIA's libnvcuvid.so.1 is not installed, or too old");
    n->entered = !n->cuda->cuCtxPushCurrent(context);
    FvStatus status =
        n->entered ? FV_OK : fv_fail(error, FV_ERROR_DEVICE, "the CUDA context cannot be used by a decoder");
    if (!status)
        status = fv_gpu_cuda.open_in(&n->gpu, context, -1, error);
    if (status)
        return status;
    char why[512];
    if (!fv_gpu_trusts(n->gpu, &fv_gpu_decoding, why, sizeof why))
        return fv_fail(error, FV_ERROR_DEVICE, "%s", why);
    FvDeviceHandles handles = {0};
    n->gpu->ops->handles(n->gpu, &handles);
    n->stream = handles.cuda_stream; /* conversions on this stream run after the decoder's work on it */
    status = open_filter(n, error);
    return status ? status : make_decoder(n, error);
}

static void close_decoder(void **state)
{
    FvNvdec *n = *state;
    *state = NULL;
    if (!n)
        return;
    if (n->parser)
        n->cuvid->cuvidDestroyVideoParser(n->parser);
    if (n->decoder)
        n->cuvid->cuvidDestroyDecoder(n->decoder);
    if (n->filter)
        av_bsf_free(&n->filter);
    if (n->filtered)
        av_packet_free(&n->filtered);
    if (n->gpu) {
        n->gpu->ops->free(n->gpu, &n->sums);
        n->gpu->ops->close(&n->gpu);
    }
    CUcontext context;
    if (n->entered)
        n->cuda->cuCtxPopCurrent(&context);
    cuvid_free_functions(&n->cuvid);
    cuda_free_functions(&n->cuda);
    free(n->hidden.item);
    free(n->shown.item);
    fv_free(n);
}

const FvHwdecOps fv_hwdec_nvdec = {open_decoder, decode, close_decoder};
