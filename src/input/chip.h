/*
 * A video decoded by the decoders of a GPU: its packets are cut into parts where nothing refers to what is in front
 * (input/alone.h), each part goes to one of several decoders, and frames come out in order. docs/nvdec.md
 *
 * Every frame is checked before it is delivered: with the parts of a video, it must be shown at the time that its
 * part's packets promise for it, and each part must give as many frames as it has packets. Whatever fails, wherever,
 * ends the chip with a reason, and the caller decodes by other means from the beginning: what is refused, and how,
 * is never decided here.
 */
#ifndef FV_INPUT_CHIP_H
#define FV_INPUT_CHIP_H

#include <libavcodec/avcodec.h>

#include "fovea/fovea.h"
#include "signature.h"

typedef struct FvChip FvChip;
typedef struct FvChipParams FvChipParams;

/* How one decoder decodes. */
typedef struct FvChipOps {
    /* Sets up a decoder that is not open yet. FV_ERROR_DEVICE and a reason: it cannot. */
    FvStatus (*open)(void **state, const FvChipParams *params, AVCodecContext *decoder, FvError *error);
    /* Fills the planes of the frame that params->planes names from a picture of that decoder. */
    FvStatus (*take)(void *state, const FvChipParams *params, const AVFrame *picture, FvFrame *frame, FvError *error);
    void (*close)(void **state); /* also after a failure */
} FvChipOps;

struct FvChipParams {
    const FvChipOps *ops;
    void *context; /* of CUDA: what the memory of frames is allocated in */
    const AVCodec *codec;
    const AVCodecParameters *parameters; /* of the stream; outlives the chip, as do all pointers here */
    AVRational time_base;
    int64_t max_pixels;
    FvFormat format;                 /* of all frames */
    enum AVPixelFormat pixel_format; /* the same as libavcodec has it on the CPU */
    bool full;                       /* which says that the range is full */
    FvRange stated_range;            /* by the first picture */
    unsigned planes;                 /* bit i: plane i is needed */
    int decoders;                    /* at most; 1: the video is not cut, and libavcodec alone says what is shown */
    int64_t on_host;                 /* frames with smaller numbers are in memory that the host reads */
    int64_t signatures;              /* frames with smaller numbers are signed */
    size_t room;                     /* bytes of frames that may wait to be read; two for each decoder are allowed */
    /* Memory for frames, asked for by any thread. */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    /* The next packet of the video, valid until the next call, or an error of libav. In the thread that reads. */
    int (*demux)(void *opaque, const AVPacket **packet);
    void *opaque;
};

typedef struct FvChipFrame {
    FvFrame *frame; /* the reader's; it knows when it is shown */
    bool is_signed;
    int32_t signature[FV_SIGNATURE];
} FvChipFrame;

/* A codec and format that chips are asked to decode. When not, `why` gets what is not: "H.264 of 10 bits". */
bool fv_chip_takes(enum AVCodecID codec, const FvFormat *format, char *why, size_t size);

/* "H.264", "HEVC", ... */
const char *fv_chip_codec_name(enum AVCodecID codec);

FvStatus fv_chip_open(FvChip **chip, const FvChipParams *params, FvError *error);

/* The next frame, FV_END, or FV_ERROR_DEVICE with the reason why there is none; then and ever after. */
FvStatus fv_chip_read(FvChip *chip, FvChipFrame *frame, FvError *error);

/* Whether it has several decoders, and so cuts the video into parts. */
bool fv_chip_has_parts(const FvChip *chip);

void fv_chip_close(FvChip **chip);

/* NVDEC, through libavcodec. */
extern const FvChipOps fv_chip_cuda;

#endif
