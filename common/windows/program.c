/* Linked into programs only: their standard streams and files have no text mode, and consoles know escape sequences.
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
