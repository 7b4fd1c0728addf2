/*
 * A source inside, and how a reader declares itself: input/<noun>.c defines one FvSourceOps, input/readers.c lists
 * it.
 */
#ifndef FV_INPUT_SOURCE_H
#define FV_INPUT_SOURCE_H

#include "fovea/fovea.h"
#include "picture/frame.h"
#include "input/index.h"
#include "input/stream.h"
#include "picture/needed_rows.h"
#include "picture/packet_memory.h"

/* The decoders of a GPU, for a source whose codec they know, and memory for its frames. */
typedef struct FvSourceChip {
    void *context;               /* of CUDA: what `make` allocates in */
    int64_t on_host;             /* frames with smaller numbers are to be readable by the host, */
    int64_t signatures;          /* and these to be signed */
    size_t room;                 /* bytes of frames that may wait to be read */
    int decoders;                /* at most */
    const struct FvChipOps *ops; /* how it decodes (input/hwdec.h); NULL: by CUDA */
    bool copies;                 /* frames that are delivered are the source's own: `make` gives memory of the host */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    void *opaque;
} FvSourceChip;

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
     * From now on decodes with the chip, where nothing was read yet, or, with NULL, without one. It never fails:
     * what the chip cannot do is done without it, with the same frames and errors. source->decoder says what came of
     * it. NULL: the reader does not decode so.
     */
    void (*use_chip)(FvSource *source, const FvSourceChip *chip);
} FvSourceOps;

#define FV_ALL_PLANES 7u

struct FvSource {
    FvSourceInfo info;
    const FvSourceOps *ops;
    FvStream stream;           /* open while probing; afterwards as the reader likes */
    void *state;               /* the reader's own */
    FvFramePool *pool;         /* of info.format; exists after open */
    FvRange stated_range;      /* by the file itself: what later frames are compared with */
    int tick_num, tick_den;    /* seconds of a tick of the frames' times; 0/0: they have none */
    double seconds;            /* that the file states for the video; 0: it does not */
    bool indexed;              /* info.frames is the length of an index of the file's frames */
    unsigned planes;           /* bit i: plane i is needed. Readers may leave the others out of their frames */
    FvNeededRows rows[3];      /* of the planes; readers may leave others out, unless the signature is wanted */
    struct FvWorkers *workers; /* read slices of large frames (input/slices.h); or NULL */
    struct FvFeed *feed;       /* takes the slices, which then lie on a device only (frame_feed.h); or NULL */
    int32_t *signature;        /* where a reader may leave the signature of the next frame (signature.h); or NULL */
    bool has_signature;        /* it did, of the frame read last */
    FvIndex index;             /* where its frames are, once `has_index` */
    bool has_index;
    bool strict;                  /* frames must be where the index says, whether or not they were reached by it */
    int64_t next;                 /* number of the frame that comes next, 0 for the first */
    FvFrame *alpha;               /* of the frame read last, or NULL */
    int damaged, parts;           /* of the frame read last */
    struct FvProresInput *prores; /* the reader's, when fovea decodes the video's ProRes; else NULL */
    struct FvGpuSource *gpu;      /* decodes instead of the CPU; or NULL */
    struct FvGpuLoan *loan;       /* memory for frames of the chip that the caller named; or NULL */
    char decoder[256];            /* who decodes, and why nobody else: "GPU (HEVC, 10 bits)"; "": nobody asked */
    bool conceals;                /* damaged frames are delivered: what a device decodes by itself is not */
    bool hands_packets;     /* frames of a codec that the session's device decodes come as FvFramePlace.packet */
    FvPacketLender packets; /* memory for these */
    FvStatus status;        /* what every further read returns when it is not FV_OK */
    FvError error;
    const FvCancel *cancel; /* the caller's, or NULL: readers that wait or work for long ask it */
    char *path;
    int first_image; /* of a sequence: the number that it begins with */
};

/* Gives the source an index that was made before, of the same file. Takes over what it owns. */
void fv_source_take_index(FvSource *source, FvIndex *index);

/* In the order in which they are asked; the last one takes what is left. NULL at the end. */
extern const FvSourceOps *const fv_source_readers[];

/* Compiled in when FV_HAVE_LIBAV is 1. */
extern const FvSourceOps fv_source_libav;
extern const FvSourceOps fv_source_icpf;
extern const FvSourceOps fv_source_raw;
extern const FvSourceOps fv_source_y4m;

#endif
