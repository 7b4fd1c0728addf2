/* The thread of one hardware decoder: packets and ends of parts go in, frames and ends of parts come out. */
#pragma once

#include "input/hwdec/decoder.h"
#include "input/libav/log.h"
#include "os/thread.h"

#define FV_HWDEC_DECODERS 8
#define FV_HWDEC_WAITING 48 /* frames of a decoder that may wait for their turn, or the frames of two parts */

/* What all decoders of a video share. `lock` guards everything in it and the queues of the lanes. */
typedef struct FvHwdecShared {
    FvHwdecParams params;
    FvMutex lock;
    FvCondition changed; /* any queue */
    bool stopping;
    int64_t longest; /* packets of a part, so far */
    bool ended;      /* no packet follows: a lane without packets closes its decoder, which takes long */
    int64_t queued;  /* packets that wait for all lanes together */
    size_t queued_bytes;
} FvHwdecShared;

/* A packet on its way in, a frame on its way out, or the end of a part. */
typedef struct FvHwdecItem {
    struct FvHwdecItem *next;
    AVPacket *packet;   /* on the way in; NULL: the part ends here */
    int64_t number;     /* in: of the first frame of the part that this packet begins, else -1; out: of the frame */
    FvHwdecFrame frame; /* on the way out; without one the part ends here */
} FvHwdecItem;

typedef struct FvHwdecQueue {
    FvHwdecItem *first, *last;
    int frames;
} FvHwdecQueue;

typedef struct FvHwdecLane {
    FvHwdecShared *shared;
    int index; /* among the lanes of the video */
    FvThread thread;
    FvHwdecQueue in, out;
    FvHwdecQueue held; /* the lane's own: frames that damage found later can still make invalid */
    int64_t first;     /* number of the part's first frame */
    FvError failure;   /* that follows `out`; status FV_OK: none */
    int room;          /* frames that may wait in `out`, at most */
    FvLibavLog log;
    void *state;    /* of the ops */
    int64_t number; /* of the next frame */
} FvHwdecLane;

/* For FvHwdecOps: room for the next frame that is shown. The decoder fills its samples, */
FvStatus fv_hwdec_lane_frame(FvHwdecLane *lane, FvHwdecItem **item, FvError *error);
/* and hands it over with the time of its packet. It is held until enough pictures are known to be whole; */
void fv_hwdec_lane_put(FvHwdecLane *lane, FvHwdecItem *item, int64_t time);
/* or it drops the frame. */
void fv_hwdec_lane_drop(FvHwdecItem *item);
/* The first `pictures` pictures of the part, in the order of packets, are whole. FV_END: the lane stops. */
FvStatus fv_hwdec_lane_verified(FvHwdecLane *lane, int64_t pictures);

/* Whether the next frame is signed. fv_hwdec_lane_put signs the frames that the host can read. */
bool fv_hwdec_lane_signs(const FvHwdecLane *lane);

/* Takes over the packet; NULL: the part ends. `number` as in FvHwdecItem. */
FvStatus fv_hwdec_lane_push(FvHwdecLane *lane, AVPacket *packet, int64_t number, FvError *error);

FvStatus fv_hwdec_lane_start(FvHwdecLane *lane, FvError *error);

/* After shared->stopping was set. */
void fv_hwdec_lane_stop(FvHwdecLane *lane);

FvHwdecItem *fv_hwdec_queue_take(FvHwdecQueue *queue);
