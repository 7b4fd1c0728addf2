/*
 * NVDEC by NVIDIA's own interface, because only that tells which pictures were damaged. Decoder, conversion and
 * session share a CUDA context, so that addresses of one mean the same to the others. docs/nvdec.md
 */
#include <stdlib.h>
#include <string.h>

#define FFNV_LOG_FUNC(context, ...) ((void)(context))
#define FFNV_DEBUG_LOG_FUNC(context, ...) ((void)(context))
#include <ffnvcodec/dynlink_loader.h>

#include "base/error.h"
#include "picture/frame.h"
#include "gpu/selftest/selftest.h"
#include "gpu/surface.h"
#include "input/alone.h"
#include "input/hwdec_codecs.h"
#include "input/hwdec_gate.h"
#include "input/hwdec_lane.h"
#include "input/index.h"
#include "input/libav_calls.h"
#include "os/memory.h"

#define AHEAD 6 /* pictures that are being decoded while one is taken */
#define SURFACES 64

typedef struct Nvdec {
    FvHwdecLane *lane;
    CudaFunctions *cuda;
    CuvidFunctions *cuvid;
    bool entered; /* the context is this thread's */
    FvGpu *gpu;
    CUstream stream;
    AVBSFContext *filter; /* makes a stream with start codes of packets; or NULL */
    AVPacket *filtered;
    CUvideoparser parser; /* of one part */
    CUvideodecoder decoder;
    CUVIDEOFORMAT format;             /* what the decoder was made for */
    int left, top;                    /* luma samples that are cut off there, */
    bool guessed;                     /* which the parser did not tell */
    bool begun, changed;              /* there was a packet; another one has other parameter sets */
    uint64_t sets;                    /* of the first one, as in FvPacketPart */
    bool unsure[SURFACES];            /* the picture there may be damaged: nobody has asked */
    int64_t order[SURFACES], decoded; /* their numbers in the order of packets; how many of the part there are */
    int frame_num;                    /* H.264: of the reference before, -1: there is none */
    FvNumbers hidden;                 /* times of pictures that are not shown */
    FvNumbers shown;                  /* VP9: the times of the part's packets, each of which shows a picture */
    int64_t taken;                    /* of them */
    FvGpuMemory luma;                 /* of the host: of a frame that is signed */
    FvStatus status;                  /* of the callbacks */
    FvError error;
} Nvdec;

/* The parser's callbacks return 0 to end. */
__attribute__((format(printf, 2, 3))) static int fail(Nvdec *n, const char *format, ...)
{
    va_list args;
    if (n->status)
        return 0;
    va_start(args, format);
    vsnprintf(n->error.message, sizeof n->error.message, format, args);
    va_end(args);
    n->status = n->error.status = FV_ERROR_DEVICE;
    return 0;
}

/* ---- Sequences --------------------------------------------------------------------------------------------------
 */

static cudaVideoCodec codec_of(enum AVCodecID codec)
{
    return codec == AV_CODEC_ID_H264   ? cudaVideoCodec_H264
           : codec == AV_CODEC_ID_HEVC ? cudaVideoCodec_HEVC
           : codec == AV_CODEC_ID_VP9  ? cudaVideoCodec_VP9
                                       : cudaVideoCodec_AV1;
}

static bool is_same(const CUVIDEOFORMAT *a, const CUVIDEOFORMAT *b)
{
    return a->coded_width == b->coded_width && a->coded_height == b->coded_height &&
           a->bit_depth_luma_minus8 == b->bit_depth_luma_minus8 && a->chroma_format == b->chroma_format &&
           a->min_num_decode_surfaces == b->min_num_decode_surfaces &&
           !memcmp(&a->display_area, &b->display_area, sizeof a->display_area) &&
           a->video_signal_description.video_full_range_flag == b->video_signal_description.video_full_range_flag;
}

/*
 * What the first picture was on the CPU. Of H.264 and HEVC the parser tells right and lower ends of what is shown,
 * but not that something is cut off at the left or top.
 */
static bool is_expected(const CUVIDEOFORMAT *f, const FvHwdecParams *params)
{
    const int left = f->display_area.right - params->format.width - f->display_area.left;
    const int top = f->display_area.bottom - params->format.height - f->display_area.top;
    const bool tells = f->codec != cudaVideoCodec_H264 && f->codec != cudaVideoCodec_HEVC;
    const FvFormat *format = &params->format;
    const bool full = f->video_signal_description.video_full_range_flag;
    return f->codec == codec_of(params->parameters->codec_id) && f->chroma_format == cudaVideoChromaFormat_420 &&
           format->chroma == FV_CHROMA_420 && f->bit_depth_luma_minus8 + 8 == format->depth &&
           f->bit_depth_chroma_minus8 == f->bit_depth_luma_minus8 && f->coded_width % 2 == 0 &&
           f->coded_height % 2 == 0 && left >= 0 && top >= 0 && left % 2 == 0 && top % 2 == 0 &&
           !(tells && (left || top)) && !(full && params->stated_range == FV_RANGE_LIMITED);
}

static bool is_supported(Nvdec *n, const CUVIDEOFORMAT *f)
{
    CUVIDDECODECAPS caps = {
        .eCodecType = f->codec, .eChromaFormat = f->chroma_format, .nBitDepthMinus8 = f->bit_depth_luma_minus8};
    return !n->cuvid->cuvidGetDecoderCaps(&caps) && caps.bIsSupported && f->coded_width >= caps.nMinWidth &&
           f->coded_height >= caps.nMinHeight && f->coded_width <= caps.nMaxWidth &&
           f->coded_height <= caps.nMaxHeight && (uint64_t)f->coded_width * f->coded_height / 256 <= caps.nMaxMBCount;
}

static int CUDAAPI on_sequence(void *opaque, CUVIDEOFORMAT *f)
{
    Nvdec *n = opaque;
    const FvHwdecParams *params = &n->lane->shared->params;
    const int surfaces = f->min_num_decode_surfaces + AHEAD;
    if (n->status)
        return 0;
    if (!is_expected(f, params) || (n->decoder && !is_same(f, &n->format)) || surfaces > SURFACES)
        return fail(
            n, n->decoder ? "the format of the pictures changes" : "it sees %dx%d at %d, %d of %ux%u, %d bits",
            f->display_area.right - f->display_area.left, f->display_area.bottom - f->display_area.top,
            f->display_area.left, f->display_area.top, f->coded_width, f->coded_height, f->bit_depth_luma_minus8 + 8);
    if (n->decoder)
        return surfaces;
    if (!is_supported(n, f))
        return fail(n, "it decodes no %s of %d bits and %ux%u", fv_hwdec_codec_name(params->parameters->codec_id),
                    params->format.depth, f->coded_width, f->coded_height);
    CUVIDDECODECREATEINFO info = {
        .ulWidth = f->coded_width,
        .ulHeight = f->coded_height,
        .ulNumDecodeSurfaces = (unsigned)surfaces,
        .CodecType = f->codec,
        .ChromaFormat = f->chroma_format,
        .ulCreationFlags = cudaVideoCreate_PreferCUVID,
        .bitDepthMinus8 = f->bit_depth_luma_minus8,
        .OutputFormat = f->bit_depth_luma_minus8 ? cudaVideoSurfaceFormat_P016 : cudaVideoSurfaceFormat_NV12,
        .DeinterlaceMode = cudaVideoDeinterlaceMode_Weave,
        .ulTargetWidth = f->coded_width,
        .ulTargetHeight = f->coded_height,
        .ulNumOutputSurfaces = 1,
    };
    const CUresult result = n->cuvid->cuvidCreateDecoder(&n->decoder, &info);
    if (result) {
        n->decoder = NULL;
        return fail(n, "its decoder cannot be made: error %d", (int)result);
    }
    n->format = *f;
    n->left = f->display_area.right - params->format.width;
    n->top = f->display_area.bottom - params->format.height;
    n->guessed = n->left > f->display_area.left || n->top > f->display_area.top;
    return surfaces;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------
 */

/* Whether the decoder found no error in a picture that it has finished. It tells that of H.264 and HEVC. */
static bool is_whole(Nvdec *n, int picture)
{
    CUVIDGETDECODESTATUS status = {.decodeStatus = cuvidDecodeStatus_Invalid};
    const bool told = n->format.codec == cudaVideoCodec_H264 || n->format.codec == cudaVideoCodec_HEVC;
    const CUresult result = n->cuvid->cuvidGetDecodeStatus(n->decoder, picture, &status);
    n->unsure[picture] = false;
    if (!result &&
        (status.decodeStatus == cuvidDecodeStatus_Error || status.decodeStatus == cuvidDecodeStatus_Error_Concealed))
        return false;
    return !told || (!result && status.decodeStatus == cuvidDecodeStatus_Success);
}

/* The same of all pictures up to a number: a picture is whole when those are to which it may refer. */
static bool are_whole(Nvdec *n, int64_t last)
{
    bool whole = true;
    for (int i = 0; i < SURFACES && whole; i++)
        whole = !n->unsure[i] || n->order[i] > last || is_whole(n, i);
    return whole;
}

/* H.264, 7.4.3: frame_num counts references; where one is missing, libavcodec refuses the video. */
static bool follows(Nvdec *n, const CUVIDPICPARAMS *p)
{
    const CUVIDH264PICPARAMS *h264 = &p->CodecSpecific.h264;
    const int before = n->frame_num, count = 1 << (h264->log2_max_frame_num_minus4 + 4);
    const int next = before < 0 ? 0 : (before + 1) % count;
    const bool follows = before < 0 || h264->frame_num == next || h264->frame_num == before || !h264->frame_num;
    n->frame_num = h264->ref_pic_flag ? h264->frame_num : before;
    return follows;
}

/* Whether all pictures that this one refers to are there. */
static bool has_references(Nvdec *n, const CUVIDPICPARAMS *p)
{
    const CUVIDHEVCPICPARAMS *hevc = &p->CodecSpecific.hevc;
    const CUVIDVP9PICPARAMS *vp9 = &p->CodecSpecific.vp9;
    bool all = true;
    switch (n->format.codec) {
    case cudaVideoCodec_H264:
        return follows(n, p);
    case cudaVideoCodec_HEVC:
        for (int i = 0; i < hevc->NumPocStCurrBefore && i < 8; i++)
            all &= hevc->RefPicIdx[hevc->RefPicSetStCurrBefore[i] & 15] >= 0;
        for (int i = 0; i < hevc->NumPocStCurrAfter && i < 8; i++)
            all &= hevc->RefPicIdx[hevc->RefPicSetStCurrAfter[i] & 15] >= 0;
        for (int i = 0; i < hevc->NumPocLtCurr && i < 8; i++)
            all &= hevc->RefPicIdx[hevc->RefPicSetLtCurr[i] & 15] >= 0;
        return all;
    case cudaVideoCodec_VP9:
        return !vp9->frameType || vp9->intraOnly ||
               (vp9->LastRefIdx < SURFACES && vp9->GoldenRefIdx < SURFACES && vp9->AltRefIdx < SURFACES);
    default:
        return true;
    }
}

static int CUDAAPI on_decode(void *opaque, CUVIDPICPARAMS *p)
{
    Nvdec *n = opaque;
    if (n->status)
        return 0;
    if (!n->decoder || p->CurrPicIdx < 0 || p->CurrPicIdx >= SURFACES)
        return fail(n, "it has no decoder");
    if (!p->second_field && n->unsure[p->CurrPicIdx] && !is_whole(n, p->CurrPicIdx))
        return fail(n, "a picture is damaged");
    n->order[p->CurrPicIdx] = p->second_field ? n->order[p->CurrPicIdx] : n->decoded++;
    if (n->format.codec == cudaVideoCodec_H264 && p->CodecSpecific.h264.qpprime_y_zero_transform_bypass_flag)
        return fail(n, "a picture is coded without loss");
    if (p->field_pic_flag) /* nobody compared them with libavcodec's */
        return fail(n, "a picture is a single field");
    if (!has_references(n, p))
        return fail(n, "a picture refers to one that is missing");
    const CUresult result = n->cuvid->cuvidDecodePicture(n->decoder, p);
    if (result)
        return fail(n, "a picture cannot be decoded: error %d", (int)result);
    n->unsure[p->CurrPicIdx] = true;
    return 1;
}

static FvStatus convert(Nvdec *n, CUdeviceptr picture, unsigned pitch, const FvFrame *frame, FvError *error)
{
    const FvHwdecParams *params = &n->lane->shared->params;
    const FvFramePlace *place = fv_frame_place(frame);
    const FvGpuSurface surface = {.data = {picture, picture + (uint64_t)pitch * n->format.coded_height},
                                  .stride = {pitch, pitch},
                                  .pairs = true,
                                  .shift = params->format.depth > 8 ? 16 - params->format.depth : 0,
                                  .left = n->left,
                                  .top = n->top,
                                  .planes = params->planes};
    return place ? fv_gpu_surface_take(n->gpu, &surface, &params->format, place->address, frame->stride, error)
                 : fv_fail(error, FV_ERROR_DEVICE, "the GPU has no memory for another frame");
}

/* Signs a frame that stays on the device. */
static FvStatus sign(Nvdec *n, FvHwdecFrame *made, FvError *error)
{
    const FvGpuOps *ops = n->gpu->ops;
    const FvFrame *frame = made->frame;
    const FvFormat *format = &frame->format;
    const FvGpuMemory from = {.address = fv_frame_place(frame)->address[0]};
    const size_t bytes = (size_t)frame->stride[0] * (size_t)format->height;
    uint64_t ticket;
    FvStatus status = n->luma.host ? FV_OK : ops->alloc(n->gpu, &n->luma, bytes, FV_GPU_HOST, error);
    if (!status)
        status = ops->begin(n->gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->copy(n->gpu, FV_GPU_COMPUTE, &n->luma, 0, &from, 0, bytes);
    status = ops->submit(n->gpu, FV_GPU_COMPUTE, &ticket, error);
    if (!status)
        status = ops->wait(n->gpu, FV_GPU_COMPUTE, ticket, error);
    if (status)
        return status;
    const FvLuma luma = {.data = n->luma.host,
                         .stride = frame->stride[0],
                         .width = format->width,
                         .height = format->height,
                         .bytes = fv_format_sample_bytes(format),
                         .depth = format->depth};
    fv_signature_make_luma(made->signature, &luma);
    made->is_signed = true;
    return FV_OK;
}

/* The picture in the frame of an item; its memory is free for the next one. */
static FvStatus take(Nvdec *n, const CUVIDPARSERDISPINFO *shown, FvHwdecItem *item, FvError *error)
{
    CUVIDPROCPARAMS how = {.progressive_frame = 1, .output_stream = n->stream};
    CUdeviceptr picture;
    unsigned pitch = 0;
    CUresult result = n->cuvid->cuvidMapVideoFrame(n->decoder, shown->picture_index, &picture, &pitch, &how);
    if (result)
        return fv_fail(error, FV_ERROR_DEVICE, "a picture cannot be had: error %d", (int)result);
    FvStatus status = are_whole(n, n->order[shown->picture_index])
                          ? convert(n, picture, pitch, item->frame.frame, error)
                          : fv_fail(error, FV_ERROR_DEVICE, "a picture is damaged");
    result = n->cuvid->cuvidUnmapVideoFrame(n->decoder, picture);
    if (!status && fv_hwdec_lane_signs(n->lane) && !item->frame.frame->data[0])
        status = sign(n, &item->frame, error);
    return !status && result ? fv_fail(error, FV_ERROR_DEVICE, "a picture cannot be let go: error %d", (int)result)
                             : status;
}

/* When a picture is shown. VP9 shows one for each packet, in their order, and the parser can be wrong about its time.
 */
static bool find_time(Nvdec *n, const CUVIDPARSERDISPINFO *shown, int64_t *time)
{
    const bool counts = n->format.codec == cudaVideoCodec_VP9;
    if (counts && n->taken == n->shown.count)
        return false;
    *time = counts ? n->shown.item[n->taken++] : shown->timestamp;
    return true;
}

/* How many pictures of the part are whole, in the order of packets, once this one is shown. */
static int64_t count_whole(const Nvdec *n, const CUVIDPARSERDISPINFO *shown)
{
    return n->format.codec == cudaVideoCodec_VP9 ? n->taken : n->order[shown->picture_index] + 1;
}

static bool is_hidden(const Nvdec *n, int64_t time)
{
    for (int64_t i = n->hidden.count - 1; i >= 0; i--)
        if (n->hidden.item[i] == time)
            return true;
    return false;
}

static int CUDAAPI on_show(void *opaque, CUVIDPARSERDISPINFO *shown)
{
    Nvdec *n = opaque;
    FvHwdecItem *item;
    int64_t time;
    if (n->status)
        return 0;
    if (!shown)
        return 1;
    if (!find_time(n, shown, &time))
        return fail(n, "it shows more pictures than there are packets");
    if (is_hidden(n, time))
        return 1;
    if (shown->repeat_first_field < 0)
        return fail(n, "a picture has one field only");
    n->status = fv_hwdec_lane_frame(n->lane, &item, &n->error);
    if (n->status)
        return 0;
    n->status = take(n, shown, item, &n->error);
    if (n->status) {
        fv_hwdec_lane_drop(item);
        return 0;
    }
    fv_hwdec_lane_put(n->lane, item, time);
    n->status = fv_hwdec_lane_verified(n->lane, count_whole(n, shown));
    return !n->status;
}

/* ---- Packets ----------------------------------------------------------------------------------------------------
 */

static FvStatus open_parser(Nvdec *n, FvError *error)
{
    CUVIDPARSERPARAMS params = {.CodecType = codec_of(n->lane->shared->params.parameters->codec_id),
                                .ulMaxNumDecodeSurfaces = 1, /* the sequence tells */
                                .ulErrorThreshold = 100,     /* damage is ours to judge */
                                .ulMaxDisplayDelay = AHEAD,
                                .pUserData = n,
                                .pfnSequenceCallback = on_sequence,
                                .pfnDecodePicture = on_decode,
                                .pfnDisplayPicture = on_show};
    n->frame_num = -1;
    const CUresult result = n->cuvid->cuvidCreateVideoParser(&n->parser, &params);
    return result ? fv_fail(error, FV_ERROR_DEVICE, "its parser cannot be made: error %d", (int)result) : FV_OK;
}

static FvStatus parse(Nvdec *n, const AVPacket *packet, FvError *error)
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
        fail(n, "a packet cannot be decoded: error %d", (int)result);
    if (n->status)
        *error = n->error;
    return n->status;
}

static FvStatus parse_filtered(Nvdec *n, const AVPacket *packet, FvError *error)
{
    AVPacket *copy = av_packet_clone(packet);
    int code = copy ? av_bsf_send_packet(n->filter, copy) : AVERROR(ENOMEM);
    FvStatus status = FV_OK;
    if (copy)
        av_packet_free(&copy);
    while (!code && !status && !(code = av_bsf_receive_packet(n->filter, n->filtered))) {
        status = parse(n, n->filtered, error);
        av_packet_unref(n->filtered);
    }
    if (status || code == AVERROR(EAGAIN))
        return status;
    return fv_fail(error, FV_ERROR_DEVICE, "a packet is damaged");
}

static FvStatus end_part(Nvdec *n, FvError *error)
{
    FvStatus status = parse(n, NULL, error);
    n->cuvid->cuvidDestroyVideoParser(n->parser);
    n->parser = NULL;
    if (!status && !are_whole(n, INT64_MAX))
        status = fv_fail(error, FV_ERROR_DEVICE, "a picture is damaged");
    n->hidden.count = n->shown.count = 0;
    n->decoded = n->taken = 0;
    return status;
}

static FvStatus add_vp9(Nvdec *n, const AVPacket *packet, FvError *error)
{
    const int shows = fv_packet_shows_vp9(packet, n->lane->shared->params.format.width);
    if (shows != 1)
        return shows < 0 ? fv_fail(error, FV_ERROR_DEVICE, "a packet is damaged")
                         : fv_fail(error, FV_ERROR_DEVICE, "a packet shows %d pictures", shows);
    return fv_numbers_add(&n->shown, packet->pts) ? FV_OK : fv_fail_memory(error, sizeof(int64_t));
}

/* Where other parameter sets come, less may be cut off. */
static void look_at_sets(Nvdec *n, const AVPacket *packet)
{
    const FvPacketPart part = fv_packet_part(packet, n->lane->shared->params.parameters);
    n->sets = n->begun ? n->sets : part.sets;
    n->changed |= n->begun && (fv_packet_has_new_sets(packet) || (part.sets && part.sets != n->sets));
    n->begun = true;
}

static FvStatus decode(void *state, const AVPacket *packet, FvError *error)
{
    FvStatus status = FV_OK;
    Nvdec *n = state;
    if (!packet)
        return end_part(n, error);
    if (packet->pts == AV_NOPTS_VALUE)
        return fv_fail(error, FV_ERROR_DEVICE, "its packets have no times");
    if (packet->flags & AV_PKT_FLAG_DISCARD && !fv_numbers_add(&n->hidden, packet->pts))
        return fv_fail_memory(error, sizeof(int64_t));
    const bool makes = !n->decoder;
    if (makes)
        fv_hwdec_gate_enter(n->lane->index);
    look_at_sets(n, packet);
    if (n->lane->shared->params.parameters->codec_id == AV_CODEC_ID_VP9)
        status = add_vp9(n, packet, error);
    if (!status)
        status = n->filter ? parse_filtered(n, packet, error) : parse(n, packet, error);
    if (makes)
        fv_hwdec_gate_leave();
    return !status && n->guessed && n->changed
               ? fv_fail(error, FV_ERROR_DEVICE, "other parameter sets come, which may cut off less")
               : status;
}

/* ---- Opening and closing ----------------------------------------------------------------------------------------
 */

static FvStatus open_filter(Nvdec *n, FvError *error)
{
    const AVCodecParameters *parameters = n->lane->shared->params.parameters;
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
    n->filter->time_base_in = n->lane->shared->params.time_base;
    return av_bsf_init(n->filter) < 0 ? fv_fail(error, FV_ERROR_DEVICE, "%s cannot be set up", name) : FV_OK;
}

static FvStatus open_decoder(void **state, FvHwdecLane *lane, FvError *error)
{
    Nvdec *n = *state = fv_alloc_zero(sizeof *n);
    void *context = lane->shared->params.context;
    if (!n)
        return fv_fail_memory(error, sizeof *n);
    n->lane = lane;
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
    n->stream = handles.cuda_stream; /* conversions follow what the decoder does there */
    return open_filter(n, error);
}

static void close_decoder(void **state)
{
    Nvdec *n = *state;
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
        n->gpu->ops->free(n->gpu, &n->luma);
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
