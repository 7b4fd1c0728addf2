#include "os/file.h"

#include <fcntl.h>
#include <unistd.h>

int fv_file_open(const char *path)
{
    return open(path, O_RDONLY);
}

int fv_file_open_standard(void)
{
    return STDIN_FILENO; /* only this module reads standard input */
}

void fv_file_read_in_order(int fd, FvFileKind kind)
{
}

/* Reads part by part, because hosts read one part per call. */
ptrdiff_t fv_file_read_parts(int fd, const FvFilePart *parts, int count, int64_t position)
{
    ptrdiff_t done = 0;
    for (int i = 0; i < count; i++) {
        ssize_t got = position == FV_FILE_NEXT ? read(fd, parts[i].bytes, parts[i].size)
                                               : pread(fd, parts[i].bytes, parts[i].size, position + done);
        if (got < 0)
            return done ? done : got;
        done += got;
        if ((size_t)got < parts[i].size)
            break;
    }
    return done;
}
