/*
 * The internals of a source, and the interface of a reader. A reader is a file of input/ that defines an FvSourceOps,
 * which input/reader_list.c lists.
 */
#pragma once

#include "fovea/fovea.h"
#include "input/frame_selection.h"
#include "input/index.h"
#include "input/stream.h"
#include "os/guard.h"
#include "picture/frame.h"
#include "picture/needed_rows.h"
#include "picture/packet_memory.h"

/* The hardware decoders of a GPU that a device offers to a source, and memory for their frames. */
typedef struct FvHwdecService {
    void *context;      /* the CUcontext in which `make` allocates */
    int device;         /* number of that context's device */
    bool on_host;       /* frames must be readable by the host */
    bool has_signature; /* every frame must carry a signature */
    size_t room;        /* bytes of frames that may wait to be read */
    int decoders;       /* maximum number of decoders */
    /* Frames from this number on are unlikely to be read, so they are not decoded ahead; 0: no such frames. */
    int64_t end;
    const struct FvHwdecOps *ops; /* operations of a decoder (input/hwdec/decoder.h); NULL: NVDEC */
    bool named;  /* the caller named the device, and so accepts that damaged VP9 may be decoded without an error */
    bool copies; /* delivered frames are the source's own copies: `make` returns host memory */
    FvStatus (*make)(void *opaque, FvFrame **frame, const FvFormat *format, FvMemory memory, FvError *error);
    void *opaque;
} FvHwdecService;

/*
 * The services that a run attaches to a source, and the samples that it needs. If a service fails, the source works
 * without it.
 */
typedef struct FvSourceServices {
    unsigned planes;       /* bit i: plane i is needed; readers may omit the others */
    FvNeededRows rows[3];  /* rows of the planes that are needed; readers may omit the others, except those for a
                              requested signature */
    FvFrameSelection need; /* the frames that are needed; the others are skipped */
    FvSome whole;          /* frames that the host reads, with all planes and rows */
    FvFrameMaker *make;    /* allocates frames, with `opaque`; NULL: the source's pool does */
    void *opaque;
    struct FvFeed *feed;       /* uploads slices of large frames to a device (picture/frame_feed.h); or NULL */
    bool hands_packets;        /* the device decodes: frames are delivered undecoded, as FvFramePlace.packet */
    FvPacketAllocator packets; /* allocates memory for the packets */
    FvHwdecService hwdec;      /* hardware decoders; `make` NULL: none */
} FvSourceServices;

typedef struct FvSourceOps {
    const char *name;
    /*
     * Returns whether the reader can read the video, by its first bytes or its name. If the caller leaves the choice
     * to the library, the readers are tried in the order of the table.
     */
    bool (*probe)(const FvSource *source);
    /* Fills the source's info and state. close is called after a failure too. */
    FvStatus (*open)(FvSource *source, const FvSourceParams *params, FvError *error);
    /* Reads frame number source->next from source->pool; FV_END after the last one. */
    FvStatus (*read)(FvSource *source, FvFrame **frame, FvError *error);
    void (*close)(FvSource *source); /* releases source->state; may be NULL */
    /* Fills source->index for a regular file. May move the stream, which the caller puts back. */
    FvStatus (*index)(FvSource *source, FvError *error);
    /* Makes frame number `frame`, which is in the index, the next one. Sets source->next. */
    FvStatus (*seek)(FvSource *source, int64_t frame, FvError *error);
    /*
     * Returns whether hardware decoders of this machine may take the video over, as far as is known without a driver.
     * NULL: never.
     */
    bool (*suits_hwdec)(const FvSource *source);
    /*
     * Decodes with hardware decoders from now on, if nothing was read yet; with `service` NULL, without them. It
     * never fails: a video that they cannot decode is decoded by the CPU, with the same frames and errors, and
     * source->decoder names the decoder. NULL: the reader supports none.
     */
    void (*use_hwdec)(FvSource *source, const FvHwdecService *service);
    /*
     * Fills `index` with what the packets state about the frames read from the beginning on. FV_ERROR_MEMORY is the
     * only failure. NULL: the reader has no packets.
     */
    FvStatus (*list)(FvSource *source, FvIndex *index, FvError *error);
    /*
     * Reads a frame that is not needed: returns an undecoded frame (picture/frame.h) or, if it must be decoded, the
     * frame itself. NULL: all frames are read.
     */
    FvStatus (*skip)(FvSource *source, FvFrame **frame, FvError *error);
    /* Hands out packets instead of frames. NULL: the reader has no packets that another decoder accepts. */
    const struct FvPacketOps *packets;
} FvSourceOps;

/* Packets for a decoder other than fovea's. After a call of `enter`, no frame of the source can be read. */
typedef struct FvPacketOps {
    /* FV_ERROR_INPUT: there is no name for the codec, or the packets lack times. The index exists. */
    FvStatus (*describe)(FvSource *source, FvCoding *coding, FvError *error);
    /* Makes the packet at which decoding of frame `frame`, which is in the index, must begin the next one. */
    FvStatus (*enter)(FvSource *source, int64_t frame, FvError *error);
    /* Reads the next packet. Its number is that of its frame; -1: it shows none. FV_END after the last one. */
    FvStatus (*read)(FvSource *source, FvPacket *packet, FvError *error);
} FvPacketOps;

#define FV_ALL_PLANES 7u

struct FvSource {
    FvSourceInfo info;   /* the video as stored; fv_source_info() describes it as delivered */
    FvSourceInfo turned; /* the video after rotation, if turned.applied_rotation is not 0 */
    FvFramePool *turns;  /* pool of the rotated format */
    const FvSourceOps *ops;
    FvStream stream;        /* open while readers probe; the chosen reader may then close it */
    FvGuard files;          /* identities of the file or the images that are read, which no output may replace */
    void *state;            /* state of the reader */
    FvFramePool *pool;      /* pool of info.format; exists after opening */
    FvRange stated_range;   /* range that the file itself states; frames of hardware decoders are compared with it */
    int tick_num, tick_den; /* seconds of a tick of the frames' times; 0/0: they have none */
    bool indexed;           /* info.frames is the length of an index of the file's frames */
    FvSourceServices services; /* services set by fv_source_attach() */
    int rgb_matrix;            /* matrix by which the reader converts RGB to Y'CbCr */
    int64_t interlaced;        /* number of the first frame marked as interlaced after progressive ones; 0: none */
    bool fields_named;         /* the caller states the field order */
    struct FvWorkers *workers; /* threads that read slices of large frames (input/slices.h); NULL: none */
    int32_t *signature; /* memory for the signature of the next frame (picture/signature.h); NULL: not wanted */
    bool has_signature; /* `signature` has the signature of the last frame read */
    FvIndex index;      /* index of the frames, valid if `has_index` */
    bool has_index;
    bool strict;       /* every frame must be where the index states, even if it was reached without the index */
    int64_t next;      /* number of the frame that comes next, 0 for the first */
    int64_t undecoded; /* number of frames that were neither read nor decoded, because they are not needed */
    FvFrame *alpha;    /* alpha of the last frame read, or NULL */
    /* (`damaged`) number of damaged parts of the last frame read; (`parts`) number of all its parts */
    int damaged, parts;
    struct FvProresInput *prores;  /* the reader's decoder if fovea decodes the video's ProRes; else NULL */
    struct FvDecodeDevice *device; /* device that decodes into host memory; or NULL */
    char decoder[256];             /* decoder and reason: "GPU (HEVC, 10 bits)"; "": there was no choice */
    bool conceals;                 /* damaged frames are delivered; a device that decodes packets refuses them */
    FvStatus status;               /* status of every further read, if not FV_OK */
    FvError error;
    /* the caller's request to stop, which readers check while they wait or work for long; or NULL */
    const FvCancel *cancel;
    char *path;
    int first_image; /* first number of an image sequence */
    int images;      /* number of images of a sequence; 0: the file is not a sequence */
};

/* Returns whether the next frame is delivered undecoded, because a device decodes it and the host does not read it.
 */
static inline bool fv_source_hands_packet(const FvSource *source)
{
    return source->services.hands_packets && !fv_some_has(&source->services.whole, source->next);
}

/*
 * Skips the next frame, which is not needed: returns an undecoded frame with its time, or the frame itself if it must
 * be decoded. Fails as fv_source_read() does.
 */
FvStatus fv_source_skip(FvSource *source, FvFrame **frame, FvError *error);

/*
 * Returns whether fv_source_seek() to this frame is less work than reading on. Makes the index if necessary. If many
 * frames must be read because decoding cannot begin near this frame, `why` gets the cause; otherwise "".
 */
bool fv_source_enters(FvSource *source, int64_t frame, char *why, size_t size);

/*
 * Sets the matrices of FvSourceInfo.format and FvSourceInfo.rgb_matrix for stored RGB. Call it before the first frame
 * is read.
 */
void fv_source_convert_rgb(FvSource *source, int matrix, int ycbcr_matrix);

/* Attaches services to the source from now on; NULL: none, and all samples are needed. */
void fv_source_attach(FvSource *source, const FvSourceServices *services);

/*
 * Copies what the packets read so far state about their frames into *index, which the caller frees: index->packets is
 * NULL if they have no sizes, or no times. FV_ERROR_MEMORY is the only failure.
 */
FvStatus fv_source_packets(FvSource *source, FvIndex *index, FvError *error);

/* Makes the index of a source of an ordinary file, unless it has one. */
FvStatus fv_source_make_index(FvSource *source, FvError *error);

/* Sets an index that was made from the same file earlier. The source owns its arrays from then on. */
void fv_source_take_index(FvSource *source, FvIndex *index);

/* The readers, in the order in which they are tried; the last one accepts every file. NULL at the end. */
extern const FvSourceOps *const fv_source_readers[];

extern const FvSourceOps fv_source_libav; /* in builds with FV_HAVE_LIBAV: input/libav/choice.h */
extern const FvSourceOps fv_source_icpf;
extern const FvSourceOps fv_source_raw;
extern const FvSourceOps fv_source_y4m;
