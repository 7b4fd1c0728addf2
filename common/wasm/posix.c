/* Functions of POSIX that wasi-libc lacks. */
#include <errno.h>
#include <stdlib.h>

int mkstemp(char *pattern)
{
    (void)pattern;
    errno = ENOSYS;
    return -1;
}
