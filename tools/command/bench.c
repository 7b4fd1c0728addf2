/* fovea bench in the program `fovea`: what measures needs the library's inside, and is a program of its own. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command/bench_options.h"
#include "fovea/fovea.h"
#include "cli/message.h"

int bench_run(const void *values, const ArgList *words)
{
    (void)values, (void)words;
    char path[4096];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - sizeof "-bench");
    if (length <= 0)
        return complain(FV_ERROR_USAGE, "where this program lies cannot be found out: %s", strerror(errno));
    snprintf(path + length, sizeof path - (size_t)length, "-bench");
    execv(path, command_arguments());
    return complain(FV_ERROR_USAGE, "%s cannot be started: %s; it is built and installed with fovea", path,
                    strerror(errno));
}
