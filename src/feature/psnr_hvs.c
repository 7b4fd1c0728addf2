/*
 * The error of DCT coefficients that contrast masking leaves visible. docs/metrics/psnr_hvs.md
 *
 * Each plane has one sum, which is rounded at every addition, so the order of additions is part of the definition.
 * With several threads, rows of blocks are computed in parallel as steps (FvHvsStep) for the binade that the sum had
 * in an earlier frame. The steps are then applied in order. If the binade was wrong, or the sum leaves it, the row is
 * added directly.
 */
#include <stdatomic.h>

#include "arith/scalar.h"

#include "arith/psnr_hvs.h"
#include "base/error.h"
#include "feature/psnr_hvs.h"
#include "os/memory.h"
#include "picture/frame.h"

static const FvTermInfo terms_info[] = {
    {"error_y", FV_TERM_REAL},
    {"error_cb", FV_TERM_REAL},
    {"error_cr", FV_TERM_REAL},
};

/* Rows of blocks per job. */
#define BAND 8

static FvHvsPlane plane_of(const FvFeatureInstance *run, const FvWork *work, int index)
{
    const FvHvs *hvs = run->state;
    FvHvsPlane plane = hvs->plane[index];
    plane.ref = work->ref->data[index];
    plane.dis = work->dis->data[index];
    plane.ref_stride = work->ref->stride[index];
    plane.dis_stride = work->dis->stride[index];
    return plane;
}

static void step_job(const FvFeatureInstance *run, const FvWork *work, int job)
{
    const FvHvs *hvs = run->state;
    int index = 0;
    while (job >= hvs->bands[index])
        job -= hvs->bands[index++];
    FvHvsPlane plane = plane_of(run, work, index);
    int end = (job + 1) * BAND < plane.rows ? (job + 1) * BAND : plane.rows;
    FvHvsStep *step = ((FvHvsFrame *)work->frame)->step + hvs->first_row[index];
    _Atomic uint32_t *binade = hvs->binade + hvs->first_row[index];
    int first = job * BAND;
    for (int row = first; row < end; row++)
        step[row].binade = atomic_load_explicit(&binade[row], memory_order_relaxed);
    hvs->kernels->steps(&plane, first, end - first, step + first);
}

static void sum_job(const FvFeatureInstance *run, const FvWork *work, int index)
{
    const FvHvs *hvs = run->state;
    FvHvsFrame *frame = work->frame;
    FvHvsPlane plane = plane_of(run, work, index);
    if (run->threads == 1) {
        frame->sum[index] = hvs->kernels->sum(&plane, 0, plane.rows, 0);
        return;
    }
    const FvHvsStep *step = frame->step + hvs->first_row[index];
    _Atomic uint32_t *binade = hvs->binade + hvs->first_row[index];
    float sum = 0;
    for (int row = 0; row < plane.rows; row++) {
        uint32_t before = fv_bits(sum) & FV_HVS_BINADE;
        bool known = step[row].binade && step[row].binade == before;
        uint32_t after = known ? fv_bits(sum) + step[row].gain[fv_bits(sum) & 1] : 0;
        if (known && (after & FV_HVS_BINADE) == before)
            sum = fv_f32_from_bits(after);
        else
            sum = hvs->kernels->sum(&plane, row, 1, sum);
        bool stays = (fv_bits(sum) & FV_HVS_BINADE) == before;
        atomic_store_explicit(&binade[row], stays ? before : 0, memory_order_relaxed);
    }
    frame->sum[index] = sum;
}

static int blocks_along(int samples)
{
    return (samples - 8) / FV_HVS_STEP + 1;
}

/* Writes the size of the chroma planes, rounded down. */
static void chroma_size(const FvFormat *format, int *width, int *height)
{
    *width = format->width >> (format->chroma != FV_CHROMA_444);
    *height = format->height >> (format->chroma == FV_CHROMA_420);
}

static FvStatus init(FvFeatureInstance *run, FvError *error)
{
    const FvFormat *format = &run->dis;
    if (format->depth > 12)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "psnr_hvs: the metric is not defined for %d bits per sample; convert both videos to 12 bits "
                       "first, for example with ffmpeg -i VIDEO -pix_fmt yuv%sp12le -c:v ffv1 VIDEO12.mkv",
                       format->depth,
                       format->chroma == FV_CHROMA_420   ? "420"
                       : format->chroma == FV_CHROMA_422 ? "422"
                                                         : "444");
    if (format->chroma == FV_CHROMA_400)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "psnr_hvs: the metric needs chroma; convert both videos to 4:2:0, 4:2:2 or 4:4:4");
    int across, down;
    chroma_size(format, &across, &down);
    if (across < 8 || down < 8)
        return fv_fail(error, FV_FAIL_UNDEFINED_METRIC,
                       "psnr_hvs: planes of %dx%d, in pictures of %dx%d and %s, are too small; the metric takes "
                       "planes from 8x8",
                       across, down, format->width, format->height, fv_chroma_name(format->chroma));
    FvHvs *hvs = run->state;
    hvs->kernels = fv_hvs_kernels(run->isa);
    int rows = 0;
    for (int i = 0; i < 3; i++) {
        const int width = i ? across : format->width, height = i ? down : format->height;
        FvHvsPlane *plane = &hvs->plane[i];
        *plane = (FvHvsPlane){
            .index = i, .depth = format->depth, .columns = blocks_along(width), .rows = blocks_along(height)};
        hvs->first_row[i] = rows;
        hvs->bands[i] = (plane->rows + BAND - 1) / BAND;
        rows += plane->rows;
    }
    size_t bytes = (size_t)rows * sizeof *hvs->binade;
    hvs->binade = fv_alloc_zero(bytes);
    if (!hvs->binade)
        return fv_fail_memory(error, bytes);
    run->jobs[0] = run->threads == 1 ? 0 : hvs->bands[0] + hvs->bands[1] + hvs->bands[2];
    run->jobs[1] = 3;
    run->frame_bytes = sizeof(FvHvsFrame) + (size_t)rows * sizeof(FvHvsStep);
    return FV_OK;
}

static FvStatus terms(const FvFeatureInstance *run, const FvWork *work, FvTerm *row, FvError *error)
{
    const FvHvsFrame *frame = work->frame;
    for (int i = 0; i < 3; i++)
        row[i].real = frame->sum[i];
    return FV_OK;
}

static void close_run(FvFeatureInstance *run)
{
    FvHvs *hvs = run->state;
    fv_free(hvs->binade);
}

static const FvStage stages[] = {
    {"blocks", step_job, 0, false},
    {"sum", sum_job, 0, false},
};

const FvFeature fv_feature_psnr_hvs = {
    .name = "psnr_hvs",
    .cost = 2400,
    FV_FEATURE_TERMS(terms_info),
    .state_size = sizeof(FvHvs),
    .init = init,
    FV_FEATURE_STAGES(stages),
    .gpu = FV_GPU_FEATURE(fv_psnr_hvs_gpu),
    .terms = terms,
    .close = close_run,
};
