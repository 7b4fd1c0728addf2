/*
 * fovea bench in the program `fovea`: starts the program fovea-bench, which is linked with the internals of the
 * library.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/message.h"
#include "cli/process.h"
#include "command/bench_options.h"
#include "fovea/fovea.h"

int bench_run(const void *values, const ArgList *words)
{
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-bench");
    if (length < 0 && errno == ENOSYS)
        return report_error(FV_ERROR_USAGE, "fovea bench runs on Linux only");
    if (length <= 0)
        return report_error(FV_ERROR_USAGE, "the path of this program is unknown: %s", strerror(errno));
    snprintf(path + length, sizeof path - (size_t)length, "-bench");
    execv(path, process_arguments());
    return report_error(FV_ERROR_USAGE,
                        "%s cannot be started: %s; it must lie next to fovea, where it is built and "
                        "installed",
                        path, strerror(errno));
}
