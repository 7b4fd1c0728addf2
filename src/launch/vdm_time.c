#include "launch/vdm_time.h"

extern const FvKernel fv_kernel_vdm_reduce, fv_kernel_vdm_time, fv_kernel_vdm_transient;

static void record_frame(const FvVdmRecording *r, const FvVdmTimeArgs *like, int pair, bool first)
{
    FvGpuBatch one = *r->batch;
    FvVdmTimeArgs args = *like;
    one.count = 1;
    args.work = r->batch->work + (uint64_t)pair * r->batch->work_stride * 256;
    args.first = first;
    fv_gpu_launch(&one, &fv_kernel_vdm_time, &args, 2 * (uint32_t)args.across,
                  fv_gpu_groups(args.height, FV_VDM_AREA_HEIGHT));
    fv_gpu_barrier(r->batch);
}

void fv_vdm_record_time(const FvVdmRecording *r)
{
    const FvVdmPlan *plan = r->plan;
    const FvVdmPlace *place = plan->level;
    if (!plan->parameters.temporal)
        return;
    FvVdmTimeArgs args = {.lasting = r->batch->lasting,
                          .slow = fv_vdm_share(&plan->parameters, plan->parameters.tau_s),
                          .fast = fv_vdm_share(&plan->parameters, plan->parameters.tau_f),
                          .width = place->width,
                          .height = place->height,
                          .across = (int32_t)fv_gpu_groups(place->width, FV_VDM_AREA_WIDTH),
                          .lasting_plane = place->width * place->height};
    int last = plan->resampled ? 1 : plan->halvings;
    for (int picture = 0; picture < 2; picture++) {
        args.retina[picture] = r->places.chain[picture][last];
        args.sustained[picture] = r->places.gauss[picture][0];
        args.transient[picture] = r->places.transient[picture][0];
    }
    for (int i = 0; i < r->batch->count; i++)
        record_frame(r, &args, r->batch->order[i], r->batch->first + i == 0);
}

void fv_vdm_record_transient(const FvVdmRecording *r)
{
    const FvVdmPlace *place = r->plan->level;
    if (!r->plan->parameters.temporal)
        return;
    for (int k = 0; k < FV_VDM_TRANSIENT_LEVEL; k++) {
        FvVdmArgs args = fv_vdm_args(r);
        args.from_width = place[k].width;
        args.from_height = place[k].height;
        args.width = place[k + 1].width;
        args.height = place[k + 1].height;
        for (int picture = 0; picture < 2; picture++) {
            args.gauss[picture] = r->places.transient[picture][k];
            args.coarse[picture] = r->places.transient[picture][k + 1];
        }
        fv_vdm_launch_areas(r, &fv_kernel_vdm_reduce, &args, 2);
        fv_gpu_barrier(r->batch);
    }
    FvVdmArgs args = fv_vdm_level_args(r, FV_VDM_TRANSIENT_LEVEL);
    for (int picture = 0; picture < 2; picture++)
        args.gauss[picture] = r->places.transient[picture][FV_VDM_TRANSIENT_LEVEL];
    fv_gpu_launch(r->batch, &fv_kernel_vdm_transient, &args, fv_gpu_groups(args.width, FV_VDM_RESPONSE_SIDE),
                  fv_gpu_groups(args.height, FV_VDM_RESPONSE_SIDE));
    fv_gpu_barrier(r->batch);
}
