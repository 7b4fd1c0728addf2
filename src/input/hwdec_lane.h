/* One decoder of a chip, in a thread of its own: packets and ends of parts go in, frames and ends of parts come out.
 */
#ifndef FV_INPUT_HWDEC_LANE_H
#define FV_INPUT_HWDEC_LANE_H

#include <pthread.h>

#include "input/hwdec.h"
#include "input/libav_log.h"

#define FV_CHIP_DECODERS 8
#define FV_CHIP_WAITING 48 /* frames of a decoder that may wait for their turn, or as many as two parts have */

/* What all decoders of a chip share. `lock` guards everything in it and the queues of the lanes. */
typedef struct FvChipShared {
    FvChipParams params;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* any queue */
    bool stopping;
    int64_t longest; /* packets of a part, so far */
    bool ended;      /* no packet follows: a lane that has none left closes its decoder, which takes long */
    int64_t queued;  /* packets in front of all lanes */
    size_t queued_bytes;
} FvChipShared;

typedef struct FvChipItem {
    struct FvChipItem *next;
    AVPacket *packet;  /* on the way in; NULL: the part ends here */
    int64_t number;    /* of the first frame of the part that this packet begins, else -1; then of the frame */
    FvChipFrame frame; /* on the way out; without one the part ends here */
} FvChipItem;

typedef struct FvChipQueue {
    FvChipItem *first, *last;
    int frames;
} FvChipQueue;

struct FvChipLane {
    FvChipShared *shared;
    int index; /* of those of the chip */
    pthread_t thread;
    bool running;
    FvChipQueue in, out;
    FvChipQueue held; /* the lane's own: frames behind which damage can still be found */
    int64_t first;    /* number of the part's first frame */
    FvError failure;  /* what follows `out`; status FV_OK: it goes on */
    int room;         /* frames that may wait in `out`, at most */
    FvLibavLog log;
    void *state;    /* of the ops */
    int64_t number; /* of the next frame */
};

/* For FvChipOps: room for the next frame that is shown. Its samples are to be filled, */
FvStatus fv_chip_lane_frame(FvChipLane *lane, FvChipItem **item, FvError *error);
/* and then it is handed over, with the time of its packet, in any case. It is held until enough pictures are known to
 * be whole. */
void fv_chip_lane_put(FvChipLane *lane, FvChipItem *item, int64_t time);
void fv_chip_lane_drop(FvChipItem *item);
/* So many pictures of the part, in the order of packets, are whole. FV_END: the lane stops. */
FvStatus fv_chip_lane_verified(FvChipLane *lane, int64_t pictures);

/* Whether the next frame is to be signed. fv_chip_lane_put does it where the host can read the frame. */
bool fv_chip_lane_signs(const FvChipLane *lane);

/* Takes over the packet; NULL: the part ends. `number` as in FvChipItem. */
FvStatus fv_chip_lane_push(FvChipLane *lane, AVPacket *packet, int64_t number, FvError *error);

FvStatus fv_chip_lane_start(FvChipLane *lane, FvError *error);

/* After shared->stopping was set. */
void fv_chip_lane_stop(FvChipLane *lane);

void fv_chip_queue_put(FvChipQueue *queue, FvChipItem *item);
FvChipItem *fv_chip_queue_take(FvChipQueue *queue);

#endif
