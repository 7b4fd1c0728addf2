#include "scoring/encodes.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/message.h"
#include "path_names.h"

FvStatus encodes_take(ArgList *encodes, char *name)
{
    if (!name)
        return report_error(FV_ERROR_MEMORY, "out of memory for the names of files");
    if (arg_list_add(encodes, name))
        return FV_OK;
    free(name);
    return FV_ERROR_MEMORY;
}

/* Adds a name. A file that a pattern matched is skipped if it is already in the list. */
static FvStatus add_encode(ArgList *encodes, const char *name, bool matched)
{
    for (int i = 0; i < encodes->count; i++)
        if (!strcmp(encodes->items[i], name))
            return matched ? FV_OK : report_error(FV_ERROR_USAGE, "%s is given twice: leave one out", name);
    return encodes_take(encodes, strdup(name));
}

static FvStatus add_matches(ArgList *encodes, const char *pattern)
{
    glob_t found;
    const int failed = glob(pattern, GLOB_NOCHECK, NULL, &found);
    FvStatus status =
        failed ? report_error(FV_ERROR_MEMORY, "the files that match %s cannot be listed", pattern) : FV_OK;
    for (size_t i = 0; !status && i < found.gl_pathc; i++)
        status = add_encode(encodes, found.gl_pathv[i], true);
    if (!failed)
        globfree(&found);
    return status;
}

FvStatus encodes_list(ArgList *encodes, const ArgList *given)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < given->count && !status; i++) {
        const char *name = given->items[i];
        status = strpbrk(name, "*?[") && access(name, F_OK) ? add_matches(encodes, name)
                                                            : add_encode(encodes, name, false);
    }
    if (!status && !encodes->count)
        return report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: fovea score REFERENCE DISTORTED");
    return status;
}

FvStatus encodes_name(ArgList *paths, const ArgList *encodes, const char *folder, const char *ending)
{
    const char *between = *folder && fv_is_slash(folder[strlen(folder) - 1]) ? "" : "/";
    for (int i = 0; i < encodes->count; i++) {
        const char *name = fv_base_name(encodes->items[i]);
        for (int k = 0; k < i; k++)
            if (!strcmp(name, fv_base_name(encodes->items[k])))
                return report_error(FV_ERROR_USAGE, "%s and %s would both have %s%s%s.%s: rename one",
                                    encodes->items[k], encodes->items[i], folder, between, name, ending);
        char *path;
        const FvStatus status =
            encodes_take(paths, asprintf(&path, "%s%s%s.%s", folder, between, name, ending) < 0 ? NULL : path);
        if (status)
            return status;
    }
    if (mkdir(folder, 0777) && errno != EEXIST)
        return report_error(fv_failure_of_system(FV_ERROR_OUTPUT, errno), "%s: the folder cannot be made: %s", folder,
                            strerror(errno));
    return FV_OK;
}

void encodes_free(ArgList *encodes)
{
    for (int i = 0; i < encodes->count; i++)
        free((void *)(uintptr_t)encodes->items[i]);
    free(encodes->items);
    *encodes = (ArgList){0};
}
