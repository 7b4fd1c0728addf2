#include "os/replace.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

#include "path_names.h"
#include "windows/reason.h"

int fv_replace_descriptor(const char *path)
{
    return strcmp(path, "-") ? -1 : STDOUT_FILENO;
}

/* Returns the path to which a link leads, because the file there is to be replaced. */
static char *follow(const char *path)
{
    HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return NULL;
    const DWORD size = GetFinalPathNameByHandleA(file, NULL, 0, 0);
    char *found = size ? malloc(size) : NULL;
    if (found && !GetFinalPathNameByHandleA(file, found, size, 0)) {
        free(found);
        found = NULL;
    }
    CloseHandle(file);
    return found;
}

char *fv_replace_target(const char *path)
{
    const DWORD attributes = GetFileAttributesA(path);
    const bool is_link = attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT;
    char *target = is_link ? follow(path) : _fullpath(NULL, path, 0);
    if (!target) {
        errno = ENOENT;
        return NULL;
    }
    if (!strncmp(target, "\\\\?\\", 4) && target[4] && target[5] == ':')
        memmove(target, target + 4, strlen(target + 4) + 1);
    for (char *at = target; *at; at++)
        *at = *at == '\\' ? '/' : *at;
    return target;
}

/* Tests the access rights by creating a file, the only way to know them. */
bool fv_replace_takes(const char *target)
{
    const char *slash = fv_last_slash(target);
    char *folder = slash ? strndup(target, (size_t)(slash + 1 - target)) : strdup(".");
    const DWORD attributes = folder ? GetFileAttributesA(folder) : INVALID_FILE_ATTRIBUTES;
    free(folder);
    errno = ENOENT;
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_DIRECTORY;
}

int fv_replace_create(const char *path)
{
    return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | O_CLOEXEC, 0600);
}

/* Does nothing: a new file gets the rights of its folder. */
void fv_replace_permit(int fd, unsigned permissions)
{
}

bool fv_replace_flush(int fd)
{
    return !_commit(fd);
}

/* Does nothing: MOVEFILE_WRITE_THROUGH has flushed the names. */
void fv_replace_flush_folder(const char *target)
{
}

bool fv_replace(const char *path, const char *target)
{
    return MoveFileExA(path, target, MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) || !fv_windows_fail();
}

bool fv_replace_none(const char *path, const char *target)
{
    return MoveFileExA(path, target, MOVEFILE_WRITE_THROUGH) || !fv_windows_fail();
}
