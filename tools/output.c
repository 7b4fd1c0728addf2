#include "output.h"

#include <errno.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

/* The file itself when it is no ordinary one, else the folder in which its replacement is made. */
static int reason_against(const char *path, const struct stat *info)
{
    if (info && S_ISDIR(info->st_mode))
        return EISDIR;
    if (info && !S_ISREG(info->st_mode))
        return access(path, W_OK) ? errno : 0;
    char *copy = info ? realpath(path, NULL) : strdup(path);
    if (!copy)
        return errno;
    int reason = access(dirname(copy), W_OK | X_OK) ? errno : 0;
    free(copy);
    return reason;
}

FvStatus output_check(const char *path, const char *const *videos, int count)
{
    struct stat info, video;
    if (!strcmp(path, "-"))
        return FV_OK;
    bool exists = !stat(path, &info);
    for (int i = 0; i < count; i++)
        if (exists && videos[i] && S_ISREG(info.st_mode) && !stat(videos[i], &video) && video.st_dev == info.st_dev &&
            video.st_ino == info.st_ino)
            return complain(FV_ERROR_USAGE, "--output %s would overwrite the video %s", path, videos[i]);
    int reason = *path ? reason_against(path, exists ? &info : NULL) : ENOENT;
    return reason ? complain(FV_ERROR_OUTPUT, "%s cannot be written: %s", path, strerror(reason)) : FV_OK;
}
