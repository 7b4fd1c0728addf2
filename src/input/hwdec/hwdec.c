#include "input/hwdec/hwdec.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "input/hwdec/thread.h"
#include "input/index.h"
#include "input/libav/calls.h"
#include "input/packet/random_access.h"
#include "os/memory.h"
#include "picture/frame.h"

/* minimum number of packets in a part, because a decoder is idle for a time at the end of each part */
#define LEAST_PART 12
/*
 * Limits of the packets that wait for decoders, high enough that all decoders work even if parts are long. Below
 * LEAST_PACKETS, MOST_BYTES does not apply.
 */
#define MOST_PACKETS 4096
#define MOST_BYTES ((size_t)128 << 20)
#define LEAST_PACKETS 256
/* Number of packets after a frame's packet, beyond which no codec has a packet that is shown before the frame. */
#define REORDER 64
#define MOST_ROOM 256 /* maximum number of frames that wait in a decoder's output queue */

struct FvHwdec {
    FvHwdecShared shared;
    FvHwdecThread threads[FV_HWDEC_DECODERS];
    int thread_count, started; /* maximum number of threads, and number of those that were started */
    int64_t frames;            /* number of frames of all parts before the last one; at the end, of all parts */
    int64_t read;
    int64_t time;     /* presentation time of the last frame read */
    bool cuts;        /* the video is cut into parts where possible */
    uint64_t sets;    /* parameter sets of the first packet */
    AVPacket *beyond; /* first packet of the first part from frame params.end on, kept until that part is needed */
    FvError failure;
};

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

static bool add_time(FvNumbers *times, int64_t time)
{
    if (!fv_numbers_add(times, time))
        return false;
    for (int64_t i = times->count - 1; i > 0 && times->item[i - 1] > time; i--) {
        times->item[i] = times->item[i - 1];
        times->item[i - 1] = time;
    }
    return true;
}

/* Begins a part, and starts another thread unless all run. */
static FvStatus begin_part(FvHwdec *hwdec, const AVPacket *packet, FvError *error)
{
    FvHwdecShared *shared = &hwdec->shared;
    FvHwdecPart *part = fv_alloc_zero(sizeof *part);
    if (!part)
        return fv_fail_memory(error, sizeof *part);
    part->first = hwdec->frames;
    if (!shared->sample && !(shared->sample = av_packet_clone(packet))) { /* no thread runs before the first part */
        fv_free(part);
        return fv_fail_memory(error, (size_t)packet->size);
    }
    fv_lock(&shared->lock);
    *(shared->first ? &shared->last->next : &shared->first) = part;
    shared->last = part;
    fv_unlock(&shared->lock);
    return hwdec->started == hwdec->thread_count ? FV_OK
                                                 : fv_hwdec_thread_start(&hwdec->threads[hwdec->started++], error);
}

static FvStatus close_part(FvHwdec *hwdec, FvError *error)
{
    FvHwdecPart *part = hwdec->shared.last;
    FvStatus status = fv_hwdec_part_push(&hwdec->shared, part, NULL, error);
    part->closed = true;
    return status;
}

/*
 * Returns whether a new part begins with the packet. Every decoder must know the parameter sets: after a part that
 * does not begin with them, unchanged, the rest of the video is one part.
 */
static bool is_cut(FvHwdec *hwdec, const AVPacket *packet)
{
    const FvHwdecPart *last = hwdec->shared.last;
    if (!hwdec->cuts)
        return false;
    const FvPacketPart part = fv_packet_part(packet, hwdec->shared.params.parameters);
    if (!last)
        hwdec->sets = part.sets;
    hwdec->cuts = !fv_packet_has_new_sets(packet) && (part.sets == hwdec->sets || !(part.begins || part.sets));
    return hwdec->cuts && last && part.begins && packet->flags & AV_PKT_FLAG_KEY && last->packets >= LEAST_PART &&
           packet->pts != AV_NOPTS_VALUE && !last->timeless && last->times.count &&
           packet->pts > last->times.item[last->times.count - 1];
}

static FvStatus push_packet(FvHwdec *hwdec, const AVPacket *packet, FvError *error)
{
    FvStatus status = FV_OK;
    if (fv_packet_asks_grain(packet, hwdec->shared.params.parameters))
        return fv_fail(error, FV_ERROR_DEVICE, "it asks for film grain, which GPUs leave out");
    const bool cut = is_cut(hwdec, packet);
    if (cut && !hwdec->shared.last->closed)
        status = close_part(hwdec, error);
    if (!status && cut && hwdec->shared.params.end > 0 && hwdec->frames >= hwdec->shared.params.end) {
        hwdec->beyond = av_packet_clone(packet);
        return hwdec->beyond ? FV_OK : fv_fail_memory(error, (size_t)packet->size);
    }
    if (!status && (cut || !hwdec->shared.last))
        status = begin_part(hwdec, packet, error);
    if (status)
        return status;
    FvHwdecPart *part = hwdec->shared.last;
    part->packets++;
    fv_lock(&hwdec->shared.lock);
    if (hwdec->shared.longest < part->packets)
        hwdec->shared.longest = part->packets;
    fv_unlock(&hwdec->shared.lock);
    if (!(packet->flags & AV_PKT_FLAG_DISCARD)) {
        hwdec->frames++;
        part->timeless |= packet->pts == AV_NOPTS_VALUE;
        if (!part->timeless && !add_time(&part->times, packet->pts))
            return fv_fail_memory(error, sizeof(int64_t));
    }
    AVPacket *copy = av_packet_clone(packet);
    return copy ? fv_hwdec_part_push(&hwdec->shared, part, copy, error) : fv_fail_memory(error, (size_t)packet->size);
}

/* Reads one packet, or the end of the video, and passes it to a decoder. */
static FvStatus feed(FvHwdec *hwdec, FvError *error)
{
    const AVPacket *packet = NULL;
    if (hwdec->beyond) {
        AVPacket *beyond = hwdec->beyond;
        hwdec->beyond = NULL;
        hwdec->shared.params.end = 0;
        FvStatus status = push_packet(hwdec, beyond, error);
        av_packet_free(&beyond);
        return status;
    }
    const int code = hwdec->shared.params.demux(hwdec->shared.params.opaque, &packet);
    if (!code)
        return push_packet(hwdec, packet, error);
    if (code != AVERROR_EOF)
        return fv_fail(error, FV_ERROR_DEVICE, "the file cannot be read to its end");
    FvStatus status = hwdec->shared.last ? close_part(hwdec, error) : FV_OK;
    fv_lock(&hwdec->shared.lock);
    hwdec->shared.ended = true;
    fv_condition_wake(&hwdec->shared.changed);
    fv_unlock(&hwdec->shared.lock);
    return status;
}

static bool has_room(const FvHwdec *hwdec)
{
    const FvHwdecShared *shared = &hwdec->shared;
    if (hwdec->beyond)
        return !hwdec->shared.first;
    return !shared->ended &&
           (shared->queued < LEAST_PACKETS || (shared->queued < MOST_PACKETS && shared->queued_bytes < MOST_BYTES));
}

/* ---- Reading --------------------------------------------------------------------------------------------------- */

static FvStatus check_frame(FvHwdec *hwdec, FvHwdecPart *part, const FvFrame *frame, FvError *error)
{
    int64_t time;
    if (part->timeless)
        return fv_fail(error, FV_ERROR_DEVICE, "its packets have no times");
    if (part->read >= part->times.count || !fv_frame_time(frame, &time) || time != part->times.item[part->read] ||
        (hwdec->read && time <= hwdec->time))
        return fv_fail(error, FV_ERROR_DEVICE, "frame %lld is shown at another time than its packets state",
                       (long long)(hwdec->shared.params.first + hwdec->read));
    hwdec->time = time;
    return FV_OK;
}

/* Frees the first part, which has no more frames, and continues with the next. Fails if frames of it are missing. */
static FvStatus end_part(FvHwdec *hwdec, FvError *error)
{
    FvHwdecPart *part = hwdec->shared.first;
    const bool whole = part->read == part->times.count;
    fv_lock(&hwdec->shared.lock);
    hwdec->shared.first = part->next;
    if (!hwdec->shared.first)
        hwdec->shared.last = NULL;
    fv_unlock(&hwdec->shared.lock);
    fv_hwdec_part_free(part);
    return whole ? FV_OK
                 : fv_fail(error, FV_ERROR_DEVICE, "there are not as many frames as packets before frame %lld",
                           (long long)(hwdec->shared.params.first + hwdec->read));
}

/*
 * Returns the next item of the first part's decoder, or NULL: no item can come, for the reason in *failure, or, if
 * *failure is NULL, none has come yet. The failure, and the number of frames before it, do not depend on the speed of
 * the decoders. Call it with the lock held.
 */
static FvHwdecItem *next_item(FvHwdec *hwdec, const FvError **failure)
{
    FvHwdecPart *part = hwdec->shared.first;
    *failure = NULL;
    if (!part)
        return NULL;
    const FvHwdecItem *first = part->out.first;
    /*
     * Whether libavcodec on the CPU would read packets of the next part before it shows the next frame of this part.
     */
    const bool looks_ahead = part->next && part->times.count - part->read <= hwdec->shared.params.delay;
    /* Whether the presentation time of the next frame is certain. */
    const bool certain = part->closed || part->times.count - part->read >= REORDER;
    const bool waits = !first || (first->frame.frame && (!certain || (looks_ahead && !part->next->out.first)));
    if (!waits) {
        fv_condition_wake(&hwdec->shared.changed);
        return fv_hwdec_part_take(part);
    }
    if (looks_ahead && first)
        part = part->next;
    if (!part->out.first && part->failure.status)
        *failure = &part->failure;
    else if (!part->thread && !hwdec->shared.alive && hwdec->shared.failure.status)
        *failure = &hwdec->shared.failure;
    return NULL;
}

/*
 * Waits for an item. *feeds: there is none yet, and the caller can read a packet in the meantime. FV_END: no item
 * follows.
 */
static FvStatus wait_for_item(FvHwdec *hwdec, FvHwdecItem **item, bool *feeds, FvError *error)
{
    FvHwdecShared *shared = &hwdec->shared;
    const FvError *failure;
    FvStatus status = FV_OK;
    *feeds = false;
    fv_lock(&shared->lock);
    for (;;) {
        *item = next_item(hwdec, &failure);
        if (failure)
            status = fv_fail(error, FV_ERROR_DEVICE, "%s", failure->message);
        else if (!*item && !(*feeds = has_room(hwdec)) && !hwdec->shared.first)
            status = FV_END;
        if (status || *item || *feeds)
            break;
        fv_condition_wait(&shared->changed, &shared->lock);
    }
    fv_unlock(&shared->lock);
    return status;
}

static bool asks_room(FvHwdec *hwdec)
{
    fv_lock(&hwdec->shared.lock);
    const bool room = has_room(hwdec);
    fv_unlock(&hwdec->shared.lock);
    return room;
}

static FvStatus read_next(FvHwdec *hwdec, FvHwdecFrame *frame, FvError *error)
{
    FvStatus status = FV_OK;
    frame->frame = NULL;
    while (!status && !frame->frame) {
        FvHwdecItem *item;
        bool feeds;
        status = wait_for_item(hwdec, &item, &feeds, error);
        if (!status && feeds)
            status = feed(hwdec, error);
        if (status || !item)
            continue;
        *frame = item->frame;
        fv_free(item);
        status = frame->frame ? check_frame(hwdec, hwdec->shared.first, frame->frame, error) : end_part(hwdec, error);
        if (status || !frame->frame)
            continue;
        hwdec->shared.first->read++;
        hwdec->read++;
        if (hwdec->time < hwdec->shared.params.from)
            fv_frame_unref(&frame->frame);
    }
    if (status)
        fv_frame_unref(&frame->frame);
    if (status)
        return status;
    /* Reads several packets per delivered frame, so that the other decoders get packets too. */
    for (int i = 0; i <= hwdec->thread_count && !status && asks_room(hwdec); i++)
        status = feed(hwdec, error);
    if (status)
        fv_frame_unref(&frame->frame);
    return status;
}

FvStatus fv_hwdec_read(FvHwdec *hwdec, FvHwdecFrame *frame, FvError *error)
{
    FvError own = {0};
    error = error ? error : &own;
    if (hwdec->failure.status)
        return fv_fail(error, FV_ERROR_DEVICE, "%s", hwdec->failure.message);
    FvStatus status = read_next(hwdec, frame, error);
    if (status && status != FV_END) {
        hwdec->failure = *error;
        hwdec->failure.status = FV_ERROR_DEVICE;
        status = error->status = FV_ERROR_DEVICE;
    }
    return status;
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

/*
 * Allocates memory for frames before the driver creates decoders, since afterwards an allocation takes 20 ms. A
 * failure is ignored, since the memory can be allocated later.
 */
static void reserve(const FvHwdec *hwdec, int count)
{
    const FvHwdecParams *params = &hwdec->shared.params;
    FvFrame *frames[FV_HWDEC_DECODERS * FV_HWDEC_WAITING];
    int made = 0;
    while (made < count && !params->make(params->opaque, &frames[made], &params->format,
                                         fv_hwdec_memory(params, params->first + made), &(FvError){0}))
        made++;
    while (made)
        fv_frame_unref(&frames[--made]);
}

FvStatus fv_hwdec_open(FvHwdec **hwdec, const FvHwdecParams *params, FvError *error)
{
    FvHwdec *c = *hwdec = fv_alloc_zero(sizeof *c);
    if (!c)
        return fv_fail_memory(error, sizeof *c);
    c->shared.params = *params;
    c->thread_count = params->decoders < FV_HWDEC_DECODERS ? params->decoders : FV_HWDEC_DECODERS;
    c->thread_count = c->thread_count > 1 ? c->thread_count : 1;
    c->cuts = c->thread_count > 1;
    c->frames = params->first;
    fv_mutex_open(&c->shared.lock);
    fv_condition_open(&c->shared.changed);
    const size_t fit = params->room / fv_format_plane_bytes(&params->format) / (size_t)c->thread_count;
    const size_t least = (size_t)params->delay + 2; /* see next_item() */
    for (int i = 0; i < c->thread_count; i++) {
        c->threads[i].shared = &c->shared;
        c->threads[i].index = i;
        c->threads[i].room = fit < least ? (int)least : fit > MOST_ROOM ? MOST_ROOM : (int)fit;
    }
    if (!params->on_host)
        reserve(c, c->thread_count * (c->threads[0].room < FV_HWDEC_WAITING ? c->threads[0].room : FV_HWDEC_WAITING));
    return FV_OK;
}

void fv_hwdec_close(FvHwdec **hwdec)
{
    FvHwdec *c = *hwdec;
    *hwdec = NULL;
    if (!c)
        return;
    fv_lock(&c->shared.lock);
    c->shared.stopping = true;
    fv_condition_wake(&c->shared.changed);
    fv_unlock(&c->shared.lock);
    for (int i = 0; i < c->started; i++)
        fv_hwdec_thread_stop(&c->threads[i]);
    for (FvHwdecPart *part = c->shared.first; part;) {
        FvHwdecPart *next = part->next;
        fv_hwdec_part_free(part);
        part = next;
    }
    if (c->shared.sample)
        av_packet_free(&c->shared.sample);
    if (c->beyond)
        av_packet_free(&c->beyond);
    fv_condition_close(&c->shared.changed);
    fv_mutex_close(&c->shared.lock);
    fv_free(c);
}
