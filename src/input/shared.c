#include "input/shared.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "config.h"
#include "device/analysis.h"
#include "input/decode_device.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/field.h"

#define AHEAD 2 /* frames that a reader may be ahead of the slowest one */

typedef struct Reader {
    FvSource source;
    FvShared *shared;
    int64_t next;          /* number of the next frame of this reader */
    FvFrameSelection need; /* the frames that the reader needs, known once it has begun */
    bool begun;            /* the reader has requested its first frame */
    bool gone, works;
    bool hwdec, named; /* (`hwdec`) the reader was given hardware decoders; (`named`) its caller named the device */
} Reader;

struct FvShared {
    FvSource *source;
    FvMutex lock;
    FvCondition changed;
    /* frame n of [first, read) is at n % AHEAD; frames are counted from the first shared one */
    FvFrame *frame[AHEAD];
    int64_t first, read;
    /* number of undecoded frames still to be delivered before the frame to which the source has seeked */
    int64_t left;
    bool begun;                                      /* all readers have begun or left */
    FvFrameSelection need;                           /* the frames that any reader needs */
    int hwdec;                                       /* number of the readers' CUDA device */
    char decoder[sizeof((FvSource *)NULL)->decoder]; /* decoder of the source after the last frame read */
    bool reading;                                    /* a reader reads the next frame for all */
    bool fields;                                     /* each frame is split: reader n gets its field n */
    int turns;    /* number of readers that may still start to work (fv_shared_enter()) */
    FvStatus end; /* status that follows the frames, once the source has returned it */
    FvError error;
    FvAnalyses *analyses;
    Reader *reader;
    int readers;
};

/* Releases the frames that all readers have received. Call it with the lock held. */
static void drop_passed(FvShared *shared)
{
    int64_t least = INT64_MAX;
    for (int i = 0; i < shared->readers; i++)
        if (!shared->reader[i].gone && shared->reader[i].next < least)
            least = shared->reader[i].next;
    for (; shared->first < shared->read && shared->first < least; shared->first++)
        fv_frame_unref(&shared->frame[shared->first % AHEAD]);
    fv_condition_wake(&shared->changed);
}

/* Waits until this reader may work. Call it with the lock held. */
static void take_turn(Reader *reader)
{
    while (!reader->shared->turns)
        fv_condition_wait(&reader->shared->changed, &reader->shared->lock);
    reader->shared->turns--;
    reader->works = true;
}

static void give_turn(Reader *reader)
{
    reader->shared->turns += reader->works;
    reader->works = false;
    fv_condition_wake(&reader->shared->changed);
}

/* Waits for another reader. Meanwhile one more reader may work in place of this one. */
static void wait_for_others(Reader *reader)
{
    const bool works = reader->works;
    give_turn(reader);
    fv_condition_wait(&reader->shared->changed, &reader->shared->lock);
    if (works)
        take_turn(reader);
}

/* Returns the frames that all readers need. Frames are skipped only if all readers need the same ones. */
static FvFrameSelection need_of_all(const FvShared *shared)
{
    const Reader *first = NULL;
    for (int i = 0; i < shared->readers; i++) {
        const Reader *reader = &shared->reader[i];
        if (reader->gone)
            continue;
        if (first && memcmp(&first->need, &reader->need, sizeof reader->need))
            return (FvFrameSelection){.every = 0};
        first = reader;
    }
    return first ? first->need : (FvFrameSelection){.every = 0};
}

/* Makes the device of a reader decode, or the CPU if the device fails or the CPU can skip frames. */
static void use_hwdec(const FvShared *shared)
{
#if FV_HAVE_GPU
    FvSource *source = shared->source;
    const bool packets = source->prores && !fv_selection_leaves_out(&shared->need);
    const Reader *served = NULL;
    char name[32];
    FvError error = {0};
    for (int i = 0; i < shared->readers && !served; i++)
        served = shared->reader[i].hwdec ? &shared->reader[i] : NULL;
    if (!served || source->device || !(source->prores ? packets : source->ops->use_hwdec != NULL))
        return;
    snprintf(name, sizeof name, "cuda:%d", shared->hwdec);
    if (fv_decode_device_open(&source->device, source, name, served->named, &error))
        snprintf(source->decoder, sizeof source->decoder, "CPU: the GPU fails (%.150s)", error.message);
    if (!strncmp(source->decoder, "CPU", 3))
        fv_decode_device_close(&source->device);
#endif
}

/* Seeks to the first frame that a reader does not skip. Earlier frames are delivered undecoded. */
static void enter(FvShared *shared)
{
    char why[sizeof shared->error.message];
    FvSource *source = shared->source;
    const int64_t from = source->next;
    int64_t first = INT64_MAX;
    for (int i = 0; i < shared->readers; i++)
        if (!shared->reader[i].gone && shared->reader[i].need.first < first)
            first = shared->reader[i].need.first;
    if (first == INT64_MAX || !fv_source_enters(source, first, why, sizeof why))
        return;
    shared->end = fv_source_seek(source, first, &shared->error);
    shared->left = shared->end ? 0 : first - from;
}

/* Waits, before the first frame, until the other readers have begun too. Call it with the lock held. */
static void begin_reader(Reader *reader)
{
    FvShared *shared = reader->shared;
    reader->begun = true;
    reader->need = reader->source.services.need;
    fv_condition_wake(&shared->changed);
    for (int i = 0; i < shared->readers; i++)
        while (!shared->reader[i].begun && !shared->reader[i].gone)
            wait_for_others(reader);
    if (shared->begun)
        return;
    shared->begun = true;
    shared->need = need_of_all(shared);
    fv_source_attach(shared->source, &(FvSourceServices){.planes = FV_ALL_PLANES, .need = shared->need});
    use_hwdec(shared);
    enter(shared);
}

static void read_next(FvShared *shared)
{
    FvFrame *frame = NULL;
    FvError error = {0};
    int present = 0;
    for (int i = 0; i < shared->readers; i++)
        present += !shared->reader[i].gone;
    shared->reading = true;
    fv_unlock(&shared->lock);
    const bool left = shared->left > 0, needed = !left && fv_selection_has(&shared->need, shared->source->next);
    const FvStatus status = left ? fv_frame_skip_decoding(&frame, &fv_source_info(shared->source)->format, &error)
                                 : (needed ? fv_source_read : fv_source_skip)(shared->source, &frame, &error);
    shared->left -= left;
    if (!status && needed && present > 1 && !shared->fields)
        fv_analyses_share(shared->analyses, frame);
    fv_lock(&shared->lock);
    shared->reading = false;
    shared->end = status;
    shared->error = error;
    memcpy(shared->decoder, shared->source->decoder, sizeof shared->decoder);
    if (!status)
        shared->frame[shared->read++ % AHEAD] = frame;
    fv_condition_wake(&shared->changed);
}

static FvStatus read_shared(FvSource *source, FvFrame **frame, FvError *error)
{
    Reader *reader = source->state;
    FvShared *shared = reader->shared;
    FvStatus status = FV_OK;
    fv_lock(&shared->lock);
    if (!reader->begun)
        begin_reader(reader);
    while (reader->next == shared->read && !shared->end) {
        if (!shared->reading && shared->read - shared->first < AHEAD)
            read_next(shared);
        else
            wait_for_others(reader);
    }
    if (reader->next < shared->read) {
        *frame = fv_frame_ref(shared->frame[reader->next++ % AHEAD]);
        drop_passed(shared);
    } else {
        status = shared->end;
        *error = shared->error;
    }
    if (reader->hwdec)
        memcpy(source->decoder, shared->decoder, sizeof source->decoder);
    fv_unlock(&shared->lock);
    if (status || !shared->fields || fv_frame_is_undecoded(*frame))
        return status;
    return fv_field_take(frame, (int)(reader - shared->reader), error);
}

static bool suits_hwdec_shared(const FvSource *source)
{
    const FvShared *shared = ((const Reader *)source->state)->shared;
    const FvSource *from = shared->source;
    return !shared->fields && from->ops->suits_hwdec && from->ops->suits_hwdec(from);
}

static void use_hwdec_shared(FvSource *source, const FvHwdecService *service)
{
    Reader *reader = source->state;
    FvShared *shared = reader->shared;
    if (!service || shared->fields)
        return;
    fv_lock(&shared->lock);
    reader->hwdec = true;
    reader->named = service->named;
    shared->hwdec = service->device;
    fv_unlock(&shared->lock);
}

/* Lists the packets between two reads of frames, because only one thread at a time may use the source. */
static FvStatus list_shared(FvSource *source, FvIndex *index, FvError *error)
{
    Reader *reader = source->state;
    FvShared *shared = reader->shared;
    fv_lock(&shared->lock);
    while (shared->reading)
        wait_for_others(reader);
    const FvStatus status = fv_source_packets(shared->source, index, error);
    fv_unlock(&shared->lock);
    return status;
}

static const FvSourceOps shared_ops = {.name = "shared",
                                       .read = read_shared,
                                       .skip = read_shared,
                                       .list = list_shared,
                                       .suits_hwdec = suits_hwdec_shared,
                                       .use_hwdec = use_hwdec_shared};

static FvStatus open_reader(Reader *reader, FvShared *shared, FvError *error)
{
    const FvSource *from = shared->source;
    FvSource *source = &reader->source;
    reader->shared = shared;
    *source = (FvSource){.info = *fv_source_info(from),
                         .ops = &shared_ops,
                         .state = reader,
                         .tick_num = from->tick_num,
                         .tick_den = from->tick_den,
                         .indexed = from->indexed,
                         .services.planes = FV_ALL_PLANES,
                         .next = from->next,
                         .cancel = from->cancel,
                         .first_image = from->first_image,
                         .images = from->images};
    if (shared->fields)
        source->info.format = fv_field_format(&source->info.format);
    source->stream.fd = -1;
    source->stream.waits = from->stream.waits;
    source->stream.id = from->stream.id;
    fv_guard_add_all(&source->files, &from->files);
    return fv_frame_pool_open(&source->pool, &source->info.format, error);
}

static FvStatus open_shared(FvShared **shared, FvSource *source, int readers, int turns, bool fields, FvError *error)
{
    FvShared *opening = *shared = fv_alloc_zero(sizeof *opening);
    if (!opening)
        return fv_fail_memory(error, sizeof *opening);
    opening->source = source;
    opening->turns = turns ? turns : INT_MAX;
    opening->fields = fields;
    fv_mutex_open(&opening->lock);
    fv_condition_open(&opening->changed);
    opening->reader = fv_alloc_zero((size_t)readers * sizeof *opening->reader);
    FvStatus status = opening->reader ? FV_OK : fv_fail_memory(error, (size_t)readers * sizeof *opening->reader);
    if (!status)
        status = fv_analyses_open(&opening->analyses, error);
    for (; !status && opening->readers < readers; opening->readers++)
        status = open_reader(&opening->reader[opening->readers], opening, error);
    if (status)
        fv_shared_close(shared);
    return status;
}

FvStatus fv_shared_open(FvShared **shared, FvSource *source, int readers, int turns, FvError *error)
{
    return open_shared(shared, source, readers, turns, false, error);
}

FvStatus fv_shared_open_fields(FvShared **shared, FvSource *source, FvError *error)
{
    return open_shared(shared, source, 2, 0, true, error);
}

FvSource *fv_shared_reader(FvShared *shared, int reader)
{
    return &shared->reader[reader].source;
}

void fv_shared_enter(FvShared *shared, int reader)
{
    fv_lock(&shared->lock);
    take_turn(&shared->reader[reader]);
    fv_unlock(&shared->lock);
}

void fv_shared_leave(FvShared *shared, int reader)
{
    fv_lock(&shared->lock);
    shared->reader[reader].gone = true;
    give_turn(&shared->reader[reader]);
    drop_passed(shared);
    fv_unlock(&shared->lock);
}

void fv_shared_close(FvShared **shared)
{
    FvShared *closing = *shared;
    *shared = NULL;
    if (!closing)
        return;
    for (; closing->first < closing->read; closing->first++)
        fv_frame_unref(&closing->frame[closing->first % AHEAD]);
    if (closing->begun)
        fv_source_attach(closing->source, NULL);
    for (int i = 0; i < closing->readers; i++) {
        fv_frame_pool_close(&closing->reader[i].source.pool);
        fv_guard_free(&closing->reader[i].source.files);
    }
    fv_analyses_close(&closing->analyses);
    fv_condition_close(&closing->changed);
    fv_mutex_close(&closing->lock);
    fv_free(closing->reader);
    fv_free(closing);
}
