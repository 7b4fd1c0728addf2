/* Why a write to a descriptor failed. */
#pragma once

#if defined(_WIN32)
#include <errno.h>
#include <io.h>
#include <windows.h>
#endif

/*
 * Returns the errno of a failed write, of which the C library left `reason`, or 0. Windows leaves EINVAL or nothing
 * when the reader of a pipe has gone.
 */
static inline int fv_write_reason(int fd, int reason)
{
#if defined(_WIN32)
    if (GetFileType((HANDLE)_get_osfhandle(fd)) == FILE_TYPE_PIPE)
        return EPIPE;
#endif
    return reason;
}
