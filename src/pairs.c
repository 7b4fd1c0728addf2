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

/* Which frames are pairs, where they go by content or by time: found without reading them. */
typedef struct Plan {
    bool made, sequential; /* sequential: it cannot be made, so that files are read from their beginning */
    int64_t *frame[2];     /* of each pair; those of the distorted video ascend */
    int64_t count, room;
} Plan;

/* What a file was when it was opened. */
typedef struct Stamp {
    FvFileId id;
    off_t size;
    struct timespec time;
} Stamp;

struct FvPairs {
    FvSourceParams file[2]; /* with strings of its own; path NULL: there is no such side */
    FvScoreParams params;
    FvSource *source[2];
    Stamp stamp[2];
    bool stale;         /* the sources are not where they would be after the pair before */
    FvFormat format[2]; /* of the files when they were opened first */
    FvPreparation *preparation[2];
    Plan plan;
    FvReader *reader[2]; /* and `match` are for a sequential plan */
    FvMatch match;
    int64_t skip[2], frames;
    int64_t asked;            /* the number asked for last, -1 for none */
    int64_t next;             /* with a sequential plan: the least number that the next pair can have */
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

/* Whoever writes into a file while it is looked at gets other pictures than were scored, if any. */
static FvStatus check_same_file(FvPairs *pairs, int side, bool first, FvError *error)
{
    struct stat info;
    const FvSource *source = pairs->source[side];
    Stamp *known = &pairs->stamp[side];
    if (!source || source->stream.fd < 0 || fstat(source->stream.fd, &info))
        return FV_OK;
    const Stamp now = {fv_file_id(&info), info.st_size, info.st_mtim};
    if (first)
        *known = now;
    if (!known->id.known || (fv_file_same(known->id, now.id) && known->size == now.size &&
                             known->time.tv_sec == now.time.tv_sec && known->time.tv_nsec == now.time.tv_nsec))
        return FV_OK;
    return fv_fail(error, FV_ERROR_INPUT,
                   "%s has changed since it was opened, so what it shows is not what was compared: begin anew",
                   source->info.path);
}

static FvStatus check_same_files(FvPairs *pairs, FvError *error)
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

static FvStatus open_again(FvPairs *pairs, FvError *error)
{
    close_sources(pairs);
    FvStatus status = open_sources(pairs, error);
    for (int side = 0; side < 2 && !status; side++)
        if (pairs->source[side] && !same_pictures(&pairs->source[side]->info.format, &pairs->format[side]))
            status = fv_fail(error, FV_ERROR_INPUT, "%s is another video than it was when it was opened first",
                             pairs->source[side]->info.path);
    if (!status)
        status = check_same_files(pairs, error);
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
    forget_oldest(p, p->passed_count);
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
    forget_oldest(pairs, pairs->passed_count);
}

const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side)
{
    return pairs && (side == 0 || side == 1) && pairs->source[side] ? fv_source_info(pairs->source[side]) : NULL;
}

/* ---- Plan ----------------------------------------------------------------------------------------------------- */

static bool add_pair(Plan *plan, int64_t reference, int64_t distorted)
{
    if (plan->count == plan->room) {
        const int64_t room = plan->room ? 2 * plan->room : 1024;
        for (int side = 0; side < 2; side++) {
            int64_t *grown = realloc(plan->frame[side], (size_t)room * sizeof *grown);
            if (!grown)
                return false;
            plan->frame[side] = grown;
        }
        plan->room = room;
    }
    plan->frame[REFERENCE][plan->count] = reference;
    plan->frame[DISTORTED][plan->count++] = distorted;
    return true;
}

/* The same matching as when frames are read, by the times that indexes have. Files without them are read instead. */
static FvStatus make_plan(FvPairs *pairs, FvError *error)
{
    Plan *plan = &pairs->plan;
    FvMatch match = {.source = {pairs->source[REFERENCE], pairs->source[DISTORTED]},
                     .alignment = pairs->params.align == FV_ALIGN_BY_CONTENT ? pairs->params.alignment : NULL,
                     .last = -1};
    plan->count = 0;
    for (int side = 0; side < 2; side++) {
        FvSource *source = pairs->source[side];
        const FvSourceIndex *index;
        plan->sequential |= !source || fv_source_index(source, &index, NULL) ||
                            (!match.alignment && source->tick_den && !source->index.time);
        if (!plan->sequential)
            match.known[side] = (FvMatchTimes){index->frames, source->index.time};
    }
    FvStatus status = plan->sequential ? FV_END : FV_OK;
    while (!status) {
        FvFrame *none[2] = {NULL, NULL};
        int64_t number;
        status = fv_match_next(&match, none, &number, NULL);
        if (!status && !add_pair(plan, match.last, number))
            return fv_fail_memory(error, (size_t)plan->room * sizeof(int64_t));
    }
    plan->sequential |= status != FV_END; /* it may be good for some frames: reading tells of which */
    if (plan->sequential)
        plan->count = 0;
    plan->made = true;
    return FV_OK;
}

/* The first pair whose distorted frame is not in front of this one. */
static int64_t find_planned(const Plan *plan, int64_t frame)
{
    int64_t low = 0, high = plan->count;
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (plan->frame[DISTORTED][middle] < frame)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Pairs are counted from 0 on here, whatever their numbers are: the frame of one side of a pair. */
static int64_t frame_at(const FvPairs *pairs, int side, int64_t place)
{
    return pairs->plan.count ? pairs->plan.frame[side][place] : pairs->skip[side] + place;
}

static int64_t number_at(const FvPairs *pairs, int64_t place)
{
    return pairs->plan.count ? pairs->plan.frame[DISTORTED][place] : place;
}

static FvStatus fail_unpaired(const FvPairs *pairs, int64_t number, FvError *error)
{
    return fv_fail(error, FV_ERROR_INPUT, "frame %" PRId64 " of %s has no pair", number,
                   pairs->source[DISTORTED]->info.path);
}

/* Where the pair of this number stands. */
static FvStatus find_place(const FvPairs *pairs, int64_t number, int64_t *place, FvError *error)
{
    *place = number;
    if (!matches(pairs))
        return pairs->frames && number >= pairs->frames ? FV_END : FV_OK;
    *place = find_planned(&pairs->plan, number);
    if (*place == pairs->plan.count)
        return FV_END;
    return number_at(pairs, *place) == number ? FV_OK : fail_unpaired(pairs, number, error);
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

/* From which frame on one side has to be decoded anyway to get at a frame; itself where that cannot be told at once.
 */
static int64_t first_on_the_way(const FvPairs *pairs, int side, int64_t frame)
{
    const FvSource *source = pairs->source[side];
    int64_t first = frame;
    if (source->has_index && source->index.entries)
        first = source->index.entries[fv_index_entry(&source->index, frame)];
    const bool on = !pairs->stale && source->next <= frame && (source->next >= first || frame - source->next < NEAR);
    return on ? source->next : first;
}

int64_t fv_pairs_near(FvPairs *pairs, int64_t number)
{
    const FvSourceIndex *index;
    if (!pairs || number < 0 || number > INT64_MAX / 2 || (matches(pairs) && !pairs->plan.count))
        return number;
    FvSource *source = pairs->source[DISTORTED];
    if (!source || fv_source_index(source, &index, NULL) || !index->entries)
        return number;
    const int64_t skip = matches(pairs) ? 0 : pairs->skip[DISTORTED];
    const int64_t near = index->entries[fv_index_entry(&source->index, number + skip)];
    if (!matches(pairs))
        return near < skip ? number : near - skip;
    const int64_t place = find_planned(&pairs->plan, near);
    return place < pairs->plan.count && number_at(pairs, place) < number ? number_at(pairs, place) : number;
}

/* One side of the pairs from one place to another. */
typedef struct Pass {
    FvPairs *pairs;
    int side;
    int64_t from, to;
    FvFrame **frames; /* of each of them */
    FvStatus status;
    FvError error;
} Pass;

/* Some pairs in a row may have the same frame of the reference. */
static void pass_one(Pass *own, int64_t place)
{
    FvPairs *pairs = own->pairs;
    FvFrame **frame = &own->frames[place - own->from];
    const int64_t wanted = frame_at(pairs, own->side, place);
    if (place > own->from && wanted == frame_at(pairs, own->side, place - 1)) {
        *frame = fv_frame_ref(frame[-1]);
        return;
    }
    while (!own->status && pairs->source[own->side]->next <= wanted) {
        fv_frame_unref(frame);
        own->status = fv_source_read(pairs->source[own->side], frame, &own->error);
    }
    if (!own->status && pairs->preparation[own->side])
        own->status = fv_prepare_run(pairs->preparation[own->side], frame, &own->error);
}

static void *pass(void *opaque)
{
    Pass *own = opaque;
    own->status = go_to(own->pairs, own->side, frame_at(own->pairs, own->side, own->from), &own->error);
    for (int64_t place = own->from; place <= own->to && !own->status; place++)
        pass_one(own, place);
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
    int64_t place;
    FvStatus status = find_place(pairs, number, &place, error);
    if (status)
        return status;
    const bool back = number < pairs->asked && pairs->asked - number <= NEAR;
    int64_t from = back ? place - most_passed(pairs, pairs->pair_bytes) : place;
    from = from > 0 ? from : 0;
    for (int side = 0; side < 2 && from < place; side++) {
        if (!pairs->file[side].path)
            continue;
        const int64_t first = first_on_the_way(pairs, side, frame_at(pairs, side, place));
        while (from < place && frame_at(pairs, side, from) < first)
            from++;
    }
    if (from < place)
        forget_oldest(pairs, pairs->passed_count); /* now, so that their memory is used again */
    const size_t count = (size_t)(place - from + 1);
    FvFrame **all = fv_alloc_zero(2 * count * sizeof(FvFrame *));
    if (!all)
        return fv_fail_memory(error, 2 * count * sizeof(FvFrame *));
    status = pass_both(pairs, from, place, (FvFrame * *[2]){all, all + count}, error);
    for (size_t i = 0; i < count; i++) {
        FvFrame *pair[2] = {all[i], all[count + i]};
        if (i + 1 == count && !status)
            memcpy(frames, pair, sizeof pair);
        else if (!status)
            keep_passed(pairs, number_at(pairs, from + (int64_t)i), pair);
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
        status = fail_unpaired(pairs, number, error);
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
    FvStatus status = matches(pairs) && !pairs->plan.made ? make_plan(pairs, error) : FV_OK;
    if (status)
        return status;
    if (!find_passed(pairs, number, frames))
        status = pairs->plan.sequential ? read_by_match(pairs, number, frames, error)
                                        : read_by_index(pairs, number, frames, error);
    pairs->asked = number;
    if (!status || status == FV_ERROR_INPUT) {
        FvStatus changed = check_same_files(pairs, error);
        status = changed ? changed : status;
    }
    if (!status) {
        pairs->pair_bytes = bytes_of(frames);
        return FV_OK;
    }
    fv_frame_unref(&frames[REFERENCE]);
    fv_frame_unref(&frames[DISTORTED]);
    return status;
}
