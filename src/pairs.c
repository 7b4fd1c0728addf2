/* Any pair of frames of two files, as fv_score would compare it. */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"
#include "match.h"
#include "mem.h"
#include "pair.h"
#include "reader.h"
#include "source.h"

enum { REFERENCE = FV_PAIR_REFERENCE, DISTORTED = FV_PAIR_DISTORTED };

#define NEAR 8        /* frames */
#define MOST_KEPT 512 /* pairs */

/* A pair that was passed on the way to another one. */
typedef struct Passed {
    int64_t number;
    FvFrame *frames[2];
} Passed;

struct FvPairs {
    FvSourceParams file[2]; /* with strings of its own; path NULL: there is no such side */
    FvScoreParams params;
    FvSource *source[2];
    bool stale;         /* the sources are not where they would be after the pair before */
    FvFormat format[2]; /* of the files when they were opened first */
    FvPreparation *preparation[2];
    FvReader *reader[2]; /* and `match` are for pairs by content or by time, which are found from the beginning on */
    FvMatch match;
    int64_t skip[2], frames;
    int64_t asked;            /* the number asked for last, -1 for none */
    int64_t next;             /* by content or by time: the least number that the next pair can have */
    size_t pair_bytes;        /* of the pair before; 0: there was none */
    size_t room;              /* bytes for passed pairs */
    Passed passed[MOST_KEPT]; /* ascending */
    int passed_count;
};

static bool matches(const FvPairs *pairs)
{
    return pairs->params.align == FV_ALIGN_BY_TIME || pairs->params.align == FV_ALIGN_BY_CONTENT;
}

static void forget_oldest(FvPairs *pairs, int count)
{
    for (int i = 0; i < count; i++)
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&pairs->passed[i].frames[side]);
    pairs->passed_count -= count;
    memmove(pairs->passed, pairs->passed + count, (size_t)pairs->passed_count * sizeof *pairs->passed);
}

/* ---- Files ---------------------------------------------------------------------------------------------------- */

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

static FvStatus open_again(FvPairs *pairs, FvError *error)
{
    close_sources(pairs);
    FvStatus status = open_sources(pairs, error);
    for (int side = 0; side < 2 && !status; side++)
        if (pairs->source[side] && !same_pictures(&pairs->source[side]->info.format, &pairs->format[side]))
            status = fv_fail(error, FV_ERROR_INPUT, "%s is another video than it was when it was opened first",
                             pairs->source[side]->info.path);
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
    forget_oldest(p, p->passed_count);
    for (int side = 0; side < 2; side++) {
        fv_prepare_close(&p->preparation[side]);
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
    forget_oldest(pairs, pairs->passed_count);
}

const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side)
{
    return pairs && (side == 0 || side == 1) && pairs->source[side] ? fv_source_info(pairs->source[side]) : NULL;
}

/* ---- Reading -------------------------------------------------------------------------------------------------- */

static size_t bytes_of(FvFrame *const frames[2])
{
    size_t bytes = 0;
    for (int side = 0; side < 2; side++)
        bytes += frames[side] ? fv_format_bytes(&frames[side]->format) : 0;
    return bytes;
}

/* How many passed pairs of this size may be kept. */
static int most_passed(const FvPairs *pairs, size_t bytes)
{
    const size_t most = bytes ? pairs->room / bytes : 0;
    return most < MOST_KEPT ? (int)most : MOST_KEPT;
}

/* Takes over the frames. Numbers ascend from one call to the next, or else everything is forgotten first. */
static void keep_passed(FvPairs *pairs, int64_t number, FvFrame *frames[2])
{
    const int most = most_passed(pairs, bytes_of(frames));
    if (pairs->passed_count && pairs->passed[pairs->passed_count - 1].number >= number)
        forget_oldest(pairs, pairs->passed_count);
    if (pairs->passed_count && pairs->passed_count >= most)
        forget_oldest(pairs, pairs->passed_count - most + (most > 0));
    if (most)
        pairs->passed[pairs->passed_count++] = (Passed){number, {frames[REFERENCE], frames[DISTORTED]}};
    else
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&frames[side]);
    frames[REFERENCE] = frames[DISTORTED] = NULL;
}

static bool find_passed(const FvPairs *pairs, int64_t number, FvFrame *frames[2])
{
    for (int i = 0; i < pairs->passed_count; i++)
        if (pairs->passed[i].number == number) {
            for (int side = 0; side < 2; side++)
                frames[side] = pairs->passed[i].frames[side] ? fv_frame_ref(pairs->passed[i].frames[side]) : NULL;
            return true;
        }
    return false;
}

/*
 * Before the frame of this number, or so near before it that reading on is faster than entering the file anew.
 * Damaged files may have no index: they are read from their beginning.
 */
static FvStatus go_to(FvPairs *pairs, int side, int64_t number, FvError *error)
{
    const FvSourceIndex *index;
    FvSource **source = &pairs->source[side];
    if (!pairs->stale && (*source)->next <= number && number - (*source)->next < NEAR)
        return FV_OK;
    FvStatus status = fv_source_index(*source, &index, error);
    if (!status)
        return number < index->frames ? fv_source_seek(*source, number, error) : FV_END;
    if (fv_cancel_requested(pairs->file[side].cancel))
        return status;
    fv_source_close(source);
    return fv_source_open(source, &pairs->file[side], error);
}

/*
 * From which pair on one side has to be decoded anyway to get at pair `number`; `number` itself where that cannot be
 * told at once.
 */
static int64_t first_on_the_way(const FvPairs *pairs, int side, int64_t number)
{
    const FvSource *source = pairs->source[side];
    const int64_t frame = pairs->skip[side] + number, next = source->next;
    int64_t first = frame;
    if (source->has_index && source->index.entries)
        first = source->index.entries[fv_index_entry(&source->index, frame)];
    const bool on = !pairs->stale && next <= frame && (next >= first || frame - next < NEAR);
    first = (on ? next : first) - pairs->skip[side];
    return first > 0 ? first : 0;
}

int64_t fv_pairs_near(FvPairs *pairs, int64_t number)
{
    const FvSourceIndex *index;
    if (!pairs || number < 0 || number > INT64_MAX / 2 || matches(pairs))
        return number;
    FvSource *source = pairs->source[DISTORTED];
    if (!source || fv_source_index(source, &index, NULL) || !index->entries)
        return number;
    const int64_t near = index->entries[fv_index_entry(&source->index, number + pairs->skip[DISTORTED])];
    return near < pairs->skip[DISTORTED] ? number : near - pairs->skip[DISTORTED];
}

/* One side of the pairs from one number to another. */
typedef struct Pass {
    FvPairs *pairs;
    int side;
    int64_t from, to;
    FvFrame **frames; /* of each of them */
    FvStatus status;
    FvError error;
} Pass;

static void *pass(void *opaque)
{
    Pass *own = opaque;
    FvPairs *pairs = own->pairs;
    const int64_t skip = pairs->skip[own->side];
    own->status = go_to(pairs, own->side, skip + own->from, &own->error);
    for (int64_t number = own->from; number <= own->to && !own->status; number++) {
        FvFrame **frame = &own->frames[number - own->from];
        while (!own->status && pairs->source[own->side]->next <= skip + number) {
            fv_frame_unref(frame);
            own->status = fv_source_read(pairs->source[own->side], frame, &own->error);
        }
        if (!own->status && pairs->preparation[own->side])
            own->status = fv_prepare_run(pairs->preparation[own->side], frame, &own->error);
    }
    return NULL;
}

/* Both sides side by side. The reference's failure is the one that is told. */
static FvStatus pass_both(FvPairs *pairs, int64_t from, int64_t to, FvFrame **frames[2], FvError *error)
{
    Pass passes[2];
    pthread_t thread;
    bool beside = false;
    for (int side = 0; side < 2; side++)
        passes[side] = (Pass){pairs, side, from, to, frames[side], FV_OK, {.status = FV_OK}};
    if (pairs->file[REFERENCE].path) {
        beside = !pthread_create(&thread, NULL, pass, &passes[REFERENCE]);
        if (!beside)
            pass(&passes[REFERENCE]);
    }
    if (beside || !passes[REFERENCE].status)
        pass(&passes[DISTORTED]);
    if (beside)
        pthread_join(thread, NULL);
    const Pass *failed = passes[REFERENCE].status ? &passes[REFERENCE] : &passes[DISTORTED];
    if (failed->status && error)
        *error = failed->error;
    return failed->status;
}

static FvStatus read_by_index(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    if (pairs->frames && number >= pairs->frames)
        return FV_END;
    const bool back = number < pairs->asked && pairs->asked - number <= NEAR;
    int64_t from = back ? number - most_passed(pairs, pairs->pair_bytes) : number;
    for (int side = 0; side < 2; side++)
        if (pairs->file[side].path) {
            const int64_t first = first_on_the_way(pairs, side, number);
            from = from < first ? first : from;
        }
    if (from < number)
        forget_oldest(pairs, pairs->passed_count); /* now, so that their memory is used again */
    const size_t count = (size_t)(number - from + 1);
    FvFrame **all = fv_alloc_zero(2 * count * sizeof(FvFrame *));
    if (!all)
        return fv_fail_memory(error, 2 * count * sizeof(FvFrame *));
    FvStatus status = pass_both(pairs, from, number, (FvFrame * *[2]){all, all + count}, error);
    for (size_t i = 0; i < count; i++) {
        FvFrame *pair[2] = {all[i], all[count + i]};
        if (i + 1 == count && !status)
            memcpy(frames, pair, sizeof pair);
        else if (!status)
            keep_passed(pairs, from + (int64_t)i, pair);
        for (int side = 0; side < 2 && status; side++)
            fv_frame_unref(&pair[side]);
    }
    free(all);
    pairs->stale = status != FV_OK; /* where the sources are depends on what failed */
    return status;
}

static FvStatus begin_matching(FvPairs *pairs, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++) {
        FvReading reading = {.source = pairs->source[side], .preparation = pairs->preparation[side]};
        status = fv_reader_open(&pairs->reader[side], &reading, false, error);
    }
    pairs->match = (FvMatch){
        .reader = {pairs->reader[REFERENCE], pairs->reader[DISTORTED]},
        .source = {pairs->source[REFERENCE], pairs->source[DISTORTED]},
        .alignment = pairs->params.align == FV_ALIGN_BY_CONTENT ? pairs->params.alignment : NULL,
        .last = -1,
    };
    return status;
}

static FvStatus read_by_match(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FvStatus status = number < pairs->next || pairs->stale ? open_again(pairs, error) : FV_OK;
    if (!status && !pairs->reader[DISTORTED])
        status = begin_matching(pairs, error);
    while (!status && pairs->next <= number) {
        int64_t found = 0;
        if (frames[DISTORTED])
            keep_passed(pairs, pairs->next - 1, frames);
        status = fv_match_next(&pairs->match, frames, &found, error);
        if (!status)
            pairs->next = found + 1;
    }
    if (!status && pairs->next != number + 1)
        status = fv_fail(error, FV_ERROR_INPUT, "frame %" PRId64 " of %s has no pair", number,
                         pairs->source[DISTORTED]->info.path);
    pairs->stale = status != FV_OK;
    return status;
}

FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error)
{
    FV_REQUIRE(error, frames);
    frames[REFERENCE] = frames[DISTORTED] = NULL;
    FV_REQUIRE(error, pairs);
    if (number < 0 || number > INT64_MAX / 2)
        return fv_fail(error, FV_ERROR_USAGE, "fv_pairs_read: there is no frame %" PRId64, number);
    FvStatus status = FV_OK;
    if (!find_passed(pairs, number, frames))
        status = matches(pairs) ? read_by_match(pairs, number, frames, error)
                                : read_by_index(pairs, number, frames, error);
    pairs->asked = number;
    if (!status) {
        pairs->pair_bytes = bytes_of(frames);
        return FV_OK;
    }
    fv_frame_unref(&frames[REFERENCE]);
    fv_frame_unref(&frames[DISTORTED]);
    return status;
}
