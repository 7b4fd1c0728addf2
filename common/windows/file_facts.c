#include "file_facts.h"

#include <io.h>
#include <windows.h>

#include "windows/reason.h"

static bool take_facts(FvFileFacts *facts, HANDLE file)
{
    BY_HANDLE_FILE_INFORMATION info;
    const DWORD kind = file == INVALID_HANDLE_VALUE ? FILE_TYPE_UNKNOWN : GetFileType(file);
    *facts = (FvFileFacts){.kind = FV_FILE_ABSENT};
    if (file == INVALID_HANDLE_VALUE) {
        fv_windows_fail();
        return false;
    }
    if (kind != FILE_TYPE_DISK || !GetFileInformationByHandle(file, &info)) {
        facts->kind = kind == FILE_TYPE_PIPE ? FV_FILE_PIPE : FV_FILE_OTHER;
        return true;
    }
    facts->kind = info.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? FV_FILE_FOLDER : FV_FILE_REGULAR;
    facts->id = (FvFileId){true, info.dwVolumeSerialNumber, (uint64_t)info.nFileIndexHigh << 32 | info.nFileIndexLow};
    facts->size = (int64_t)((uint64_t)info.nFileSizeHigh << 32 | info.nFileSizeLow);
    /* The time in units of 100 ns since 1601. */
    const uint64_t ticks = (uint64_t)info.ftLastWriteTime.dwHighDateTime << 32 | info.ftLastWriteTime.dwLowDateTime;
    facts->modified = ((int64_t)ticks - 116444736000000000) * 100;
    return true;
}

bool fv_file_facts(int fd, FvFileFacts *facts)
{
    return take_facts(facts, (HANDLE)_get_osfhandle(fd));
}

bool fv_file_facts_of(const char *path, FvFileFacts *facts)
{
    HANDLE file = CreateFileA(path, 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                              FILE_FLAG_BACKUP_SEMANTICS, NULL);
    const bool good = take_facts(facts, file);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    return good;
}
