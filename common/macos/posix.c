/* Implements the calls of Linux that macOS lacks. include/ declares them under the names of Linux. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <mach-o/dyld.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/event.h>
#include <sys/eventfd.h>
#include <unistd.h>

#undef dlopen
#undef readlink

void *macos_dlopen(const char *file, int flags)
{
    static const char *const folders[] = {"/opt/homebrew/lib", "/usr/local/lib", "/opt/local/lib"};
    void *library = dlopen(file, flags);
    char path[PATH_MAX];
    for (int i = 0; i < 3 && !library && !strchr(file, '/'); i++) {
        snprintf(path, sizeof path, "%s/%s", folders[i], file);
        library = dlopen(path, flags);
    }
    return library;
}

ssize_t macos_readlink(const char *path, char *link, size_t size)
{
    char name[PATH_MAX], whole[PATH_MAX];
    uint32_t length = sizeof name;
    if (strcmp(path, "/proc/self/exe"))
        return readlink(path, link, size);
    if (_NSGetExecutablePath(name, &length) || !realpath(name, whole))
        return -1;
    length = (uint32_t)strlen(whole);
    if (length > size)
        return errno = ENAMETOOLONG, -1;
    memcpy(link, whole, length);
    return (ssize_t)length;
}

int eventfd(unsigned value, int flags)
{
    const int queue = kqueue(); /* fork() does not copy it */
    struct kevent event;
    EV_SET(&event, 1, EVFILT_USER, EV_ADD, 0, 0, NULL);
    if (queue >= 0 && kevent(queue, &event, 1, NULL, 0, NULL)) {
        const int reason = errno;
        close(queue);
        return errno = reason, -1;
    }
    return queue;
}

int eventfd_write(int fd, uint64_t value)
{
    struct kevent event;
    EV_SET(&event, 1, EVFILT_USER, 0, NOTE_TRIGGER, 0, NULL);
    return kevent(fd, &event, 1, NULL, 0, NULL);
}

/* The cookie of a stream, with the functions that it calls. */
typedef struct Stream {
    void *cookie;
    cookie_io_functions_t functions;
} Stream;

static int write_stream(void *opaque, const char *bytes, int size)
{
    const Stream *stream = opaque;
    const ssize_t written = stream->functions.write(stream->cookie, bytes, (size_t)size);
    return written < size ? -1 : (int)written; /* funopen() takes any other number for success */
}

static int close_stream(void *opaque)
{
    Stream *stream = opaque;
    const int result = stream->functions.close ? stream->functions.close(stream->cookie) : 0;
    free(stream);
    return result;
}

FILE *fopencookie(void *cookie, const char *mode, cookie_io_functions_t functions)
{
    Stream *stream = malloc(sizeof *stream);
    if (!stream)
        return NULL;
    *stream = (Stream){cookie, functions};
    FILE *file = funopen(stream, NULL, write_stream, NULL, close_stream);
    if (!file)
        free(stream);
    return file;
}
