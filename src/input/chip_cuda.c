/*
 * NVDEC by way of libavcodec, whose pictures stay in the memory of the GPU. Decoder, conversion and session share a
 * context, so that addresses of one mean the same to the others. docs/nvdec.md
 */
#include <stdlib.h>

/* libav's header needs two names of CUDA's, which comes without headers here. */
#define CUDA_VERSION 0
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
#include <libavutil/hwcontext_cuda.h>

#include "error.h"
#include "frame.h"
#include "gpu/surface.h"
#include "input/chip_lane.h"
#include "libav_calls.h"
#include "mem.h"

typedef struct Nvdec {
    FvGpu *gpu;
    AVBufferRef *device;
} Nvdec;

/* Whether this libavcodec can leave the codec to CUDA. */
static bool has_hardware(const AVCodec *codec)
{
    const AVCodecHWConfig *config;
    for (int i = 0; (config = avcodec_get_hw_config(codec, i)); i++)
        if (config->device_type == AV_HWDEVICE_TYPE_CUDA && config->pix_fmt == AV_PIX_FMT_CUDA)
            return true;
    return false;
}

/* Nothing but CUDA will do, and nothing but the format that was found on the CPU. */
static enum AVPixelFormat choose(AVCodecContext *decoder, const enum AVPixelFormat *formats)
{
    FvChipLane *lane = decoder->opaque;
    const enum AVPixelFormat *last = formats;
    bool offered = false;
    for (; *last != AV_PIX_FMT_NONE; last++)
        offered |= *last == AV_PIX_FMT_CUDA;
    lane->refused = !offered || last[-1] != lane->shared->params.pixel_format;
    return lane->refused ? AV_PIX_FMT_NONE : AV_PIX_FMT_CUDA;
}

static FvStatus share_context(Nvdec *nvdec, FvError *error)
{
    FvDeviceHandles handles = {0};
    nvdec->gpu->ops->handles(nvdec->gpu, &handles);
    nvdec->device = av_hwdevice_ctx_alloc(AV_HWDEVICE_TYPE_CUDA);
    if (!nvdec->device)
        return fv_fail(error, FV_ERROR_DEVICE, "this build of libavutil has no CUDA");
    AVCUDADeviceContext *cuda = ((AVHWDeviceContext *)nvdec->device->data)->hwctx;
    cuda->cuda_ctx = handles.cuda_context;
    cuda->stream = handles.cuda_stream; /* conversions follow what the decoder does there */
    return av_hwdevice_ctx_init(nvdec->device) < 0
               ? fv_fail(error, FV_ERROR_DEVICE, "libavutil cannot use the CUDA device")
               : FV_OK;
}

static FvStatus open(void **state, const FvChipParams *params, AVCodecContext *decoder, FvError *error)
{
    Nvdec *nvdec = *state = fv_alloc_zero(sizeof *nvdec);
    if (!nvdec)
        return fv_fail_memory(error, sizeof *nvdec);
    if (!has_hardware(params->codec))
        return fv_fail(error, FV_ERROR_DEVICE, "this build of libavcodec decodes no %s on CUDA devices",
                       fv_chip_codec_name(params->codec->id));
    FvStatus status = fv_gpu_cuda.open_in(&nvdec->gpu, params->context, -1, error);
    if (!status)
        status = share_context(nvdec, error);
    if (status)
        return status;
    decoder->hw_device_ctx = av_buffer_ref(nvdec->device);
    if (!decoder->hw_device_ctx)
        return fv_fail_memory(error, sizeof(AVBufferRef));
    decoder->get_format = choose;
#ifdef AV_HWACCEL_FLAG_UNSAFE_OUTPUT
    decoder->hwaccel_flags |=
        AV_HWACCEL_FLAG_UNSAFE_OUTPUT; /* a picture is let go before the next one is asked for */
#endif
    return FV_OK;
}

static FvStatus describe(FvGpuSurface *surface, const AVFrame *picture, const FvFormat *format, FvError *error)
{
    const AVHWFramesContext *frames =
        picture->hw_frames_ctx ? (AVHWFramesContext *)picture->hw_frames_ctx->data : NULL;
    const AVPixFmtDescriptor *pixels = frames ? av_pix_fmt_desc_get(frames->sw_format) : NULL;
    if (picture->format != AV_PIX_FMT_CUDA || !pixels || pixels->nb_components != 3 ||
        pixels->log2_chroma_w != (format->chroma != FV_CHROMA_444) ||
        pixels->log2_chroma_h != (format->chroma == FV_CHROMA_420) ||
        (format->depth > 8) != (pixels->comp[0].step == 2))
        return fv_fail(error, FV_ERROR_DEVICE, "the GPU decodes to %s, which is not known",
                       pixels ? pixels->name : "memory of another kind");
    surface->pairs = pixels->comp[1].plane == pixels->comp[2].plane;
    surface->shift = format->depth > 8 ? 16 - format->depth : 0;
    surface->left = (int)picture->crop_left;
    surface->top = (int)picture->crop_top;
    for (int plane = 0; plane < (surface->pairs ? 2 : 3); plane++) {
        surface->data[plane] = (uint64_t)(uintptr_t)picture->data[plane];
        surface->stride[plane] = (uint32_t)picture->linesize[plane];
    }
    return FV_OK;
}

static FvStatus take(void *state, const FvChipParams *params, const AVFrame *picture, FvFrame *frame, FvError *error)
{
    const Nvdec *nvdec = state;
    const FvFramePlace *place = fv_frame_place(frame);
    FvGpuSurface surface = {.planes = params->planes};
    FvStatus status = describe(&surface, picture, &params->format, error);
    if (!status && !place)
        status = fv_fail(error, FV_ERROR_DEVICE, "the GPU has no memory for another frame");
    return status ? status
                  : fv_gpu_surface_take(nvdec->gpu, &surface, &params->format, place->address, frame->stride, error);
}

static void close(void **state)
{
    Nvdec *nvdec = *state;
    *state = NULL;
    if (!nvdec)
        return;
    av_buffer_unref(&nvdec->device);
    if (nvdec->gpu)
        nvdec->gpu->ops->close(&nvdec->gpu);
    free(nvdec);
}

const FvChipOps fv_chip_cuda = {open, take, close};
