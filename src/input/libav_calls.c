#include "input/libav_calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "library_names.h"
#include "os/library.h"
#include "os/thread.h"

typedef struct Call {
    const char *name;
    size_t offset; /* of its pointer in FvLibavCalls */
} Call;

typedef struct Library {
    const char *file;
    const Call *calls;
    int count;
} Library;

FvLibavCalls fv_libav_calls;

#define CALL(name) {#name, offsetof(FvLibavCalls, to_##name)},
static const Call util_calls[] = {FV_LIBAV_UTIL(CALL)};
static const Call codec_calls[] = {FV_LIBAV_CODEC(CALL)};
static const Call format_calls[] = {FV_LIBAV_FORMAT(CALL)};

#define FILE_OF(name, version) FV_LIBRARY_FILE(name, AV_STRINGIFY(version))
#define COUNT_OF(array) ((int)(sizeof(array) / sizeof *(array)))

static const Library libraries[] = {
    {FILE_OF("avutil", LIBAVUTIL_VERSION_MAJOR), util_calls, COUNT_OF(util_calls)},
    {FILE_OF("avcodec", LIBAVCODEC_VERSION_MAJOR), codec_calls, COUNT_OF(codec_calls)},
    {FILE_OF("avformat", LIBAVFORMAT_VERSION_MAJOR), format_calls, COUNT_OF(format_calls)},
};

/* FFmpeg 5 came with libavutil 57, and each release since then with the next one. */
enum {
    AVUTIL_OF_FFMPEG = 52,
    FIRST_FFMPEG = 5,
    LAST_FFMPEG = 12,
    FFMPEG = LIBAVUTIL_VERSION_MAJOR - AVUTIL_OF_FFMPEG
};

/* The newest other release whose libraries are installed; 0: none. */
static int other_ffmpeg(void)
{
    char file[32];
    for (int release = LAST_FFMPEG; release >= FIRST_FFMPEG; release--) {
        snprintf(file, sizeof file, FV_LIBRARY_FILE("avutil", "%d"), release + AVUTIL_OF_FFMPEG);
        if (release != FFMPEG && fv_library_open(file))
            return release;
    }
    return 0;
}

static FvStatus fail(const char *path, const char *file, FvError *error)
{
    char why[256], other[80] = "";
    const char *told = fv_library_error();
    snprintf(why, sizeof why, "%s", told ? told : file);
    if (fv_library_lacks(told))
        return fv_fail(error, FV_ERROR_MEMORY, "%s: is read with libav, which cannot be opened: %s", path, why);
    const int found = other_ffmpeg();
    if (found)
        snprintf(other, sizeof other, " (the installed ones of FFmpeg %d do not fit)", found);
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s: is read with libav, which cannot be opened: %s; install the libraries of FFmpeg %d%s, or "
                   "give Y4M, raw video or ProRes without a container",
                   path, why, FFMPEG, other);
}

static FvStatus open_library(const Library *library, FvLibavCalls *calls, const char *path, FvError *error)
{
    void *handle = fv_library_open(library->file);
    if (!handle)
        return fail(path, library->file, error);
    for (int i = 0; i < library->count; i++) {
        void *found = fv_library_find(handle, library->calls[i].name);
        if (!found)
            return fail(path, library->file, error);
        memcpy((char *)calls + library->calls[i].offset, &found, sizeof found);
    }
    return FV_OK;
}

FvStatus fv_libav_calls_open(const char *path, FvError *error)
{
    static FvMutex lock = FV_MUTEX;
    static bool opened;
    FvLibavCalls calls = {NULL};
    FvStatus status = FV_OK;
    fv_lock(&lock);
    for (int i = 0; i < COUNT_OF(libraries) && !opened && !status; i++)
        status = open_library(&libraries[i], &calls, path, error);
    if (!status && !opened) {
        fv_libav_calls = calls;
        opened = true;
    }
    fv_unlock(&lock);
    return status;
}
