#include "input/chip_lane.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "frame.h"
#include "libav_calls.h"
#include "mem.h"

void fv_chip_queue_put(FvChipQueue *queue, FvChipItem *item)
{
    item->next = NULL;
    *(queue->first ? &queue->last->next : &queue->first) = item;
    queue->last = item;
    queue->frames += item->frame.frame != NULL;
}

FvChipItem *fv_chip_queue_take(FvChipQueue *queue)
{
    FvChipItem *item = queue->first;
    if (!item)
        return NULL;
    queue->first = item->next;
    queue->frames -= item->frame.frame != NULL;
    return item;
}

static void free_item(FvChipItem *item)
{
    if (item->packet)
        av_packet_free(&item->packet);
    fv_frame_unref(&item->frame.frame);
    free(item);
}

/* ---- Pictures -------------------------------------------------------------------------------------------------- */

static FvStatus fail(FvChipLane *lane, const char *what, int code, FvError *error)
{
    char text[256];
    fv_libav_log_take(&lane->log, code, text, sizeof text);
    return fv_fail(error, FV_ERROR_DEVICE, "%s: %s", what, text);
}

/* What the first picture was on the CPU, every one is. */
static FvStatus check_picture(const FvChipLane *lane, FvError *error)
{
    const FvChipParams *params = &lane->shared->params;
    const AVFrame *picture = lane->picture;
    const FvRange range = params->full || picture->color_range == AVCOL_RANGE_JPEG ? FV_RANGE_FULL
                          : picture->color_range == AVCOL_RANGE_MPEG               ? FV_RANGE_LIMITED
                                                                                   : FV_RANGE_UNKNOWN;
    if (picture->flags & AV_FRAME_FLAG_CORRUPT || picture->decode_error_flags)
        return fv_fail(error, FV_ERROR_DEVICE, "a picture is damaged");
    if (picture->width - (int)picture->crop_left != params->format.width ||
        picture->height - (int)picture->crop_top != params->format.height ||
        (range && params->stated_range && range != params->stated_range))
        return fv_fail(error, FV_ERROR_DEVICE, "the format of the pictures changes");
    return FV_OK;
}

static FvStatus make_frame(FvChipLane *lane, FvFrame **frame, FvError *error)
{
    const FvChipParams *params = &lane->shared->params;
    const bool host = lane->number < params->on_host || lane->number < params->signatures;
    return params->make(params->opaque, frame, &params->format, host ? FV_MEMORY_PINNED : FV_MEMORY_DEVICE, error);
}

/* The picture as a frame. */
static FvStatus take(FvChipLane *lane, FvChipItem *item, FvError *error)
{
    const FvChipParams *params = &lane->shared->params;
    FvChipFrame *made = &item->frame;
    FvStatus status = check_picture(lane, error);
    if (!status)
        status = make_frame(lane, &made->frame, error);
    if (!status)
        status = params->ops->take(lane->state, params, lane->picture, made->frame, error);
    if (status)
        return status;
    if (lane->picture->best_effort_timestamp != AV_NOPTS_VALUE)
        fv_frame_set_time(made->frame, lane->picture->best_effort_timestamp);
    made->is_signed = lane->number < params->signatures && params->planes & 1 && made->frame->data[0];
    if (made->is_signed)
        fv_signature_make(made->signature, made->frame);
    return FV_OK;
}

/* Waits until there is room, and puts the item into the queue. false: the lane stops. */
static bool put_out(FvChipLane *lane, FvChipItem *item)
{
    FvChipShared *shared = lane->shared;
    pthread_mutex_lock(&shared->lock);
    while (item->frame.frame && lane->out.frames >= lane->room && !shared->stopping)
        pthread_cond_wait(&shared->changed, &shared->lock);
    const bool goes_on = !shared->stopping;
    if (goes_on)
        fv_chip_queue_put(&lane->out, item);
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
    if (!goes_on)
        free_item(item);
    return goes_on;
}

/* Everything that the decoder has. FV_END: the lane is to stop. *code: why there is no more. */
static FvStatus receive(FvChipLane *lane, int *code, FvError *error)
{
    while (!(*code = avcodec_receive_frame(lane->decoder, lane->picture))) {
        FvChipItem *item = fv_alloc_zero(sizeof *item);
        FvStatus status = item ? take(lane, item, error) : fv_fail_memory(error, sizeof *item);
        lane->number++;
        av_frame_unref(lane->picture);
        if (status && item)
            free_item(item);
        if (!status && !put_out(lane, item))
            status = FV_END;
        if (status)
            return status;
    }
    if (fv_libav_log_complained(&lane->log) || (*code != AVERROR(EAGAIN) && *code != AVERROR_EOF))
        return fail(lane, "decoding fails", *code, error);
    return FV_OK;
}

static FvStatus end_part(FvChipLane *lane, FvError *error)
{
    int code = avcodec_send_packet(lane->decoder, NULL);
    FvStatus status = code < 0 ? fail(lane, "decoding fails", code, error) : receive(lane, &code, error);
    if (status)
        return status;
    avcodec_flush_buffers(lane->decoder);
    FvChipItem *mark = fv_alloc_zero(sizeof *mark);
    if (!mark)
        return fv_fail_memory(error, sizeof *mark);
    return put_out(lane, mark) ? FV_OK : FV_END;
}

static FvStatus decode(FvChipLane *lane, const FvChipItem *item, FvError *error)
{
    if (!item->packet)
        return end_part(lane, error);
    if (item->number >= 0)
        lane->number = item->number;
    int code = avcodec_send_packet(lane->decoder, item->packet);
    if (code < 0 || fv_libav_log_complained(&lane->log))
        return lane->refused ? fv_fail(error, FV_ERROR_DEVICE, "libavcodec has no way to decode this on the GPU")
                             : fail(lane, "decoding fails", code, error);
    return receive(lane, &code, error);
}

/* ---- The thread ------------------------------------------------------------------------------------------------ */

static FvStatus open_decoder(FvChipLane *lane, FvError *error)
{
    const FvChipParams *params = &lane->shared->params;
    AVCodecContext *decoder = lane->decoder = avcodec_alloc_context3(params->codec);
    lane->picture = av_frame_alloc();
    if (!decoder || !lane->picture)
        return fv_fail_memory(error, sizeof *decoder);
    int code = avcodec_parameters_to_context(decoder, params->parameters);
    if (code < 0)
        return fail(lane, "the decoder cannot be set up", code, error);
    decoder->opaque = lane;
    decoder->pkt_timebase = params->time_base;
    decoder->thread_count = 1;
    decoder->max_pixels = params->max_pixels;
    /* As on the CPU: src/input/libav.c. */
    decoder->err_recognition = AV_EF_EXPLODE | AV_EF_CRCCHECK;
    decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT | AV_CODEC_FLAG_BITEXACT | AV_CODEC_FLAG_UNALIGNED;
    FvStatus status = params->ops->open(&lane->state, params, decoder, error);
    if (!status && (code = avcodec_open2(decoder, params->codec, NULL)) < 0)
        status = fail(lane, "the decoder cannot be started", code, error);
    return status;
}

static void close_decoder(FvChipLane *lane)
{
    av_frame_free(&lane->picture);
    avcodec_free_context(&lane->decoder);
    lane->shared->params.ops->close(&lane->state);
}

/* The next item, or NULL: the lane stops. */
static FvChipItem *wait_for_item(FvChipLane *lane)
{
    FvChipShared *shared = lane->shared;
    pthread_mutex_lock(&shared->lock);
    while (!lane->in.first && !shared->stopping)
        pthread_cond_wait(&shared->changed, &shared->lock);
    FvChipItem *item = shared->stopping ? NULL : fv_chip_queue_take(&lane->in);
    if (item && item->packet) {
        shared->queued--;
        shared->queued_bytes -= (size_t)item->packet->size;
        pthread_cond_broadcast(&shared->changed);
    }
    pthread_mutex_unlock(&shared->lock);
    return item;
}

static void *run(void *argument)
{
    FvChipLane *lane = argument;
    FvError error = {0};
    fv_libav_log_enter(&lane->log);
    FvStatus status = open_decoder(lane, &error);
    for (FvChipItem *item; !status && (item = wait_for_item(lane));) {
        status = decode(lane, item, &error);
        free_item(item);
    }
    close_decoder(lane);
    fv_libav_log_leave();
    if (status && status != FV_END) {
        FvChipShared *shared = lane->shared;
        pthread_mutex_lock(&shared->lock);
        lane->failure = error;
        pthread_cond_broadcast(&shared->changed);
        pthread_mutex_unlock(&shared->lock);
    }
    return NULL;
}

FvStatus fv_chip_lane_start(FvChipLane *lane, FvError *error)
{
    fv_libav_log_open(&lane->log);
    fv_libav_log_begin_threads();
    lane->running = !pthread_create(&lane->thread, NULL, run, lane);
    fv_libav_log_end_threads();
    return lane->running ? FV_OK : fv_fail(error, FV_ERROR_DEVICE, "the system gives no thread for a decoder");
}

void fv_chip_lane_stop(FvChipLane *lane)
{
    if (lane->running)
        pthread_join(lane->thread, NULL);
    FvChipQueue *queues[] = {&lane->in, &lane->out};
    for (int i = 0; i < 2; i++)
        for (FvChipItem *item; (item = fv_chip_queue_take(queues[i]));)
            free_item(item);
    fv_libav_log_close(&lane->log);
}

FvStatus fv_chip_lane_push(FvChipLane *lane, AVPacket *packet, int64_t number, FvError *error)
{
    FvChipShared *shared = lane->shared;
    FvChipItem *item = fv_alloc_zero(sizeof *item);
    if (!item) {
        if (packet)
            av_packet_free(&packet);
        return fv_fail_memory(error, sizeof *item);
    }
    item->packet = packet;
    item->number = number;
    pthread_mutex_lock(&shared->lock);
    shared->queued += packet != NULL;
    shared->queued_bytes += packet ? (size_t)packet->size : 0;
    fv_chip_queue_put(&lane->in, item);
    pthread_cond_broadcast(&shared->changed);
    pthread_mutex_unlock(&shared->lock);
    return FV_OK;
}
