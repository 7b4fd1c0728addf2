/* What wasi-libc lacks of POSIX. */
#include <errno.h>
#include <stdlib.h>

int mkstemp(char *pattern)
{
    (void)pattern;
    errno = ENOSYS;
    return -1;
}
