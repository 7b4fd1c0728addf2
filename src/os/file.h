/* Files that are read: opening, reading at a position, identity. */
#ifndef FV_OS_FILE_H
#define FV_OS_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/* A descriptor, or -1 with errno. A named pipe opens at once; reading it waits for its writer. */
int fv_file_open(const char *path);

/* Reads `size` bytes from `position`, fewer where the file ends; -1 with errno. */
ptrdiff_t fv_file_read_at(int fd, void *bytes, size_t size, int64_t position);

bool fv_file_exists(const char *path);

/* Makes a folder unless there is one; false with errno. */
bool fv_file_make_folder(const char *path, unsigned mode);

/*
 * A file, whatever name or link it was opened by. Devices that carry no content of their own (terminals, /dev/null)
 * and sockets have no identity: `known` is false.
 */
typedef struct FvFileId {
    bool known;
    dev_t device;
    ino_t inode;
} FvFileId;

static inline FvFileId fv_file_id(const struct stat *info)
{
    bool known = S_ISREG(info->st_mode) || S_ISBLK(info->st_mode) || S_ISFIFO(info->st_mode);
    return (FvFileId){known, info->st_dev, info->st_ino};
}

static inline bool fv_file_same(FvFileId a, FvFileId b)
{
    return a.known && b.known && a.device == b.device && a.inode == b.inode;
}

#endif
