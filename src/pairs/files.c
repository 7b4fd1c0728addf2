#include "pairs/files.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "input/source_params.h"

/* Asked before the file is opened: opening a pipe may wait for its writer. */
static FvStatus check_rereadable(const char *path, FvError *error)
{
    struct stat info;
    const bool once = !strcmp(path, "-") || (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISBLK(info.st_mode) &&
                                             !S_ISDIR(info.st_mode));
    return once ? fv_fail(error, FV_ERROR_INPUT,
                          "%s can be read only once, and pairs of frames are read in any order: save it to a file "
                          "first",
                          strcmp(path, "-") ? path : "standard input")
                : FV_OK;
}

typedef struct Opening {
    FvPairFiles *files;
    int side;
    FvStatus status;
    FvError error;
} Opening;

static void *open_side(void *opaque)
{
    Opening *own = opaque;
    own->status = fv_source_open(&own->files->source[own->side], &own->files->params[own->side], &own->error);
    return NULL;
}

/* Both at the same time: opening a container decodes its first frames. */
static FvStatus open_sources(FvPairFiles *files, FvError *error)
{
    Opening openings[2] = {{files, FV_REFERENCE, FV_OK, {.status = FV_OK}},
                           {files, FV_DISTORTED, FV_OK, {.status = FV_OK}}};
    pthread_t thread;
    bool threaded = false;
    if (files->params[FV_REFERENCE].path) {
        threaded = !pthread_create(&thread, NULL, open_side, &openings[FV_REFERENCE]);
        if (!threaded)
            open_side(&openings[FV_REFERENCE]);
    }
    open_side(&openings[FV_DISTORTED]);
    if (threaded)
        pthread_join(thread, NULL);
    const Opening *failed = &openings[openings[FV_REFERENCE].status ? FV_REFERENCE : FV_DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    return failed->status;
}

static void close_sources(FvPairFiles *files)
{
    for (int side = 0; side < 2; side++)
        fv_source_close(&files->source[side]);
}

/* false: the side has no file of its own, or the system does not describe it. */
static bool take_stamp(const FvSource *source, FvFileStamp *stamp)
{
    struct stat info;
    if (!source || source->stream.fd < 0 || fstat(source->stream.fd, &info))
        return false;
    *stamp = (FvFileStamp){fv_file_id(&info), info.st_size, info.st_mtim};
    return true;
}

/* A file that is written to while its pairs are viewed shows other pictures than those that were scored. */
FvStatus fv_pair_files_check(FvPairFiles *files, FvError *error)
{
    for (int side = 0; side < 2; side++) {
        const FvFileStamp *first = &files->stamp[side];
        FvFileStamp now;
        if (first->id.known && take_stamp(files->source[side], &now) &&
            (!fv_file_same(first->id, now.id) || first->size != now.size || first->time.tv_sec != now.time.tv_sec ||
             first->time.tv_nsec != now.time.tv_nsec))
            return fv_fail(error, FV_ERROR_INPUT,
                           "%s has changed since it was opened, so its pictures may not be the ones that were "
                           "compared: score it again",
                           files->source[side]->info.path);
    }
    return FV_OK;
}

static bool same_pictures(const FvFormat *a, const FvFormat *b)
{
    return a->width == b->width && a->height == b->height && a->chroma == b->chroma && a->depth == b->depth &&
           a->range == b->range;
}

FvStatus fv_pair_files_reopen(FvPairFiles *files, FvError *error)
{
    close_sources(files);
    FvStatus status = open_sources(files, error);
    for (int side = 0; side < 2 && !status; side++)
        if (files->source[side] && !same_pictures(&files->source[side]->info.format, &files->format[side]))
            status =
                fv_fail(error, FV_ERROR_INPUT, "%s has changed since it was opened: its pictures have another format",
                        files->source[side]->info.path);
    return status ? status : fv_pair_files_check(files, error);
}

FvStatus fv_pair_files_open(FvPairFiles *files, const FvSourceParams *reference, const FvSourceParams *distorted,
                            FvError *error)
{
    FvStatus status = reference ? fv_source_params_copy(&files->params[FV_REFERENCE], reference, error) : FV_OK;
    if (!status)
        status = fv_source_params_copy(&files->params[FV_DISTORTED], distorted, error);
    for (int side = 0; side < 2 && !status; side++)
        if (files->params[side].path)
            status = check_rereadable(files->params[side].path, error);
    if (!status)
        status = open_sources(files, error);
    for (int side = 0; side < 2 && !status; side++)
        if (files->source[side]) {
            files->format[side] = files->source[side]->info.format;
            take_stamp(files->source[side], &files->stamp[side]);
        }
    return status;
}

void fv_pair_files_close(FvPairFiles *files)
{
    close_sources(files);
    for (int side = 0; side < 2; side++)
        fv_source_params_free(&files->params[side]);
}
