#include "launch/vdm_recording.h"

static int32_t take_place(FvVdmPlaces *places, int width, int height)
{
    int32_t at = (int32_t)places->floats;
    places->floats += FV_ROUND_UP((size_t)width * (size_t)height, 64);
    return at;
}

FvVdmPlaces fv_vdm_places(const FvVdmPlan *plan)
{
    FvVdmPlaces places = {.floats = 0};
    int levels = plan->parameters.levels, last = plan->resampled ? 1 : plan->halvings;
    for (int i = 0; i <= last; i++) {
        for (int picture = 0; picture < 2; picture++)
            places.chain[picture][i] = take_place(&places, plan->chain_width[i], plan->chain_height[i]);
        if (fv_vdm_other_size(plan))
            places.map[i] = take_place(&places, plan->chain_width[i], plan->chain_height[i]);
    }
    for (int picture = 0; picture < 2 && plan->resampled; picture++)
        places.wide[picture] = take_place(&places, plan->chain_width[1], plan->chain_height[0]);
    for (int k = 0; k < levels + 2; k++) {
        const FvVdmPlace *place = &plan->level[k];
        for (int picture = 0; picture < 2; picture++) {
            places.gauss[picture][k] = k || plan->parameters.temporal
                                           ? take_place(&places, place->width, place->height)
                                           : places.chain[picture][last];
            if (k <= FV_VDM_TRANSIENT_LEVEL && plan->parameters.temporal)
                places.transient[picture][k] = take_place(&places, place->width, place->height);
            if (k > 0 && k <= levels)
                places.mean[picture][k] = take_place(&places, place->width, place->height);
        }
        if (k < levels)
            places.sum[k] = take_place(&places, place->width, place->height);
    }
    return places;
}

void fv_vdm_launch_areas(const FvVdmRecording *r, const FvKernel *kernel, FvVdmArgs *args, uint32_t pictures)
{
    args->across = (int32_t)fv_gpu_groups(args->width, FV_VDM_AREA_WIDTH);
    fv_gpu_launch(r->batch, kernel, args, pictures * (uint32_t)args->across,
                  fv_gpu_groups(args->height, FV_VDM_AREA_HEIGHT));
}

FvVdmArgs fv_vdm_args(const FvVdmRecording *r)
{
    const FvGpuBatch *batch = r->batch;
    return (FvVdmArgs){.pairs = batch->pairs,
                       .constants = batch->constants,
                       .work = batch->work,
                       .work_stride = batch->work_stride,
                       .results = batch->results,
                       .result_stride = batch->result_stride,
                       .sum = -1,
                       .coarse_sum = -1};
}

FvVdmArgs fv_vdm_level_args(const FvVdmRecording *r, int k)
{
    int levels = r->plan->parameters.levels;
    const FvVdmPlace *place = &r->plan->level[k];
    FvVdmArgs args = fv_vdm_args(r);
    args.table = k < levels ? args.constants + r->tables.weights[k] : 0;
    args.width = place->width;
    args.height = place->height;
    args.from_width = place[1].width;
    args.from_height = place[1].height;
    if (k < levels)
        args.sum = r->places.sum[k];
    if (k + 1 < levels)
        args.coarse_sum = r->places.sum[k + 1];
    for (int picture = 0; picture < 2; picture++) {
        args.gauss[picture] = r->places.gauss[picture][k];
        args.coarse[picture] = r->places.gauss[picture][k + 1];
        args.mean[picture] = k < levels ? r->places.mean[picture][k + 1] : -1;
    }
    return args;
}
