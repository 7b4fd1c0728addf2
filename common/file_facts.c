#include "file_facts.h"

#include <sys/stat.h>

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
