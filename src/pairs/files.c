#include "pairs/files.h"

#include <string.h>

#include "base/error.h"
#include "input/source_params.h"
#include "os/thread.h"
#include "score/rgb_matrix.h"

/* Checks that a file can be read again, before it is opened, since opening a pipe may wait for its writer. */
static FvStatus check_rereadable(const char *path, FvError *error)
{
    FvFileFacts facts;
    const bool once = !strcmp(path, "-") ||
                      (fv_file_facts_of(path, &facts) && (facts.kind == FV_FILE_PIPE || facts.kind == FV_FILE_OTHER));
    return once ? fv_fail(error, FV_FAIL_READ_ONCE,
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

static void open_side(void *opaque)
{
    Opening *own = opaque;
    own->status = fv_source_open(&own->files->source[own->side], &own->files->params[own->side], &own->error);
}

/* Opens both sources at the same time, since opening a container decodes its first frames. */
static FvStatus open_sources(FvPairFiles *files, FvError *error)
{
    Opening openings[2] = {{files, FV_REFERENCE, FV_OK, {.status = FV_OK}},
                           {files, FV_DISTORTED, FV_OK, {.status = FV_OK}}};
    FvThread thread = {.running = false};
    if (files->params[FV_REFERENCE].path && !fv_thread_start(&thread, open_side, &openings[FV_REFERENCE]))
        open_side(&openings[FV_REFERENCE]);
    open_side(&openings[FV_DISTORTED]);
    fv_thread_join(&thread);
    const Opening *failed = &openings[openings[FV_REFERENCE].status ? FV_REFERENCE : FV_DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    else if (!failed->status)
        fv_rgb_matrix_settle(files->source);
    return failed->status;
}

static void close_sources(FvPairFiles *files)
{
    for (int side = 0; side < 2; side++)
        fv_source_close(&files->source[side]);
}

/* Reads the facts about a source's file. False: there is no file, or the system does not describe it. */
static bool look(const FvSource *source, FvFileFacts *facts)
{
    return source && source->stream.fd >= 0 && fv_file_facts(source->stream.fd, facts);
}

/* Fails if the file has changed: its frames would differ from those that were scored. */
FvStatus fv_pair_files_check_source(const FvPairFiles *files, int side, const FvSource *source, FvError *error)
{
    const FvFileFacts *first = &files->first[side];
    FvFileFacts now;
    if (first->id.known && look(source, &now) &&
        (!fv_file_same(first->id, now.id) || first->size != now.size || first->modified != now.modified))
        return fv_fail(error, FV_FAIL_CHANGED,
                       "%s has changed since it was opened, so its pictures may not be the ones that were "
                       "compared: score it again",
                       source->info.path);
    return FV_OK;
}

FvStatus fv_pair_files_check(FvPairFiles *files, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = fv_pair_files_check_source(files, side, files->source[side], error);
    return status;
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
        if (files->source[side] && !same_pictures(&fv_source_info(files->source[side])->format, &files->format[side]))
            status = fv_fail(error, FV_FAIL_CHANGED,
                             "%s has changed since it was opened: its pictures have another format",
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
            files->format[side] = fv_source_info(files->source[side])->format;
            look(files->source[side], &files->first[side]);
        }
    return status;
}

void fv_pair_files_close(FvPairFiles *files)
{
    close_sources(files);
    for (int side = 0; side < 2; side++)
        fv_source_params_free(&files->params[side]);
}
