/* SSIM and MS-SSIM on GPUs. */
#include <stdio.h>
#include <string.h>

#include "feature/ssim.h"

#include "gpu/launches.h"
#include "kernel/ssim.h"

#include "arith/ssim.h"

extern const FvKernel fv_kernel_ssim_shrink8, fv_kernel_ssim_shrink16, fv_kernel_ssim_shrink32, fv_kernel_ssim_halve8,
    fv_kernel_ssim_halve16, fv_kernel_ssim_halve32, fv_kernel_ssim_sums8, fv_kernel_ssim_sums16,
    fv_kernel_ssim_sums32, fv_kernel_ssim_total;
static const FvKernel *const single_kernels[] = {&fv_kernel_ssim_shrink8,
                                                 &fv_kernel_ssim_shrink16,
                                                 &fv_kernel_ssim_sums8,
                                                 &fv_kernel_ssim_sums16,
                                                 &fv_kernel_ssim_sums32,
                                                 &fv_kernel_ssim_total,
                                                 NULL};
static const FvKernel *const multi_kernels[] = {
    &fv_kernel_ssim_halve8, &fv_kernel_ssim_halve16, &fv_kernel_ssim_halve32, &fv_kernel_ssim_sums8,
    &fv_kernel_ssim_sums16, &fv_kernel_ssim_sums32,  &fv_kernel_ssim_total,   NULL};

static const FvKernel *const encoded_kernels[] = {&fv_kernel_ssim_shrink32, &fv_kernel_ssim_sums32,
                                                  &fv_kernel_ssim_total, NULL};

#define PLANE_THREADS 128

/* The layout of a pair's working memory, in words. */
typedef struct Places {
    fv_u32 plane[FV_SSIM_SCALES], sums[FV_SSIM_SCALES];
    /* Number of workgroups of the statistic in each direction. */
    uint32_t across[FV_SSIM_SCALES], down[FV_SSIM_SCALES];
    size_t words;
} Places;

static bool made(const FvSsim *ssim, int scale)
{
    return scale > 0 || ssim->factor > 1;
}

static Places places_of(const FvSsim *ssim)
{
    Places places = {.words = 0};
    for (int i = 0; i < ssim->scales; i++) {
        places.plane[i] = (fv_u32)places.words;
        if (made(ssim, i))
            places.words += 2 * (size_t)ssim->width[i] * (size_t)ssim->height[i];
        places.across[i] = fv_gpu_groups(ssim->width[i] - FV_SSIM_TAPS + 1, FV_SSIM_TILE_WIDTH);
        places.down[i] = fv_gpu_groups(ssim->height[i] - FV_SSIM_TAPS + 1, FV_SSIM_TILE_HEIGHT);
        places.sums[i] = (fv_u32)places.words;
        places.words += 2 * FV_SSIM_TERMS * (size_t)places.across[i] * places.down[i];
    }
    return places;
}

static bool plan(const FvFeatureInstance *run, FvGpuPlan *plan, char *why, size_t size)
{
    const FvSsim *ssim = run->state;
    plan->work_bytes = places_of(ssim).words * sizeof(fv_u32);
    plan->result_bytes = (size_t)ssim->scales * FV_SSIM_TERMS * sizeof(uint64_t);
    return true;
}

static fv_u32 upper_word(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (fv_u32)(bits >> 32);
}

static void record(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    const FvSsim *ssim = run->state;
    Places places = places_of(ssim);
    bool bytes = run->dis.depth == 8;
    FvSsimArgs args = {.pairs = batch->pairs,
                       .planes = ssim->encoded ? batch->input[0].work : batch->work,
                       .work = batch->work,
                       .results = batch->results,
                       .plane_stride = ssim->encoded ? batch->input[0].work_stride : batch->work_stride,
                       .work_stride = batch->work_stride,
                       .result_stride = batch->result_stride,
                       .width = run->dis.width,
                       .height = run->dis.height,
                       .factor = ssim->factor,
                       .two_to_29 = 1u << 29,
                       .unit = 1.0f / (float)(1 << (run->dis.depth - 8)),
                       .weight = 1.0f / (float)(ssim->factor * ssim->factor)};
    bool picture = !ssim->encoded; /* whether the input is the frames' own planes */
    for (int i = 0; i < ssim->scales; i++) {
        if (made(ssim, i)) {
            const FvKernel *shrink = !picture ? &fv_kernel_ssim_shrink32
                                     : bytes  ? &fv_kernel_ssim_shrink8
                                              : &fv_kernel_ssim_shrink16;
            const FvKernel *halve = !picture ? &fv_kernel_ssim_halve32
                                    : bytes  ? &fv_kernel_ssim_halve8
                                             : &fv_kernel_ssim_halve16;
            args.to = places.plane[i];
            args.to_width = ssim->width[i];
            args.to_height = ssim->height[i];
            if (i)
                fv_gpu_launch(batch, halve, &args, fv_gpu_groups(args.to_width, FV_SSIM_HALF_WIDTH),
                              2 * fv_gpu_groups(args.to_height, FV_SSIM_HALF_HEIGHT));
            else
                fv_gpu_launch(batch, shrink, &args, fv_gpu_groups(args.to_width, PLANE_THREADS),
                              2 * (uint32_t)args.to_height);
            fv_gpu_barrier(batch);
            args.planes = batch->work;
            args.plane_stride = batch->work_stride;
            args.from = args.to;
            args.width = args.to_width;
            args.height = args.to_height;
            args.unit = 1;
            picture = false;
        }
        const FvKernel *sums = !picture ? &fv_kernel_ssim_sums32
                               : bytes  ? &fv_kernel_ssim_sums8
                                        : &fv_kernel_ssim_sums16;
        args.sums = places.sums[i];
        args.unit_word = upper_word(ssim->statistic[i].unit);
        args.c1 = ssim->statistic[i].c1;
        args.c2 = ssim->statistic[i].c2;
        fv_gpu_launch(batch, sums, &args, places.across[i], places.down[i]);
        /*
         * The scales run one after the other: together they are slower (Vulkan on an H200: 1113 us instead of 931
         * us).
         */
        fv_gpu_barrier(batch);
    }
    for (int i = 0; i < ssim->scales; i++) {
        args.sums = places.sums[i];
        args.groups = places.across[i] * places.down[i];
        args.scale = (fv_u32)i;
        fv_gpu_launch(batch, &fv_kernel_ssim_total, &args, FV_SSIM_TERMS, 1);
    }
}

/* The GPU's totals go to the first band of rows; the other bands are zero. */
static void results(const FvFeatureInstance *run, const FvWork *work, const void *result)
{
    const FvSsim *ssim = run->state;
    const int64_t *sum = result;
    for (int i = 0; i < ssim->scales; i++, sum += FV_SSIM_TERMS) {
        FvSsimSums *sums = (FvSsimSums *)((uint8_t *)work->frame + ssim->sums[i]);
        memset(sums, 0, (size_t)ssim->bands[i] * sizeof *sums);
        sums[0] = (FvSsimSums){sum[0], sum[1], sum[2], sum[3]};
    }
}

static const FvGpuTrial single_trials[] = {
    {.options = "scale=2", .width = 130, .height = 70, .depth = 8},
    {.options = "scale=2", .width = 130, .height = 70},
    {0},
};

const FvGpuFeature fv_ssim_gpu = {
    .kernels = single_kernels,
    .trials = single_trials,
    .float64 = true,
    .most_work = (size_t)1 << 30,
    .plan = plan,
    .record = record,
    .results = results,
};

const FvGpuFeature fv_ms_ssim_gpu = {
    .kernels = multi_kernels,
    .plan = plan,
    .record = record,
    .results = results,
};

static const FvGpuTrial encoded_trials[] = {{.options = "scale=2", .width = 130, .height = 70}, {0}};

const FvGpuFeature fv_pu_ssim_gpu = {
    .kernels = encoded_kernels,
    .trials = encoded_trials,
    .float64 = true,
    .most_work = (size_t)1 << 30,
    .plan = plan,
    .record = record,
    .results = results,
};
