#include "input/libav/calls.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"
#include "library_names.h"
#include "os/library.h"

typedef struct Call {
    const char *name;
    size_t offset; /* offset of its pointer in FvLibavCalls */
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

static FvStatus fail_library(const char *file, FvError *error)
{
    const char *why = fv_library_error();
    return fv_fail(error, fv_library_lacks(why) ? FV_ERROR_MEMORY : FV_ERROR_INPUT, "%s", why ? why : file);
}

static FvStatus open_library(const Library *library, FvLibavCalls *calls, int *opened, FvError *error)
{
    void *handle = fv_library_open(library->file);
    if (!handle)
        return fail_library(library->file, error);
    ++*opened;
    for (int i = 0; i < library->count; i++) {
        void *found = fv_library_find(handle, library->calls[i].name);
        if (!found)
            return fail_library(library->file, error);
        memcpy((char *)calls + library->calls[i].offset, &found, sizeof found);
    }
    return FV_OK;
}

FvStatus fv_libav_calls_open(int *opened, FvError *error)
{
    FvLibavCalls calls = {NULL};
    FvStatus status = FV_OK;
    *opened = 0;
    for (int i = 0; i < COUNT_OF(libraries) && !status; i++)
        status = open_library(&libraries[i], &calls, opened, error);
    if (!status)
        fv_libav_calls = calls;
    return status;
}
