#include "scoring/videos.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

/* Whether its bytes can be read only once: a pipe, a terminal or a socket. */
static bool comes_once(const char *path, struct stat *info)
{
    int failed = strcmp(path, "-") ? stat(path, info) : fstat(STDIN_FILENO, info);
    return !failed && (S_ISFIFO(info->st_mode) || S_ISCHR(info->st_mode) || S_ISSOCK(info->st_mode));
}

FvStatus outputs_check(const FvOutputParams *params, FvError *error)
{
    FvOutputParams standard = *params;
    standard.path = "-";
    FvStatus status = params->path ? fv_output_check(params, error) : FV_OK;
    return status ? status : fv_output_check(&standard, error);
}

FvStatus videos_check(const char *reference, const char *distorted)
{
    struct stat info[2];
    if (!reference || !distorted)
        return FV_OK;
    if (!strcmp(reference, "-") && !strcmp(distorted, "-"))
        return complain(FV_ERROR_USAGE, "only one of the two videos can come from standard input");
    if (comes_once(reference, &info[0]) && comes_once(distorted, &info[1]) && info[0].st_dev == info[1].st_dev &&
        info[0].st_ino == info[1].st_ino)
        return complain(FV_ERROR_USAGE, "%s and %s are the same pipe; only one of the two videos can come from it",
                        reference, distorted);
    return FV_OK;
}
