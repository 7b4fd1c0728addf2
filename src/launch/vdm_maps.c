#include "launch/vdm_maps.h"

extern const FvKernel fv_kernel_vdm_level, fv_kernel_vdm_chance, fv_kernel_vdm_response;

static void launch_points(const FvVdmRecording *r, const FvKernel *kernel, const FvVdmPointArgs *args)
{
    fv_gpu_launch(r->batch, kernel, args, fv_gpu_groups(args->width, FV_VDM_AREA_WIDTH),
                  fv_gpu_groups(args->height, FV_VDM_AREA_HEIGHT));
}

static void record_response(const FvVdmRecording *r, int level, int orientation, int map)
{
    FvVdmArgs args = fv_vdm_level_args(r, level);
    args.across = orientation;
    args.map = r->batch->map[map];
    args.map_stride = r->batch->map_stride[map];
    fv_gpu_launch(r->batch, &fv_kernel_vdm_response, &args, fv_gpu_groups(args.width, FV_VDM_RESPONSE_SIDE),
                  fv_gpu_groups(args.height, FV_VDM_RESPONSE_SIDE));
}

static void record_level(const FvVdmRecording *r, int level, int map)
{
    FvVdmArgs from = fv_vdm_level_args(r, level);
    FvVdmPointArgs args = {.constants = from.constants,
                           .from = from.work + (uint64_t)from.sum * sizeof(float),
                           .to = r->batch->map[map],
                           .from_stride = from.work_stride,
                           .to_stride = r->batch->map_stride[map],
                           .width = from.width,
                           .height = from.height};
    launch_points(r, &fv_kernel_vdm_level, &args);
}

void fv_vdm_record_level_maps(const FvVdmRecording *r)
{
    const FvGpuBatch *batch = r->batch;
    bool any = false;
    for (int map = FV_VDM_MAP_LEVEL; map < FV_VDM_MAPS; map++) {
        if (!batch->map[map])
            continue;
        int response = map - FV_VDM_MAP_RESPONSE, level = response < 0 ? map - FV_VDM_MAP_LEVEL : response / 4;
        if (level >= r->plan->parameters.levels)
            fv_gpu_fill(batch, batch->map[map], (size_t)batch->count * batch->map_stride[map] * 256, 0);
        else if (response < 0)
            record_level(r, level, map);
        else
            record_response(r, level, response % 4, map);
        any = true;
    }
    if (any)
        fv_gpu_barrier(batch);
}

void fv_vdm_record_chance(const FvVdmRecording *r)
{
    const FvGpuBatch *batch = r->batch;
    int from = batch->map[FV_VDM_MAP_JND] ? FV_VDM_MAP_JND : FV_VDM_MAP_PROBABILITY;
    if (!batch->map[FV_VDM_MAP_PROBABILITY])
        return;
    fv_gpu_barrier(batch);
    FvVdmPointArgs args = {.constants = batch->constants,
                           .from = batch->map[from],
                           .to = batch->map[FV_VDM_MAP_PROBABILITY],
                           .from_stride = batch->map_stride[from],
                           .to_stride = batch->map_stride[FV_VDM_MAP_PROBABILITY],
                           .width = r->plan->optics.width,
                           .height = r->plan->optics.height};
    launch_points(r, &fv_kernel_vdm_chance, &args);
}
