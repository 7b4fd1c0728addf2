#include "device/device.h"

#include <string.h>

#include "device/runs.h"

int fv_device_index(const char *name)
{
    const char *colon = strchr(name, ':');
    int64_t index = 0;
    return !colon ? 0 : fv_parse_int(colon + 1, 0, 1024, &index) ? (int)index : -1;
}

static const FvFrame *own_or_twin(const FvFrame *frame, bool twin)
{
    return twin ? fv_frame_ycbcr(frame) : frame;
}

FvWork fv_task_work(const FvTask *task, const FvRun *runs, int run)
{
    const bool twin = runs[run].twin;
    FvWork work = {.ref = own_or_twin(task->ref, twin),
                   .dis = own_or_twin(task->dis, twin),
                   .index = task->index,
                   .skipped = task->skipped,
                   .frame = task->frame[run],
                   .map = task->map[run],
                   .mask = task->mask[run],
                   .mask_number = task->mask_number};
    for (int k = 0; k < runs[run].behind; k++) {
        work.prev_ref[k] = own_or_twin(task->prev_ref[k], twin);
        work.prev_dis[k] = own_or_twin(task->prev_dis[k], twin);
    }
    for (int i = 0; i < runs[run].input_count; i++)
        work.input[i] = task->frame[fv_run_input(runs, run, i)];
    return work;
}
