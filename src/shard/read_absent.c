/* In a build without libjansson. */
#include "base/error.h"
#include "shard/shard.h"

FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error)
{
    FV_REQUIRE(error, plan);
    *plan = NULL;
    FV_REQUIRE(error, path);
    return fv_fail(error, FV_ERROR_USAGE, "%s: this build of fovea has no libjansson, which reads plans", path);
}

FvStatus fv_record_read(FvRecord *record, const char *path, FvError *error)
{
    *record = (FvRecord){.requested = NULL};
    return fv_fail(error, FV_ERROR_USAGE, "%s: this build of fovea has no libjansson, which reads this file", path);
}
