/* Sources: videos that frames are read from. */
#ifndef FOVEA_SOURCE_H
#define FOVEA_SOURCE_H

#include <fovea/cancel.h>
#include <fovea/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FvSource FvSource;

typedef struct FvSourceParams {
    const char *path; /* a file, or "-" for standard input */
    /*
     * NULL or "auto", "y4m", "raw", "icpf" (ProRes frames without container), "libav", or "libav:FORMAT" with
     * libavformat's name of a demuxer: only then are formats opened that may refer to other files, such as playlists.
     */
    const char *reader;
    FvFormat raw; /* headerless planar files: what they are, chroma included. Of this, other readers look at range
                     and rate only, which count where the file does not tell and must agree with it where it does */
    const char *raw_layout; /* NULL: a plane for each component; or a name that fv_raw_layout knows, of the chroma
                               format and depth in `raw` */
    FvFormat tags; /* range, transfer, primaries, matrix and siting that are not 0 count in place of the file's */
    int stream;    /* which video stream of a container is read, from 1; 0: the one that libavformat calls the best */
    int threads;   /* for decoding, [0, 256]; 0: the reader chooses */
    const char *decoder; /* NULL or "prores=fovea"; "prores=libavcodec" leaves ProRes to libavcodec */
    bool rgb;           /* make Y'CbCr 4:4:4 of limited range of RGB, by tags.matrix or BT.709, instead of refusing */
    bool alpha;         /* keep alpha planes, for fv_source_alpha(); no metric looks at them */
    bool conceal;       /* deliver damaged ProRes frames, lost parts 0, instead of refusing them */
    const char *device; /* NULL or "cpu"; a GPU ("vulkan:0") decodes ProRes to host frames. A CUDA device also decodes
                           what its decoders know (fv_source_decoder), and leaves everything else to the CPU */
    const char *scored_on;  /* NULL, or the device of the session that is to score the video. Where the decoders of a
                               CUDA device can take it over, opening decodes no more than its first packet */
    const FvCancel *cancel; /* or NULL. Once requested, opening and reading end with FV_ERROR_PARTIAL */
} FvSourceParams;

typedef enum FvFieldOrder {
    FV_FIELDS_UNKNOWN = 0,
    FV_FIELDS_PROGRESSIVE, /* one picture a frame */
    FV_FIELDS_TOP_FIRST,   /* two fields a frame; the one with the top row is the earlier one */
    FV_FIELDS_BOTTOM_FIRST,
    FV_FIELDS_MIXED,
} FvFieldOrder;

typedef struct FvSourceInfo {
    const char *path;
    const char *reader;    /* the reader that opened it */
    const char *container; /* "y4m", "raw", "mov,mp4,...": as the reader names it */
    const char *codec;     /* "rawvideo", "h264", ... */
    FvFormat format;
    int64_t frames;   /* number of frames, or -1 when the container does not tell */
    bool frames_sure; /* false: only the end will show whether the container told the truth */
    bool alpha;       /* the video has an alpha plane */
    bool rgb;         /* it is stored as RGB and converted, as was asked for */
    /*
     * Seconds by which the duration of a frame may differ from 1/rate as far as the container can tell it: half a
     * tick of its time stamps when the rate was estimated from them, a rounding error when it is written in a header,
     * else 0.
     */
    double rate_error;
    int stream, streams; /* which video stream it is, from 1, and how many there are; 0 without a container */
    FvFieldOrder fields;
    int aspect_num, aspect_den; /* shape of a sample, width to height; 0/0 when not known */
    int rotation;               /* degrees clockwise in [0, 360) by which a player turns the picture */
    const char *mastering;      /* mastering display and light levels as one line of text, or NULL */
} FvSourceInfo;

/*
 * Layouts of raw video with interleaved components, by libav's names: nv12 nv21 nv16 nv24 nv42, p010 p012 p016 and
 * p2.., p4.., yuyv422 yvyu422 uyvy422, y210 y212, v210; a suffix "le" may follow where words have 16 bits. Fills
 * chroma and depth of *format, which may be NULL. False for other names, NULL included.
 */
FV_API bool fv_raw_layout(const char *name, FvFormat *format);

FV_API FvStatus fv_source_open(FvSource **source, const FvSourceParams *params, FvError *error);

/* Valid until the source is closed. */
FV_API const FvSourceInfo *fv_source_info(const FvSource *source);

/*
 * The next frame in display order; the caller owns one reference. FV_END after the last one. A frame of another
 * size or format than the first is FV_ERROR_INPUT. After an error every further call returns the same error.
 */
FV_API FvStatus fv_source_read(FvSource *source, FvFrame **frame, FvError *error);

/* Where the frames of a source are. */
typedef struct FvSourceIndex {
    int64_t frames;         /* that reading from the first to the end gives, as far as packets can tell */
    const int64_t *entries; /* the frames at which decoding can begin, ascending, the first is 0; NULL: every frame */
    int64_t entry_count;
} FvSourceIndex;

/*
 * Made once, from the packets of the file: nothing is decoded, and what the container lists by itself is not read. A
 * pipe is FV_ERROR_USAGE. *index is valid until the source is closed.
 */
FV_API FvStatus fv_source_index(FvSource *source, const FvSourceIndex **index, FvError *error);

/*
 * The next frame that is read is number `frame`, from 0: with the samples that reading from the beginning gives, in
 * every codec. Decoding begins at the entry before the one in front of the frame (of codecs whose frames depend on
 * each other), and where an entry does not show the same frames that the index promises, at the beginning of the
 * video. A frame behind the end is FV_ERROR_USAGE; so is, in a pipe, a frame that was read before. An error of an
 * earlier frame is forgotten.
 */
FV_API FvStatus fv_source_seek(FvSource *source, int64_t frame, FvError *error);

/*
 * Who decodes, where a GPU was asked to: "GPU (HEVC, 10 bits)", or "CPU: " and why not the GPU. NULL: nobody asked.
 * Valid until the next call on the source.
 */
FV_API const char *fv_source_decoder(const FvSource *source);

/*
 * Of the frame read last, with params.alpha: its alpha plane, a 4:0:0 frame of the same size and depth, or NULL when
 * it has none. Valid until the next call on the source; take a reference to keep it.
 */
FV_API FvFrame *fv_source_alpha(const FvSource *source);

/* Of the frame read last, with params.conceal: how many of its *parts (slices) were lost. parts may be NULL. */
FV_API int fv_source_damaged(const FvSource *source, int *parts);

FV_API void fv_source_close(FvSource **source);

#ifdef __cplusplus
}
#endif

#endif
