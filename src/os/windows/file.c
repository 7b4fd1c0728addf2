#include "os/file.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <windows.h>

#include "windows/reason.h"

#define MOST ((DWORD)1 << 30) /* maximum bytes read by one call */
/* maximum bytes of a buffer that replaces several parts, since Windows reads only one part per call */
#define BUFFER ((size_t)1 << 20)

bool fv_file_is_link(const char *path)
{
    const DWORD attributes = GetFileAttributesA(path);
    return attributes != INVALID_FILE_ATTRIBUTES && attributes & FILE_ATTRIBUTE_REPARSE_POINT;
}

/* ---- Opening --------------------------------------------------------------------------------------------------- */

int fv_file_open(const char *path)
{
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return fv_windows_fail();
    const int fd = _open_osfhandle((intptr_t)file, _O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        CloseHandle(file);
    return fd;
}

int fv_file_open_standard(void)
{
    return _dup(STDIN_FILENO);
}

int64_t fv_file_position(int fd)
{
    return _lseeki64(fd, 0, SEEK_CUR);
}

void fv_file_read_in_order(int fd, FvFileKind kind)
{
}

void fv_file_close(int fd)
{
    _close(fd);
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static ptrdiff_t read_bytes(int fd, void *bytes, size_t size, int64_t position)
{
    OVERLAPPED at = {.Offset = (DWORD)position, .OffsetHigh = (DWORD)(position >> 32)};
    DWORD got = 0;
    if (ReadFile((HANDLE)_get_osfhandle(fd), bytes, size < MOST ? (DWORD)size : MOST, &got,
                 position == FV_FILE_NEXT ? NULL : &at))
        return (ptrdiff_t)got;
    const DWORD last = GetLastError();
    return last == ERROR_HANDLE_EOF || last == ERROR_BROKEN_PIPE ? 0 : fv_windows_fail();
}

ptrdiff_t fv_file_read_parts(int fd, const FvFilePart *parts, int count, int64_t position)
{
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += parts[i].size;
    char *buffer = count > 1 ? malloc(total < BUFFER ? total : BUFFER) : NULL;
    if (!buffer) /* without a buffer, reads only the first part: callers accept fewer bytes than requested */
        return count ? read_bytes(fd, parts[0].bytes, parts[0].size, position) : 0;
    const ptrdiff_t got = read_bytes(fd, buffer, total < BUFFER ? total : BUFFER, position);
    for (ptrdiff_t done = 0, i = 0; done < got; i++) {
        const size_t left = (size_t)(got - done), size = parts[i].size < left ? parts[i].size : left;
        memcpy(parts[i].bytes, buffer + done, size);
        done += (ptrdiff_t)size;
    }
    free(buffer);
    return got;
}
