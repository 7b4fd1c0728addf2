/* The state of NVDEC for one decoder thread. Its parser of packets calls back for sequences and pictures. */
#pragma once

#define FFNV_LOG_FUNC(context, ...) ((void)(context))
#define FFNV_DEBUG_LOG_FUNC(context, ...) ((void)(context))
#include <ffnvcodec/dynlink_loader.h>
#include <libavcodec/bsf.h>

#include "gpu/gpu.h"
#include "input/hwdec/thread.h"
#include "input/index.h"

#define FV_NVDEC_AHEAD 6     /* number of pictures that are decoded while an earlier one is copied */
#define FV_NVDEC_SURFACES 64 /* maximum number of surfaces of a decoder */

typedef struct FvNvdec {
    FvHwdecThread *thread;
    CudaFunctions *cuda;
    CuvidFunctions *cuvid;
    bool entered; /* the CUDA context is current in this thread */
    FvGpu *gpu;
    CUstream stream;
    AVBSFContext *filter; /* adds start codes to packets; NULL: packets have start codes, or need none */
    AVPacket *filtered;
    CUvideoparser parser; /* parser of the current part */
    CUvideodecoder decoder;
    bool making;          /* the parser looks for the sequence, by which the decoder is created, and skips pictures */
    CUVIDEOFORMAT format; /* format for which the decoder was created */
    int left, top;        /* luma samples that are cropped at the left and the top */
    bool guessed;         /* `left` and `top` are guesses: the parser does not report them */
    bool begun, changed;  /* (`begun`) a packet was decoded; (`changed`) a later packet had other parameter sets */
    uint64_t sets;        /* parameter sets of the first packet, as FvPacketPart.sets */
    bool unsure[FV_NVDEC_SURFACES];   /* for each surface: its picture was not yet checked for damage */
    int64_t order[FV_NVDEC_SURFACES]; /* for each surface: number of its picture, in packet order */
    int64_t decoded;                  /* number of pictures of the part decoded so far */
    int frame_num;                    /* H.264: frame_num of the last reference picture; -1: none */
    FvNumbers hidden;                 /* presentation times of hidden pictures */
    FvNumbers shown;                  /* VP9: the times of the part's packets, each of which shows a picture */
    int64_t taken;                    /* number of entries of `shown` already used */
    FvGpuMemory sums;                 /* host memory for the sums of a frame's signature */
    FvStatus status;                  /* status of the callbacks */
    FvError error;
} FvNvdec;

/* Fails the decoding, unless it has failed before. Returns 0, by which a callback ends the parser. */
__attribute__((format(printf, 2, 3))) int fv_nvdec_fail(FvNvdec *nvdec, const char *format, ...);

cudaVideoCodec fv_nvdec_codec(enum AVCodecID codec);

/*
 * Returns whether the pictures up to number `last` are undamaged. A picture that refers to a damaged one counts as
 * damaged.
 */
bool fv_nvdec_whole(FvNvdec *nvdec, int64_t last);

/* The callbacks of the parser, whose user data is the FvNvdec. */
int CUDAAPI fv_nvdec_on_sequence(void *nvdec, CUVIDEOFORMAT *format);
int CUDAAPI fv_nvdec_on_decode(void *nvdec, CUVIDPICPARAMS *params);
int CUDAAPI fv_nvdec_on_show(void *nvdec, CUVIDPARSERDISPINFO *shown);
