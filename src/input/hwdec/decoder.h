/* One hardware decoder: how it decodes, what it is given, and the frames it makes. */
#pragma once

#include <libavcodec/avcodec.h>

#include "fovea/fovea.h"
#include "picture/signature.h"

struct FvHwdecLane;

/* How one decoder decodes, in a thread of its own. */
typedef struct FvHwdecOps {
    /* FV_ERROR_DEVICE and the reason when it cannot. */
    FvStatus (*open)(void **state, struct FvHwdecLane *lane, FvError *error);
    /*
     * Decodes a packet, or with NULL what is left of the part, and gives every picture that is shown, in order, to
     * fv_hwdec_lane_frame and fv_hwdec_lane_put (input/hwdec/lane.h). A damaged picture is an error.
     */
    FvStatus (*decode)(void *state, const AVPacket *packet, FvError *error);
    void (*close)(void **state); /* also after a failure */
} FvHwdecOps;

/* All pointers outlive the decoding. */
typedef struct FvHwdecParams {
    const FvHwdecOps *ops;
    void *context;                       /* of CUDA: the memory of frames is allocated in it */
    const AVCodecParameters *parameters; /* of the stream */
    AVRational time_base;
    FvFormat format;      /* of all frames */
    FvRange stated_range; /* by the first picture */
    FvFormat stated;      /* colour by the first picture; 0: sequences may state any */
    unsigned planes;      /* bit i: plane i is needed */
    int decoders;         /* at most */
    int delay;            /* packets, at most, that libavcodec on the CPU decodes beyond the frame that it shows */
    bool on_host;         /* frames are in memory that the host reads */
    bool is_signed;       /* frames are */
    int64_t first;        /* the number of the frame that the first packet shows */
    int64_t from;         /* frames that are shown before this time are left out */
    int64_t end; /* parts from this frame on are decoded when the frames before have been read; 0: all at once */
    size_t room; /* bytes of frames that may wait to be read; two for each decoder are allowed */
    /* Memory for frames, asked for by any thread. */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /* The next packet of the video, valid until the next call, or an error of libav. In the thread that reads. */
    int (*demux)(void *opaque, const AVPacket **packet);
    void *opaque;
} FvHwdecParams;

typedef struct FvHwdecFrame {
    FvFrame *frame; /* the reader's; it knows when it is shown */
    bool is_signed;
    int32_t signature[FV_SIGNATURE];
} FvHwdecFrame;

/* NVDEC. */
extern const FvHwdecOps fv_hwdec_nvdec;
