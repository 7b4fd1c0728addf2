#include "scoring/videos.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "file_facts.h"

/* Returns whether the bytes of a path can be read only once, because it is a pipe, a terminal or a socket. */
static bool comes_once(const char *path, FvFileFacts *facts)
{
    const bool found = strcmp(path, "-") ? fv_file_facts_of(path, facts) : fv_file_facts(STDIN_FILENO, facts);
    return found && (facts->kind == FV_FILE_PIPE || facts->kind == FV_FILE_OTHER);
}

bool videos_come_once(const char *path)
{
    FvFileFacts facts;
    return comes_once(path, &facts);
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
    FvFileFacts facts[2];
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
    if (comes_once(reference, &facts[0]) && comes_once(distorted, &facts[1]) &&
        fv_file_same(facts[0].id, facts[1].id))
        return report_error(FV_ERROR_USAGE,
                            "%s and %s are the same pipe; only one of the two videos can come from it", reference,
                            distorted);
    return FV_OK;
}
