/* Any pair of frames of two files, as fv_score would compare it. */
#include "pairs/state.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "os/memory.h"

bool fv_pairs_match(const FvPairs *pairs)
{
    return pairs->params.align == FV_ALIGN_BY_TIME || pairs->params.align == FV_ALIGN_BY_CONTENT;
}

static FvStatus copy_text(const char **text, FvError *error)
{
    if (!*text)
        return FV_OK;
    const char *given = *text;
    *text = strdup(given);
    return *text ? FV_OK : fv_fail_memory(error, strlen(given) + 1);
}

static FvStatus copy_file(FvSourceParams *file, const FvSourceParams *given, FvError *error)
{
    *file = *given;
    const char **const texts[] = {&file->path, &file->reader, &file->decoder, &file->device, &file->raw_layout};
    FvStatus status = FV_OK;
    for (int i = 0; i < 5; i++)
        if (status)
            *texts[i] = NULL;
        else
            status = copy_text(texts[i], error);
    return status;
}

static void free_file(FvSourceParams *file)
{
    free((char *)file->path);
    free((char *)file->reader);
    free((char *)file->decoder);
    free((char *)file->device);
    free((char *)file->raw_layout);
}

static void close_sources(FvPairs *pairs)
{
    fv_match_close(&pairs->match);
    for (int side = 0; side < 2; side++) {
        fv_reader_close(&pairs->reader[side]);
        fv_source_close(&pairs->source[side]);
    }
}

/* Asked before it is opened: that may wait for whoever writes into a pipe. */
static FvStatus check_file(const char *path, FvError *error)
{
    struct stat info;
    const bool once = !strcmp(path, "-") || (!stat(path, &info) && !S_ISREG(info.st_mode) && !S_ISBLK(info.st_mode) &&
                                             !S_ISDIR(info.st_mode));
    return once ? fv_fail(error, FV_ERROR_INPUT,
                          "%s can be read only once, and pairs of frames are looked for in files: store it in a file "
                          "first",
                          strcmp(path, "-") ? path : "standard input")
                : FV_OK;
}

typedef struct Opening {
    FvPairs *pairs;
    int side;
    FvStatus status;
    FvError error;
} Opening;

static void *open_side(void *opaque)
{
    Opening *own = opaque;
    FvPairs *pairs = own->pairs;
    own->status = fv_source_open(&pairs->source[own->side], &pairs->file[own->side], &own->error);
    return NULL;
}

/* Whoever writes into a file while it is looked at gets other pictures than were scored, if any. */
static FvStatus check_same_file(FvPairs *pairs, int side, bool first, FvError *error)
{
    struct stat info;
    const FvSource *source = pairs->source[side];
    FvFileStamp *known = &pairs->stamp[side];
    if (!source || source->stream.fd < 0 || fstat(source->stream.fd, &info))
        return FV_OK;
    const FvFileStamp now = {fv_file_id(&info), info.st_size, info.st_mtim};
    if (first)
        *known = now;
    if (!known->id.known || (fv_file_same(known->id, now.id) && known->size == now.size &&
                             known->time.tv_sec == now.time.tv_sec && known->time.tv_nsec == now.time.tv_nsec))
        return FV_OK;
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s has changed since it was opened, so what it shows is not what was compared: begin anew",
                   source->info.path);
}

FvStatus fv_pairs_check_files(FvPairs *pairs, FvError *error)
{
    FvStatus status = check_same_file(pairs, REFERENCE, false, error);
    return status ? status : check_same_file(pairs, DISTORTED, false, error);
}

/* Both side by side: containers are looked into by decoding what they begin with. */
static FvStatus open_sources(FvPairs *pairs, FvError *error)
{
    Opening openings[2] = {{pairs, REFERENCE, FV_OK, {.status = FV_OK}},
                           {pairs, DISTORTED, FV_OK, {.status = FV_OK}}};
    pthread_t thread;
    bool beside = false;
    pairs->next = 0;
    if (pairs->file[REFERENCE].path) {
        beside = !pthread_create(&thread, NULL, open_side, &openings[REFERENCE]);
        if (!beside)
            open_side(&openings[REFERENCE]);
    }
    open_side(&openings[DISTORTED]);
    if (beside)
        pthread_join(thread, NULL);
    const Opening *failed = &openings[openings[REFERENCE].status ? REFERENCE : DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    return failed->status;
}

static bool same_pictures(const FvFormat *a, const FvFormat *b)
{
    return a->width == b->width && a->height == b->height && a->chroma == b->chroma && a->depth == b->depth &&
           a->range == b->range;
}

FvStatus fv_pairs_open_again(FvPairs *pairs, FvError *error)
{
    close_sources(pairs);
    FvStatus status = open_sources(pairs, error);
    for (int side = 0; side < 2 && !status; side++)
        if (pairs->source[side] && !same_pictures(&pairs->source[side]->info.format, &pairs->format[side]))
            status = fv_fail(error, FV_ERROR_INPUT, "%s is another video than it was when it was opened first",
                             pairs->source[side]->info.path);
    if (!status)
        status = fv_pairs_check_files(pairs, error);
    pairs->stale = status != FV_OK;
    return status;
}

/* What is done to the frames of both, and which ones are compared. */
static FvStatus decide(FvPairs *pairs, FvError *error)
{
    FvPair pair = {.params = &pairs->params,
                   .info = {fv_source_info(pairs->source[REFERENCE]), fv_source_info(pairs->source[DISTORTED])}};
    FvIsa isa;
    FvStatus status = fv_isa_parse(NULL, &isa, error);
    if (!status)
        status = fv_pair_decide(&pair, error);
    if (!status)
        status = fv_pair_choose_frames(&pair, error);
    for (int side = 0; side < 2 && !status; side++)
        if (pair.info[side] && !fv_prepare_is_nothing(&pair.info[side]->format, &pair.prepare[side]))
            status = fv_prepare_open(&pairs->preparation[side], &pair.info[side]->format, &pair.prepare[side], isa, 1,
                                     error);
    for (int side = 0; side < 2; side++)
        if (pair.info[side])
            pairs->format[side] = pair.info[side]->format;
    memcpy(pairs->skip, pair.skip, sizeof pairs->skip);
    pairs->frames = pair.frames;
    return status;
}

FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                       const FvScoreParams *params, FvError *error)
{
    FV_REQUIRE(error, pairs);
    *pairs = NULL;
    FV_REQUIRE(error, distorted);
    FV_REQUIRE(error, params);
    if (!distorted->path || (reference && !reference->path))
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_open: a file has no path");
    FvStatus status = fv_pair_check_params(params, reference != NULL, error);
    if (status)
        return status;
    FvPairs *p = fv_alloc_zero(sizeof *p);
    if (!p)
        return fv_fail_memory(error, sizeof *p);
    p->params = *params;
    p->asked = -1;
    if (reference)
        status = copy_file(&p->file[REFERENCE], reference, error);
    if (!status)
        status = copy_file(&p->file[DISTORTED], distorted, error);
    for (int side = 0; side < 2 && !status; side++)
        if (p->file[side].path)
            status = check_file(p->file[side].path, error);
    if (!status)
        status = open_sources(p, error);
    for (int side = 0; side < 2 && !status; side++)
        status = check_same_file(p, side, true, error);
    if (!status)
        status = decide(p, error);
    if (status)
        fv_pairs_close(&p);
    *pairs = p;
    return status;
}

void fv_pairs_close(FvPairs **pairs)
{
    FvPairs *p = pairs ? *pairs : NULL;
    if (!p)
        return;
    close_sources(p);
    fv_pairs_forget(p, p->passed_count);
    for (int side = 0; side < 2; side++) {
        fv_prepare_close(&p->preparation[side]);
        free(p->plan.frame[side]);
        free_file(&p->file[side]);
    }
    free(p);
    *pairs = NULL;
}

void fv_pairs_keep(FvPairs *pairs, size_t bytes)
{
    if (!pairs)
        return;
    pairs->room = bytes;
    fv_pairs_forget(pairs, pairs->passed_count);
}

const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side)
{
    return pairs && (side == 0 || side == 1) && pairs->source[side] ? fv_source_info(pairs->source[side]) : NULL;
}
