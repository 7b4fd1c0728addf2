#include "scoring/resume.h"

#include <stdio.h>
#include <string.h>

#include "cli/message.h"

#define LONGEST 4096 /* maximum bytes of a path */

static void folder_of(char folder[LONGEST], const char *output)
{
    snprintf(folder, LONGEST, "%.3000s.shards", output);
}

static int devices_of(const char *list)
{
    int count = 1;
    for (const char *at = list; at && *at; at++)
        count += *at == ',';
    if (!list || strcmp(list, "all"))
        return count;
    FvDeviceList *devices;
    count = 0;
    if (!fv_devices_list(&devices, NULL))
        for (int i = 0; i < fv_devices_count(devices); i++)
            count += fv_devices_in_all(devices, i);
    fv_devices_close(&devices);
    return count ? count : 1;
}

FvStatus resume_plan(Shards *shards, const Opened *opened, const char *device, FvError *error)
{
    FvPlanParams params = {.session = opened->session,
                           .reference = opened->source[0],
                           .distorted = opened->source[1],
                           .reference_params = opened->source[0] ? &opened->run.source[0] : NULL,
                           .distorted_params = &opened->run.source[1],
                           .score = &opened->run.score,
                           .frames_per_shard = FV_RESUME_FRAMES};
    const FvSourceIndex *index;
    FvStatus status = fv_source_index(opened->source[1], &index, error);
    if (!status && !shards->output) { /* one shard for each device */
        const int devices = devices_of(device);
        params.frames_per_shard = 0;
        params.shards = index->frames < devices ? 1 : devices;
    }
    return status ? status : fv_plan_make(&shards->plan, &params, error);
}

FvStatus resume_score(FvSession **session, Shards *shards, FvPlanRunParams *params, FvError *error)
{
    char folder[LONGEST];
    FvStatus status = FV_OK;
    if (shards->output) {
        folder_of(folder, shards->output);
        params->folder = folder;
        status = fv_plan_hold(&shards->hold, shards->plan, folder, error);
    }
    return status ? status : fv_plan_score(session, shards->plan, params, error);
}

void resume_finish(const Shards *shards)
{
    char folder[LONGEST];
    FvError error;
    if (!shards->plan || !shards->output)
        return;
    folder_of(folder, shards->output);
    if (fv_plan_clear(shards->plan, folder, &error))
        warn("%s", error.message);
}

void resume_close(Shards *shards)
{
    fv_plan_release(&shards->hold);
    fv_plan_close(&shards->plan);
    *shards = (Shards){0};
}
