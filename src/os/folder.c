#include "os/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

bool fv_folder_make(const char *path, unsigned mode)
{
    return !mkdir(path, mode) || errno == EEXIST;
}

FvFolder *fv_folder_open(const char *path)
{
    return (FvFolder *)opendir(path);
}

const char *fv_folder_next(FvFolder *folder)
{
    const struct dirent *entry = folder ? readdir((DIR *)folder) : NULL;
    return entry ? entry->d_name : NULL;
}

void fv_folder_close(FvFolder *folder)
{
    if (folder)
        closedir((DIR *)folder);
}

bool fv_folder_remove(const char *path)
{
    return !rmdir(path);
}
