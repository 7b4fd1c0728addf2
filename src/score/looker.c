#include "score/looker.h"

#include <string.h>

#include "base/error.h"
#include "base/isa.h"
#include "codec/prores/prores.h"
#include "os/memory.h"
#include "os/thread.h"
#include "picture/frame.h"

/* maximum number of pairs that wait: the first frames of a clip get more looks than a thread makes meanwhile */
#define ROOM 16

typedef struct Pair {
    int64_t number;
    FvFrame *frame[2]; /* NULL: the frame is a packet */
    FvProresHeader header[2];
    uint8_t *packet[2];
    size_t size[2], room[2]; /* bytes of the packet, and of its memory, which later pairs use again */
    bool signs[2];
    int32_t signature[2][FV_SIGNATURE];
} Pair;

struct FvLooker {
    FvLooks *looked;
    FvProresDecoder *decoder; /* NULL before the first packet */
    int threads;
    FvFramePool *pool[2]; /* decoded packets; NULL before the first one */
    FvThread thread;
    FvMutex lock;
    FvCondition changed;
    Pair pairs[ROOM]; /* a ring; without a thread only the first is used */
    int first, count;
    bool closing;
    FvError failure;
};

/* Decodes a packet. FV_END: it is too damaged for a look, and the device that decodes it, too, reports that. */
static FvStatus decode(FvLooker *looker, Pair *pair, int side, FvError *error)
{
    FvProresDamage damage;
    const FvProresHeader *header = &pair->header[side];
    FvStatus status =
        looker->decoder ? FV_OK : fv_prores_open(&looker->decoder, fv_isa_best(), looker->threads, error);
    if (!status && !looker->pool[side])
        status = fv_frame_pool_open(&looker->pool[side], &header->format, error);
    if (!status)
        status = fv_frame_pool_get(looker->pool[side], &pair->frame[side], error);
    if (!status && fv_prores_decode(looker->decoder, header, pair->packet[side], pair->size[side], pair->frame[side],
                                    NULL, &damage, error))
        status = FV_END;
    return status;
}

static FvStatus look(FvLooker *looker, Pair *pair, FvError *error)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        if (!pair->frame[side])
            status = decode(looker, pair, side, error);
    FvLook *next = status ? NULL : fv_looks_next(looker->looked, error);
    if (!status && !next)
        status = FV_ERROR_MEMORY;
    const int32_t *signature[2];
    for (int side = 0; side < 2; side++)
        signature[side] = pair->signs[side] ? pair->signature[side] : NULL;
    if (!status)
        status = fv_look_make(next, pair->number, (const FvFrame *const *)pair->frame, signature, error);
    looker->looked->count += !status;
    fv_frame_unref(&pair->frame[0]);
    fv_frame_unref(&pair->frame[1]);
    return status == FV_END ? FV_OK : status;
}

static FvStatus failure_of(const FvLooker *looker, FvError *error)
{
    if (looker->failure.status && error)
        *error = looker->failure;
    return looker->failure.status;
}

static void run(void *opaque)
{
    FvLooker *looker = opaque;
    fv_lock(&looker->lock);
    for (;;) {
        while (!looker->count && !looker->closing)
            fv_condition_wait(&looker->changed, &looker->lock);
        if (looker->closing || looker->failure.status)
            break;
        Pair *pair = &looker->pairs[looker->first];
        FvError error = {0};
        fv_unlock(&looker->lock);
        const FvStatus status = look(looker, pair, &error);
        fv_lock(&looker->lock);
        if (status) {
            looker->failure = error;
            looker->failure.status = status;
        }
        looker->first = (looker->first + 1) % ROOM;
        looker->count--;
        fv_condition_wake(&looker->changed);
    }
    fv_unlock(&looker->lock);
}

FvStatus fv_looker_open(FvLooker **looker, FvLooks *looked, int threads, bool apart, FvError *error)
{
    FvLooker *made = *looker = fv_alloc_zero(sizeof *made);
    if (!made)
        return fv_fail_memory(error, sizeof *made);
    made->looked = looked;
    made->threads = threads;
    fv_mutex_open(&made->lock);
    fv_condition_open(&made->changed);
    if (apart) { /* without a thread, the caller's makes the looks */
        fv_thread_block_signals();
        fv_thread_start(&made->thread, run, made);
        fv_thread_restore_signals();
    }
    return FV_OK;
}

static FvStatus fill(Pair *pair, int64_t number, FvFrame *const frame[2], const int32_t *const signature[2],
                     FvError *error)
{
    pair->number = number;
    for (int side = 0; side < 2; side++) {
        const FvProresPacket *packet = fv_frame_packet(frame[side]);
        pair->signs[side] = signature[side] != NULL;
        if (signature[side])
            memcpy(pair->signature[side], signature[side], sizeof pair->signature[side]);
        if (!packet) {
            fv_frame_keep(frame[side]);
            pair->frame[side] = fv_frame_ref(frame[side]);
            continue;
        }
        if (pair->room[side] < packet->size) {
            fv_free(pair->packet[side]);
            pair->room[side] = packet->size + packet->size / 4;
            pair->packet[side] = fv_alloc(pair->room[side]);
            if (!pair->packet[side]) {
                pair->room[side] = 0;
                return fv_fail_memory(error, packet->size);
            }
        }
        memcpy(pair->packet[side], packet->memory.bytes, packet->size);
        pair->size[side] = packet->size;
        pair->header[side] = packet->header;
    }
    return FV_OK;
}

FvStatus fv_looker_add(FvLooker *looker, int64_t number, FvFrame *const frame[2], const int32_t *const signature[2],
                       FvError *error)
{
    fv_lock(&looker->lock);
    while (looker->count == ROOM && !looker->failure.status)
        fv_condition_wait(&looker->changed, &looker->lock);
    Pair *pair = &looker->pairs[(looker->first + looker->count) % ROOM];
    FvStatus status = failure_of(looker, error);
    fv_unlock(&looker->lock);
    if (!status)
        status = fill(pair, number, frame, signature, error);
    if (!status && !looker->thread.running)
        return look(looker, pair, error);
    if (status) {
        fv_frame_unref(&pair->frame[0]);
        fv_frame_unref(&pair->frame[1]);
        return status;
    }
    fv_lock(&looker->lock);
    looker->count++;
    fv_condition_wake(&looker->changed);
    fv_unlock(&looker->lock);
    return FV_OK;
}

FvStatus fv_looker_wait(FvLooker *looker, FvError *error)
{
    if (!looker)
        return FV_OK;
    fv_lock(&looker->lock);
    while (looker->count && !looker->failure.status)
        fv_condition_wait(&looker->changed, &looker->lock);
    FvStatus status = failure_of(looker, error);
    fv_unlock(&looker->lock);
    return status;
}

void fv_looker_close(FvLooker **looker)
{
    FvLooker *closing = *looker;
    *looker = NULL;
    if (!closing)
        return;
    fv_lock(&closing->lock);
    closing->closing = true;
    fv_condition_wake(&closing->changed);
    fv_unlock(&closing->lock);
    fv_thread_join(&closing->thread);
    for (int i = 0; i < ROOM; i++)
        for (int side = 0; side < 2; side++) {
            fv_frame_unref(&closing->pairs[i].frame[side]);
            fv_free(closing->pairs[i].packet[side]);
        }
    fv_prores_close(&closing->decoder);
    fv_frame_pool_close(&closing->pool[0]);
    fv_frame_pool_close(&closing->pool[1]);
    fv_condition_close(&closing->changed);
    fv_mutex_close(&closing->lock);
    fv_free(closing);
}
