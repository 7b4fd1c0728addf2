#include "input/read_ahead.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "codec/prores/prores.h"
#include "os/thread.h"
#include "picture/frame_feed.h"
#include "picture/signature.h"

#define AHEAD 2 /* maximum number of frames in the queue */
#define LEAP 16 /* distance of two needed frames from which on an index pays off */
/* replaces AHEAD for sources that several threads read for the CPU, since fewer frames fit a cache better */
#define AHEAD_SLICED 1

struct FvReadAhead {
    FvReadAheadParams reading;
    double read_before; /* seconds of the stream when the reader was opened */
    int64_t number;     /* number of the next frame to deliver; the source may be ahead of it */
    FvThread thread;
    FvMutex lock;
    FvCondition changed;
    FvFrame *queue[AHEAD];
    /* signatures of the queued frames, and of the last delivered one */
    int32_t signatures[AHEAD][FV_SIGNATURE], latest[FV_SIGNATURE];
    FvWorked worked; /* work until the last frame of the queue */
    int first, count, ahead;
    bool stopping, entered;
    FvStatus end; /* status that follows the queued frames, once the source has returned it */
    FvError error;
};

static FvStatus skip_frames(FvReadAhead *reader, FvError *error)
{
    FvSource *source = reader->reading.source;
    const int64_t first = reader->reading.skip;
    FvStatus status = FV_OK;
    if (reader->reading.enters) {
        reader->reading.enters = false;
        reader->reading.skip = 0;
        reader->entered = true;
        status = fv_source_seek(source, source->next + first, error);
        reader->number = source->next;
        return status;
    }
    for (int64_t i = 0; i < first && !status; i++) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, error);
        if (status == FV_END)
            status = fv_fail(error, FV_FAIL_CUT_SHORT,
                             "%s ends after %" PRId64 " frame%s, before the %" PRId64 " that are to be skipped",
                             source->info.path, i, i == 1 ? "" : "s", first);
        fv_frame_unref(&frame);
    }
    reader->reading.skip = 0;
    reader->number = source->next;
    return status;
}

/*
 * Seeks to the next frame that is needed, if decoding from an entry is less work than decoding on. Makes the index
 * first if needed frames are more than LEAP apart, but only after the first LEAP / 2 frames.
 */
static FvStatus leap(FvReadAhead *reader, FvError *error)
{
    FvSource *source = reader->reading.source;
    const FvFrameSelection *need = &reader->reading.need;
    const FvSourceIndex *index;
    int64_t next = source->next;
    if (source->services.hwdec.make || source->images || source->stream.waits || !source->ops->seek)
        return FV_OK;
    if (!source->has_index && need->every > LEAP && !source->undecoded && source->next >= need->first + LEAP / 2)
        fv_source_index(source, &index, &(FvError){.status = FV_OK});
    while (source->has_index && !fv_selection_has(need, next))
        next++;
    if (next >= source->index.shown.frames)
        return FV_OK;
    const int64_t entry = source->index.entries ? source->index.entries[fv_index_entry(&source->index, next)] : next;
    const bool decodes_all = reader->entered || source->index.entries;
    if (!decodes_all || entry - source->next <= (source->index.entries ? LEAP / 2 : 0))
        return FV_OK;
    source->undecoded += next - source->next;
    return fv_source_seek(source, next, error);
}

/* Delivers an undecoded frame in place of a frame that the source skipped by seeking. */
static FvStatus pass_left(const FvReadAhead *reader, FvFrame **frame, FvError *error)
{
    const FvSource *source = reader->reading.source;
    FvStatus status = fv_frame_skip_decoding(frame, &fv_source_info(source)->format, error);
    if (!status && source->index.time)
        fv_frame_set_time(*frame, source->index.time[reader->number]);
    return status;
}

/*
 * Computes the signature of a frame as it was read, so that it does not depend on where the frame is prepared. The
 * source may have computed it while reading; for a packet, the device that decodes it does.
 */
static void sign(FvReadAhead *reader, const FvFrame *frame, int32_t signature[FV_SIGNATURE])
{
    const FvFramePlace *place = fv_frame_place(frame);
    if (place && place->packet) {
        place->packet->signs = true;
    } else if (reader->reading.preparation) {
        fv_prepare_sign(reader->reading.preparation, signature, frame);
    } else if (!reader->reading.source->has_signature) {
        const FvLuma luma = fv_luma_of(frame);
        fv_sample_make(signature, &luma);
    }
}

static FvStatus next_frame(FvReadAhead *reader, FvFrame **frame, int32_t signature[FV_SIGNATURE], FvWorked *worked,
                           FvError *error)
{
    FvSource *source = reader->reading.source;
    const double started = fv_seconds();
    const bool signs = reader->reading.signs;
    FvStatus status = reader->reading.skip || reader->reading.enters ? skip_frames(reader, error) : FV_OK;
    if (reader->reading.frames && worked->frames == reader->reading.frames)
        return FV_END;
    const bool needed = fv_selection_has(&reader->reading.need, reader->number);
    if (!status && !needed && reader->number == source->next)
        status = leap(reader, error);
    source->signature = needed && signs && !reader->reading.preparation ? signature : NULL;
    if (!status && reader->number < source->next)
        status = pass_left(reader, frame, error);
    else if (!status)
        status = (needed ? fv_source_read : fv_source_skip)(source, frame, error);
    reader->number += !status;
    source->signature = NULL;
    if (!status && needed && signs)
        sign(reader, *frame, signature);
    worked->transferring = source->services.feed ? source->services.feed->waited : worked->transferring;
    const double prepares = fv_seconds();
    const bool defers = reader->reading.defers && !fv_some_has(&source->services.whole, source->next - 1);
    if (!status && needed)
        status = defers ? fv_prepare_defer(reader->reading.preparation, frame, error)
                        : fv_variants_prepare(reader->reading.variants, reader->reading.preparation,
                                              reader->reading.tags, frame, error);
    if (status)
        fv_frame_unref(frame);
    worked->preparing += reader->reading.preparation || reader->reading.variants ? fv_seconds() - prepares : 0;
    worked->seconds += fv_seconds() - started;
    worked->reading = source->stream.seconds - reader->read_before;
    worked->frames += !status;
    return status;
}

static void read_ahead(void *argument)
{
    FvReadAhead *reader = argument;
    FvStatus status = FV_OK;
    FvWorked worked = {0};
    while (!status) {
        fv_lock(&reader->lock);
        while (reader->count == reader->ahead && !reader->stopping)
            fv_condition_wait(&reader->changed, &reader->lock);
        bool stop = reader->stopping;
        fv_unlock(&reader->lock);
        if (stop)
            break;
        FvFrame *frame = NULL;
        FvError error = {0};
        int32_t signature[FV_SIGNATURE];
        status = next_frame(reader, &frame, signature, &worked, &error);
        fv_lock(&reader->lock);
        reader->worked = worked;
        if (status) {
            reader->end = status;
            reader->error = error;
        } else {
            const int at = (reader->first + reader->count++) % AHEAD;
            reader->queue[at] = frame;
            if (reader->reading.signs)
                memcpy(reader->signatures[at], signature, sizeof signature);
        }
        fv_condition_wake_one(&reader->changed);
        fv_unlock(&reader->lock);
    }
}

FvStatus fv_read_ahead_open(FvReadAhead **reader, const FvReadAheadParams *reading, bool threaded, FvError *error)
{
    FvReadAhead *r = *reader = calloc(1, sizeof *r);
    if (!r)
        return fv_fail_memory(error, sizeof *r);
    r->reading = *reading;
    r->read_before = reading->source->stream.seconds;
    r->number = reading->source->next;
    r->ahead = reading->source->workers && reading->on_host ? AHEAD_SLICED : AHEAD;
    fv_mutex_open(&r->lock);
    fv_condition_open(&r->changed);
    if (threaded)
        fv_thread_start(&r->thread, read_ahead, r);
    return FV_OK;
}

FvStatus fv_read_ahead_next(FvReadAhead *reader, FvFrame **frame, FvError *error)
{
    FvStatus status = FV_OK;
    *frame = NULL;
    if (!reader->thread.running)
        return next_frame(reader, frame, reader->latest, &reader->worked, error);
    fv_lock(&reader->lock);
    while (!reader->count && !reader->end)
        fv_condition_wait(&reader->changed, &reader->lock);
    if (reader->count) {
        *frame = reader->queue[reader->first];
        if (reader->reading.signs)
            memcpy(reader->latest, reader->signatures[reader->first], sizeof reader->latest);
        reader->first = (reader->first + 1) % AHEAD;
        reader->count--;
        fv_condition_wake_one(&reader->changed);
    } else {
        status = reader->end;
        if (error && status != FV_END)
            *error = reader->error;
    }
    fv_unlock(&reader->lock);
    return status;
}

FvWorked fv_read_ahead_worked(FvReadAhead *reader)
{
    fv_lock(&reader->lock);
    const FvWorked worked = reader->worked;
    fv_unlock(&reader->lock);
    return worked;
}

const int32_t *fv_read_ahead_signature(const FvReadAhead *reader)
{
    return reader->latest;
}

void fv_read_ahead_close(FvReadAhead **reader)
{
    FvReadAhead *r = *reader;
    *reader = NULL;
    if (!r)
        return;
    if (r->thread.running) {
        fv_lock(&r->lock);
        r->stopping = true;
        fv_condition_wake_one(&r->changed);
        fv_unlock(&r->lock);
        fv_thread_join(&r->thread);
    }
    for (; r->count; r->count--, r->first = (r->first + 1) % AHEAD)
        fv_frame_unref(&r->queue[r->first]);
    fv_condition_close(&r->changed);
    fv_mutex_close(&r->lock);
    free(r);
}
