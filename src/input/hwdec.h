/*
 * A video decoded by the decoders of a GPU: its packets are cut into parts where nothing refers to what is in front
 * (input/alone.h), each part goes to one of several decoders, and frames come out in order. docs/nvdec.md
 *
 * Every frame is checked before it is delivered: it must be shown at the time that the packets promise for it, and
 * each part must give as many frames as it has packets. Whatever fails, wherever, ends the chip with a reason, and
 * the caller decodes by other means from the beginning: what is refused, and how, is never decided here.
 */
#ifndef FV_INPUT_HWDEC_H
#define FV_INPUT_HWDEC_H

#include <libavcodec/avcodec.h>

#include "fovea/fovea.h"
#include "picture/signature.h"

typedef struct FvChip FvChip;
typedef struct FvChipLane FvChipLane;

/* How one decoder decodes, in a thread of its own. */
typedef struct FvChipOps {
    /* FV_ERROR_DEVICE and a reason: it cannot. */
    FvStatus (*open)(void **state, FvChipLane *lane, FvError *error);
    /*
     * Decodes a packet, or with NULL what is left of the part, and gives every picture that is shown, in order, to
     * fv_chip_lane_frame and fv_chip_lane_put (input/hwdec_lane.h). A damaged picture is an error.
     */
    FvStatus (*decode)(void *state, const AVPacket *packet, FvError *error);
    void (*close)(void **state); /* also after a failure */
} FvChipOps;

typedef struct FvChipParams {
    const FvChipOps *ops;
    void *context;                       /* of CUDA: what the memory of frames is allocated in */
    const AVCodecParameters *parameters; /* of the stream; outlives the chip, as do all pointers here */
    AVRational time_base;
    FvFormat format;      /* of all frames */
    FvRange stated_range; /* by the first picture */
    unsigned planes;      /* bit i: plane i is needed */
    int decoders;         /* at most */
    int delay;            /* packets by which libavcodec on the CPU is ahead of the frame that it shows, at most */
    int64_t on_host;      /* frames with smaller numbers are in memory that the host reads */
    int64_t signatures;   /* frames with smaller numbers are signed */
    int64_t first;        /* the number of the frame that the first packet shows */
    int64_t from;         /* frames that are shown before this time are left out */
    size_t room;          /* bytes of frames that may wait to be read; two for each decoder are allowed */
    /* Memory for frames, asked for by any thread. */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /* The next packet of the video, valid until the next call, or an error of libav. In the thread that reads. */
    int (*demux)(void *opaque, const AVPacket **packet);
    void *opaque;
} FvChipParams;

typedef struct FvChipFrame {
    FvFrame *frame; /* the reader's; it knows when it is shown */
    bool is_signed;
    int32_t signature[FV_SIGNATURE];
} FvChipFrame;

/* A codec, profile and format that chips are asked to decode. When not, `why` gets what is not: "H.264 of 10 bits".
 */
bool fv_chip_takes(enum AVCodecID codec, int profile, const FvFormat *format, char *why, size_t size);

/* "H.264", "HEVC", ... */
const char *fv_chip_codec_name(enum AVCodecID codec);

FvStatus fv_chip_open(FvChip **chip, const FvChipParams *params, FvError *error);

/* The next frame, FV_END, or FV_ERROR_DEVICE with the reason why there is none; then and ever after. */
FvStatus fv_chip_read(FvChip *chip, FvChipFrame *frame, FvError *error);

void fv_chip_close(FvChip **chip);

/* NVDEC. */
extern const FvChipOps fv_chip_nvdec;

#endif
