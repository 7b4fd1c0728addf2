/*
 * A source inside, and how a reader declares itself: input/<noun>.c defines one FvSourceOps, and
 * input/reader_list.c lists it.
 */
#pragma once

#include "fovea/fovea.h"
#include "input/index.h"
#include "input/need.h"
#include "input/stream.h"
#include "os/guard.h"
#include "picture/frame.h"
#include "picture/needed_rows.h"
#include "picture/packet_memory.h"

/* The video decoders of a GPU, and memory for the frames that they make. */
typedef struct FvHwdecLoan {
    void *context;  /* of CUDA: what `make` allocates in, */
    int device;     /* and the number of its device */
    bool on_host;   /* frames must be readable by the host */
    bool is_signed; /* frames are */
    size_t room;    /* bytes of frames that may wait to be read */
    int decoders;   /* at most */
    int64_t end;    /* frames from here on are hardly read: they are not decoded ahead; 0: all are read */
    const struct FvHwdecOps *ops; /* how a decoder works (input/hwdec/decoder.h); NULL: NVDEC */
    bool named;                   /* by the caller, who accepts that VP9 with damage may get frames */
    bool copies;                  /* delivered frames are the source's own: `make` gives memory of the host */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    void *opaque;
} FvHwdecLoan;

/* What a scoring lends to a source, and which samples it needs. Where a loan fails, the source works without it. */
typedef struct FvSourceLoan {
    unsigned planes;      /* bit i: plane i is needed. Readers may leave out the others, */
    FvNeededRows rows[3]; /* and other rows of the planes, but for those that a wanted signature takes */
    FvNeed need;          /* of the frames; the others are passed */
    FvSome whole;         /* frames that the host reads, with all planes and rows */
    FvFrameMaker *make;   /* memory for frames, with `opaque`; NULL: the source's own */
    void *opaque;
    struct FvFeed *feed;    /* takes slices of large frames to a device (picture/frame_feed.h); or NULL */
    bool hands_packets;     /* the device decodes: frames are handed over as FvFramePlace.packet */
    FvPacketLender packets; /* memory for them */
    FvHwdecLoan hwdec;      /* make NULL: none */
} FvSourceLoan;

typedef struct FvSourceOps {
    const char *name;
    /*
     * Whether the video is this reader's, by its first bytes or its name. Asked in the order of the table when the
     * caller leaves the choice to the library.
     */
    bool (*probe)(const FvSource *source);
    /* Fills the source's info and state. close is called after a failure too. */
    FvStatus (*open)(FvSource *source, const FvSourceParams *params, FvError *error);
    /* The frame with number source->next from source->pool; FV_END behind the last one. */
    FvStatus (*read)(FvSource *source, FvFrame **frame, FvError *error);
    void (*close)(FvSource *source); /* may be NULL */
    /* Fills source->index, of an ordinary file, and may move its stream, which is put back. */
    FvStatus (*index)(FvSource *source, FvError *error);
    /* What read gives next is frame number `frame`, which the index has. Sets source->next. */
    FvStatus (*seek)(FvSource *source, int64_t frame, FvError *error);
    /*
     * Whether hardware decoders of this machine may take the video over, as far as it shows before a driver is asked.
     * NULL: never.
     */
    bool (*suits_hwdec)(const FvSource *source);
    /*
     * Decodes with hardware decoders from now on, where nothing was read yet; with NULL, without them. It never
     * fails: what they cannot decode is decoded without them, with the same frames and errors, and source->decoder
     * tells. NULL: the reader knows none.
     */
    void (*use_hwdec)(FvSource *source, const FvHwdecLoan *loan);
    /*
     * Fills `index` with what the packets tell of the frames that were read from the beginning on. Only a lack of
     * memory is a failure. NULL: the reader has no packets.
     */
    FvStatus (*list)(FvSource *source, FvIndex *index, FvError *error);
    /*
     * As read, of a frame that is not needed: gives one that is passed (picture/frame.h), or, where it has to be
     * decoded, the frame itself. NULL: all are read.
     */
    FvStatus (*pass)(FvSource *source, FvFrame **frame, FvError *error);
} FvSourceOps;

#define FV_ALL_PLANES 7u

struct FvSource {
    FvSourceInfo info;   /* of the video as it is read; fv_source_info has it as it is delivered */
    FvSourceInfo turned; /* the same turned, where turned.turned is not 0 */
    FvFramePool *turns;  /* of that format */
    const FvSourceOps *ops;
    FvStream stream;        /* open while probing; afterwards as the reader likes */
    FvGuard files;          /* the file or the images that it reads: no output replaces one */
    void *state;            /* the reader's own */
    FvFramePool *pool;      /* of info.format; exists after open */
    FvRange stated_range;   /* by the file itself: frames of hardware decoders are compared with it */
    int tick_num, tick_den; /* seconds of a tick of the frames' times; 0/0: they have none */
    bool indexed;           /* info.frames is the length of an index of the file's frames */
    FvSourceLoan lent;      /* set by fv_source_lend */
    int rgb_matrix;         /* by which the reader makes Y'CbCr of RGB */
    int64_t interlaced; /* number of the first frame that is flagged as interlaced behind progressive ones; 0: none */
    bool fields_named;  /* the caller states the field order */
    struct FvWorkers *workers; /* read slices of large frames (input/slices.h); or NULL */
    int32_t *signature;        /* where a reader may leave the signature of the next frame (signature.h); or NULL */
    bool has_signature;        /* it did, of the frame read last */
    FvIndex index;             /* where its frames are, once `has_index` */
    bool has_index;
    bool strict;                   /* every frame must be where the index says, even if reached without it */
    int64_t next;                  /* number of the frame that comes next, 0 for the first */
    int64_t passed;                /* frames that were not read or decoded, because they are not needed */
    FvFrame *alpha;                /* of the frame read last, or NULL */
    int damaged, parts;            /* of the frame read last */
    struct FvProresInput *prores;  /* the reader's, when fovea decodes the video's ProRes; else NULL */
    struct FvDecodeDevice *device; /* that decodes into memory of the host; or NULL */
    char decoder[256];             /* what decodes and why: "GPU (HEVC, 10 bits)"; "": there was no choice */
    bool conceals;                 /* damaged frames are delivered; a device that decodes packets refuses them */
    FvStatus status;               /* what every further read returns when it is not FV_OK */
    FvError error;
    const FvCancel *cancel; /* the caller's, or NULL: readers that wait or work for long ask it */
    char *path;
    int first_image; /* of a sequence: the number that it begins with, */
    int images;      /* and its length; 0: the file is not one */
};

/* The next frame, which is not needed: always one that is passed, with its time. Otherwise as fv_source_read. */
FvStatus fv_source_pass(FvSource *source, FvFrame **frame, FvError *error);

/*
 * Whether fv_source_seek to this frame is less work than reading on. Makes the index where it has to. Where many
 * frames have to be read because the video cannot be entered, `why` tells the cause; otherwise it is "".
 */
bool fv_source_enters(FvSource *source, int64_t frame, char *why, size_t size);

/* Before the first frame is read, of stored RGB: the matrices of FvSourceInfo.format and FvSourceInfo.rgb_matrix. */
void fv_source_convert_rgb(FvSource *source, int matrix, int ycbcr_matrix);

/* Sets what the source is lent from now on; NULL: nothing, and all samples are needed. */
void fv_source_lend(FvSource *source, const FvSourceLoan *loan);

/*
 * What packets tell of at least the frames that were read, to be freed: index->packets is NULL where they have no
 * sizes, or no times. Only a lack of memory is a failure.
 */
FvStatus fv_source_packets(FvSource *source, FvIndex *index, FvError *error);

/* Makes the index of a source of an ordinary file, unless it has one. */
FvStatus fv_source_make_index(FvSource *source, FvError *error);

/* Gives the source an index that was made of the same file before. Takes over its arrays. */
void fv_source_take_index(FvSource *source, FvIndex *index);

/* In the order in which they are asked; the last one takes every file. NULL at the end. */
extern const FvSourceOps *const fv_source_readers[];

extern const FvSourceOps fv_source_libav; /* for builds with FV_HAVE_LIBAV: input/libav/choice.h */
extern const FvSourceOps fv_source_icpf;
extern const FvSourceOps fv_source_raw;
extern const FvSourceOps fv_source_y4m;
