/* Peak signal-to-noise ratio: exact integer sums of squares, one logarithm a plane. docs/metrics/psnr.md */
#include <math.h>
#include <stdlib.h>

#include "error.h"
#include "mem.h"
#include "metric/psnr.h"

typedef struct PsnrOptions {
    bool chroma, mse, apsnr, reduced_peak;
    double min_sse;
} PsnrOptions;

#define OPTION_LIST(X)                                                                                               \
    X(PsnrOptions, chroma, BOOL, ("enable_chroma", "chroma", 1, "score Cb and Cr too"))                              \
    X(PsnrOptions, mse, BOOL, ("enable_mse", "mse", 0, "also report the mean squared error of each plane"))          \
    X(PsnrOptions, apsnr, BOOL, ("enable_apsnr", "apsnr", 0, "also report the PSNR of the whole clip's mean error")) \
    X(PsnrOptions, reduced_peak, BOOL,                                                                               \
      ("reduced_hbd_peak", "rpeak", 0, "peak is 255 * 2^(depth-8) instead of 2^depth - 1"))                          \
    X(PsnrOptions, min_sse, REAL,                                                                                    \
      ("min_sse", "msse", 0, 0, 1.7976931348623157e308, NULL,                                                        \
       "clips the score at that of this sum of squared errors"))
FV_OPTIONS(psnr_options, OPTION_LIST);

enum { PSNR, MSE = 3, APSNR = 6, OUTPUTS = 9 };

#define SCORE(name, help)                                                                                            \
    {                                                                                                                \
        name, "dB", -96, 108, FV_HIGHER_IS_BETTER, false, help                                                       \
    }
#define ERROR(name, help)                                                                                            \
    {                                                                                                                \
        name, "code values squared", 0, 4294836225., FV_LOWER_IS_BETTER, false, help                                 \
    }
#define TOTAL(name, help)                                                                                            \
    {                                                                                                                \
        name, "dB", -INFINITY, INFINITY, FV_HIGHER_IS_BETTER, true, help                                             \
    }
static const FvOutputInfo outputs[OUTPUTS] = {
    SCORE("psnr_y", "PSNR of luma"),
    SCORE("psnr_cb", "PSNR of Cb"),
    SCORE("psnr_cr", "PSNR of Cr"),
    ERROR("mse_y", "mean squared error of luma"),
    ERROR("mse_cb", "mean squared error of Cb"),
    ERROR("mse_cr", "mean squared error of Cr"),
    TOTAL("apsnr_y", "PSNR of the clip's mean squared error of luma"),
    TOTAL("apsnr_cb", "PSNR of the clip's mean squared error of Cb"),
    TOTAL("apsnr_cr", "PSNR of the clip's mean squared error of Cr"),
};

/* Rows of one job: enough work to outweigh handing it out. */
#define BAND 128

static int plane_of_job(const FvPsnr *psnr, int *job)
{
    int plane = 0;
    while (*job >= psnr->bands[plane])
        *job -= psnr->bands[plane++];
    return plane;
}

static int jobs(const FvRun *run)
{
    const FvPsnr *psnr = run->state;
    return psnr->bands[0] + psnr->bands[1] + psnr->bands[2];
}

static void sse_job(const FvRun *run, const FvWork *work, int job)
{
    const FvPsnr *psnr = run->state;
    int band = job, plane = plane_of_job(psnr, &band);
    int first = band * BAND, rows = psnr->height[plane] - first < BAND ? psnr->height[plane] - first : BAND;
    ptrdiff_t ref_stride = work->ref->stride[plane], dis_stride = work->dis->stride[plane];
    uint64_t *sse = work->frame;
    sse[job] = psnr->sse(work->ref->data[plane] + first * ref_stride, ref_stride,
                         work->dis->data[plane] + first * dis_stride, dis_stride, psnr->width[plane], rows);
}

static FvStatus init(FvRun *run, FvError *error)
{
    const PsnrOptions *options = run->options;
    int depth = run->dis.depth;
    if (depth != 8 && depth != 10 && depth != 12 && depth != 16)
        return fv_fail(error, FV_ERROR_INPUT, "psnr: %d bits per sample are not defined; it takes 8, 10, 12 or 16",
                       depth);
    FvPsnr *psnr = run->state = fv_alloc_zero(sizeof *psnr);
    if (!psnr)
        return fv_fail_memory(error, sizeof *psnr);
    const FvPsnrKernels *kernels = fv_psnr_kernels(run->isa);
    psnr->sse = depth == 8 ? kernels->sse8 : depth <= 12 ? kernels->sse12 : kernels->sse16;
    psnr->planes = options->chroma ? fv_format_planes(&run->dis) : 1;
    uint32_t peak = options->reduced_peak ? 255u << (depth - 8) : (1u << depth) - 1;
    psnr->peak2 = (double)(peak * peak);
    for (int plane = 0; plane < psnr->planes; plane++) {
        bool half_width = plane && run->dis.chroma != FV_CHROMA_444;
        bool half_height = plane && run->dis.chroma == FV_CHROMA_420;
        psnr->width[plane] = run->dis.width >> half_width;
        psnr->height[plane] = run->dis.height >> half_height;
        psnr->bands[plane] = (psnr->height[plane] + BAND - 1) / BAND;
        double samples = (double)psnr->width[plane] * psnr->height[plane];
        psnr->limit[plane] =
            options->min_sse > 0 ? ceil(10 * log10(psnr->peak2 / (options->min_sse / samples))) : 6 * depth + 12;
        run->outputs |= (1u << (PSNR + plane)) | (options->mse ? 1u << (MSE + plane) : 0) |
                        (options->apsnr ? 1u << (APSNR + plane) : 0);
    }
    run->frame_bytes = (size_t)jobs(run) * sizeof(uint64_t);
    return FV_OK;
}

static FvStatus score(FvRun *run, const FvWork *work, double *values, FvError *error)
{
    (void)error;
    FvPsnr *psnr = run->state;
    const uint64_t *band = work->frame;
    for (int plane = 0; plane < psnr->planes; plane++) {
        uint64_t sse = 0;
        for (int i = 0; i < psnr->bands[plane]; i++)
            sse += *band++;
        double samples = (double)psnr->width[plane] * psnr->height[plane];
        double mse = (double)sse / samples;
        values[MSE + plane] = mse;
        values[PSNR + plane] = fmin(10 * log10(psnr->peak2 / fmax(mse, 1e-16)), psnr->limit[plane]);
        psnr->total[plane] += sse;
        psnr->samples[plane] += (uint64_t)psnr->width[plane] * psnr->height[plane];
    }
    return FV_OK;
}

static void pool(FvRun *run, double *values)
{
    const FvPsnr *psnr = run->state;
    uint64_t peak2 = (uint64_t)psnr->peak2;
    for (int plane = 0; plane < psnr->planes; plane++) {
        uint64_t n = psnr->samples[plane];
        values[APSNR + plane] =
            fmin(10 * ((log10((double)peak2) + log10((double)n)) - log10((double)psnr->total[plane])),
                 ceil(10 * log10((double)(peak2 * n * 2))));
    }
}

static void close(FvRun *run)
{
    free(run->state);
}

static const FvStage stages[] = {{"sum of squares", jobs, sse_job, false}};

const FvMetric fv_metric_psnr = {
    .info = {.name = "psnr",
             .title = "Peak signal-to-noise ratio",
             .citation = "ITU-T J.340 for the measure; ceilings as in libvmaf",
             .needs_reference = true,
             .options = psnr_options_info,
             .option_count = psnr_options_count,
             .outputs = outputs,
             .output_count = OUTPUTS},
    .options = {psnr_options_info, psnr_options_offset, psnr_options_count},
    .options_size = sizeof(PsnrOptions),
    .init = init,
    .stages = stages,
    .stage_count = 1,
    .gpu = FV_GPU_METRIC(fv_psnr_gpu),
    .score = score,
    .pool = pool,
    .close = close,
};
