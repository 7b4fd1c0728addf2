#include "scoring/plans.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/message.h"
#include "path_names.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"

FvStatus plans_list(ArgList *plans, const char *path)
{
    if (!folders_is_one(path))
        return encodes_take(plans, strdup(path));
    const FvStatus status = folders_list(plans, path, ".json");
    if (!status && !plans->count)
        return report_error(FV_ERROR_INPUT, "%s: the folder has no plans: make them with fovea plan -o %s", path,
                            path);
    return status;
}

char *plans_name(const char *plan, const char *folder)
{
    const char *name = fv_base_name(plan), *dot = strrchr(name, '.');
    char *path;
    if (asprintf(&path, "%s%s%.*s", folder ? folder : "", folder ? "/" : "",
                 (int)(dot ? dot - name : (ptrdiff_t)strlen(name)), name) >= 0)
        return path;
    report_error(FV_ERROR_MEMORY, "out of memory for the names of encodes");
    return NULL;
}
