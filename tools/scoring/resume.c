#include "scoring/resume.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

#define FRAMES 240   /* frames per shard, the maximum that an interruption can lose */
#define LONGEST 4096 /* maximum bytes of a path */
#define ATTEMPTS 100 /* attempts to lock a folder that another process removes */

static bool is_lack(int reason)
{
    return reason == EMFILE || reason == ENFILE || reason == ENOMEM;
}

static FvStatus fail_resume(FvError *error, FvStatus status, const char *path, const char *what)
{
    error->status = status;
    snprintf(error->message, sizeof error->message, "%.700s%s", path, what);
    return status;
}

static void folder_of(char folder[LONGEST], const char *output)
{
    snprintf(folder, LONGEST, "%.3000s.shards", output);
}

/*
 * Creates the folder and locks it while *fd is open: two processes that write shards there, and delete them at the
 * end, would delete each other's. On a file system without locks, the folder is not protected.
 */
static FvStatus take_folder(const char *folder, int *fd, FvError *error)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        struct stat held, found;
        if (mkdir(folder, 0777) && errno != EEXIST)
            return fail_resume(error, FV_ERROR_OUTPUT, folder, ": the folder cannot be created");
        *fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (*fd < 0 && errno != ENOENT)
            return fail_resume(error, is_lack(errno) ? FV_ERROR_MEMORY : FV_ERROR_OUTPUT, folder,
                               is_lack(errno)
                                   ? ": the folder cannot be opened, for want of memory or file descriptors"
                                   : ": the folder cannot be opened");
        const bool taken = *fd >= 0 && flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
        if (!taken && *fd >= 0 && !fstat(*fd, &held) && !stat(folder, &found) && held.st_ino == found.st_ino)
            return FV_OK;
        if (*fd >= 0)
            close(*fd);
        *fd = -1;
        if (taken)
            return fail_resume(error, FV_ERROR_OUTPUT, folder,
                               ": another process is computing this report: wait for it, or name another report");
        /* else another process has just removed it */
    }
    return fail_resume(error, FV_ERROR_OUTPUT, folder, ": the folder disappears again and again");
}

/*
 * Writes the plan into the folder of its shards, so that shards of other videos or options are recognised and not
 * used.
 */
static FvStatus keep_plan(Shards *shards, const char *folder, FvError *error)
{
    char path[LONGEST + 16];
    FvPlan *before;
    snprintf(path, sizeof path, "%s/plan.json", folder);
    FvStatus status = take_folder(folder, &shards->folder, error);
    if (status)
        return status;
    if (access(path, F_OK))
        return fv_plan_write(shards->plan, path, error);
    status = fv_plan_read(&before, path, error);
    if (status == FV_ERROR_INPUT)
        snprintf(error->message + strlen(error->message), sizeof error->message - strlen(error->message),
                 "; remove the folder %.700s to start over", folder);
    if (!status && strcmp(fv_plan_hash(before), fv_plan_hash(shards->plan)))
        status =
            fail_resume(error, FV_ERROR_USAGE, folder,
                        " has parts of a scoring of other videos or with other options: remove the folder to start "
                        "over, or name another report");
    fv_plan_close(&before);
    return status;
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
            count += fv_devices_info(devices, i)->usable;
    fv_devices_close(&devices);
    return count ? count : 1;
}

static FvStatus make_plan(FvPlan **plan, const Opened *opened, const char *device, bool kept, FvError *error)
{
    FvPlanParams params = {.session = opened->session,
                           .reference = opened->source[0],
                           .distorted = opened->source[1],
                           .reference_params = opened->source[0] ? &opened->run.source[0] : NULL,
                           .distorted_params = &opened->run.source[1],
                           .score = &opened->run.score,
                           .frames_per_shard = FRAMES};
    const FvSourceIndex *index;
    FvStatus status = fv_source_index(opened->source[1], &index, error);
    const int devices = devices_of(device);
    if (!status && !kept) { /* one shard for each device */
        params.frames_per_shard = 0;
        params.shards = index->frames < devices ? 1 : devices;
    }
    return status ? status : fv_plan_make(plan, &params, error);
}

FvStatus resume_score(FvSession **session, Shards *shards, const Opened *opened, FvPlanRunParams *params,
                      FvError *error)
{
    char folder[LONGEST];
    shards->folder = -1;
    FvStatus status = make_plan(&shards->plan, opened, params->session.device, shards->output != NULL, error);
    if (!status && shards->output) {
        folder_of(folder, shards->output);
        params->folder = folder;
        status = keep_plan(shards, folder, error);
    }
    if (!status)
        status = fv_plan_score(session, shards->plan, params, error);
    return status;
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
    if (shards->output && shards->folder >= 0)
        close(shards->folder);
    fv_plan_close(&shards->plan);
    *shards = (Shards){0};
}
