#include "device/device.h"

#include <string.h>

#include "device/instances.h"

int fv_device_index(const char *name)
{
    const char *colon = strchr(name, ':');
    int64_t index = 0;
    return !colon ? 0 : fv_parse_int(colon + 1, 0, 1024, &index) ? (int)index : -1;
}

static const FvFrame *frame_or_variant(const FvFrame *frame, bool ycbcr_variant)
{
    return ycbcr_variant ? fv_frame_ycbcr(frame) : frame;
}

FvWork fv_task_work(const FvTask *task, const FvFeatureInstance *runs, int run)
{
    const bool ycbcr_variant = runs[run].ycbcr_variant;
    FvWork work = {.ref = frame_or_variant(task->ref, ycbcr_variant),
                   .dis = frame_or_variant(task->dis, ycbcr_variant),
                   .index = task->index,
                   .skipped = task->skipped,
                   .frame = task->frame[run],
                   .map = task->map[run],
                   .mask = task->mask[run],
                   .mask_number = task->mask_number};
    for (int k = 0; k < runs[run].behind; k++) {
        work.prev_ref[k] = frame_or_variant(task->prev_ref[k], ycbcr_variant);
        work.prev_dis[k] = frame_or_variant(task->prev_dis[k], ycbcr_variant);
    }
    for (int i = 0; i < runs[run].input_count; i++)
        work.input[i] = task->frame[fv_instance_input(runs, run, i)];
    return work;
}
