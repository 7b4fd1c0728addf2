#include "os/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "os/replace.h"

bool fv_file_exists(const char *path)
{
    return !access(path, F_OK);
}

ptrdiff_t fv_file_read_at(int fd, void *bytes, size_t size, int64_t position)
{
    size_t filled = 0;
    while (filled < size) {
        const FvFilePart rest = {(char *)bytes + filled, size - filled};
        const ptrdiff_t got = fv_file_read_parts(fd, &rest, 1, position + (int64_t)filled);
        if (got < 0)
            return -1;
        if (!got)
            break;
        filled += (size_t)got;
    }
    return (ptrdiff_t)filled;
}

void fv_file_remove(const char *path)
{
    unlink(path);
}

void fv_file_keep(const char *path, const FvFilePart parts[2])
{
    char fresh[4200];
    snprintf(fresh, sizeof fresh, "%s-XXXXXX", path);
    const int fd = mkstemp(fresh);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file && fd >= 0)
        close(fd);
    bool good = file && fwrite(parts[0].bytes, parts[0].size, 1, file) == 1 &&
                fwrite(parts[1].bytes, parts[1].size, 1, file) == 1;
    if (file)
        good &= !fclose(file);
    if (fd >= 0 && (!good || !fv_replace(fresh, path)))
        unlink(fresh);
}

FvStatus fv_file_fail(FvError *error, FvStatus status, const char *name, const char *done, int reason)
{
    return fv_fail(error, fv_failure_of_system(status, reason), "%s: cannot be %s: %s", name, done, strerror(reason));
}
