/* The thread of one hardware decoder. Packets and ends of parts go in, frames and ends of parts come out. */
#pragma once

#include "input/hwdec/decoder.h"
#include "input/index.h"
#include "input/libav/log.h"
#include "os/thread.h"

#define FV_HWDEC_DECODERS 8 /* maximum number of decoders of a video */
#define FV_HWDEC_WAITING                                                                                             \
    48 /* least number of a decoder's frames that may wait to be read; see is_full() in thread.c */

/* An item of a queue: a packet for the decoder, a frame from it, or the end of a part. */
typedef struct FvHwdecItem {
    struct FvHwdecItem *next;
    AVPacket *packet;   /* the packet of an input item; NULL: the part ends here */
    int64_t number;     /* in an output item, number of the frame */
    FvHwdecFrame frame; /* the frame of an output item; without a frame the part ends here */
} FvHwdecItem;

typedef struct FvHwdecQueue {
    FvHwdecItem *first, *last;
} FvHwdecQueue;

/* A part: the packets from one cut of the video to the next, and their frames. One decoder decodes all of it. */
typedef struct FvHwdecPart {
    struct FvHwdecPart *next;
    struct FvHwdecThread *thread; /* NULL: no decoder has begun the part */
    int64_t first;                /* number of the part's first frame */
    FvHwdecQueue in, out;
    FvError failure; /* failure that follows the items in `out`; status FV_OK: none */
    FvNumbers times; /* presentation times of the part's frames, ascending */
    int64_t packets, read;
    bool closed; /* all packets of the part have been read */
    bool timeless;
} FvHwdecPart;

/*
 * The state that all decoders of a video share. `lock` guards all members, and of the parts the members `next`,
 * `thread` and `failure` and the queues; their other members belong to the reader.
 */
typedef struct FvHwdecShared {
    FvHwdecParams params;
    FvMutex lock;
    FvCondition changed; /* signalled when a queue or a flag changes */
    bool stopping;
    FvHwdecPart *first, *last; /* first and last part of the list of parts whose frames were not all read */
    AVPacket *sample;          /* the first packet of the video, by which decoders are created */
    int alive;                 /* number of threads that may still begin a part */
    FvError failure;           /* why a thread could begin no part; status FV_OK: each could */
    int64_t longest;           /* maximum number of packets of a part so far */
    bool ended; /* no packet follows; a thread without packets then closes its decoder early, since that takes long */
    int64_t queued; /* number of packets in the `in` queues of all parts */
    size_t queued_bytes;
} FvHwdecShared;

typedef struct FvHwdecThread {
    FvHwdecShared *shared;
    int index; /* index among the threads of the video */
    FvThread handle;
    FvHwdecPart *part; /* the part that is being decoded, or NULL */
    /*
     * Frames not delivered yet because damage found later could make them invalid. Used by the decoder's own thread
     * only.
     */
    FvHwdecQueue held;
    int waiting; /* number of the decoder's frames that wait to be read */
    int room;    /* maximum of `waiting` */
    FvLibavLog log;
    void *state;    /* the decoder's state, owned by FvHwdecOps */
    int64_t number; /* number of the next frame */
} FvHwdecThread;

/* Allocates the next shown frame, whose samples the decoder fills. For FvHwdecOps. */
FvStatus fv_hwdec_thread_frame(FvHwdecThread *thread, FvHwdecItem **item, FvError *error);
/*
 * Delivers a frame with the presentation time of its packet. The thread holds it back until enough pictures are known
 * to be undamaged.
 */
void fv_hwdec_thread_put(FvHwdecThread *thread, FvHwdecItem *item, int64_t time);
/* Returns the memory that a frame needs. */
FvMemory fv_hwdec_memory(const FvHwdecParams *params, int64_t frame);
/* Returns the planes that the next frame needs. */
unsigned fv_hwdec_thread_planes(const FvHwdecThread *thread);
/* Drops a frame that fv_hwdec_thread_frame() allocated. */
void fv_hwdec_thread_drop(FvHwdecItem *item);
/*
 * Reports that the first `pictures` pictures of the part, in the order of packets, are undamaged. FV_END: the thread
 * stops.
 */
FvStatus fv_hwdec_thread_verified(FvHwdecThread *thread, int64_t pictures);

/*
 * Returns whether the next frame needs a signature. fv_hwdec_thread_put() computes the signatures of frames that the
 * host can read.
 */
bool fv_hwdec_thread_needs_signature(const FvHwdecThread *thread);

/* Queues a packet of a part, which owns it from then on; NULL: the part ends. */
FvStatus fv_hwdec_part_push(FvHwdecShared *shared, FvHwdecPart *part, AVPacket *packet, FvError *error);

/* Takes the next item out of a part's `out`, or returns NULL. Call it with the lock held. */
FvHwdecItem *fv_hwdec_part_take(FvHwdecPart *part);

void fv_hwdec_part_free(FvHwdecPart *part);

FvStatus fv_hwdec_thread_start(FvHwdecThread *thread, FvError *error);

/* Stops a thread. Call it after shared->stopping was set. */
void fv_hwdec_thread_stop(FvHwdecThread *thread);
