/* Sources: videos that frames are read from. */
#ifndef FOVEA_SOURCE_H
#define FOVEA_SOURCE_H

#include <fovea/cancel.h>
#include <fovea/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FvSource FvSource;

/* How the pictures of a video are turned before anything else is done with them. */
typedef enum FvRotate {
    FV_ROTATE_NONE = 0, /* they stay as they are stored, and FvSourceInfo.rotation says what a player does */
    FV_ROTATE_AUTO,     /* as a player turns them */
    FV_ROTATE_0,        /* by these degrees clockwise, whatever the file says */
    FV_ROTATE_90,
    FV_ROTATE_180,
    FV_ROTATE_270,
} FvRotate;

/* What a source makes of RGB. */
typedef enum FvRgb {
    FV_RGB_REFUSE = 0,
    FV_RGB_CONVERT, /* limited-range Y'CbCr 4:4:4, by FvSourceParams.tags.matrix or BT.709 */
    FV_RGB_KEEP,    /* frames of FV_CHROMA_RGB; their matrix is 0 */
    FV_RGB_BOTH,    /* the same, and fv_score gives metrics that take no RGB what FV_RGB_CONVERT makes of them */
} FvRgb;

typedef enum FvFieldOrder {
    FV_FIELDS_UNKNOWN = 0,
    FV_FIELDS_PROGRESSIVE, /* one picture per frame */
    FV_FIELDS_TOP_FIRST,   /* two fields per frame; the field with the top row is the earlier one */
    FV_FIELDS_BOTTOM_FIRST,
    FV_FIELDS_MIXED,
} FvFieldOrder;

typedef struct FvSourceParams {
    const char *path; /* of a file; "-" is standard input */
    /*
     * NULL or "auto", "y4m", "raw", "icpf" (ProRes frames without a container), "libav", or "libav:FORMAT" with
     * libavformat's name of a demuxer. Formats that may refer to other files, such as playlists, need "libav:FORMAT".
     */
    const char *reader;
    FvFormat raw; /* the format of a headerless file, chroma included. Other readers use its range and rate only: as
                     defaults, which must agree with the file's own values */
    const char *raw_layout; /* NULL: a plane for each component; or a name of fv_raw_layout() that fits the chroma
                               format and depth in `raw` */
    FvFormat tags;          /* range, transfer, primaries, matrix and siting other than 0 replace the file's */
    FvFieldOrder fields;    /* the true field order, not mixed; 0: the file's */
    int stream;             /* the video stream of a container, from 1; 0: the default one, or else the largest */
    int threads;            /* for decoding, [0, 256]; 0: chosen by the reader */
    const char *decoder;    /* NULL or "prores=fovea"; "prores=libavcodec" leaves ProRes to libavcodec */
    FvRgb rgb;
    FvRotate rotate;    /* chroma keeps the name of its siting. Not with alpha */
    bool alpha;         /* keep alpha planes for fv_source_alpha(); metrics ignore them */
    int background;     /* 0xRRGGBB, which lies under RGB and gray pictures with alpha; 0: black */
    bool no_grain;      /* leave out the film grain that streams of AV1, H.264 and HEVC ask their decoder to add */
    bool conceal;       /* deliver damaged ProRes frames, with 0 in their lost parts, instead of refusing them */
    const char *device; /* NULL or "cpu"; a GPU ("vulkan:0") decodes ProRes to host frames. A CUDA device also decodes
                           the codecs of its video decoders (fv_source_decoder); the CPU decodes all others */
    const char *scored_on;  /* NULL, or the device of the session that will score the video. Where a CUDA device's
                               decoders can take over, opening decodes the first packet only */
    const FvCancel *cancel; /* or NULL. A stop request ends opening and reading with FV_ERROR_PARTIAL */
} FvSourceParams;

/* Colour as FvFormat has it; 0: nothing is stated. */
typedef struct FvColour {
    FvRange range;
    int transfer, primaries, matrix;
} FvColour;

typedef struct FvSourceInfo {
    const char *path;
    const char *reader;    /* the reader that opened it */
    const char *container; /* the reader's name for it: "y4m", "raw", "mov,mp4,..." */
    const char *codec;     /* "rawvideo", "h264", ... */
    FvFormat format;
    int64_t frames;   /* number of frames by the container; -1: not known */
    bool frames_sure; /* false: only reading to the end shows whether the container is right */
    bool alpha;       /* the video has an alpha plane */
    bool rgb;         /* the video is stored as RGB, and converted unless format.chroma is FV_CHROMA_RGB */
    bool flattened;   /* its alpha was used: RGB or gray over `background` */
    int background;   /* as requested */
    bool image;       /* from image files, whose RGB is sRGB where nothing says otherwise */
    bool no_grain;    /* the decoder adds no film grain, as requested */
    /*
     * The container's precision of 1/rate, in seconds: half a tick of its time stamps when the rate was estimated
     * from them, a rounding error when it is written in a header, else 0.
     */
    double rate_error;
    int stream, streams; /* the number of the video stream, from 1, and of all; 0 without a container */
    FvFieldOrder fields;
    int aspect_num, aspect_den; /* width to height of a sample; 0/0: not known */
    int rotation;               /* degrees clockwise in [0, 360) by which a player turns the picture */
    int turned;                 /* degrees clockwise by which the source turns it, as requested */
    const char *mastering;      /* mastering display and light levels as one line of text, or NULL */
    FvTimecode timecode;        /* of the first frame, by the container */
    FvColour overruled;         /* what the container states where `format` follows a stream that states another */
    int rgb_matrix;             /* of frames of FV_RGB_BOTH: the matrix by which they become Y'CbCr; else 0 */
    bool mirrored;              /* a player mirrors the picture left to right after it has turned it */
    FvColour named;             /* what FvSourceParams.tags states, and a matrix that is settled for all scorings */
    double seconds;             /* length of the video by its container; 0: unknown */
    int64_t
        left_out; /* number of pictures at the start that cannot be decoded, as of a capture; they have no frame */
    int pictures; /* number of pictures in an image file, of which the first is read; 0 and 1: no other */
} FvSourceInfo;

/* Whether a file name has the ending of a picture (.png, .jpg, ...) and does not number a sequence. */
FV_API bool fv_is_picture(const char *path);

/*
 * How to read RGB for `metrics` metrics of which `taking` take RGB (FvMetricInfo.takes_rgb), unless the user chose:
 * these metrics get RGB. For the others, RGB of pictures is converted and RGB of videos is refused.
 */
FV_API FvRgb fv_rgb_for(int metrics, int taking, bool pictures);

FV_API FvStatus fv_source_open(FvSource **source, const FvSourceParams *params, FvError *error);

/* Valid until the source is closed. */
FV_API const FvSourceInfo *fv_source_info(const FvSource *source);

/*
 * The next frame in display order; the caller owns one reference. FV_END after the last one. FV_ERROR_INPUT: the
 * frame cannot be read, or its size or format differs from the first one's. After an error every further call returns
 * it again.
 */
FV_API FvStatus fv_source_read(FvSource *source, FvFrame **frame, FvError *error);

/* The frames of a source, and where decoding can start. */
typedef struct FvSourceIndex {
    int64_t frames;         /* number of frames from the first to the end, according to the packets */
    const int64_t *entries; /* the frames at which decoding can start, ascending from 0; NULL: every frame */
    int64_t entry_count;
} FvSourceIndex;

/*
 * Makes the index once, from the container's own list or else from the packets of the file; decodes nothing.
 * FV_ERROR_USAGE: the source is a pipe. *index is valid until the source is closed.
 */
FV_API FvStatus fv_source_index(FvSource *source, const FvSourceIndex **index, FvError *error);

/*
 * The next frame to be read is number `frame`, from 0. Its samples equal those of reading from the beginning, in
 * every codec. Where frames depend on each other, decoding starts one entry earlier than the last one before the
 * frame; where an entry does not give the frames that the index lists, at the beginning of the video. FV_ERROR_USAGE:
 * the frame is beyond the end, or the source is a pipe that has passed it. Clears the error of an earlier frame.
 */
FV_API FvStatus fv_source_seek(FvSource *source, int64_t frame, FvError *error);

/*
 * The decoder, when FvSourceParams.device names a GPU: "GPU (HEVC, 10 bits)", or "CPU: " and the reason. NULL: no GPU
 * was requested. Valid until the next call on the source.
 */
FV_API const char *fv_source_decoder(const FvSource *source);

/*
 * With FvSourceParams.alpha: the alpha plane of the frame read last, as a 4:0:0 frame of the same size and depth;
 * NULL: it has none. Valid until the next call on the source; take a reference to keep it.
 */
FV_API FvFrame *fv_source_alpha(const FvSource *source);

/*
 * With FvSourceParams.conceal: how many of the *parts (slices) of the frame read last are lost; 1 of 1 when its
 * packet cannot be decoded at all. parts may be NULL.
 */
FV_API int fv_source_damaged(const FvSource *source, int *parts);

FV_API void fv_source_close(FvSource **source);

/*
 * The libav that reads containers, "libavformat 59.27.100 of FFmpeg 5": opened now, or earlier by a source. A failure
 * tells which libraries were looked for; videos without a container are read all the same.
 */
FV_API FvStatus fv_libav_version(char *text, size_t size, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
