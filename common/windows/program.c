/*
 * Linked into programs only: opens standard streams and files in binary mode, and lets consoles interpret escape
 * sequences.
 */
#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>

__attribute__((constructor)) static void begin(void)
{
    _fmode = _O_BINARY;
    for (int fd = 0; fd < 3; fd++) {
        DWORD mode;
        const HANDLE handle = (HANDLE)_get_osfhandle(fd);
        _setmode(fd, _O_BINARY);
        if (fd && GetConsoleMode(handle, &mode))
            SetConsoleMode(handle, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
    }
    SetConsoleOutputCP(CP_UTF8);
}
