/* Holds the folder of a plan's shards for one program. */
#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "os/folder.h"
#include "os/memory.h"
#include "shard/shard.h"

#define LONGEST 4096 /* maximum bytes of a path */

struct FvPlanHold {
    int fd; /* descriptor that locks the folder */
};

/* Writes the plan into the folder, unless the folder has it already. */
static FvStatus keep_plan(const FvPlan *plan, const char *folder, FvError *error)
{
    char path[LONGEST + 16];
    FvPlan *before;
    snprintf(path, sizeof path, "%s/plan.json", folder);
    if (!fv_file_exists(path))
        return fv_plan_write(plan, path, error);
    FvStatus status = fv_plan_read(&before, path, error);
    if (status == FV_ERROR_INPUT) {
        const size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length, "; remove the folder %.700s to start over",
                 folder);
    }
    if (!status && strcmp(before->sha256, plan->sha256))
        status = fv_fail(error, FV_ERROR_USAGE,
                         "%s has parts of a run of other videos or with other options; remove the folder to start "
                         "over, or choose another one",
                         folder);
    fv_plan_close(&before);
    return status;
}

FvStatus fv_plan_hold(FvPlanHold **hold, const FvPlan *plan, const char *folder, FvError *error)
{
    FV_FLOAT_MODE;
    FvError own = {.status = FV_OK};
    error = error ? error : &own;
    FV_REQUIRE(error, hold);
    *hold = NULL;
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, folder);
    FvPlanHold *made = fv_alloc_zero(sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    made->fd = fv_folder_lock(folder);
    FvStatus status = FV_OK;
    if (made->fd < 0 && errno == EWOULDBLOCK)
        status = fv_fail(error, FV_ERROR_OUTPUT,
                         "%s: another process works in this folder; wait for it, or choose another folder", folder);
    else if (made->fd < 0)
        status = fv_file_fail(error, FV_ERROR_OUTPUT, folder, "made or opened", errno);
    else
        status = keep_plan(plan, folder, error);
    if (status)
        fv_plan_release(&made);
    *hold = made;
    return status;
}

void fv_plan_release(FvPlanHold **hold)
{
    FvPlanHold *releasing = hold ? *hold : NULL;
    if (!releasing)
        return;
    *hold = NULL;
    if (releasing->fd >= 0)
        fv_folder_unlock(releasing->fd);
    fv_free(releasing);
}
