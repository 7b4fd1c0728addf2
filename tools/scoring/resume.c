#include "scoring/resume.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

#define FRAMES 240 /* of a shard: the most that are lost */
#define LONGEST 4096

static FvStatus fail(FvError *error, FvStatus status, const char *path, const char *what)
{
    error->status = status;
    snprintf(error->message, sizeof error->message, "%.700s%s", path, what);
    return status;
}

static void folder_of(char folder[LONGEST], const char *output)
{
    snprintf(folder, LONGEST, "%.3000s.shards", output);
}

/* The plan lies with its shards, so that shards of other videos or options are not taken for them. */
static FvStatus keep_plan(const FvPlan *plan, const char *folder, FvError *error)
{
    char path[LONGEST + 16];
    FvPlan *before;
    snprintf(path, sizeof path, "%s/plan.json", folder);
    if (mkdir(folder, 0777) && errno != EEXIST)
        return fail(error, FV_ERROR_OUTPUT, folder, ": the folder cannot be created");
    if (access(path, F_OK))
        return fv_plan_write(plan, path, error);
    FvStatus status = fv_plan_read(&before, path, error);
    if (!status && strcmp(fv_plan_hash(before), fv_plan_hash(plan)))
        status = fail(error, FV_ERROR_USAGE, folder,
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
                           .reference_params = opened->source[0] ? &opened->source_params[0] : NULL,
                           .distorted_params = &opened->source_params[1],
                           .score = &opened->params,
                           .frames_per_shard = FRAMES};
    const FvSourceIndex *index;
    FvStatus status = fv_source_index(opened->source[1], &index, error);
    const int devices = devices_of(device);
    if (!status && !kept) { /* a shard for each device */
        params.frames_per_shard = 0;
        params.shards = index->frames < devices ? 1 : devices;
    }
    return status ? status : fv_plan_make(plan, &params, error);
}

FvStatus resume_score(FvSession **session, const Opened *opened, FvPlanRunParams *params, const char *output,
                      FvError *error)
{
    char folder[LONGEST];
    FvPlan *plan = NULL;
    FvStatus status = make_plan(&plan, opened, params->session.device, output != NULL, error);
    if (!status && output) {
        folder_of(folder, output);
        params->folder = folder;
        status = keep_plan(plan, folder, error);
    }
    if (!status)
        status = fv_plan_score(session, plan, params, error);
    fv_plan_close(&plan);
    return status;
}

/* "000012.shard", "000012.run.json", "plan.json", and their temporary files from a process that was killed. */
static bool is_ours(const char *name)
{
    static const char *const endings[] = {"shard", "run.json", "plan.json"};
    const size_t digits = strspn(name, "0123456789");
    const char *rest = digits == 6 && name[6] == '.' ? name + 7 : name;
    for (int i = 0; i < 3; i++) {
        const size_t length = strlen(endings[i]);
        int pid, number, end = 0;
        if (strncmp(rest, endings[i], length) || (i == 2) != (rest == name))
            continue;
        if (!rest[length] ||
            (sscanf(rest + length, ".%d.%d.tmp%n", &pid, &number, &end) == 2 && end && !rest[length + (size_t)end]))
            return true;
    }
    return false;
}

void resume_finish(const char *output)
{
    char folder[LONGEST], path[2 * LONGEST];
    folder_of(folder, output);
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        if (is_ours(entry->d_name)) {
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
            unlink(path);
        }
    if (open)
        closedir(open);
    if (rmdir(folder))
        warn("%s is kept: it contains other files", folder);
}
