#include "launch/vdm_retina.h"

#include <string.h>

extern const FvKernel fv_kernel_vdm_reduce, fv_kernel_vdm_mean, fv_kernel_vdm_jnd, fv_kernel_vdm_resample_across,
    fv_kernel_vdm_resample_down, fv_kernel_vdm_linear;

static size_t weights_after(size_t first, int count)
{
    return FV_ROUND_UP(first + (size_t)count * sizeof(int32_t), 16);
}

static void put_resample(const FvVdmResample *resample, uint8_t *memory, size_t at)
{
    memcpy(memory + at, resample->first, (size_t)resample->outputs * sizeof(int32_t));
    memcpy(memory + weights_after(at, resample->outputs), resample->weights,
           (size_t)resample->outputs * (size_t)resample->taps * sizeof(float));
}

void fv_vdm_retina_constants(const FvVdmPlan *plan, const FvVdmTables *tables, void *memory)
{
    if (!plan->resampled)
        return;
    put_resample(&plan->across, memory, tables->across);
    put_resample(&plan->down, memory, tables->down);
    int width = plan->chain_width[0], height = plan->chain_height[0];
    int32_t *first = (int32_t *)((uint8_t *)memory + tables->linear);
    float *part = (float *)((uint8_t *)memory + weights_after(tables->linear, width + height));
    for (int i = 0; i < width + height; i++) {
        FvVdmBetween at = i < width ? fv_vdm_between(i, plan->chain_width[1], width)
                                    : fv_vdm_between(i - width, plan->chain_height[1], height);
        first[i] = at.first;
        part[i] = at.part;
    }
}

static FvVdmResampleArgs resample_args(const FvVdmRecording *r, size_t table, int count, int taps)
{
    return (FvVdmResampleArgs){.first = r->batch->constants + table,
                               .weights = r->batch->constants + weights_after(table, count),
                               .work = r->batch->work,
                               .work_stride = r->batch->work_stride,
                               .taps = taps};
}

static void launch_resample(const FvVdmRecording *r, const FvKernel *kernel, FvVdmResampleArgs *args,
                            uint32_t pictures)
{
    args->across = (int32_t)fv_gpu_groups(args->width, FV_VDM_AREA_WIDTH);
    fv_gpu_launch(r->batch, kernel, args, pictures * (uint32_t)args->across,
                  fv_gpu_groups(args->height, FV_VDM_AREA_HEIGHT));
    fv_gpu_barrier(r->batch);
}

static void resample(const FvVdmRecording *r)
{
    const FvVdmPlan *plan = r->plan;
    FvVdmResampleArgs args = resample_args(r, r->tables.across, plan->across.outputs, plan->across.taps);
    args.from_width = plan->chain_width[0];
    args.from_height = args.height = plan->chain_height[0];
    args.width = plan->chain_width[1];
    for (int picture = 0; picture < 2; picture++) {
        args.from[picture] = r->places.chain[picture][0];
        args.to[picture] = r->places.wide[picture];
    }
    launch_resample(r, &fv_kernel_vdm_resample_across, &args, 2);
    args = resample_args(r, r->tables.down, plan->down.outputs, plan->down.taps);
    args.from_width = args.width = plan->chain_width[1];
    args.from_height = plan->chain_height[0];
    args.height = plan->chain_height[1];
    for (int picture = 0; picture < 2; picture++) {
        args.from[picture] = r->places.wide[picture];
        args.to[picture] = r->places.chain[picture][1];
    }
    launch_resample(r, &fv_kernel_vdm_resample_down, &args, 2);
}

void fv_vdm_record_retina(const FvVdmRecording *r)
{
    const FvVdmPlan *plan = r->plan;
    if (plan->resampled)
        resample(r);
    for (int i = 0; i < plan->halvings; i++) {
        FvVdmArgs args = fv_vdm_args(r);
        args.from_width = plan->chain_width[i];
        args.from_height = plan->chain_height[i];
        args.width = plan->chain_width[i + 1];
        args.height = plan->chain_height[i + 1];
        for (int picture = 0; picture < 2; picture++) {
            args.gauss[picture] = r->places.chain[picture][i];
            args.coarse[picture] = r->places.chain[picture][i + 1];
        }
        fv_vdm_launch_areas(r, &fv_kernel_vdm_reduce, &args, 2);
        fv_gpu_barrier(r->batch);
    }
}

void fv_vdm_record_enlarged(const FvVdmRecording *r)
{
    const FvVdmPlan *plan = r->plan;
    int last = plan->resampled ? 1 : plan->halvings;
    FvVdmArgs args = fv_vdm_level_args(r, 0);
    args.mean[0] = r->places.map[last];
    fv_vdm_launch_areas(r, &fv_kernel_vdm_jnd, &args, 1);
    fv_gpu_barrier(r->batch);
    for (int i = plan->halvings; i > 0; i--) {
        args.from_width = plan->chain_width[i];
        args.from_height = plan->chain_height[i];
        args.width = plan->chain_width[i - 1];
        args.height = plan->chain_height[i - 1];
        args.coarse[0] = r->places.map[i];
        args.mean[0] = r->places.map[i - 1];
        fv_vdm_launch_areas(r, &fv_kernel_vdm_mean, &args, 1);
        fv_gpu_barrier(r->batch);
    }
    if (!plan->resampled)
        return;
    int width = plan->chain_width[0], height = plan->chain_height[0];
    FvVdmResampleArgs linear = resample_args(r, r->tables.linear, width + height, 1);
    linear.width = width;
    linear.height = height;
    linear.from_width = plan->chain_width[1];
    linear.from_height = plan->chain_height[1];
    linear.from[0] = r->places.map[1];
    linear.to[0] = r->places.map[0];
    launch_resample(r, &fv_kernel_vdm_linear, &linear, 1);
}

FvVdmTables fv_vdm_gpu_tables(const FvVdmPlan *plan, int depth)
{
    FvVdmTables tables = {.across = 0};
    size_t at = FV_ROUND_UP(sizeof(FvVdmConstants), 16);
    for (int k = 0; k < FV_VDM_LEVELS; k++, at += FV_ROUND_UP(FV_VDM_NODES * sizeof(float), 16))
        tables.weights[k] = at;
    tables.display = at;
    tables.end = at + (sizeof(float) << depth);
    if (!plan->resampled)
        return tables;
    const FvVdmResample *across = &plan->across, *down = &plan->down;
    int sides = plan->chain_width[0] + plan->chain_height[0];
    tables.across = FV_ROUND_UP(tables.end, 16);
    tables.down = weights_after(tables.across, across->outputs) +
                  FV_ROUND_UP((size_t)across->outputs * (size_t)across->taps * sizeof(float), 16);
    tables.linear = weights_after(tables.down, down->outputs) +
                    FV_ROUND_UP((size_t)down->outputs * (size_t)down->taps * sizeof(float), 16);
    tables.end = weights_after(tables.linear, sides) + (size_t)sides * sizeof(float);
    return tables;
}
