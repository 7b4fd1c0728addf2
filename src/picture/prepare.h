/*
 * A preparation changes each frame of a video before it is compared. Its steps, in this order: crop, depth up, range,
 * matrix, size with chroma format, depth down, bars, RGB. docs/scaling.md defines every sample exactly.
 */
#pragma once

#include "base/isa.h"
#include "fovea/fovea.h"
#include "picture/prepare_samples.h"
#include "picture/scale_table.h"

typedef struct FvPrepareParams {
    FvCrop crop;      /* width 0: the entire frame */
    FvRange range;    /* range of the input frames; unknown counts as limited */
    FvRange to_range; /* range of the output frames; unknown: the input's */
    FvMatrixStep matrix;
    int width, height;  /* size of the output frames; 0: that of the cropped input frames */
    FvCrop inside;      /* the part of the output that the picture fills, the rest being black; width 0: all of it */
    FvChroma chroma;    /* chroma format of the output frames; Y'CbCr is converted to 16-bit RGB by the matrix of the
                           input's format */
    FvSiting siting[2]; /* siting of chroma in the input and in the output; unknown counts as left */
    FvScaleKernel kernel;
    double b, c; /* coefficients of the bicubic kernel */
    int depth;   /* depth of the output frames */
    bool dither; /* ordered dithering when the depth is reduced */
} FvPrepareParams;

typedef struct FvPreparation FvPreparation;

/* The parameters that change nothing. */
FvPrepareParams fv_prepare_nothing(const FvFormat *format);

/* Returns whether the preparation leaves frames of this format unchanged. */
bool fv_prepare_is_nothing(const FvFormat *format, const FvPrepareParams *params);

/* FV_ERROR_USAGE when the crop leaves the picture or cuts through a chroma sample. */
FvStatus fv_prepare_check_crop(const FvFormat *from, const FvCrop *crop, FvError *error);

/* The format of the output frames. FV_ERROR_USAGE for a crop that fails the check above, and for chroma from gray. */
FvStatus fv_prepare_format(const FvFormat *from, const FvPrepareParams *params, FvFormat *to, FvError *error);

/* `threads` threads work on each frame. */
FvStatus fv_prepare_open(FvPreparation **preparation, const FvFormat *from, const FvPrepareParams *params, FvIsa isa,
                         int threads, FvError *error);

/* Replaces *frame, which the host must be able to read, by the prepared frame with the same time. Not thread-safe. */
FvStatus fv_prepare_run(FvPreparation *preparation, FvFrame **frame, FvError *error);

/*
 * The signature (signature.h) of a frame that is yet to be prepared. Its luma is cropped and converted but not
 * resampled, and at least 32x18 after cropping.
 */
void fv_prepare_sign(const FvPreparation *preparation, int32_t *signature, const FvFrame *frame);

/* The formats of the input and of the output frames. */
const FvFormat *fv_prepare_from(const FvPreparation *preparation);
const FvFormat *fv_prepare_to(const FvPreparation *preparation);

/* ---- Preparing on a device ------------------------------------------------------------------------------------- */

/* A frame that is yet to be prepared. The preparation must stay open until a device has taken the frame. */
typedef struct FvUnprepared {
    FvFrame *frame;
    const FvPreparation *preparation;
} FvUnprepared;

/* Instead of fv_prepare_run: *frame becomes a frame without samples, to be made from FvFramePlace.unprepared. */
FvStatus fv_prepare_defer(FvPreparation *preparation, FvFrame **frame, FvError *error);

/* The steps for luma [0] and chroma [1]. The tables belong to the preparation. */
typedef struct FvPrepareSteps {
    FvFormat from, cropped, to;
    size_t offset[2];         /* bytes from the plane's start to the crop, with the stride of fv_format_stride */
    int depth;                /* depth of samples during resampling */
    int shift;                /* input samples are multiplied by 2^shift */
    const uint16_t *table[2]; /* lookup tables for input samples; or NULL */
    const FvScaleTable *across[2], *down[2];
} FvPrepareSteps;

/* False when only the CPU can do a step; then `why` gets one sentence. */
bool fv_prepare_steps(const FvPreparation *preparation, FvPrepareSteps *steps, char *why, size_t size);

void fv_prepare_close(FvPreparation **preparation);
