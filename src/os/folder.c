#include "os/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_facts.h"

#define ATTEMPTS 100 /* attempts to lock a folder that another process removes */

bool fv_folder_make(const char *path, unsigned mode)
{
    return !mkdir(path, mode) || errno == EEXIST;
}

int fv_folder_lock(const char *path)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        FvFileFacts held, found;
        const int fd = fv_folder_make(path, 0777) ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
        if (fd < 0 && errno != ENOENT)
            return -1;
        const bool taken = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
        if (fd >= 0 && !taken && fv_file_facts(fd, &held) && fv_file_facts_of(path, &found) &&
            fv_file_same(held.id, found.id))
            return fd;
        if (fd >= 0)
            close(fd);
        if (taken)
            break;
        /* else another process has just removed it */
    }
    errno = EWOULDBLOCK;
    return -1;
}

void fv_folder_unlock(int fd)
{
    close(fd);
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
