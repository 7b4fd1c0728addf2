/* POSIX and WebAssembly: the calls on files that both systems have. */
#include "os/file.h"

#include <sys/stat.h>
#include <unistd.h>

bool fv_file_is_link(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISLNK(info.st_mode);
}

int64_t fv_file_position(int fd)
{
    return lseek(fd, 0, SEEK_CUR);
}

void fv_file_close(int fd)
{
    close(fd);
}
