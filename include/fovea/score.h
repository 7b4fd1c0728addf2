/*
 * Scoring: fv_score() scores two sources, and its parameters choose, pair and prepare their frames. <fovea/fovea.h>
 * has a program.
 */
#ifndef FOVEA_SCORE_H
#define FOVEA_SCORE_H

#include <fovea/session.h>
#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The speed of each part of a run by itself, in frames per second of its working time. 0: the part has no work, or
 * its speed is unknown.
 */
typedef struct FvTiming {
    double reading[2]; /* reading the file of the reference, of the distorted video */
    double decoding[2];
    double preparing[2];    /* scaling and converting each video, on the CPU */
    double transfer;        /* upload to the device, per second of waiting for it */
    double scoring;         /* computing the metrics by all threads, on the CPU alone */
    const char *limited_by; /* the bottleneck: "decoding ref.mp4"; NULL: none yet. Before the first frame (`frames`
                               0), what the start waits for: "the first test of 2 features on vulkan:0" */
} FvTiming;

/* The progress of a run. It and everything it points to are valid during the callback only. */
typedef struct FvProgress {
    int64_t frames; /* number of pairs read so far, skipped ones included; 0: the session may not have been started */
    int64_t total;  /* number of pairs to read; -1: unknown */
    double seconds; /* seconds since the run began, its start included */
    FvTiming timing; /* all zero when frames are scored in shards; for fields only `limited_by` is set, and only
                        before the first pair */
} FvProgress;

/* Conversions that make two videos comparable, as bits. Each happens only if it is requested. */
typedef enum FvConversion {
    FV_CONVERT_RANGE = 1,  /* the distorted video to the reference's range */
    FV_CONVERT_MATRIX = 2, /* the distorted video to the reference's matrix, between BT.601 and BT.709 */
    FV_CONVERT_CHROMA = 4, /* the video with less chroma to the other's chroma format */
    FV_CONVERT_DEPTH = 8,  /* both videos to 8, 10, 12 or 16 bits, the least that holds the deeper one; full range is
                              rounded to nearest */
} FvConversion;

/* A rectangle of a frame, in luma samples; width 0: the whole frame. It must not cut through a chroma sample. */
typedef struct FvCrop {
    int x, y, width, height;
    int64_t frames; /* frames that fv_find_bars() examined, for the report; 0: it did not find this part */
} FvCrop;

typedef enum FvScaleTo {
    FV_SCALE_NONE = 0,  /* different sizes are refused */
    FV_SCALE_DISTORTED, /* the distorted video to the size of the reference */
    FV_SCALE_REFERENCE, /* the reference to the size of the distorted video */
    FV_SCALE_DISPLAY,   /* both to the reference's size with square samples: its width times its sample aspect */
    FV_SCALE_SIZE,      /* both to a given size */
} FvScaleTo;

typedef enum FvScaleKernel {
    FV_KERNEL_BICUBIC = 0,
    FV_KERNEL_BILINEAR,
    FV_KERNEL_LANCZOS,
    FV_KERNEL_SPLINE36
} FvScaleKernel;

/* Says how to scale two videos that a player shows in different shapes. */
typedef enum FvScaleFit {
    FV_FIT_REFUSE = 0, /* refuse different shapes */
    FV_FIT_STRETCH,    /* stretch one shape to the other */
    FV_FIT_PAD,        /* keep each shape and add black bars */
} FvScaleFit;

/* Scaling, which happens after cropping. docs/scaling.md */
typedef struct FvScale {
    FvScaleTo to;
    FvScaleFit fit;
    int width, height; /* target size in luma samples, for FV_SCALE_SIZE only */
    FvScaleKernel kernel;
    bool cubic;  /* use b and c; false: they are 0 and 0.6, as in FFmpeg */
    double b, c; /* coefficients of the bicubic kernel, [0, 1] */
} FvScale;

/* How frames of the two videos pair. docs/alignment.md */
typedef enum FvAlignMode {
    FV_ALIGN_BY_INDEX = 0, /* the n-th frames pair, after the skipped frames */
    FV_ALIGN_BY_TIME,      /* each distorted frame pairs with the reference frame shown nearest to its time */
    FV_ALIGN_BY_OFFSET,    /* frames pair by index, after an offset that is found by content */
    FV_ALIGN_BY_CONTENT,   /* frames pair by content; dropped and repeated frames have no pair */
} FvAlignMode;

/* The frames of two files that belong together, as fv_align() found them. */
typedef struct FvAlignment FvAlignment;

typedef struct FvScoreParams {
    FvAlignMode align;
    const FvAlignment *alignment; /* result of fv_align() for these files; required by FV_ALIGN_BY_OFFSET and
                                     FV_ALIGN_BY_CONTENT, else NULL. Used during the call only */
    bool shortest;                /* stop at the end of the shorter video instead of refusing different lengths */
    bool ignore_rate;             /* pair by index although the frame rates differ */
    bool ignore_range;            /* compare code values although the range flags differ */
    bool ignore_colour;           /* compare code values although primaries, transfer or matrix differ */
    bool ignore_fields;           /* compare frames although the field orders differ */
    bool fields;                  /* score each field of the frames as a frame of its own; see fv_score() */
    bool strict; /* fail, instead of warning, if the videos seem to show different frames: FV_ERROR_INPUT before the
                    first pair, FV_ERROR_PARTIAL after it; plans in files do not contain it */
    unsigned convert; /* bits of FvConversion */
    FvCrop crop[2];   /* part of the reference and of the distorted video that is compared */
    FvScale scale;
    int subsample; /* score every n-th frame; 0 and 1: every frame */
    bool
        timing; /* the native report states the speed of each part, so reports of equal runs differ; not for shards */
    /* Returns whether a frame is scored; the others are skipped. Receives `opaque`. NULL: all frames are scored. */
    bool (*select)(void *opaque, int64_t frame);
    int64_t frames;                         /* stop after this many pairs, skipped ones included; 0: all */
    int64_t skip_reference, skip_distorted; /* number of frames dropped at the start */
    int64_t start,
        duration; /* the part to score, in microseconds by the frame rate after the skipped frames: both videos drop
                     the frames before `start`, and scoring stops `duration` later; 0: to the end */
    /*
     * Called while the run starts and as pairs are read; NULL: not called. Return false to stop early: the scores so
     * far are kept and fv_score() returns FV_ERROR_PARTIAL. The result of the last call, after all pairs were read,
     * is ignored.
     */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvScoreParams;

/*
 * Reads both sources from their current frames to the end and scores them in a session that has not been started.
 * reference is NULL when no metric needs one; it must not be the same source as the distorted one.
 *
 * Size and chroma format must agree unless a parameter scales or converts; of a gray video and a colour video, only
 * luma is compared. With different bit depths, the shallower samples are multiplied by 2^(difference); this is exact
 * for limited range and refused when either video is full range. Unless a parameter ignores or converts them,
 * fv_score() also refuses frame rates that differ by more than the containers' precision; ranges, primaries,
 * transfers, matrices and field orders that both videos state differently; and frames that a player shows in shapes
 * more than a pixel apart (by size, sample aspect and rotation). Y'CbCr without a stated range counts as limited.
 * Scaled chroma gets the reference's siting if both sitings are known.
 *
 * With `fields`, the session has three columns for each output: NAME_top for the video of the top fields (rows 0, 2,
 * ...), NAME_bottom for the video of the bottom fields, and NAME. The value of NAME is the mean of the two; its
 * pooled values are over all fields. Features look back at fields of the same kind. No sample is changed: scaling,
 * conversion of chroma, rotation, maps, regions and `timing` are refused. So are videos whose field order is unknown,
 * mixed or progressive. Crops are in rows of the frame and must not separate the rows of two fields. The fields are
 * scored in two threads, the caller's and another; `select` is called from both, one call at a time. There are no
 * rows of terms. docs/input.md
 *
 * Decisions during the run (rate ignored, length cut) are in the report. When a later frame fails, the scores so far
 * are kept and the result is FV_ERROR_PARTIAL, or FV_ERROR_DEVICE, FV_ERROR_OUTPUT or FV_ERROR_MEMORY if a device, an
 * output or memory failed. If no frame was scored, the result is the status of the failure itself. FV_ERROR_INPUT:
 * the videos cannot be read or compared, or end before the first frame to score. FV_ERROR_USAGE: parameters
 * contradict each other or do not fit the videos, or the session has been started before. A stop requested through
 * FvSourceParams.cancel of either source is FV_ERROR_PARTIAL, too.
 */
FV_API FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);

/* One encode: a distorted video that is compared with the same reference as others. */
typedef struct FvEncode {
    FvSession *session; /* the encode's own session, not started */
    FvSource *distorted;
    const FvScoreParams *params;
    FvStatus status; /* result: what fv_score() returns for this pair */
    FvError error;   /* result: its error */
} FvEncode;

/*
 * Scores several encodes of one reference, which is read and decoded once. Each report equals that of fv_score().
 * reference is NULL when no metric needs one. Each encode is scored in its own thread, which calls the callbacks of
 * its session and parameters. With a reference, encodes whose session has one thread take turns: `threads` of them
 * work at a time; 0: fv_processors(). At most two frames of the reference wait for encodes that have not read them.
 * On the CPU, encodes with equal options share the intermediate results of ssimulacra2 for a reference frame that
 * needs no preparation: 20 bytes per luma sample, as long as an encode uses the frame. GPUs receive frames from host
 * memory, and the sessions divide the GPU's memory among them. As with fv_score(), frames that no encode needs are
 * not decoded. Returns the first failure in the order of the encodes, with its error; the other encodes are still
 * scored. FV_ERROR_USAGE: `count` is below 1, `threads` is below 0, or two encodes share a session or a source. A
 * failure that concerns all encodes is the status of each.
 */
FV_API FvStatus fv_score_encodes(FvEncode *encodes, int count, FvSource *reference, int threads, FvError *error);

/*
 * Adds the default metrics, as fv_session_add_default() does, for the frames that fv_score() would compare; both
 * sources are required. For sources of FV_RGB_BOTH these include the metrics that accept RGB.
 */
FV_API FvStatus fv_score_add_default(FvSession *session, const FvSource *reference, const FvSource *distorted,
                                     const FvScoreParams *params, bool allow_hdr, FvError *error);

/*
 * Writes the formats that fv_score() would compare, after cropping, converting and scaling; formats[0] is the
 * reference's. Decodes and records nothing; if the frame rates differ, it may read the packets of both files to
 * measure them. reference may be NULL. FV_ERROR_INPUT: the two cannot be compared. FV_ERROR_USAGE: a crop or a scale
 * does not fit the videos.
 */
FV_API FvStatus fv_score_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                                 FvFormat formats[2], FvError *error);

/*
 * Writes the formats that metrics which do not accept RGB would compare. They differ from those of fv_score_formats()
 * for FV_RGB_BOTH only (fv_frame_ycbcr()).
 */
FV_API FvStatus fv_score_ycbcr_formats(const FvSource *reference, const FvSource *distorted,
                                       const FvScoreParams *params, FvFormat formats[2], FvError *error);

/*
 * Finds the frames of two files that show the same content, for FV_ALIGN_BY_OFFSET or FV_ALIGN_BY_CONTENT. The caller
 * closes *alignment. Reads both files to their ends and parts of them again, so it refuses pipes. FV_ERROR_USAGE:
 * `mode` is neither of the two. FV_ERROR_INPUT: a file is a pipe or cannot be read, has frames smaller than 64x36 or
 * more than 200000 frames, or the result is not certain or does not fit the mode. The message gives the reason.
 */
FV_API FvStatus fv_align(FvAlignment **alignment, const FvSourceParams *reference, const FvSourceParams *distorted,
                         FvAlignMode mode, FvError *error);

/* Returns the number of frames of the distorted video; 0 for NULL. */
FV_API int64_t fv_alignment_frames(const FvAlignment *alignment);

/*
 * Returns the number of the reference frame that a distorted frame shows. Repeated frames show the same reference
 * frame; fv_score() scores the first of them. -1: the frame shows no reference frame, or its number is out of range.
 */
FV_API int64_t fv_alignment_pair(const FvAlignment *alignment, int64_t frame);

FV_API void fv_alignment_close(FvAlignment **alignment);

/*
 * Finds the part of the frames inside black bars. Reads the file to its end, so it refuses pipes. In a frame, a row
 * or column is part of a bar when its mean luma is at most 8 codes (of 8 bits) above black. The width of a bar is its
 * smallest width in any frame, rounded down to whole chroma samples; frames that are entirely black are ignored.
 * FV_ERROR_INPUT: fewer than 8 frames remain, or the file is a pipe or cannot be read. *crop is zeroed on failure.
 * docs/scaling.md
 */
FV_API FvStatus fv_find_bars(FvCrop *crop, const FvSourceParams *params, FvError *error);

/*
 * Describes a video that fv_score() compared, or that merged shards were computed from. Returns false if there is
 * none, or if frames were pushed. The strings belong to the session.
 */
FV_API bool fv_session_input(const FvSession *session, FvSide side, FvSourceInfo *info);

#ifdef __cplusplus
}
#endif

#endif
