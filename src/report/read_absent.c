/* In a build without libjansson. */
#include "base/error.h"
#include "report/report.h"

FvStatus fv_report_read(FvSession **session, const char *path, FvError *error)
{
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, path);
    return fv_fail(error, FV_ERROR_USAGE, "%s: this build of fovea has no libjansson, which reads reports", path);
}
