#include "scoring/videos.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"

/* Returns whether the bytes of a path can be read only once, because it is a pipe, a terminal or a socket. */
static bool comes_once(const char *path, struct stat *info)
{
    int failed = strcmp(path, "-") ? stat(path, info) : fstat(STDIN_FILENO, info);
    return !failed && (S_ISFIFO(info->st_mode) || S_ISCHR(info->st_mode) || S_ISSOCK(info->st_mode));
}

bool videos_come_once(const char *path)
{
    struct stat info;
    return comes_once(path, &info);
}

bool videos_is_stream(const char *path)
{
    struct stat info;
    return !strcmp(path, "-") || (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode));
}

FvStatus outputs_check(const FvOutputParams *params, FvError *error)
{
    FvOutputParams standard = *params;
    standard.path = "-";
    FvStatus status = params->path ? fv_output_check(params, error) : FV_OK;
    return status ? status : fv_output_check(&standard, error);
}

/* Returns whether a path is an address such as "https://...", and no file has this name. */
static bool is_address(const char *path)
{
    const size_t scheme = strspn(path, "abcdefghijklmnopqrstuvwxyz0123456789+.-");
    return scheme && !strncmp(path + scheme, "://", 3) && access(path, F_OK);
}

FvStatus videos_check(const char *reference, const char *distorted)
{
    struct stat info[2];
    const char *const paths[2] = {reference, distorted};
    for (int i = 0; i < 2; i++)
        if (paths[i] && is_address(paths[i]))
            return report_error(
                FV_ERROR_USAGE,
                "%s is an address, and fovea reads files; download it, or give - for it and pipe it in, as by "
                "ffmpeg -i %s -f yuv4mpegpipe -strict -1 - | fovea ...",
                paths[i], paths[i]);
    if (!reference || !distorted)
        return FV_OK;
    if (!strcmp(reference, "-") && !strcmp(distorted, "-"))
        return report_error(FV_ERROR_USAGE, "only one of the two videos can come from standard input");
    if (comes_once(reference, &info[0]) && comes_once(distorted, &info[1]) && info[0].st_dev == info[1].st_dev &&
        info[0].st_ino == info[1].st_ino)
        return report_error(FV_ERROR_USAGE,
                            "%s and %s are the same pipe; only one of the two videos can come from it", reference,
                            distorted);
    return FV_OK;
}
