#include "scoring/folders.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "compare_text.h"
#include "path_names.h"
#include "scoring/encodes.h"

static int is_shown(const struct dirent *entry)
{
    return *entry->d_name != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

bool folders_is_one(const char *path)
{
    struct stat info;
    return path && !stat(path, &info) && S_ISDIR(info.st_mode);
}

/* Adds a path, which the list then owns. Folders are skipped; anything else that is not a regular file is refused. */
static FvStatus add_path(ArgList *files, char *path)
{
    struct stat info;
    const bool found = !stat(path, &info);
    if (found && S_ISREG(info.st_mode))
        return encodes_take(files, path);
    const FvStatus status =
        !found ? report_error(FV_ERROR_INPUT, "%s cannot be examined: %s; take it out of the folder", path,
                              strerror(errno))
        : S_ISDIR(info.st_mode)
            ? FV_OK
            : report_error(FV_ERROR_INPUT, "%s is not a regular file; store it in one, or take it out of the folder",
                           path);
    free(path);
    return status;
}

FvStatus folders_list(ArgList *files, const char *folder, const char *ending)
{
    const char *between = fv_ends_with(folder, "/") ? "" : "/";
    struct dirent **entries = NULL;
    FvStatus status = FV_OK;
    const int count = scandir(folder, &entries, is_shown, by_bytes);
    if (count < 0)
        return report_error(fv_failure_of_system(FV_ERROR_INPUT, errno), "%s: the folder cannot be read: %s", folder,
                            strerror(errno));
    for (int i = 0; i < count; i++) {
        char *path = NULL;
        if (!status && fv_ends_with(entries[i]->d_name, ending))
            status = asprintf(&path, "%s%s%s", folder, between, entries[i]->d_name) < 0 ? encodes_take(files, NULL)
                                                                                        : add_path(files, path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

static const char *name_of(const char *path)
{
    return fv_last_slash(path) + 1;
}

static size_t stem_of(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

/*
 * Returns the index of a name's partner; -1: there is none; -2: several files have the same stem, and a message was
 * printed.
 */
static int find_path(const ArgList *files, const char *folder, const char *name)
{
    const size_t stem = stem_of(name);
    int found = -1;
    for (int i = 0; i < files->count; i++)
        if (!strcmp(name_of(files->items[i]), name))
            return i;
    for (int i = 0; i < files->count; i++) {
        const char *other = name_of(files->items[i]);
        if (stem_of(other) != stem || strncmp(other, name, stem))
            continue;
        if (found >= 0) {
            report_error(FV_ERROR_USAGE, "%s may pair with %s and with %s of %s: leave one of these in the folder",
                         name, name_of(files->items[found]), other, folder);
            return -2;
        }
        found = i;
    }
    return found;
}

FvStatus folders_pair(ArgList *references, ArgList *encodes, const char *reference, const char *distorted)
{
    static const char left_out[] = "%s is left out: %s has no file of this name";
    ArgList ref = {0}, dis = {0};
    FvStatus status = folders_list(&ref, reference, "");
    if (!status)
        status = folders_list(&dis, distorted, "");
    bool *taken = calloc((size_t)ref.count + 1, sizeof *taken);
    if (!status && !taken)
        status = report_error(FV_ERROR_MEMORY, "out of memory for the names of the files");
    for (int i = 0; i < dis.count && !status; i++) {
        const int partner = find_path(&ref, reference, name_of(dis.items[i]));
        if (partner >= 0) {
            taken[partner] = true;
            status = encodes_take(references, strdup(ref.items[partner]));
            status = status ? status : encodes_take(encodes, strdup(dis.items[i]));
        } else if (partner == -1)
            warn(left_out, dis.items[i], reference);
        else
            status = FV_ERROR_USAGE;
    }
    for (int i = 0; i < ref.count && !status; i++)
        if (!taken[i])
            warn(left_out, ref.items[i], distorted);
    if (!status && !encodes->count)
        status = report_error(FV_ERROR_USAGE, "no file of %s has a name like one of %s", distorted, reference);
    free(taken);
    encodes_free(&ref);
    encodes_free(&dis);
    return status;
}
