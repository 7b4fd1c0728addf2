/* The interface of one hardware decoder: its operations, its inputs, and the frames it makes. */
#pragma once

#include <libavcodec/avcodec.h>

#include "fovea/fovea.h"
#include "input/frame_selection.h"
#include "picture/signature.h"

struct FvHwdecThread;

/* The operations of one decoder, which runs in its own thread. */
typedef struct FvHwdecOps {
    /* Opens the decoder of a thread. FV_ERROR_DEVICE, with the reason: it cannot decode the video. */
    FvStatus (*open)(void **state, struct FvHwdecThread *thread, FvError *error);
    /*
     * Decodes a packet; NULL: finishes the part. Passes every shown picture in order to fv_hwdec_thread_frame() and
     * fv_hwdec_thread_put() (input/hwdec/thread.h). A damaged picture is an error.
     */
    FvStatus (*decode)(void *state, const AVPacket *packet, FvError *error);
    void (*close)(void **state); /* called after a failure too */
} FvHwdecOps;

/* Parameters of decoding. Everything that they point to must outlive the decoding. */
typedef struct FvHwdecParams {
    const FvHwdecOps *ops;
    void *context;                       /* the CUcontext in which the memory of frames is allocated */
    const AVCodecParameters *parameters; /* libav's parameters of the stream */
    AVRational time_base;
    FvFormat format;      /* format of all frames */
    FvRange stated_range; /* range that the first picture states */
    FvFormat stated;      /* colour that the first picture states; a tag of 0: sequences may state any value */
    unsigned planes;      /* bit i: plane i is needed */
    FvSome whole;         /* numbers of the frames that the host reads too, with all planes */
    int decoders;         /* maximum number of decoders */
    int delay;            /* maximum number of later packets that libavcodec decodes before it shows a frame */
    bool on_host;         /* frames must be in memory that the host reads */
    bool has_signature;   /* every frame must carry a signature */
    int64_t first;        /* number of the frame that the first packet shows */
    int64_t from;         /* presentation time from which on frames are delivered; earlier ones are left out */
    /* parts from this frame on are decoded only after all frames before it have been read; 0: no limit */
    int64_t end;
    size_t room; /* bytes of frames that may wait to be read; `delay` + 2 frames per decoder may wait in any case */
    /* Allocates memory for a frame. Any thread may call it. */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /*
     * Returns the next packet of the video, which is valid until the next call, or an error of libav. Called in the
     * thread that reads frames.
     */
    int (*demux)(void *opaque, const AVPacket **packet);
    void *opaque;
} FvHwdecParams;

typedef struct FvHwdecFrame {
    FvFrame *frame; /* the frame with its presentation time; the reader owns it */
    bool has_signature;
    int32_t signature[FV_SIGNATURE];
} FvHwdecFrame;

/* The operations of NVDEC. */
extern const FvHwdecOps fv_hwdec_nvdec;
