#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define PIPE_BYTES (1 << 20) /* as many as an ordinary user may have: fewer changes between writer and reader */

_Static_assert(sizeof(FvFilePart) == sizeof(struct iovec) &&
                   offsetof(FvFilePart, size) == offsetof(struct iovec, iov_len),
               "the system takes the parts as they are");

static FvFileId id_of(const struct stat *info)
{
    const mode_t mode = info->st_mode;
    return (FvFileId){S_ISREG(mode) || S_ISBLK(mode) || S_ISFIFO(mode) || S_ISDIR(mode), info->st_dev, info->st_ino};
}

static bool take_facts(FvFileFacts *facts, const struct stat *info, bool failed)
{
    *facts = (FvFileFacts){.kind = FV_FILE_ABSENT};
    if (failed)
        return false;
    facts->kind = S_ISREG(info->st_mode)    ? FV_FILE_REGULAR
                  : S_ISDIR(info->st_mode)  ? FV_FILE_FOLDER
                  : S_ISFIFO(info->st_mode) ? FV_FILE_PIPE
                  : S_ISBLK(info->st_mode)  ? FV_FILE_DISK
                                            : FV_FILE_OTHER;
    facts->id = id_of(info);
    facts->permissions = info->st_mode & 0777;
    facts->size = info->st_size;
    facts->modified = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec;
    return true;
}

bool fv_file_facts(int fd, FvFileFacts *facts)
{
    struct stat info;
    return take_facts(facts, &info, fstat(fd, &info));
}

bool fv_file_facts_of(const char *path, FvFileFacts *facts)
{
    struct stat info;
    return take_facts(facts, &info, stat(path, &info));
}

bool fv_file_is_link(const char *path)
{
    struct stat info;
    return !lstat(path, &info) && S_ISLNK(info.st_mode);
}

int fv_file_open(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (flags >= 0)
        fcntl(fd, F_SETFL, flags & ~O_NONBLOCK);
    return fd;
}

int fv_file_open_standard(void)
{
    return dup(STDIN_FILENO);
}

int64_t fv_file_position(int fd)
{
    return lseek(fd, 0, SEEK_CUR);
}

void fv_file_read_in_order(int fd, FvFileKind kind)
{
    if (kind == FV_FILE_REGULAR)
        posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    if (kind == FV_FILE_PIPE)
        (void)fcntl(fd, F_SETPIPE_SZ, PIPE_BYTES);
}

ptrdiff_t fv_file_read_parts(int fd, const FvFilePart *parts, int count, int64_t position)
{
    const struct iovec *rows = (const struct iovec *)parts;
    ssize_t got;
    do {
        got = position == FV_FILE_NEXT ? readv(fd, rows, count) : preadv(fd, rows, count, position);
    } while (got < 0 && errno == EINTR);
    return got;
}

void fv_file_close(int fd)
{
    close(fd);
}
