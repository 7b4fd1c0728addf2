/* Scoring two sources. */
#ifndef FOVEA_SCORE_H
#define FOVEA_SCORE_H

#include <fovea/session.h>
#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * How fast each part of a scoring is on its own: frames per second of its working time. 0: the part has no work, or
 * its speed is not known.
 */
typedef struct FvPace {
    double reading[2]; /* the file: of the reference, of the distorted video */
    double decoding[2];
    double preparing[2];    /* scaling and converting, on the CPU */
    double transfer;        /* to the device, per second of waiting for it */
    double scoring;         /* by all threads, on the CPU alone */
    const char *limited_by; /* the part that others waited for longest, as "decoding ref.mp4"; NULL: none yet. Before
                               the first frame, with `frames` 0, what the start waits for, as "the first test of 2
                               features on vulkan:0" */
} FvPace;

/* Valid during the call only, with everything it points to. */
typedef struct FvProgress {
    int64_t frames; /* scored so far; 0: the session is not started, and its outputs are not known */
    int64_t total;  /* -1 when not known */
    double seconds; /* since the first frame was requested */
    FvPace pace;    /* all zero where frames are scored in shards */
} FvProgress;

/* Bits: conversions that make two videos comparable. None takes place unless it is requested. */
typedef enum FvConversion {
    FV_CONVERT_RANGE = 1,  /* the distorted video to the reference's range */
    FV_CONVERT_MATRIX = 2, /* the distorted video to the reference's matrix, between BT.601 and BT.709 */
    FV_CONVERT_CHROMA = 4, /* the video with less chroma to the other's chroma format */
    FV_CONVERT_DEPTH = 8,  /* full range: the shallower video to the other's depth, rounded to nearest */
} FvConversion;

/* A part of a picture, in luma samples; width 0: all of it. It may not cut through a chroma sample. */
typedef struct FvCrop {
    int x, y, width, height;
    int64_t frames; /* number that fv_find_bars examined, for the report; 0: it did not choose this part */
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

/* What scaling does where a player shows the two videos in different shapes. */
typedef enum FvScaleFit {
    FV_FIT_SAME = 0, /* refuses them */
    FV_FIT_STRETCH,  /* makes one shape of the other */
    FV_FIT_PAD,      /* keeps each shape and adds black bars */
} FvScaleFit;

/* After cropping. docs/scaling.md */
typedef struct FvScale {
    FvScaleTo to;
    FvScaleFit fit;
    int width, height; /* with FV_SCALE_SIZE */
    FvScaleKernel kernel;
    bool cubic;  /* use b and c; otherwise they are 0 and 0.6, as in FFmpeg */
    double b, c; /* of the bicubic kernel, [0, 1] */
} FvScale;

/* Which frames are compared with which. docs/alignment.md */
typedef enum FvAlignMode {
    FV_ALIGN_BY_INDEX = 0, /* the n-th with the n-th, after the skipped frames */
    FV_ALIGN_BY_TIME,      /* each distorted frame with the reference frame shown nearest to its time */
    FV_ALIGN_BY_OFFSET,    /* by index, after an offset found by content */
    FV_ALIGN_BY_CONTENT,   /* by content: dropped and repeated frames have no pair */
} FvAlignMode;

/* The frames of two files that belong together, as fv_align() found them. */
typedef struct FvAlignment FvAlignment;

typedef struct FvScoreParams {
    FvAlignMode align;
    const FvAlignment *alignment; /* of the same two files, for the last two modes; else NULL. Read during the call */
    bool shortest;                /* stop at the end of the shorter video instead of refusing different lengths */
    bool ignore_rate;             /* pair by index although the frame rates differ */
    bool ignore_range;            /* compare code values although the range flags differ */
    bool ignore_colour;           /* compare code values although primaries, transfer or matrix differ */
    bool ignore_fields;           /* compare frames although the field orders differ */
    bool fields;                  /* score each field of the frames as a picture of its own; see fv_score */
    bool strict;      /* refuse videos that seem to show different frames, instead of warning: FV_ERROR_INPUT before
                         the first pair, FV_ERROR_PARTIAL behind it; not a part of plans in files */
    unsigned convert; /* bits of FvConversion */
    FvCrop crop[2];   /* of the reference, of the distorted video */
    FvScale scale;
    int subsample; /* score every n-th frame; 0 and 1: every frame */
    bool pace; /* the native report tells how fast each part was, so reports of equal runs differ; not for shards */
    /* NULL, or returns whether a frame is scored; the others are skipped. Gets `opaque`. */
    bool (*chooses)(void *opaque, int64_t frame);
    int64_t frames;                         /* stop after this many frames; 0: all */
    int64_t skip_reference, skip_distorted; /* frames dropped at the start */
    int64_t start, duration; /* microseconds by the frame rate, after the skipped frames: both videos drop the frames
                                before `start`, and scoring stops `duration` later; 0: not */
    /* Return false to stop early: the frames scored so far stay and fv_score returns FV_ERROR_PARTIAL. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvScoreParams;

/*
 * Reads both sources from their current frames to the end and scores them, once, in a session that has not been
 * started. reference is NULL when no metric needs one; it is never the same source as the distorted one.
 *
 * Size and chroma format must agree unless a parameter scales or converts; for gray against colour, luma is compared.
 * With different bit depths, the shallower samples are multiplied by 2^(difference); this is exact for limited range
 * and refused when either video is full range. Refused, unless a parameter ignores or converts them, are also frame
 * rates that differ by more than the containers' precision, ranges, primaries, transfers, matrices and field orders
 * that both videos state differently, and pictures that a player shows in shapes more than a pixel apart (by size,
 * sample aspect and rotation). Y'CbCr without a stated range counts as limited. Scaled chroma goes to the reference's
 * siting where both are known.
 *
 * With `fields`, the session has three columns for each output: NAME_top, scored in the video of the top fields (rows
 * 0, 2, ...), NAME_bottom in the video of the bottom ones, and NAME, whose value is the mean of the two, while its
 * pooled values are over all fields. Features look back at fields of the same kind. No sample is changed, so scaling,
 * conversion of chroma, turned pictures, maps and `pace` are refused, and so are videos whose field order is not
 * known, mixed or progressive. Crops are in rows of the frame and may not part the rows of two fields. The fields are
 * scored in two threads, the caller's and another; `chooses` is called from both, one call at a time. Rows of terms
 * do not exist. docs/input.md
 *
 * Decisions on the way (rate ignored, length cut) go into the report. When a later frame fails, the scores so far are
 * kept and the result is FV_ERROR_PARTIAL (FV_ERROR_INPUT if no frame was scored), or FV_ERROR_DEVICE,
 * FV_ERROR_OUTPUT or FV_ERROR_MEMORY for failures of these. A stop requested through FvSourceParams.cancel of either
 * source is FV_ERROR_PARTIAL, too.
 */
FV_API FvStatus fv_score(FvSession *session, FvSource *reference, FvSource *distorted, const FvScoreParams *params,
                         FvError *error);

/* One of several distorted videos that are compared with one reference. */
typedef struct FvEncode {
    FvSession *session; /* of its own, not started */
    FvSource *distorted;
    const FvScoreParams *params;
    FvStatus status; /* is set: what fv_score returns for this pair */
    FvError error;   /* and why */
} FvEncode;

/*
 * fv_score for each encode, with one reference that is read and decoded once. Each report equals the one of fv_score.
 * The pairs are scored side by side, each in a thread of its own, from which the callbacks of its session and
 * parameters come. Pairs whose session has one thread take turns: `threads` work at a time; 0: fv_processors(). At
 * most two frames of the reference wait for pairs that have not read them. On the CPU, pairs with equal options
 * share what ssimulacra2 makes of a frame of the reference that needs no preparation: 20 bytes a sample of luma, as
 * long as a pair holds the frame. GPUs get frames of the host's memory, and the sessions divide their memory.
 * Frames that no pair needs are not decoded, as in fv_score. reference is NULL when no metric needs one. Returns the
 * first failure among the encodes, with its error; the others are scored all the same. What keeps all from being
 * scored is the status of each.
 */
FV_API FvStatus fv_score_encodes(FvEncode *encodes, int count, FvSource *reference, int threads, FvError *error);

/*
 * Adds the metrics that the command computes when none is named, as fv_session_add_usual does for what fv_score would
 * compare. Of RGB of FV_RGB_BOTH these are the metrics that take RGB, too.
 */
FV_API FvStatus fv_score_add_usual(FvSession *session, const FvSource *reference, const FvSource *distorted,
                                   const FvScoreParams *params, bool allow_hdr, FvError *error);

/*
 * The formats that fv_score would compare, after cropping, converting and scaling; formats[0] is the reference's.
 * Reads and records nothing; reference may be NULL. FV_ERROR_INPUT: the two do not fit together.
 */
FV_API FvStatus fv_score_formats(const FvSource *reference, const FvSource *distorted, const FvScoreParams *params,
                                 FvFormat formats[2], FvError *error);

/* The same of the Y'CbCr that metrics get that take no RGB: of FV_RGB_BOTH it differs (fv_frame_ycbcr). */
FV_API FvStatus fv_score_ycbcr_formats(const FvSource *reference, const FvSource *distorted,
                                       const FvScoreParams *params, FvFormat formats[2], FvError *error);

/*
 * Finds the frames of two files that belong together, by FV_ALIGN_BY_OFFSET or FV_ALIGN_BY_CONTENT. Reads both files
 * to their ends and parts of them again, so it refuses pipes. FV_ERROR_INPUT, with the reason: the result is not
 * certain, or does not fit the mode.
 */
FV_API FvStatus fv_align(FvAlignment **alignment, const FvSourceParams *reference, const FvSourceParams *distorted,
                         FvAlignMode mode, FvError *error);

/* How many frames the distorted video has; 0 for NULL. */
FV_API int64_t fv_alignment_frames(const FvAlignment *alignment);

/*
 * The number of the reference frame that a distorted frame shows. Repeats show the same one; fv_score scores the
 * first of them. -1: the frame shows no reference frame, or its number is out of range.
 */
FV_API int64_t fv_alignment_pair(const FvAlignment *alignment, int64_t frame);

/* Accepts NULL and a pointer to NULL. */
FV_API void fv_alignment_close(FvAlignment **alignment);

/*
 * Finds the picture within black bars. Reads the file to its end, so it refuses pipes. In a frame, a row or column is
 * part of a bar when its mean luma is at most 8 codes (of 8 bits) above black. A bar is as wide as in the frame where
 * it is narrowest, rounded down to whole chroma samples; frames that are entirely black do not count. FV_ERROR_INPUT:
 * fewer than 8 frames count. docs/scaling.md
 */
FV_API FvStatus fv_find_bars(FvCrop *crop, const FvSourceParams *params, FvError *error);

/*
 * What the session knows of a video that fv_score() compared, or that shards name. False: there is none, or frames
 * were pushed. The strings belong to the session.
 */
FV_API bool fv_session_input(const FvSession *session, FvSide side, FvSourceInfo *info);

#ifdef __cplusplus
}
#endif

#endif
