/*
 * Sources: videos whose frames are read one by one. A program that reads all frames of a file:
 *
 *     FvError error = {0};
 *     FvSource *source = NULL;
 *     FvFrame *frame = NULL;
 *     FvStatus status = fv_source_open(&source, &(FvSourceParams){.path = "film.mkv"}, &error);
 *     while (!status && !(status = fv_source_read(source, &frame, &error)))
 *         fv_frame_unref(&frame);
 *     if (status != FV_END)
 *         fprintf(stderr, "%s\n", error.message);
 *     fv_source_close(&source);
 *
 * The caller owns a reference to each frame.
 */
#ifndef FOVEA_SOURCE_H
#define FOVEA_SOURCE_H

#include <fovea/cancel.h>
#include <fovea/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct FvSource FvSource;

/* The rotation of a video's frames before any other processing. */
typedef enum FvRotate {
    FV_ROTATE_NONE = 0, /* none; FvSourceInfo.display_rotation states what a player does */
    FV_ROTATE_AUTO,     /* the rotation that a player applies */
    FV_ROTATE_0,        /* clockwise by the degrees in the name, whatever the file states */
    FV_ROTATE_90,
    FV_ROTATE_180,
    FV_ROTATE_270,
} FvRotate;

/* The handling of a video that is stored as RGB. */
typedef enum FvRgb {
    FV_RGB_REFUSE = 0,
    FV_RGB_CONVERT, /* convert to limited-range Y'CbCr 4:4:4 with FvSourceParams.tags.matrix, or BT.709 */
    FV_RGB_KEEP,    /* deliver frames of FV_CHROMA_RGB, with matrix 0 */
    FV_RGB_BOTH, /* deliver RGB; fv_score() converts it as FV_RGB_CONVERT does for metrics that do not accept RGB */
} FvRgb;

typedef enum FvFieldOrder {
    FV_FIELDS_UNKNOWN = 0,
    FV_FIELDS_PROGRESSIVE, /* each frame is one instant */
    FV_FIELDS_TOP_FIRST,   /* two fields per frame; the field with the top row is earlier */
    FV_FIELDS_BOTTOM_FIRST,
    FV_FIELDS_MIXED,
} FvFieldOrder;

typedef struct FvSourceParams {
    const char *path; /* path of the file; "-" is standard input */
    /*
     * The reader: NULL or "auto", "y4m", "raw", "icpf" (ProRes frames without a container), "libav", or
     * "libav:FORMAT" with libavformat's name of a demuxer. Formats that may refer to other files, such as playlists,
     * need "libav:FORMAT".
     */
    const char *reader;
    FvFormat raw; /* format of a headerless file, chroma included. Other readers use only its range and rate, as
                     defaults that must agree with the file's own values */
    const char *raw_layout; /* a name for fv_raw_layout() that fits the chroma format and depth in `raw`; NULL: one
                               plane per component */
    FvFormat tags;          /* range, transfer, primaries, matrix and siting replace the file's unless 0 */
    FvFieldOrder fields;    /* true field order, not mixed; 0: the file's */
    int stream;  /* number of the container's video stream, from 1; 0: its default stream, or else the largest */
    int threads; /* number of decoding threads, [0, 256]; 0: chosen by the reader */
    const char *decoder; /* NULL or "prores=fovea"; "prores=libavcodec" leaves ProRes to libavcodec */
    FvRgb rgb;
    FvRotate rotate;    /* chroma siting keeps its name. Not with `alpha` */
    bool alpha;         /* keep alpha planes for fv_source_alpha(); metrics ignore them */
    int background;     /* 0xRRGGBB behind RGB and gray pictures with alpha; 0: black */
    bool no_grain;      /* omit the film grain that AV1, H.264 and HEVC streams request from the decoder */
    bool conceal;       /* deliver damaged ProRes frames, with 0 in their lost parts, instead of refusing them */
    const char *device; /* NULL or "cpu". A GPU ("vulkan:0") decodes ProRes to host frames, and a CUDA device also the
                           codecs of its video decoders (fv_source_decoder()). With a CUDA device, the CPU decodes
                           other videos that libav reads. Anything else is FV_ERROR_USAGE */
    const char *scored_on;  /* device or devices of the run that will score the video; NULL: unknown. If decoders of a
                               CUDA device can take over, opening decodes the first packet only */
    const FvCancel *cancel; /* or NULL. A stop request ends opening and reading with FV_ERROR_PARTIAL */
} FvSourceParams;

/* Colour, with the members of FvFormat; 0: not stated. */
typedef struct FvColour {
    FvRange range;
    int transfer, primaries, matrix;
} FvColour;

typedef struct FvSourceInfo {
    const char *path;
    const char *reader;    /* name of the reader that opened it */
    const char *container; /* the reader's name for the container: "y4m", "raw", "mov,mp4,..." */
    const char *codec;     /* name of the codec: "rawvideo", "h264", ... */
    FvFormat format;
    int64_t frames;    /* number of frames stated by the container; -1: unknown */
    bool frames_exact; /* false: only reading to the end shows whether `frames` is right */
    bool alpha;        /* the video has an alpha plane */
    bool rgb;          /* the video is stored as RGB; it is converted unless format.chroma is FV_CHROMA_RGB */
    bool flattened;    /* RGB or gray with alpha was blended over `background` */
    int background;    /* the requested background, 0xRRGGBB */
    bool image;        /* the source is image files, whose RGB is sRGB unless stated otherwise */
    bool no_grain;     /* the decoder adds no film grain, as requested */
    /*
     * The container's precision of 1/rate, in seconds: half a tick of its time stamps when the rate was estimated
     * from them, a rounding error when it is written in a header, else 0.
     */
    double rate_error;
    int stream, streams; /* number of this video stream, from 1, and of all video streams; 0: no container */
    FvFieldOrder fields;
    int aspect_num, aspect_den; /* ratio of a sample's width to its height; 0/0: unknown */
    int display_rotation;       /* degrees clockwise by which a player rotates frames, [0, 360) */
    int applied_rotation;       /* degrees clockwise by which the source rotates frames, as requested */
    const char *mastering;      /* mastering display and light levels as one line of text, or NULL */
    FvTimecode timecode;        /* time code of the first frame, stated by the container */
    FvColour container_colour;  /* colour stated by the container, if the stream states another, which `format`
                                   follows; else zero */
    int rgb_matrix;             /* matrix that converts the RGB of FV_RGB_BOTH to Y'CbCr; else 0 */
    bool mirrored;              /* a player mirrors frames left to right after it rotates them */
    FvColour named;   /* colour in FvSourceParams.tags, or a matrix of converted RGB that fv_score_encodes() fixed for
                         all encodes */
    double seconds;   /* duration stated by the container, in seconds; 0: unknown */
    int64_t left_out; /* number of coded pictures at the start that cannot be decoded */
    int pictures;     /* pictures in an image file, of which only the first is read; 0, 1: one */
    bool floats;      /* samples v are stored as floating point, and read as round(65535 v), half up. Reading fails
                         beyond [0, 1], and comparisons need FV_CONVERT_DEPTH */
} FvSourceInfo;

/*
 * Returns whether a file name has the extension of a picture (.png, .jpg, ...) and is not the pattern of a sequence.
 * Thread-safe.
 */
FV_API bool fv_is_picture(const char *path);

/*
 * Returns the usual handling of RGB for `metrics` metrics, of which `taking` accept RGB (FvMetricInfo.takes_rgb).
 * Pictures: FV_RGB_BOTH if any of the metrics accepts RGB, else FV_RGB_CONVERT. Videos: FV_RGB_KEEP if all of them
 * do, else FV_RGB_REFUSE. Thread-safe.
 */
FV_API FvRgb fv_rgb_mode(int metrics, int taking, bool pictures);

/*
 * Opens a source, which the caller closes. FV_ERROR_USAGE: a parameter is out of its range, `reader` or `device` is
 * none of these names, or the GPU of `device` cannot be used for this video. FV_ERROR_INPUT: the file cannot be read,
 * or has no video or no frame. FV_ERROR_DEVICE: the GPU of `device` does not exist or cannot be opened.
 * FV_ERROR_PARTIAL: a stop was requested.
 */
FV_API FvStatus fv_source_open(FvSource **source, const FvSourceParams *params, FvError *error);

/* Describes the source. Valid until the source is closed. */
FV_API const FvSourceInfo *fv_source_info(const FvSource *source);

/*
 * Reads the next frame in display order; the caller owns one reference. FV_END: the last frame has been read.
 * FV_ERROR_INPUT: the frame cannot be read, or its size or format differs from the first frame's. FV_ERROR_DEVICE:
 * the GPU of FvSourceParams.device failed. FV_ERROR_PARTIAL: a stop was requested. After an error every further call
 * returns the same error, until fv_source_seek() clears it.
 */
FV_API FvStatus fv_source_read(FvSource *source, FvFrame **frame, FvError *error);

/* The number of a source's frames, and the frames at which decoding can start. */
typedef struct FvSourceIndex {
    int64_t frames;         /* number of all frames, counted from the packets */
    const int64_t *entries; /* frames at which decoding can start, ascending from 0; NULL: every frame */
    int64_t entry_count;
} FvSourceIndex;

/*
 * Returns the index, which the first call makes from the container's own list or else from the packets of the file,
 * without decoding. *index is valid until the source is closed. FV_ERROR_USAGE: the source is a pipe. FV_ERROR_INPUT:
 * the packets cannot be read. FV_ERROR_PARTIAL: a stop was requested.
 */
FV_API FvStatus fv_source_index(FvSource *source, const FvSourceIndex **index, FvError *error);

/*
 * Makes frame number `frame`, from 0, the next one that fv_source_read() reads. Its samples equal those of reading
 * from the beginning, in every codec. If frames depend on each other, decoding starts one entry of the index earlier
 * than the last entry before the frame. If an entry does not give the frames that the index lists, decoding starts at
 * the beginning of the video. Clears the error of an earlier frame, except for pipes, which are read on to the frame.
 * FV_ERROR_USAGE: `frame` is below 0 or after the end, or the source is a pipe that has passed it. Otherwise fails as
 * fv_source_index() and fv_source_read() do.
 */
FV_API FvStatus fv_source_seek(FvSource *source, int64_t frame, FvError *error);

/*
 * Names the decoder when FvSourceParams.device is a GPU: "GPU (HEVC, 10 bits)", or "CPU: " and the reason. NULL: no
 * GPU was requested. Valid until the next call on the source.
 */
FV_API const char *fv_source_decoder(const FvSource *source);

/*
 * Returns, with FvSourceParams.alpha, the alpha plane of the latest frame as a 4:0:0 frame of the same size and
 * depth; NULL: it has none. Valid until the next call on the source; use fv_frame_ref() to keep it longer.
 */
FV_API FvFrame *fv_source_alpha(const FvSource *source);

/*
 * Returns, with FvSourceParams.conceal, how many parts (slices) of the latest frame are lost, and writes the number
 * of all its parts to *parts, which may be NULL. Both are 1 when the packet cannot be decoded at all.
 */
FV_API int fv_source_damaged(const FvSource *source, int *parts);

FV_API void fv_source_close(FvSource **source);

/*
 * Writes the name of the libav that reads containers, "libavformat 59.27.100 of FFmpeg 5", to text, and loads it if
 * no source has. FV_ERROR_INPUT: this build has no libav, or its libraries cannot be loaded; the message names the
 * versions of FFmpeg that fit. Videos without a container can still be read.
 */
FV_API FvStatus fv_libav_version(char *text, size_t size, FvError *error);

#ifdef __cplusplus
}
#endif

#endif
