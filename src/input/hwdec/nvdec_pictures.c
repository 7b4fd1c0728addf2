/*
 * Handles what NVDEC's parser finds: sequences, for which a decoder is created, and pictures, which are decoded,
 * checked and copied.
 */
#include "input/hwdec/nvdec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "gpu/surface.h"
#include "input/hwdec/codecs.h"
#include "input/libav/tags.h"
#include "picture/frame.h"

int fv_nvdec_fail(FvNvdec *n, const char *format, ...)
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

/* ---- Sequences ------------------------------------------------------------------------------------------------- */

cudaVideoCodec fv_nvdec_codec(enum AVCodecID codec)
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

static bool has_stated_colour(const CUVIDEOFORMAT *f, const FvFormat *stated)
{
    const FvFormat now = fv_tags_colour(f->video_signal_description.color_primaries,
                                        f->video_signal_description.transfer_characteristics,
                                        f->video_signal_description.matrix_coefficients);
    FvColourTag tag;
    return !fv_tags_change(stated, &now, &tag);
}

/*
 * Returns whether the sequence has the format of the first picture on the CPU. For H.264 and HEVC the parser reports
 * the right and lower ends of the shown area, but not how much is cropped at the left and the top.
 */
static bool is_expected(const CUVIDEOFORMAT *f, const FvHwdecParams *params)
{
    const int left = f->display_area.right - params->format.width - f->display_area.left;
    const int top = f->display_area.bottom - params->format.height - f->display_area.top;
    const bool tells = f->codec != cudaVideoCodec_H264 && f->codec != cudaVideoCodec_HEVC;
    const FvFormat *format = &params->format;
    const bool full = f->video_signal_description.video_full_range_flag;
    return f->codec == fv_nvdec_codec(params->parameters->codec_id) &&
           f->chroma_format == cudaVideoChromaFormat_420 && format->chroma == FV_CHROMA_420 &&
           f->bit_depth_luma_minus8 + 8 == format->depth && f->bit_depth_chroma_minus8 == f->bit_depth_luma_minus8 &&
           f->coded_width % 2 == 0 && f->coded_height % 2 == 0 && left >= 0 && top >= 0 && left % 2 == 0 &&
           top % 2 == 0 && !(tells && (left || top)) && !(full && params->stated_range == FV_RANGE_LIMITED) &&
           has_stated_colour(f, &params->stated);
}

static bool is_supported(FvNvdec *n, const CUVIDEOFORMAT *f)
{
    CUVIDDECODECAPS caps = {
        .eCodecType = f->codec, .eChromaFormat = f->chroma_format, .nBitDepthMinus8 = f->bit_depth_luma_minus8};
    return !n->cuvid->cuvidGetDecoderCaps(&caps) && caps.bIsSupported && f->coded_width >= caps.nMinWidth &&
           f->coded_height >= caps.nMinHeight && f->coded_width <= caps.nMaxWidth &&
           f->coded_height <= caps.nMaxHeight && (uint64_t)f->coded_width * f->coded_height / 256 <= caps.nMaxMBCount;
}

int CUDAAPI fv_nvdec_on_sequence(void *opaque, CUVIDEOFORMAT *f)
{
    FvNvdec *n = opaque;
    const FvHwdecParams *params = &n->thread->shared->params;
    const int surfaces = f->min_num_decode_surfaces + FV_NVDEC_AHEAD;
    if (n->status)
        return 0;
    if (!is_expected(f, params) || (n->decoder && !is_same(f, &n->format)) || surfaces > FV_NVDEC_SURFACES)
        return fv_nvdec_fail(
            n, n->decoder ? "the format of the pictures changes" : "it sees %dx%d at %d, %d of %ux%u, %d bits",
            f->display_area.right - f->display_area.left, f->display_area.bottom - f->display_area.top,
            f->display_area.left, f->display_area.top, f->coded_width, f->coded_height, f->bit_depth_luma_minus8 + 8);
    if (n->decoder)
        return surfaces;
    if (!is_supported(n, f))
        return fv_nvdec_fail(n, "it decodes no %s of %d bits and %ux%u",
                             fv_hwdec_codec_name(params->parameters->codec_id), params->format.depth, f->coded_width,
                             f->coded_height);
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
        return fv_nvdec_fail(n, "its decoder cannot be made: error %d", (int)result);
    }
    n->format = *f;
    n->left = f->display_area.right - params->format.width;
    n->top = f->display_area.bottom - params->format.height;
    n->guessed = n->left > f->display_area.left || n->top > f->display_area.top;
    return surfaces;
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

/* Returns whether the decoder found no error in a finished picture. It reports errors of H.264 and HEVC only. */
static bool is_whole(FvNvdec *n, int picture)
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

bool fv_nvdec_whole(FvNvdec *n, int64_t last)
{
    bool whole = true;
    for (int i = 0; i < FV_NVDEC_SURFACES && whole; i++)
        whole = !n->unsure[i] || n->order[i] > last || is_whole(n, i);
    return whole;
}

/*
 * Returns whether frame_num, which counts reference pictures (H.264, 7.4.3), has no gap. libavcodec refuses a video
 * with a gap.
 */
static bool follows(FvNvdec *n, const CUVIDPICPARAMS *p)
{
    const CUVIDH264PICPARAMS *h264 = &p->CodecSpecific.h264;
    const int before = n->frame_num, count = 1 << (h264->log2_max_frame_num_minus4 + 4);
    const int next = before < 0 ? 0 : (before + 1) % count;
    const bool follows = before < 0 || h264->frame_num == next || h264->frame_num == before || !h264->frame_num;
    n->frame_num = h264->ref_pic_flag ? h264->frame_num : before;
    return follows;
}

/* Returns whether all pictures that this one refers to exist. */
static bool has_references(FvNvdec *n, const CUVIDPICPARAMS *p)
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
               (vp9->LastRefIdx < FV_NVDEC_SURFACES && vp9->GoldenRefIdx < FV_NVDEC_SURFACES &&
                vp9->AltRefIdx < FV_NVDEC_SURFACES);
    default:
        return true;
    }
}

int CUDAAPI fv_nvdec_on_decode(void *opaque, CUVIDPICPARAMS *p)
{
    FvNvdec *n = opaque;
    if (n->status || n->making)
        return !n->status;
    if (!n->decoder || p->CurrPicIdx < 0 || p->CurrPicIdx >= FV_NVDEC_SURFACES)
        return fv_nvdec_fail(n, "it has no decoder");
    if (!p->second_field && n->unsure[p->CurrPicIdx] && !is_whole(n, p->CurrPicIdx))
        return fv_nvdec_fail(n, "a picture is damaged");
    n->order[p->CurrPicIdx] = p->second_field ? n->order[p->CurrPicIdx] : n->decoded++;
    if (n->format.codec == cudaVideoCodec_H264 && p->CodecSpecific.h264.qpprime_y_zero_transform_bypass_flag)
        return fv_nvdec_fail(n, "a picture is coded without loss");
    if (p->field_pic_flag) /* refused, because no test compares the decoding of single fields with libavcodec */
        return fv_nvdec_fail(n, "a picture is a single field");
    if (!has_references(n, p))
        return fv_nvdec_fail(n, "a picture refers to one that is missing");
    const CUresult result = n->cuvid->cuvidDecodePicture(n->decoder, p);
    if (result)
        return fv_nvdec_fail(n, "a picture cannot be decoded: error %d", (int)result);
    n->unsure[p->CurrPicIdx] = true;
    return 1;
}

static FvStatus convert_picture(FvNvdec *n, CUdeviceptr picture, unsigned pitch, const FvFrame *frame, bool signs,
                                FvError *error)
{
    const FvHwdecParams *params = &n->thread->shared->params;
    const FvFramePlace *place = fv_frame_place(frame);
    const FvGpuSurface surface = {.data = {picture, picture + (uint64_t)pitch * n->format.coded_height},
                                  .stride = {pitch, pitch},
                                  .pairs = true,
                                  .shift = params->format.depth > 8 ? 16 - params->format.depth : 0,
                                  .left = n->left,
                                  .top = n->top,
                                  .planes = fv_hwdec_thread_planes(n->thread),
                                  .sums = signs ? n->sums.address : 0};
    return place ? fv_gpu_surface_take(n->gpu, &surface, &params->format, place->address, frame->stride, error)
                 : fv_fail(error, FV_ERROR_DEVICE, "the GPU has no memory for another frame");
}

/* Copies a decoded picture to the frame of an item, so that the decoder can use its surface again. */
static FvStatus copy_picture(FvNvdec *n, const CUVIDPARSERDISPINFO *shown, FvHwdecItem *item, FvError *error)
{
    CUVIDPROCPARAMS how = {.progressive_frame = 1, .output_stream = n->stream};
    /* The host cannot read a frame in device memory, so the GPU computes its signature. */
    const bool signs = fv_hwdec_thread_needs_signature(n->thread) && !item->frame.frame->data[0];
    CUdeviceptr picture;
    unsigned pitch = 0;
    if (signs && !n->sums.host &&
        n->gpu->ops->alloc(n->gpu, &n->sums, FV_SIGNATURE * sizeof(uint32_t), FV_GPU_HOST, error))
        return FV_ERROR_DEVICE;
    CUresult result = n->cuvid->cuvidMapVideoFrame(n->decoder, shown->picture_index, &picture, &pitch, &how);
    if (result)
        return fv_fail(error, FV_ERROR_DEVICE, "a picture cannot be mapped: error %d", (int)result);
    FvStatus status = fv_nvdec_whole(n, n->order[shown->picture_index])
                          ? convert_picture(n, picture, pitch, item->frame.frame, signs, error)
                          : fv_fail(error, FV_ERROR_DEVICE, "a picture is damaged");
    result = n->cuvid->cuvidUnmapVideoFrame(n->decoder, picture);
    if (!status && signs)
        fv_sample_take(item->frame.signature, &item->frame.frame->format, (const uint32_t *)n->sums.host);
    item->frame.has_signature = signs;
    return !status && result ? fv_fail(error, FV_ERROR_DEVICE, "a picture cannot be unmapped: error %d", (int)result)
                             : status;
}

/*
 * Finds the presentation time of a picture. VP9 shows one picture for each packet, in order, and its parser may
 * report a wrong time.
 */
static bool find_time(FvNvdec *n, const CUVIDPARSERDISPINFO *shown, int64_t *time)
{
    const bool counts = n->format.codec == cudaVideoCodec_VP9;
    if (counts && n->taken == n->shown.count)
        return false;
    *time = counts ? n->shown.item[n->taken++] : shown->timestamp;
    return true;
}

/* Returns the number of pictures of the part, in the order of packets, up to and including the shown one. */
static int64_t count_whole(const FvNvdec *n, const CUVIDPARSERDISPINFO *shown)
{
    return n->format.codec == cudaVideoCodec_VP9 ? n->taken : n->order[shown->picture_index] + 1;
}

static bool is_hidden(const FvNvdec *n, int64_t time)
{
    for (int64_t i = n->hidden.count - 1; i >= 0; i--)
        if (n->hidden.item[i] == time)
            return true;
    return false;
}

int CUDAAPI fv_nvdec_on_show(void *opaque, CUVIDPARSERDISPINFO *shown)
{
    FvNvdec *n = opaque;
    FvHwdecItem *item;
    int64_t time;
    if (n->status || n->making || !shown)
        return !n->status;
    if (!find_time(n, shown, &time))
        return fv_nvdec_fail(n, "it shows more pictures than there are packets");
    if (is_hidden(n, time))
        return 1;
    if (shown->repeat_first_field < 0)
        return fv_nvdec_fail(n, "a picture has one field only");
    n->status = fv_hwdec_thread_frame(n->thread, &item, &n->error);
    if (n->status)
        return 0;
    n->status = copy_picture(n, shown, item, &n->error);
    if (n->status) {
        fv_hwdec_thread_drop(item);
        return 0;
    }
    fv_hwdec_thread_put(n->thread, item, time);
    n->status = fv_hwdec_thread_verified(n->thread, count_whole(n, shown));
    return !n->status;
}
