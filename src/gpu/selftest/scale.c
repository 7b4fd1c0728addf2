#include "gpu/selftest/scale.h"

#include <string.h>

#include "base/error.h"
#include "gpu/prepare.h"
#include "picture/frame.h"

typedef struct Trial {
    FvFormat from;
    FvCrop crop;
    int width, height;
    FvChroma chroma;
    int depth;
    FvScaleKernel kernel;
    FvSiting siting[2];
    FvRange range, to_range;
} Trial;

/*
 * Trials that enlarge and reduce, with each filter and chroma format, samples of one and two bytes, sums of 16 and 18
 * bits, and lookup tables.
 */
static const Trial trials[] = {
    {.from = {.width = 71, .height = 45, .chroma = FV_CHROMA_420, .depth = 8},
     .width = 107,
     .height = 68,
     .chroma = FV_CHROMA_420,
     .depth = 8},
    {.from = {.width = 130, .height = 74, .chroma = FV_CHROMA_422, .depth = 10},
     .crop = {.x = 2, .y = 3, .width = 121, .height = 65},
     .width = 47,
     .height = 29,
     .chroma = FV_CHROMA_420,
     .depth = 10,
     .kernel = FV_KERNEL_LANCZOS,
     .siting = {FV_SITING_LEFT, FV_SITING_TOPLEFT}},
    {.from = {.width = 33, .height = 70, .chroma = FV_CHROMA_444, .depth = 16},
     .width = 64,
     .height = 70,
     .chroma = FV_CHROMA_444,
     .depth = 16,
     .kernel = FV_KERNEL_SPLINE36},
    {.from = {.width = 80, .height = 48, .chroma = FV_CHROMA_420, .depth = 8},
     .width = 80,
     .height = 48,
     .chroma = FV_CHROMA_444,
     .depth = 10,
     .kernel = FV_KERNEL_BILINEAR,
     .range = FV_RANGE_FULL,
     .to_range = FV_RANGE_LIMITED},
};

static FvStatus make_frame(FvFrame **frame, const FvFormat *format, FvError *error)
{
    uint32_t state = 7;
    FvStatus status = fv_frame_alloc(frame, format, error);
    for (int plane = 0; plane < fv_format_planes(format) && !status; plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
                state = state * 1664525u + 1013904223u;
                /* Noise in the left half, only black and white in the right half. */
                const uint32_t v =
                    x < width / 2 ? state >> (32 - format->depth) : (state >> 31 ? (1u << format->depth) - 1 : 0);
                if (format->depth == 8)
                    row[x] = (uint8_t)v;
                else
                    ((uint16_t *)row)[x] = (uint16_t)v;
            }
    }
    return status;
}

static bool same(const FvFrame *want, const FvFrame *got, char *why, size_t size)
{
    for (int plane = 0; plane < fv_format_planes(&want->format); plane++) {
        int width, height;
        fv_format_plane_size(&want->format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            const uint8_t *a = want->data[plane] + y * want->stride[plane];
            if (!memcmp(a, got->data[plane] + y * got->stride[plane],
                        (size_t)width * (size_t)fv_format_sample_bytes(&want->format)))
                continue;
            snprintf(why, size, "scaling to %dx%d: plane %d, row %d differs", want->format.width, want->format.height,
                     plane, y);
            return false;
        }
    }
    return true;
}

static FvStatus open_trial(FvPreparation **preparation, const Trial *trial, FvError *error)
{
    FvPrepareParams params = fv_prepare_nothing(&trial->from);
    params.crop = trial->crop;
    params.width = trial->width;
    params.height = trial->height;
    params.chroma = trial->chroma;
    params.depth = trial->depth;
    params.kernel = trial->kernel;
    params.siting[0] = trial->siting[0];
    params.siting[1] = trial->siting[1];
    params.range = trial->range;
    params.to_range = trial->to_range;
    return fv_prepare_open(preparation, &trial->from, &params, FV_ISA_SCALAR, 1, error);
}

static FvTestVerdict verify(FvGpu *gpu, const Trial *trial, char *why, size_t size)
{
    FvPreparation *preparation = NULL;
    FvFrame *want = NULL, *got = NULL;
    FvError error = {0};
    bool good = false;
    FvStatus status = open_trial(&preparation, trial, &error);
    if (!status)
        status = make_frame(&want, &trial->from, &error);
    got = fv_frame_ref(want);
    if (!status)
        status = fv_prepare_run(preparation, &want, &error);
    if (!status)
        status = fv_gpu_prepare_frame(gpu, preparation, &got, &error);
    if (status)
        snprintf(why, size, "%s", error.message);
    else
        good = same(want, got, why, size);
    fv_frame_unref(&want);
    fv_frame_unref(&got);
    fv_prepare_close(&preparation);
    return status ? FV_TEST_UNTESTED : good ? FV_TEST_SAME : FV_TEST_DIFFERS;
}

FvTestVerdict fv_gpu_verify_scaling(FvGpu *gpu, int number, char *why, size_t size)
{
    return number < (int)(sizeof trials / sizeof *trials) ? verify(gpu, &trials[number], why, size) : FV_TEST_REFUSES;
}
