/* Which file it is, whatever name or link it was opened by. */
#ifndef FV_OS_FILE_ID_H
#define FV_OS_FILE_ID_H

#include <stdbool.h>
#include <sys/stat.h>

/* Devices that carry no content of their own (terminals, /dev/null) and sockets have no identity: `known` is false.
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
