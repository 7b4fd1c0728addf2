/* Scoring two sources. */
#ifndef FOVEA_SCORE_H
#define FOVEA_SCORE_H

#include <fovea/session.h>
#include <fovea/source.h>

#ifdef __cplusplus
extern "C" {
#endif

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
    bool pace; /* the native report says how fast each part went, so that those of equal runs differ; not of shards */
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

#ifdef __cplusplus
}
#endif

#endif
