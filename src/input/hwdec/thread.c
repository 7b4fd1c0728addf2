#include "input/hwdec/thread.h"

#include <string.h>

#include "base/error.h"
#include "input/libav/calls.h"
#include "input/source.h"
#include "os/memory.h"
#include "picture/frame.h"

static void append_item(FvHwdecQueue *queue, FvHwdecItem *item)
{
    item->next = NULL;
    *(queue->first ? &queue->last->next : &queue->first) = item;
    queue->last = item;
}

static FvHwdecItem *take_item(FvHwdecQueue *queue)
{
    FvHwdecItem *item = queue->first;
    if (item)
        queue->first = item->next;
    return item;
}

static void free_item(FvHwdecItem *item)
{
    if (item->packet)
        av_packet_free(&item->packet);
    fv_frame_unref(&item->frame.frame);
    fv_free(item);
}

static void empty(FvHwdecQueue *queue)
{
    for (FvHwdecItem *item; (item = take_item(queue));)
        free_item(item);
}

/* ---- Parts ----------------------------------------------------------------------------------------------------- */

FvStatus fv_hwdec_part_push(FvHwdecShared *shared, FvHwdecPart *part, AVPacket *packet, FvError *error)
{
    FvHwdecItem *item = fv_alloc_zero(sizeof *item);
    if (!item) {
        if (packet)
            av_packet_free(&packet);
        return fv_fail_memory(error, sizeof *item);
    }
    item->packet = packet;
    fv_lock(&shared->lock);
    shared->queued += packet != NULL;
    shared->queued_bytes += packet ? (size_t)packet->size : 0;
    append_item(&part->in, item);
    fv_condition_wake(&shared->changed);
    fv_unlock(&shared->lock);
    return FV_OK;
}

FvHwdecItem *fv_hwdec_part_take(FvHwdecPart *part)
{
    FvHwdecItem *item = take_item(&part->out);
    if (item && item->frame.frame)
        part->thread->waiting--;
    return item;
}

void fv_hwdec_part_free(FvHwdecPart *part)
{
    empty(&part->in);
    empty(&part->out);
    free(part->times.item);
    fv_free(part);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

FvMemory fv_hwdec_memory(const FvHwdecParams *params, int64_t frame)
{
    return params->on_host || fv_some_has(&params->whole, frame) ? FV_MEMORY_PINNED : FV_MEMORY_DEVICE;
}

FvStatus fv_hwdec_thread_frame(FvHwdecThread *thread, FvHwdecItem **item, FvError *error)
{
    const FvHwdecParams *params = &thread->shared->params;
    *item = fv_alloc_zero(sizeof **item);
    if (!*item)
        return fv_fail_memory(error, sizeof **item);
    FvStatus status = params->make(params->opaque, &(*item)->frame.frame, &params->format,
                                   fv_hwdec_memory(params, thread->number), error);
    if (status) {
        free_item(*item);
        *item = NULL;
    }
    return status;
}

unsigned fv_hwdec_thread_planes(const FvHwdecThread *thread)
{
    const FvHwdecParams *params = &thread->shared->params;
    return fv_some_has(&params->whole, thread->number) ? FV_ALL_PLANES : params->planes;
}

bool fv_hwdec_thread_needs_signature(const FvHwdecThread *thread)
{
    const FvHwdecParams *params = &thread->shared->params;
    return params->has_signature && params->planes & 1;
}

void fv_hwdec_thread_drop(FvHwdecItem *item)
{
    free_item(item);
}

/*
 * Returns whether the frames of two parts wait to be read, or FV_HWDEC_WAITING frames if these are more. When the
 * second part is read, the other decoders have had time to decode further.
 */
static bool is_full(const FvHwdecThread *thread)
{
    const int64_t longest = thread->shared->longest;
    const int64_t wanted = 2 * longest > FV_HWDEC_WAITING ? 2 * longest : FV_HWDEC_WAITING;
    return thread->waiting >= thread->room || thread->waiting >= wanted;
}

/* Waits until there is room, and puts the item into the part's output queue. False: the thread stops. */
static bool put_out(FvHwdecThread *thread, FvHwdecItem *item)
{
    FvHwdecShared *shared = thread->shared;
    fv_lock(&shared->lock);
    while (item->frame.frame && is_full(thread) && !shared->stopping)
        fv_condition_wait(&shared->changed, &shared->lock);
    const bool goes_on = !shared->stopping;
    if (goes_on) {
        append_item(&thread->part->out, item);
        thread->waiting += item->frame.frame != NULL;
    }
    fv_condition_wake(&shared->changed);
    fv_unlock(&shared->lock);
    if (!goes_on)
        free_item(item);
    return goes_on;
}

void fv_hwdec_thread_put(FvHwdecThread *thread, FvHwdecItem *item, int64_t time)
{
    FvHwdecFrame *made = &item->frame;
    fv_frame_set_time(made->frame, time);
    if (fv_hwdec_thread_needs_signature(thread) && made->frame->data[0]) {
        const FvLuma luma = fv_luma_of(made->frame);
        fv_sample_make(made->signature, &luma);
        made->has_signature = true;
    }
    item->number = thread->number++;
    append_item(&thread->held, item);
}

/*
 * Delivers the frames that certainly equal the CPU's, because every picture decoded before them is undamaged.
 * libavcodec shows a frame only after it has decoded some later packets, so those must be undamaged too.
 */
FvStatus fv_hwdec_thread_verified(FvHwdecThread *thread, int64_t pictures)
{
    const int64_t shown = pictures - thread->shared->params.delay;
    FvStatus status = FV_OK;
    while (!status && thread->held.first && thread->held.first->number - thread->part->first < shown)
        status = put_out(thread, take_item(&thread->held)) ? FV_OK : FV_END;
    return status;
}

/* ---- The thread ------------------------------------------------------------------------------------------------ */

/* Finishes the part. The reader may free the part as soon as its mark is out. */
static FvStatus end_part(FvHwdecThread *thread, FvError *error)
{
    FvStatus status = fv_hwdec_thread_verified(thread, INT64_MAX);
    FvHwdecItem *mark = status ? NULL : fv_alloc_zero(sizeof *mark);
    if (status)
        return status;
    if (!mark)
        return fv_fail_memory(error, sizeof *mark);
    const bool goes_on = put_out(thread, mark);
    thread->part = NULL;
    return goes_on ? FV_OK : FV_END;
}

static FvStatus decode(FvHwdecThread *thread, const FvHwdecItem *item, FvError *error)
{
    FvStatus status = thread->shared->params.ops->decode(thread->state, item->packet, error);
    if (!status && fv_libav_log_complained(&thread->log)) {
        char text[256];
        fv_libav_log_take(&thread->log, 0, text, sizeof text);
        status = fv_fail(error, FV_ERROR_DEVICE, "%s", text);
    }
    return status || item->packet ? status : end_part(thread, error);
}

/* Begins the first part that no decoder has begun, if there is one. */
static void begin_part(FvHwdecThread *thread)
{
    FvHwdecPart *part = thread->shared->first;
    while (part && part->thread)
        part = part->next;
    if (!part)
        return;
    part->thread = thread;
    thread->part = part;
    thread->number = part->first;
}

/* Waits for the next item, of the next part if none is being decoded. NULL: the thread stops. */
static FvHwdecItem *wait_for_item(FvHwdecThread *thread)
{
    FvHwdecShared *shared = thread->shared;
    FvHwdecItem *item = NULL;
    fv_lock(&shared->lock);
    while (!shared->stopping) {
        if (!thread->part)
            begin_part(thread);
        item = thread->part ? take_item(&thread->part->in) : NULL;
        if (item || shared->ended)
            break;
        fv_condition_wait(&shared->changed, &shared->lock);
    }
    if (item && item->packet) {
        shared->queued--;
        shared->queued_bytes -= (size_t)item->packet->size;
        fv_condition_wake(&shared->changed);
    }
    fv_unlock(&shared->lock);
    return item;
}

/* Records why the thread ends: for the part that it decodes, or for parts that no other thread begins. */
static void end_thread(FvHwdecThread *thread, FvStatus status, const FvError *error)
{
    FvHwdecShared *shared = thread->shared;
    const bool failed = status && status != FV_END;
    fv_lock(&shared->lock);
    shared->alive--;
    if (failed)
        *(thread->part ? &thread->part->failure : &shared->failure) = *error;
    fv_condition_wake(&shared->changed);
    fv_unlock(&shared->lock);
}

static void run(void *argument)
{
    FvHwdecThread *thread = argument;
    FvError error = {0};
    fv_libav_log_enter(&thread->log);
    const FvHwdecOps *ops = thread->shared->params.ops;
    FvStatus status = ops->open(&thread->state, thread, &error);
    for (FvHwdecItem *item; !status && (item = wait_for_item(thread));) {
        status = decode(thread, item, &error);
        free_item(item);
    }
    ops->close(&thread->state);
    fv_libav_log_leave();
    end_thread(thread, status, &error);
}

FvStatus fv_hwdec_thread_start(FvHwdecThread *thread, FvError *error)
{
    FvHwdecShared *shared = thread->shared;
    fv_libav_log_open(&thread->log);
    fv_lock(&shared->lock);
    fv_thread_block_signals();
    const bool started = fv_thread_start(&thread->handle, run, thread);
    fv_thread_restore_signals();
    shared->alive += started;
    fv_unlock(&shared->lock);
    return started ? FV_OK : fv_fail(error, FV_ERROR_DEVICE, "the system gives no thread for a decoder");
}

void fv_hwdec_thread_stop(FvHwdecThread *thread)
{
    fv_thread_join(&thread->handle);
    empty(&thread->held);
    fv_libav_log_close(&thread->log);
}
