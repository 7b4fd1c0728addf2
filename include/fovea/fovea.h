/*
 * fovea: how good a video looks, in scores that are exact to the bit.
 *
 * Copyright (c) 2026, the fovea authors. BSD 2-Clause License, see LICENSE.
 *
 * The whole public interface of libfovea. The shortest useful program is:
 *
 *     FvError error = {0};
 *     FvSession *session = NULL;
 *     fv_session_open(&session, &(FvSessionParams){.threads = 4}, &error);
 *     fv_session_add(session, "psnr_hvs", &error);
 *     fv_score(session, reference, distorted, &(FvScoreParams){0}, &error);
 *     fv_report_write(session, "report.json", FV_REPORT_JSON, &error);
 *     fv_session_close(&session);
 *
 * Conventions that hold for every call:
 *  - A call that can fail returns FvStatus and fills *error when it is not FV_OK and not FV_END. `error` may be NULL.
 *  - Parameter structs are read during the call only; a zeroed struct asks for the defaults.
 *  - Strings returned by the library belong to the object they came from and live as long as it does.
 *  - `fv_X_close(&p)` and `fv_X_unref(&p)` accept NULL and a pointer to NULL, and leave NULL behind.
 *  - NULL where an object, a parameter struct or a place for a result is required is FV_ERROR_USAGE, and so is a
 * value that its enum does not have. Functions without a status then return 0, NULL, false or not a number.
 *  - Objects are independent. One object may be used by one thread at a time unless its comment says otherwise.
 */
#ifndef FOVEA_FOVEA_H
#define FOVEA_FOVEA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FV_API __attribute__((visibility("default")))
#else
#define FV_API
#endif

/* ---- Version ------------------------------------------------------------------------------------------------ */

#define FV_VERSION_MAJOR 0
#define FV_VERSION_MINOR 1
#define FV_VERSION_PATCH 0

/* "0.1.0", of the library that is loaded. */
FV_API const char *fv_version(void);

/* Grows by one whenever any score of any metric changes in any bit, and only then. Written into every report. */
FV_API int fv_numerics_version(void);

/* ---- Errors ------------------------------------------------------------------------------------------------- */

/* The values 2 to 7 are also the exit codes of the command `fovea`. */
typedef enum FvStatus {
    FV_OK = 0,
    FV_END = 1,           /* not an error: there is no further frame or result */
    FV_ERROR_USAGE = 2,   /* an argument, option or metric name is wrong */
    FV_ERROR_INPUT = 3,   /* a file or frame cannot be read, or two inputs do not fit each other */
    FV_ERROR_DEVICE = 4,  /* a processor, driver or its memory failed */
    FV_ERROR_PARTIAL = 5, /* stopped on request, or some frames were scored before a later one failed */
    FV_ERROR_OUTPUT = 6,  /* a report or picture could not be written */
    FV_ERROR_MEMORY = 7,  /* host memory ran out */
} FvStatus;

typedef struct FvError {
    FvStatus status;
    char message[1024]; /* one sentence for a person: what, where (file, frame, option) and what to do about it */
} FvError;

/*
 * The candidate with the smallest edit distance to `word`, or NULL when none is near: for messages about names that
 * do not exist.
 */
FV_API const char *fv_nearest(const char *word, const char *const *candidates, int count);

/* ---- Stopping on request -------------------------------------------------------------------------------------- */

/*
 * A request to stop that reaches calls which wait for a pipe, a terminal or a slow file. One request may be given to
 * any number of objects and must outlive them; once made it is never taken back.
 */
typedef struct FvCancel FvCancel;

/* FV_ERROR_MEMORY when memory or file descriptors run out. */
FV_API FvStatus fv_cancel_open(FvCancel **cancel, FvError *error);

/* From any thread, and from signal handlers. NULL is ignored. */
FV_API void fv_cancel_request(FvCancel *cancel);

/* Thread-safe. False for NULL. */
FV_API bool fv_cancel_requested(const FvCancel *cancel);

FV_API void fv_cancel_close(FvCancel **cancel);

/* ---- Pictures ----------------------------------------------------------------------------------------------- */

typedef enum FvChroma {
    FV_CHROMA_400 = 0, /* luma only */
    FV_CHROMA_420,
    FV_CHROMA_422,
    FV_CHROMA_444,
} FvChroma;

typedef enum FvRange {
    FV_RANGE_UNKNOWN = 0,
    FV_RANGE_LIMITED, /* 16..235 at 8 bits, and so on */
    FV_RANGE_FULL,
} FvRange;

/* Where a chroma sample lies among the luma samples that share it. Vertically it matters for 4:2:0 only. */
typedef enum FvSiting {
    FV_SITING_UNKNOWN = 0,
    FV_SITING_LEFT,   /* beside: in the column of the left luma sample, between two rows */
    FV_SITING_CENTER, /* between all of them */
    FV_SITING_TOPLEFT,
    FV_SITING_TOP,
    FV_SITING_BOTTOMLEFT,
    FV_SITING_BOTTOM,
} FvSiting;

/*
 * What a picture is. Samples never exceed 2^depth - 1: the readers of this library refuse a file in which they do,
 * and a session refuses a frame in host memory (FV_ERROR_INPUT) when it is pushed for the first time. Of frames in a
 * device's memory the caller sees to it. Planar Y'CbCr, chroma sizes rounded up: an odd width W has (W+1)/2 chroma
 * columns when subsampled.
 */
typedef struct FvFormat {
    int width, height; /* luma samples, each in [1, 32768] */
    FvChroma chroma;
    int depth; /* bits per sample, [8, 16]. 8: one byte a sample; else 16-bit words in host order, low bits */
    FvRange range;
    int rate_num, rate_den; /* frames per second as a fraction; 0/0 when not known */
    /* Code points of ITU-T H.273 in [0, 255]; 0 when not known. */
    int transfer;  /* transfer characteristics */
    int primaries; /* colour primaries */
    int matrix;    /* matrix coefficients */
    FvSiting siting;
} FvFormat;

/* Number of planes: 1 for 4:0:0, else 3. */
FV_API int fv_format_planes(const FvFormat *format);

/* Size of one plane in samples. Plane 0 is luma, 1 Cb, 2 Cr. */
FV_API void fv_format_plane_size(const FvFormat *format, int plane, int *width, int *height);

/* Bytes per sample: 1 or 2. */
FV_API int fv_format_sample_bytes(const FvFormat *format);

/* "1920x1080 4:2:0 10-bit limited 25/1 fps" into text, always terminated. Returns text. */
FV_API char *fv_format_describe(const FvFormat *format, char *text, size_t size);

typedef enum FvColourTag { FV_TAG_PRIMARIES = 0, FV_TAG_TRANSFER, FV_TAG_MATRIX } FvColourTag;

/* "bt709", "pq", ..., "unknown", or "code point N" when it has no name here, into text, always terminated. Returns
 * text. */
FV_API char *fv_colour_name(FvColourTag tag, int code, char *text, size_t size);

/* The code point of a name, or of a number from 1 to 255; -1 when there is none. */
FV_API int fv_colour_code(FvColourTag tag, const char *name);

/* "left", "center", "topleft", "top", "bottomleft", "bottom"; FV_SITING_UNKNOWN for anything else. */
FV_API FvSiting fv_siting_parse(const char *name);

/*
 * A picture: planes in host memory, counted. Its samples must not change any more once it has been pushed.
 * Reference counting is thread-safe; the samples may be read by any number of threads.
 */
typedef struct FvFrame {
    FvFormat format;
    uint8_t *data[3];    /* first sample of each plane, 64-byte aligned; NULL for planes the format lacks */
    ptrdiff_t stride[3]; /* bytes from one row to the next, a multiple of 64 */
} FvFrame;

/*
 * A frame with uninitialised samples and reference count 1. Rows are padded: the 64 bytes after the last sample of
 * each row may be read, have any content, and need not keep it. Fails with FV_ERROR_USAGE for a format outside the
 * ranges above, FV_ERROR_MEMORY when memory runs out.
 */
FV_API FvStatus fv_frame_alloc(FvFrame **frame, const FvFormat *format, FvError *error);

/* A frame that is a copy of planes the caller owns. stride in bytes; planes the format lacks are ignored. */
FV_API FvStatus fv_frame_copy(FvFrame **frame, const FvFormat *format, const void *const data[3],
                              const ptrdiff_t stride[3], FvError *error);

/*
 * A frame over planes of the caller's in host memory, which are not copied and do not change meanwhile. They lie and
 * are padded as those of fv_frame_alloc; the padding is only read. `release`, which is required, is called once
 * nobody has the frame any more, from any thread, and also when this fails: FV_ERROR_USAGE for planes that lie
 * otherwise.
 */
FV_API FvStatus fv_frame_borrow(FvFrame **frame, const FvFormat *format, void *const data[3],
                                const ptrdiff_t stride[3], void (*release)(void *opaque), void *opaque,
                                FvError *error);

FV_API FvFrame *fv_frame_ref(FvFrame *frame);
FV_API void fv_frame_unref(FvFrame **frame);

/* ---- Sources ------------------------------------------------------------------------------------------------ */

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
    const char *device; /* NULL or "cpu"; a GPU ("vulkan:0") decodes ProRes, and nothing else, to host frames */
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
 * Of the frame read last, with params.alpha: its alpha plane, a 4:0:0 frame of the same size and depth, or NULL when
 * it has none. Valid until the next call on the source; take a reference to keep it.
 */
FV_API FvFrame *fv_source_alpha(const FvSource *source);

/* Of the frame read last, with params.conceal: how many of its *parts (slices) were lost. parts may be NULL. */
FV_API int fv_source_damaged(const FvSource *source, int *parts);

FV_API void fv_source_close(FvSource **source);

/* ---- Outputs --------------------------------------------------------------------------------------------------- */

/*
 * A file that appears under its name whole or not at all, and that is never one of the inputs. It is written beside
 * `path` as "<name>.<process>.<n>.tmp"; when it is closed it is flushed to the disk, renamed, and its folder is
 * flushed, so that after a crash or power failure either the old file or the new one is there. Symbolic links are
 * followed to the file they name, and stay. A file that replaces another gets its permissions; a new one gets those
 * that the umask leaves. A file that the caller may not write is not replaced. Pipes, devices and open descriptors
 * (/dev/stdout, /dev/fd/3) are written in place. SIGPIPE and SIGXFSZ are left to the caller: when they are ignored,
 * they become FV_ERROR_OUTPUT.
 */
typedef struct FvOutput FvOutput;

typedef struct FvOutputParams {
    const char *path;               /* "-" is standard output */
    const FvSource *const *sources; /* what is read meanwhile: the output cannot be one of them, under any name or
                                       link. NULL entries are left out */
    int source_count;               /* [0, 8] */
    const struct FvSession
        *session;           /* or NULL: its videos and the files that options of its metrics name are guarded, too */
    const FvCancel *cancel; /* or NULL. Once requested, waiting for the reader of a pipe ends: at once, or, when the
                               output was opened after the request, as for a last report, after 10 seconds */
} FvOutputParams;

/*
 * FV_ERROR_USAGE when the path is that of a file which is read, FV_ERROR_OUTPUT when no file can be made there,
 * FV_ERROR_PARTIAL when a stop was requested first. Waits for the reader of a named pipe.
 */
FV_API FvStatus fv_output_open(FvOutput **output, const FvOutputParams *params, FvError *error);

/* The same answers, as far as they can be known without opening or making anything: to be asked before long work. */
FV_API FvStatus fv_output_check(const FvOutputParams *params, FvError *error);

/* Where to write. Errors stay in the stream: closing the output reports them. */
FV_API FILE *fv_output_file(FvOutput *output);

/* The file appears under its name. On failure nothing of it is left, and what was there before stays. */
FV_API FvStatus fv_output_close(FvOutput **output, FvError *error);

/*
 * For output that is good but not whole. It appears beside `path`, which is not touched, under a name that is not in
 * use: film.partial.y4m, film.partial-2.y4m, ... The name is written to `name`; it is empty for what was written in
 * place. On failure nothing is left.
 */
FV_API FvStatus fv_output_keep(FvOutput **output, char *name, size_t size, FvError *error);

/* For output that is not wanted after all: nothing appears, and what was there before stays. */
FV_API void fv_output_discard(FvOutput **output);

/* ---- Metrics ------------------------------------------------------------------------------------------------ */

typedef enum FvOptionType {
    FV_OPTION_BOOL,
    FV_OPTION_INT,
    FV_OPTION_REAL,
    FV_OPTION_TEXT,
    FV_OPTION_PATH, /* of a file that decides scores: it is read when the metric is added, and reports name its hash
                     */
} FvOptionType;

typedef struct FvOptionInfo {
    const char *name;
    const char *alias; /* short name used in suffixes of output names; NULL: name is; "": it stays out of them */
    FvOptionType type;
    double minimum, maximum;    /* FV_OPTION_INT and FV_OPTION_REAL, both included */
    double value;               /* default of BOOL (0 or 1), INT and REAL */
    const char *text;           /* default of TEXT, or NULL for unset; PATH is unset at first */
    const char *const *choices; /* TEXT: NULL-terminated list of the only values, or NULL for any */
    const char *unit;           /* "dB", "px", ..., or NULL */
    const char *help;
} FvOptionInfo;

/* FV_NEITHER_IS_BETTER: the value describes the video and judges nothing, like the amount of motion. */
typedef enum FvBetter { FV_HIGHER_IS_BETTER, FV_LOWER_IS_BETTER, FV_NEITHER_IS_BETTER } FvBetter;

/* "higher", "lower" or "neither"; NULL for any other value. */
FV_API const char *fv_better_name(FvBetter better);

typedef struct FvOutputInfo {
    const char *name;
    const char *unit;        /* "dB", "score", ... */
    double minimum, maximum; /* what a value can be; may be infinite */
    FvBetter better;
    bool sequence; /* one value for the whole clip instead of one a frame */
    const char *help;
} FvOutputInfo;

/* A picture of numbers that a metric can make of a frame. */
typedef struct FvMapInfo {
    const char *name;
    const char *unit;        /* "JND", "c-value", ... */
    double minimum, maximum; /* what a value can be; may be infinite */
    const char *help;
    double
        shown; /* where the maximum is infinite, the value up to which pictures usually show it; 0: none is usual */
    bool on_request; /* for research: not meant when somebody wants the maps of the metric without naming any */
} FvMapInfo;

typedef struct FvMetricInfo {
    const char *name, *title;
    const char *citation; /* the paper or standard that defines it */
    bool needs_reference; /* false: scores the distorted video alone unless an option asks for the reference */
    const FvOptionInfo *options;
    int option_count;
    const FvOutputInfo *outputs; /* all that it can have; options and format decide which of them a run has */
    int output_count;
    const FvMapInfo *maps;
    int map_count;
} FvMetricInfo;

/* A map of one frame, as it is handed over. Everything in it is valid during that call only. */
typedef struct FvMap {
    int metric, map; /* in the order of fv_session_add; in FvMetricInfo.maps */
    const FvMapInfo *info;
    double minimum, maximum;              /* what a value can be with this session's options */
    int64_t number;                       /* of the frame, as it was pushed */
    const FvFrame *reference, *distorted; /* what was pushed */
    int width, height;
    const float *data;
    ptrdiff_t stride; /* from one row to the next, in floats */
} FvMap;

/* Metric i in [0, count), or NULL. The order is fixed and alphabetical. Thread-safe. */
FV_API int fv_metric_count(void);
FV_API const FvMetricInfo *fv_metric_info(int i);

/* ---- Models of VMAF ------------------------------------------------------------------------------------------ */

/*
 * A model apart from any video, for a program that has the values of its features: the metric `vmaf` computes both. A
 * model never changes and may be used by any number of threads. docs/metrics/vmaf.md
 */
typedef struct FvModel FvModel;

typedef struct FvModelParams {
    const char *version; /* a built-in model: "vmaf_v0.6.1" */
    const char *path;    /* instead: a file in libvmaf's JSON form */
} FvModelParams;

/* An option of the metric that computes a feature, as text. */
typedef struct FvModelOption {
    const char *name, *value;
} FvModelOption;

typedef struct FvModelFeature {
    const char *name;             /* libvmaf's long one: "VMAF_integer_feature_adm2_score" */
    const FvModelOption *options; /* name NULL at the end */
} FvModelFeature;

typedef struct FvModelFlags {
    bool disable_clip;     /* scores may leave the model's range */
    bool enable_transform; /* the transform also where the model has it off */
} FvModelFlags;

/* FV_ERROR_USAGE for a version that does not exist, FV_ERROR_INPUT for a file that is no model. */
FV_API FvStatus fv_model_open(FvModel **model, const FvModelParams *params, FvError *error);

/* The features in the order that fv_model_score wants their values in; NULL outside [0, count). */
FV_API int fv_model_features(const FvModel *model);
FV_API const FvModelFeature *fv_model_feature(const FvModel *model, int i);

/*
 * How many values a score has. A plain model: 1. A collection of n members: the main score, n - 1 scores of the other
 * members, their mean, their standard deviation, and the ends of the interval that holds 95 % of them: n + 4.
 */
FV_API int fv_model_values(const FvModel *model);

/* values[fv_model_values(model)] from features[fv_model_features(model)]. */
FV_API FvStatus fv_model_score(const FvModel *model, FvModelFlags flags, const double *features, double *values,
                               FvError *error);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_model_close(FvModel **model);

/* ---- Devices ------------------------------------------------------------------------------------------------ */

typedef struct FvDeviceInfo {
    const char *name;   /* what --device takes: "cpu", "vulkan:0", "cuda:0" */
    const char *title;  /* the processor's own name */
    const char *driver; /* driver and its version; for the CPU the instruction sets, best first */
    uint64_t memory;    /* bytes */
    bool usable;
    const char *limits; /* for a GPU, what bounds its kernels; "" for the CPU */
    const char *lacks;  /* why it is not usable, or what it lacks; "" for nothing */
    bool software;      /* a GPU's driver that computes on the CPU; "auto" never chooses it */
} FvDeviceInfo;

typedef struct FvDeviceList FvDeviceList;

/* Looks at the machine anew. Absent drivers are not an error: their device is listed as not usable. */
FV_API FvStatus fv_devices_list(FvDeviceList **list, FvError *error);
FV_API int fv_devices_count(const FvDeviceList *list);
FV_API const FvDeviceInfo *fv_devices_info(const FvDeviceList *list, int i);
FV_API void fv_devices_close(FvDeviceList **list);

/*
 * Tests a GPU now: every operation of its arithmetic, and every metric that has kernels, against plain C on small
 * frames, and scaling. `report` is called once for each metric and for "scaling", `why` being "" for a good one. A
 * session does the same by itself when it meets a device, driver or kernel for the first time; metrics that fail are
 * then computed on the CPU. Returns FV_ERROR_DEVICE when anything failed or the device cannot be opened. The CPU is
 * the measure and always passes.
 */
FV_API FvStatus fv_device_verify(const char *device,
                                 void (*report)(void *opaque, const char *metric, bool good, const char *why),
                                 void *opaque, FvError *error);

/* ---- Scoring ------------------------------------------------------------------------------------------------ */

/* One run of some metrics over one pair of videos. */
typedef struct FvSession FvSession;

typedef enum FvLogLevel { FV_LOG_ERROR, FV_LOG_WARNING, FV_LOG_INFO } FvLogLevel;

typedef struct FvSessionParams {
    const char *device; /* NULL or "auto", "cpu", "vulkan[:N]", "cuda[:N]" */
    const char *isa; /* NULL or "auto", "scalar", "sse2", "avx2", "avx512", "neon": the best the CPU device may use */
    int threads;     /* [0, 1024]; 0: one per processor. 1: everything happens in the caller's thread */
    int in_flight;   /* frame pairs being worked on at once, [0, 1024]; 0: chosen from threads */
    void (*log)(void *opaque, FvLogLevel level,
                const char *message); /* NULL: silent. Called from the caller's thread */
    void *opaque;
    const FvCancel *cancel; /* or NULL. Once requested, fv_score and waiting for a report's reader end */
    int64_t interval;       /* microseconds, >= 0: reports also pool the scores of each such interval; 0: not */
    bool scenes; /* fv_score finds scenes, and reports also pool the scores of each. Pictures from 64x36 on */
} FvSessionParams;

/*
 * Memory held by a session and its two sources, whatever the clip's length: at most
 *     (in_flight + 4) x (bytes of a reference frame + bytes of a distorted frame), 5 when a metric looks two frames
 * back
 *   + in_flight x (bytes of the features' working memory per frame + bytes of the maps wanted of it)
 *   + bytes of what features keep from frame to frame
 *   + threads x (scratch of the feature that needs most)
 *   + 8 bytes per output and frame (the scores, kept for percentiles) and per term and frame (what they come from).
 * fv_session_memory() gives all but the last line in bytes for a started session.
 */
FV_API FvStatus fv_session_open(FvSession **session, const FvSessionParams *params, FvError *error);

/*
 * Adds a metric before the first frame: "name" or "name=option=value:option=value", or several with commas between
 * them, all or none. In values a backslash takes the meaning from the character behind it, and '...' from everything
 * between but a quote, as in FFmpeg's filter strings, but there is one level only: heatmaps_path='a:b,c' or
 * heatmaps_path=a\:b\,c. An unknown name or option is FV_ERROR_USAGE and the message names the nearest known one.
 * Files that options of type FV_OPTION_PATH name are read now; one that cannot be is FV_ERROR_INPUT.
 */
FV_API FvStatus fv_session_add(FvSession *session, const char *metric, FvError *error);

/* The metrics that were added, in order; a metric may be there more than once. */
FV_API int fv_session_metrics(const FvSession *session);
FV_API const FvMetricInfo *fv_session_metric(const FvSession *session, int metric);

/*
 * "name" or "name=option=value:...", with the options that differ from their defaults, as fv_session_add and
 * fv_still_map read it; into text, always terminated. FV_ERROR_USAGE when there is no such metric, or no room.
 */
FV_API FvStatus fv_session_metric_text(const FvSession *session, int metric, char *text, size_t size, FvError *error);

/* One map of one metric for some frames. */
typedef struct FvMapRequest {
    int metric, map;                             /* in the order of fv_session_add; in FvMetricInfo.maps */
    bool (*wants)(void *opaque, int64_t number); /* whether it is wanted of this frame; NULL: of every one */
    /* Called in the order of frames, in the thread that pushes or finishes; it must not push, finish or close the
     * same session. Another status than FV_OK, which must be that of an error, ends the session with it. */
    FvStatus (*take)(void *opaque, const FvMap *map, FvError *error);
    void *opaque;
} FvMapRequest;

/*
 * Before the session is started. Maps of skipped frames are not made. What is not wanted costs nothing; each map that
 * is takes its memory in_flight times. Frames of which a map is wanted that the device has no kernels for are
 * computed on the CPU, with `wants` NULL all of them; fv_session_decision() says so.
 */
FV_API FvStatus fv_session_want_map(FvSession *session, const FvMapRequest *request, FvError *error);

/*
 * One pair, many parameters: a still keeps a pair where its maps are computed, and when options change computes again
 * only what they change. Nothing is read or uploaded twice. One thread at a time.
 */
typedef struct FvStill FvStill;

typedef struct FvStillParams {
    const char *device; /* NULL or "cpu"; a GPU as fv_devices_list names it */
    const char *isa;    /* CPU instructions; NULL or "auto": the best */
    int threads;        /* on the CPU, [0, 256]; 0: one */
} FvStillParams;

/*
 * The still holds references to both frames, which the host must be able to read; reference may be NULL. Both have
 * the same size, chroma and depth: FV_ERROR_INPUT otherwise. Close it with fv_still_close, whatever comes of its
 * maps.
 */
FV_API FvStatus fv_still_open(FvStill **still, const FvStillParams *params, const FvFrame *reference,
                              const FvFrame *distorted, FvError *error);

/*
 * The map of this name of a metric "name" or "name=option=value:...", and its scores; map NULL: scores only. The data
 * of *map (which may be NULL) is valid until the next call with this still. After a failure of options
 * (FV_ERROR_USAGE) the map before stays. Takes metrics that are made of one feature and look at one pair; the others
 * are FV_ERROR_USAGE, and what the device cannot compute is FV_ERROR_DEVICE. fv_still_map_on_device leaves the map on
 * the device.
 */
FV_API FvStatus fv_still_map(FvStill *still, const char *metric, const char *name, FvMap *map, FvError *error);

/* A score of the last call that succeeded, by the name of its output; NaN when there is none. */
FV_API double fv_still_value(const FvStill *still, const char *output);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_still_close(FvStill **still);

/* Whether any metric that was added needs a reference. */
FV_API bool fv_session_needs_reference(const FvSession *session);

/*
 * Fixes the formats and prepares every metric; reference is NULL when there is none. FV_ERROR_INPUT when the pair
 * or a metric does not allow them. fv_score() calls it itself.
 */
FV_API FvStatus fv_session_start(FvSession *session, const FvFormat *reference, const FvFormat *distorted,
                                 FvError *error);

FV_API uint64_t fv_session_memory(const FvSession *session);

/*
 * Hands over frame number `number` of both videos (reference NULL when there is none). The session takes references
 * of its own. Frames are scored in the order of the calls. Blocks while in_flight pairs are in flight.
 */
FV_API FvStatus fv_session_push(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/* Hands over a frame that gets no scores (subsampling) but that metrics which look back must see. */
FV_API FvStatus fv_session_skip(FvSession *session, int64_t number, FvFrame *reference, FvFrame *distorted,
                                FvError *error);

/*
 * Waits until every pushed frame has been worked on. Scores that look at later frames still wait for these, and as a
 * frame counts once all its scores are there, so does fv_session_frames(). More frames may follow.
 */
FV_API FvStatus fv_session_wait(FvSession *session, FvError *error);

/* Waits until every pushed frame is scored, then computes the values of the whole sequence. */
FV_API FvStatus fv_session_finish(FvSession *session, FvError *error);

/*
 * Frames scored so far, in order of pushing, and their values. Grows during push and is complete after finish: a
 * frame counts once all its scores are there, those that wait for later frames included.
 */
FV_API int64_t fv_session_frames(const FvSession *session);
FV_API int64_t fv_session_frame_number(const FvSession *session, int64_t frame);

/* The outputs this session has, in the order of the metrics and of their descriptors. Complete after start. */
FV_API int fv_session_outputs(const FvSession *session);
FV_API const FvOutputInfo *fv_session_output(const FvSession *session, int output);

/*
 * Where an output comes from: the metric in the order of fv_session_add, and its own output in FvMetricInfo.outputs,
 * which a metric that makes names of its own (vmaf) does not have: NULL. The name there never has a suffix.
 */
FV_API const FvOutputInfo *fv_session_output_origin(const FvSession *session, int output, int *metric);

/*
 * Value of a per-frame output. May be infinite or not a number where the metric says so. For a sequence output
 * `frame` is ignored and the value is that of the clip (not a number before finish).
 */
FV_API double fv_session_value(const FvSession *session, int64_t frame, int output);

/*
 * What a frame leaves behind before there are scores: integers that are exact, and binary64 numbers. All scores are
 * functions of these terms.
 */
typedef enum FvTermType { FV_TERM_INTEGER, FV_TERM_REAL } FvTermType;

typedef union FvTerm {
    int64_t integer;
    double real;
} FvTerm;

typedef struct FvTermInfo {
    const char *name;
    FvTermType type;
} FvTermInfo;

/*
 * The rows of terms: one for every frame that is done, skipped ones included, in order of pushing. A row has
 * fv_session_terms() terms, those of every feature that a metric of the session needs; `feature`, which may be NULL,
 * gets the name of the one that term `term` belongs to. A row is valid until the next call that changes the session;
 * of a skipped frame, the terms of features that are not computed then are 0. Complete after finish. Scores may
 * follow their rows with a delay, when a metric looks at later frames.
 */
FV_API int fv_session_terms(const FvSession *session);
FV_API const FvTermInfo *fv_session_term(const FvSession *session, int term, const char **feature);
FV_API int64_t fv_session_rows(const FvSession *session);
FV_API const FvTerm *fv_session_row(const FvSession *session, int64_t row, int64_t *number, bool *skipped);

typedef enum FvPool {
    FV_POOL_MEAN,
    FV_POOL_MIN,
    FV_POOL_MAX,
    FV_POOL_HARMONIC_MEAN, /* n / sum(1 / (1 + x)) - 1, the form the field uses for scores near 0 */
    FV_POOL_STDDEV,        /* of the population */
    FV_POOL_P1,
    FV_POOL_P5,
    FV_POOL_P10,
    FV_POOL_P25,
    FV_POOL_MEDIAN,
    FV_POOL_COUNT
} FvPool;

/* "mean", "min", "max", "harmonic_mean", "stddev", "p1", "p5", "p10", "p25", "median". */
FV_API const char *fv_pool_name(FvPool pool);

/*
 * Pooled over all frames scored so far, summed in frame order. Percentiles interpolate linearly between the two
 * nearest ranks. Without any frame the value is not a number. Infinite values pool as IEEE 754 arithmetic says.
 */
FV_API double fv_session_pool(const FvSession *session, int output, FvPool pool);

/*
 * The `count` worst of the frames scored so far by a per-frame output: their places in the order of pushing, the
 * worst first, of equal ones the earlier. Each is at least `apart` places from those before it (1: all count). Values
 * that are not numbers are left out, and an output of which neither direction is better has no worst frames. Returns
 * how many there are.
 */
FV_API int fv_session_worst(const FvSession *session, int output, int64_t apart, int64_t *frames, int count);

/*
 * Parts of the videos: intervals of FvSessionParams.interval from frame 0 on, by the frame rate of the distorted
 * video, or scenes, which begin where the reference cuts (the distorted video, when there is no reference). Parts
 * without a scored frame are left out.
 */
typedef enum FvPartKind { FV_PARTS_INTERVALS = 0, FV_PARTS_SCENES } FvPartKind;

typedef struct FvPart {
    int64_t first, count; /* scored frames, as fv_session_value counts them */
    int64_t frame;        /* the caller's number of the first of them */
} FvPart;

/*
 * The part behind *part; of one that is all zeros the first. False behind the last, when the session does not divide
 * the videos like that, or when the frame rate is not known.
 */
FV_API bool fv_session_next_part(const FvSession *session, FvPartKind kind, FvPart *part);

/* Pooled over the frames of a part. */
FV_API double fv_session_pool_part(const FvSession *session, int output, FvPool pool, const FvPart *part);

/* A condition on a pooled score, or on the value of a sequence output. */
typedef struct FvGate {
    int output; /* [0, fv_session_outputs()) */
    FvPool pool;
    bool above; /* fails above the limit instead of below it */
    double limit;
} FvGate;

typedef enum FvGateOutcome {
    FV_GATE_PASSED = 0,
    FV_GATE_FAILED,
    FV_GATE_UNDEFINED, /* the score is not a number, which is no pass */
} FvGateOutcome;

/* The outcome for the frames scored so far; *value, which may be NULL, gets the score. */
FV_API FvGateOutcome fv_session_gate(const FvSession *session, const FvGate *gate, double *value);

/* Makes a gate part of the report, with its outcome when the report is written. After start. */
FV_API FvStatus fv_session_add_gate(FvSession *session, const FvGate *gate, FvError *error);

/* A picture of a frame, or of a part of it, for the report that is a page. */
typedef struct FvReportPicture {
    int64_t frame;               /* its number, as fv_session_frame_number() counts */
    const char *name;            /* "reference", "distorted", or that of a map */
    int x, y, width, height;     /* of the part, in luma samples */
    int scale;                   /* 1: sample by sample; n: each pixel stands for n x n samples */
    const void *png;             /* the file */
    size_t bytes;                /* [1, 16 MiB] */
    const char *unit;            /* of a map; else NULL */
    double low, high;            /* of a map: values of its first and of its last colour */
    const uint8_t (*colours)[3]; /* of a map: red, green and blue of equal steps from low to high */
    int colour_count;            /* [0, 256] */
} FvReportPicture;

/*
 * Makes a picture part of the page that FV_REPORT_HTML writes; other reports are without. Copies everything. After
 * start, at most 1000 pictures.
 */
FV_API FvStatus fv_session_add_picture(FvSession *session, const FvReportPicture *picture, FvError *error);

/*
 * What was decided on the way, one sentence each, in the order of deciding: a rate difference that was ignored, a
 * metric that went to the CPU, samples that were brought to a common depth. Empty for most sessions.
 */
FV_API int fv_session_decisions(const FvSession *session);
FV_API const char *fv_session_decision(const FvSession *session, int i);

/* ---- Frames on a device --------------------------------------------------------------------------------------- */

/*
 * A decoder on the session's device leaves its pictures there: it asks for frames in device memory and fills them, or
 * wraps memory of its own. docs/examples/device_frames.c shows both. Such frames can be pushed into this session
 * only, have data[] NULL, and are released before the session is closed, in the thread that uses it.
 */
typedef enum FvMemory {
    FV_MEMORY_PINNED, /* host memory that the device reads by itself: uploads need no copy before */
    FV_MEMORY_DEVICE, /* the device's own */
} FvMemory;

/* Where a frame's samples are on the device, and when they are complete. */
typedef struct FvDeviceFrame {
    uint64_t address[3]; /* of the first sample of each plane: CUdeviceptr, VkDeviceAddress; multiples of 16 */
    ptrdiff_t stride[3]; /* bytes, multiples of 16; every row is readable up to a multiple of 16 bytes */
    void *sync;          /* CUevent, or VkSemaphore of the timeline kind; NULL: the samples are complete */
    uint64_t sync_value; /* what the semaphore has to reach */
    void (*release)(void *opaque); /* fv_session_wrap: called once the library is done with the samples; or NULL */
    void *opaque;
} FvDeviceFrame;

/* The device's objects, to share them. NULL for what this kind of device does not have. */
typedef struct FvDeviceHandles {
    const char *kind; /* "cpu", "vulkan", "cuda" */
    int index;
    void *cuda_context, *cuda_stream;
    void *vulkan_instance, *vulkan_physical_device, *vulkan_device, *vulkan_queue;
    uint32_t vulkan_queue_family;
} FvDeviceHandles;

FV_API void fv_session_device(const FvSession *session, FvDeviceHandles *handles);

/* A map that was left where it was computed. */
typedef struct FvDeviceMap {
    const FvMapInfo *info;
    double minimum, maximum; /* what a value can be with these options */
    int width, height;
    uint64_t address; /* of float32 numbers, row by row: a CUdeviceptr, the device address of a Vulkan buffer, or, on
                         the CPU, an address in host memory */
    ptrdiff_t stride; /* from one row to the next, in floats */
} FvDeviceMap;

/*
 * As fv_still_map, but the map is not brought to the host. The device has written it when the call returns; it is
 * valid until the next call with this still, which fv_still_close is, too. The map needs a name: NULL is
 * FV_ERROR_USAGE.
 */
FV_API FvStatus fv_still_map_on_device(FvStill *still, const char *metric, const char *name, FvDeviceMap *map,
                                       FvError *error);

/* The objects of the still's device, to read such maps with. */
FV_API void fv_still_device(const FvStill *still, FvDeviceHandles *handles);

/*
 * A frame with undefined samples in memory of the session's device. On the CPU, both kinds are ordinary frames.
 * FV_ERROR_DEVICE when there is no room.
 */
FV_API FvStatus fv_session_frame(FvSession *session, FvFrame **frame, const FvFormat *format, FvMemory memory,
                                 FvError *error);

/* A frame over device memory of the caller. Calls where->release also when it fails. */
FV_API FvStatus fv_session_wrap(FvSession *session, FvFrame **frame, const FvFormat *format,
                                const FvDeviceFrame *where, FvError *error);

/* Where a frame is; false for frames in host memory. sync and release are not given. */
FV_API bool fv_frame_device(const FvFrame *frame, FvDeviceFrame *where);

/* What has to happen before a device frame is read, as in FvDeviceFrame; to be set before it is pushed. */
FV_API void fv_frame_sync(FvFrame *frame, void *sync, uint64_t value);

/* ---- Scoring two sources ------------------------------------------------------------------------------------ */

/*
 * How fast each part of a scoring goes by itself: frames a second of the time for which it works. 0: it has nothing
 * to do, or that is not known.
 */
typedef struct FvPace {
    double reading[2]; /* from the file: of the reference, of the distorted video */
    double decoding[2];
    double preparing[2];    /* scaling and converting, on the CPU */
    double transfer;        /* to the device, of the time for which it was waited */
    double scoring;         /* by all threads, on the CPU alone */
    const char *limited_by; /* what was waited for longest, such as "decoding ref.mp4"; NULL: nothing yet */
} FvPace;

/* Valid during the call, as what it points to. */
typedef struct FvProgress {
    int64_t frames; /* scored so far */
    int64_t total;  /* -1 when not known */
    double seconds; /* since the first frame was asked for */
    FvPace pace;    /* all zero where frames are scored in shards */
} FvProgress;

/* What may be converted so that two videos can be compared: bits. Nothing is, unless it is asked for. */
typedef enum FvConversion {
    FV_CONVERT_RANGE = 1,  /* the distorted video to the reference's range */
    FV_CONVERT_MATRIX = 2, /* the distorted video to the reference's matrix, between BT.601 and BT.709 */
    FV_CONVERT_CHROMA = 4, /* the video with less chroma to the chroma format of the other */
    FV_CONVERT_DEPTH = 8,  /* full range of the shallower video to the other's depth, rounded to the nearest */
} FvConversion;

/* A part of a picture, in luma samples; width 0: all of it. It may not cut through a chroma sample. */
typedef struct FvCrop {
    int x, y, width, height;
    int64_t frames; /* that fv_find_bars saw, for the report; 0: somebody else chose the part */
} FvCrop;

typedef enum FvScaleTo {
    FV_SCALE_NONE = 0,  /* different sizes are refused */
    FV_SCALE_DISTORTED, /* the distorted video to the size of the reference */
    FV_SCALE_REFERENCE, /* the reference to the size of the distorted video */
    FV_SCALE_DISPLAY,   /* both to the size of the reference with square samples: its width times its sample aspect */
    FV_SCALE_SIZE,      /* both to a given size */
} FvScaleTo;

typedef enum FvScaleKernel {
    FV_KERNEL_BICUBIC = 0,
    FV_KERNEL_BILINEAR,
    FV_KERNEL_LANCZOS,
    FV_KERNEL_SPLINE36
} FvScaleKernel;

/* After cropping. docs/scaling.md */
typedef struct FvScale {
    FvScaleTo to;
    int width, height; /* with FV_SCALE_SIZE */
    FvScaleKernel kernel;
    bool cubic;  /* b and c count; otherwise they are 0 and 0.6, as in FFmpeg */
    double b, c; /* of the bicubic kernel, [0, 1] */
} FvScale;

/* Which frames are compared with which. docs/alignment.md */
typedef enum FvAlignMode {
    FV_ALIGN_BY_INDEX = 0, /* the n-th with the n-th, after the frames to skip */
    FV_ALIGN_BY_TIME,      /* each distorted frame with the reference frame that is shown nearest to its time */
    FV_ALIGN_BY_OFFSET,    /* by index, after an offset that was found by content */
    FV_ALIGN_BY_CONTENT,   /* by content: dropped and repeated frames have no pair */
} FvAlignMode;

/* What was found to belong together in two files. */
typedef struct FvAlignment FvAlignment;

typedef struct FvScoreParams {
    FvAlignMode align;
    const FvAlignment *alignment; /* of the same two files, for the last two modes; else NULL. Read during the call */
    bool shortest;                /* stop at the end of the shorter video instead of refusing unequal lengths */
    bool ignore_rate;             /* pair by index although the frame rates differ */
    bool ignore_range;            /* compare code values although the range flags differ */
    bool ignore_colour;           /* compare code values although primaries, transfer or matrix differ */
    unsigned convert;             /* bits of FvConversion */
    FvCrop crop[2];               /* of the reference, of the distorted video */
    FvScale scale;
    int subsample; /* score every n-th frame; 0 and 1: every frame */
    /* NULL, or which of these frames are scored; the others are skipped. Gets `opaque`. */
    bool (*chooses)(void *opaque, int64_t frame);
    int64_t frames;                         /* stop after this many frames; 0: all */
    int64_t skip_reference, skip_distorted; /* frames dropped at the start */
    int64_t start, duration; /* microseconds: frames before `start` are dropped from both, and after `duration` from
                                there scoring stops; 0: not. After the frames to skip, by the frame rate */
    /* Return false to stop early: the frames scored so far stay and fv_score returns FV_ERROR_PARTIAL. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvScoreParams;

/*
 * Reads both sources from where they are to the end and scores them, once for a session that has not been started;
 * reference NULL when no metric needs one, and never the same source as the distorted one. Frames pair by index.
 * Size and chroma format must agree, unless a parameter scales or converts; of gray against colour luma is compared.
 * Differing bit depths: the shallower samples are multiplied by 2^(difference), which is exact for limited-range
 * video; when either is full range this is refused. Frame rates that differ by more than the containers can tell,
 * ranges, primaries, transfer and matrix that are stated by both and differ are refused unless a parameter ignores or
 * converts them. Y'CbCr without a stated range is taken for limited.
 * What was decided on the way (rate ignored, length cut) becomes part of the report. When a later frame fails,
 * the result is FV_ERROR_PARTIAL (FV_ERROR_INPUT if none was scored), or FV_ERROR_DEVICE or FV_ERROR_OUTPUT when that
 * is what failed, and the scores so far are kept. A stop requested through FvSourceParams.cancel of either source is
 * FV_ERROR_PARTIAL as well.
 */
FV_API FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);

/*
 * What fv_score would compare: the formats of the frames after cropping, converting and scaling, formats[0] of the
 * reference. Reads nothing and records nothing; reference may be NULL. FV_ERROR_INPUT when the pair does not fit.
 */
FV_API FvStatus fv_score_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                                 FvFormat formats[2], FvError *error);

/*
 * Finds out which frames of two files belong together: FV_ALIGN_BY_OFFSET or FV_ALIGN_BY_CONTENT. Reads both files to
 * their ends, and parts of them again, so pipes are refused. FV_ERROR_INPUT with the reason when it cannot be sure,
 * or when the answer is not of that mode.
 */
FV_API FvStatus fv_align(FvAlignment **alignment, const FvSourceParams *reference, const FvSourceParams *distorted,
                         FvAlignMode mode, FvError *error);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_alignment_close(FvAlignment **alignment);

/*
 * Finds the part of a video within black bars. Reads the file to its end, so pipes are refused. A row or column is
 * part of a bar in a frame when the mean of its luma is at most 8 codes of 8 bits above black; a bar is as wide as it
 * is in every frame that is not black altogether, less what would cut through chroma. FV_ERROR_INPUT with fewer than
 * 8 such frames, from which nothing is concluded. docs/scaling.md
 */
FV_API FvStatus fv_find_bars(FvCrop *crop, const FvSourceParams *params, FvError *error);

/* ---- Shards: one scoring on many machines -----------------------------------------------------------------------
 */

/*
 * A plan cuts the frames of a pair of files into shards. Any machine that has the files computes any of them, into
 * files of its own; merged, they give the reports of one run, byte for byte. docs/many-machines.md
 */
typedef struct FvPlan FvPlan;

typedef struct FvPlanParams {
    const FvSession *session;        /* that has its metrics and has not been started; metrics that write maps are not
                                        taken */
    FvSource *reference, *distorted; /* of ordinary files. reference may be NULL */
    const FvSourceParams *reference_params, *distorted_params; /* that these were opened with */
    const FvScoreParams *score; /* frames pair by index; functions in it are not taken */
    int shards;                 /* how many; 0: as many as */
    int64_t frames_per_shard;   /* make it. Cuts are moved a little, to where both videos can be entered */
} FvPlanParams;

typedef struct FvPlanShard {
    int64_t first, frames; /* that it scores */
    int64_t lead;          /* frames in front of `first` that have to be read, because metrics look back */
} FvPlanShard;

/* Lists the packets of both files, and decodes nothing. */
FV_API FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error);

/* As an FvOutput. Paths of the videos are written as they were given. */
FV_API FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error);

/* FV_ERROR_INPUT for a plan that was changed, or made for another numerics version. */
FV_API FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error);

/* 64 hexadecimal digits: plans are the same when these are. Valid until the plan is closed. */
FV_API const char *fv_plan_hash(const FvPlan *plan);

FV_API int fv_plan_shards(const FvPlan *plan);

/* False when there is no such shard. */
FV_API bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info);

typedef struct FvPlanRunParams {
    /* device may be a list, "cuda:0,cuda:1", or "all" usable GPUs, which share the shards and the threads. Functions
     * in it are called by the caller's thread. */
    FvSessionParams session;
    int first, count; /* which shards; count 0: all from `first` on */
    /* Where FOLDER/000012.shard is written, with FOLDER/000012.run.json beside it, which says who computed it. It is
     * made when it is not there. Shards that are whole already are not computed again. */
    const char *folder;
    bool ignore_modified; /* the files may have another time than the plan says: they are copies */
    /* Return false to stop. From any thread, one call at a time. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvPlanRunParams;

/*
 * Computes shards. Each is written when it is whole; one that fails leaves the others as they are. FV_ERROR_INPUT
 * when a file is not the one of the plan. Any number of processes may work on a plan and on a folder, on the same
 * shard too.
 */
FV_API FvStatus fv_plan_run(const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

typedef struct FvMergeParams {
    const char *const *paths; /* of shards in any order; files named .run.json and .tmp are left out */
    int count;
    int64_t interval;   /* as in FvSessionParams */
    bool allow_missing; /* scores of the frames that are there: FV_ERROR_PARTIAL, with a session */
    const FvCancel *cancel;
} FvMergeParams;

/*
 * A finished session from all shards of a plan: its values and reports are those of one run. The videos are not
 * needed. FV_ERROR_INPUT when a shard is missing, damaged, of another plan, or there twice with different content.
 */
FV_API FvStatus fv_plan_merge(FvSession **session, const FvPlan *plan, const FvMergeParams *params, FvError *error);

/*
 * Both in one process: computes what is missing in params->folder (NULL: everything, in memory), and merges. After a
 * failure, *session has what was scored, as after fv_score, or is NULL. first and count are not looked at.
 */
FV_API FvStatus fv_plan_score(FvSession **session, const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

FV_API void fv_plan_close(FvPlan **plan);

/* ---- Pairs of frames by number ----------------------------------------------------------------------------------
 */

/*
 * Two files of which any pair of frames can be asked for, as fv_score would compare it: for looking at what was
 * scored, with FvStill for its maps. A pair that follows the one before is the fastest; for others the files are
 * entered at a key frame (fv_source_seek), or, where pairs go by content or by time, read from their beginning. One
 * thread at a time.
 */
typedef struct FvPairs FvPairs;

/*
 * Opens both files; reference may be NULL. Of `params`, what decides which frames are compared and what is done to
 * them counts; its alignment must outlive the pairs. FV_ERROR_INPUT when the two do not fit, and for pipes, which
 * can be read only once.
 */
FV_API FvStatus fv_pairs_open(FvPairs **pairs, const FvSourceParams *reference, const FvSourceParams *distorted,
                              const FvScoreParams *params, FvError *error);

/* Of one of the files, side 0 the reference; NULL when there is none. Valid until the next pair is read. */
FV_API const FvSourceInfo *fv_pairs_info(const FvPairs *pairs, int side);

/*
 * The pair of this number, as fv_session_frame_number() counts: frames[0] is of the reference, or NULL, and
 * frames[1] of the distorted video. The caller owns a reference of each. FV_END behind the last pair; FV_ERROR_INPUT
 * for a frame without a pair, or when reading fails. After an error of one pair others can be asked for.
 */
FV_API FvStatus fv_pairs_read(FvPairs *pairs, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * From now on pairs that are decoded on the way to another one are kept, up to this many bytes of frames, so that
 * walking backwards decodes what lies behind a key frame once and not once for each frame. 0, as at first: none are.
 */
FV_API void fv_pairs_keep(FvPairs *pairs, size_t bytes);

/*
 * The nearest pair up to this one that is reached fast: at a key frame of the distorted video, whose packets the
 * first call may have to list. The number itself where every pair is as fast or nothing else is known.
 */
FV_API int64_t fv_pairs_near(FvPairs *pairs, int64_t number);

FV_API void fv_pairs_close(FvPairs **pairs);

/* ---- Reports ------------------------------------------------------------------------------------------------ */

typedef enum FvReportFormat {
    FV_REPORT_JSON = 0, /* docs/report.md, schema in report.schema.json */
    FV_REPORT_CSV,
    FV_REPORT_XML,          /* the shape libvmaf writes */
    FV_REPORT_NDJSON,       /* one object a frame, then one with everything else */
    FV_REPORT_LIBVMAF_JSON, /* the shape libvmaf writes */
    FV_REPORT_HTML,         /* one page for a browser, with everything in it: docs/report.md */
} FvReportFormat;

/* As an FvOutput with the session's sources: whole or not at all, and never in place of one of them. */
FV_API FvStatus fv_report_write(FvSession *session, const char *path, FvReportFormat format, FvError *error);

FV_API void fv_session_close(FvSession **session);

#ifdef __cplusplus
}
#endif

#endif
