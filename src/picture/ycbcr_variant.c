#include "picture/ycbcr_variant.h"

#include <string.h>

#include "base/error.h"
#include "os/memory.h"
#include "picture/frame.h"
#include "picture/rgb.h"

struct FvVariants {
    int matrix;
    FvFramePool *converted;     /* pool of converted frames; NULL: no conversion */
    FvPreparation *preparation; /* preparation of the result; NULL: none */
};

FvFormat fv_variant_format(const FvFormat *rgb, int matrix)
{
    FvFormat format = *rgb;
    format.chroma = FV_CHROMA_444;
    format.range = FV_RANGE_LIMITED;
    format.matrix = matrix;
    return format;
}

FvStatus fv_variants_open(FvVariants **variants, const FvFormat *from, int matrix, const FvPrepareParams *params,
                          FvIsa isa, int threads, FvError *error)
{
    FvVariants *t = *variants = fv_alloc_zero(sizeof *t);
    if (!t)
        return fv_fail_memory(error, sizeof *t);
    const FvFormat format = matrix ? fv_variant_format(from, matrix) : *from;
    FvStatus status = matrix ? fv_frame_pool_open(&t->converted, &format, error) : FV_OK;
    t->matrix = matrix;
    if (!status && !fv_prepare_is_nothing(&format, params))
        status = fv_prepare_open(&t->preparation, &format, params, isa, threads, error);
    return status;
}

static FvStatus convert_rgb(const FvVariants *variants, const FvFrame *frame, FvFrame **ycbcr, FvError *error)
{
    const size_t row = (size_t)frame->format.width * (size_t)fv_format_sample_bytes(&frame->format);
    int64_t time;
    FvStatus status = fv_frame_pool_get(variants->converted, ycbcr, error);
    for (int plane = 0; plane < 3 && !status; plane++)
        for (int y = 0; y < frame->format.height; y++)
            memcpy((*ycbcr)->data[plane] + y * (*ycbcr)->stride[plane], frame->data[plane] + y * frame->stride[plane],
                   row);
    if (status)
        return status;
    fv_rgb_convert(*ycbcr, variants->matrix);
    if (fv_frame_time(frame, &time))
        fv_frame_set_time(*ycbcr, time);
    fv_frame_vouch(*ycbcr);
    return FV_OK;
}

static FvStatus make_variant(FvVariants *variants, FvFrame *frame, FvFrame **ycbcr, FvError *error)
{
    FvStatus status = FV_OK;
    if (variants->matrix)
        status = convert_rgb(variants, frame, ycbcr, error);
    else
        *ycbcr = fv_frame_ref(frame);
    if (!status && variants->preparation)
        status = fv_prepare_run(variants->preparation, ycbcr, error);
    return status;
}

FvStatus fv_variants_prepare(FvVariants *variants, FvPreparation *preparation, const FvFormat *tags, FvFrame **frame,
                             FvError *error)
{
    FvFrame *ycbcr = NULL;
    FvStatus status = variants ? make_variant(variants, *frame, &ycbcr, error) : FV_OK;
    if (!status && preparation)
        status = fv_prepare_run(preparation, frame, error);
    if (!status && tags)
        status = fv_frame_tag(frame, tags, error);
    if (!status && tags && ycbcr)
        status = fv_frame_tag(&ycbcr, tags, error);
    if (!status && ycbcr)
        return fv_frame_join(frame, ycbcr, error);
    fv_frame_unref(&ycbcr);
    return status;
}

void fv_variants_close(FvVariants **variants)
{
    FvVariants *t = *variants;
    *variants = NULL;
    if (!t)
        return;
    fv_prepare_close(&t->preparation);
    fv_frame_pool_close(&t->converted);
    fv_free(t);
}
