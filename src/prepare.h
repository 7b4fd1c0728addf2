/*
 * A preparation: what is done to each frame of a video before it is compared. The steps, in this order: crop, depth
 * up, range, matrix, size with chroma format, depth down. Every sample is exactly defined: docs/scaling.md
 */
#ifndef FV_PREPARE_H
#define FV_PREPARE_H

#include "fovea/fovea.h"
#include "isa.h"

typedef enum FvMatrixStep { FV_MATRIX_KEEP, FV_MATRIX_601_TO_709, FV_MATRIX_709_TO_601 } FvMatrixStep;

typedef struct FvPrepareParams {
    FvCrop crop;      /* width 0: all of it */
    FvRange range;    /* of the frames that come in; unknown is taken for limited */
    FvRange to_range; /* unknown: as it is */
    FvMatrixStep matrix;
    int width, height;  /* of the frames that go out; 0: as they come, cropped */
    FvChroma chroma;    /* of the frames that go out */
    FvSiting siting[2]; /* of the chroma of what comes in and of what goes out; unknown is taken for left */
    FvScaleKernel kernel;
    double b, c; /* of the bicubic kernel */
    int depth;   /* of the frames that go out */
    bool dither; /* ordered, when the depth is reduced */
} FvPrepareParams;

typedef struct FvPreparation FvPreparation;

/* The parameters that change nothing. */
FvPrepareParams fv_prepare_nothing(const FvFormat *format);

/* Whether frames of this format would go out as they come in. */
bool fv_prepare_is_nothing(const FvFormat *format, const FvPrepareParams *params);

/* FV_ERROR_USAGE for a crop outside the picture or through a chroma sample. */
FvStatus fv_prepare_check_crop(const FvFormat *from, const FvCrop *crop, FvError *error);

/* What goes out. FV_ERROR_USAGE for what cannot be done: a crop outside the picture or through a chroma sample. */
FvStatus fv_prepare_format(const FvFormat *from, const FvPrepareParams *params, FvFormat *to, FvError *error);

/* `threads` work on a frame at once. */
FvStatus fv_prepare_open(FvPreparation **preparation, const FvFormat *from, const FvPrepareParams *params, FvIsa isa,
                         int threads, FvError *error);

/* Replaces *frame, which the host must be able to read, and keeps its time. One thread at a time. */
FvStatus fv_prepare_run(FvPreparation *preparation, FvFrame **frame, FvError *error);

void fv_prepare_close(FvPreparation **preparation);

#endif
