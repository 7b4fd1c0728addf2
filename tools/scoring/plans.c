#include "scoring/plans.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "scoring/folders.h"

static int is_plan(const struct dirent *entry)
{
    const char *dot = strrchr(entry->d_name, '.');
    return dot && dot > entry->d_name && !strcmp(dot, ".json");
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static FvStatus add(ArgList *plans, const char *folder, const char *name)
{
    char *path;
    if ((name ? asprintf(&path, "%s/%s", folder, name) : asprintf(&path, "%s", folder)) < 0)
        return complain(FV_ERROR_MEMORY, "out of memory for the names of plans");
    arg_list_add(plans, path);
    return FV_OK;
}

FvStatus plans_list(ArgList *plans, const char *path)
{
    struct dirent **found;
    FvStatus status = FV_OK;
    if (!folders_is_one(path))
        return add(plans, path, NULL);
    const int count = scandir(path, &found, is_plan, by_name);
    if (count < 0)
        return complain(errno == ENOMEM ? FV_ERROR_MEMORY : FV_ERROR_INPUT, "%s: the folder cannot be read: %s", path,
                        strerror(errno));
    for (int i = 0; i < count; i++) {
        status = status ? status : add(plans, path, found[i]->d_name);
        free(found[i]);
    }
    free(found);
    if (!status && !count)
        return complain(FV_ERROR_INPUT, "%s: the folder has no plans: make them with fovea plan -o %s", path, path);
    return status;
}

char *plans_name(const char *plan, const char *folder)
{
    const char *slash = strrchr(plan, '/'), *name = slash ? slash + 1 : plan, *dot = strrchr(name, '.');
    char *path;
    if (asprintf(&path, "%s%s%.*s", folder ? folder : "", folder ? "/" : "",
                 (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name) >= 0)
        return path;
    complain(FV_ERROR_MEMORY, "out of memory for the names of encodes");
    return NULL;
}
