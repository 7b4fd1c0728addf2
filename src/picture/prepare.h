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
    int width, height; /* size of the output frames; 0: that of the cropped input frames */
    FvCrop inside;   /* the part of the output that the picture fills; the rest is black; width 0: the whole output */
    FvChroma chroma; /* chroma format of the output frames; Y'CbCr is converted to 16-bit RGB by the matrix of the
                        input's format */
    FvSiting siting[2]; /* siting of chroma in the input and in the output; unknown counts as left */
    FvScaleKernel kernel;
    double b, c; /* coefficients of the bicubic kernel */
    int depth;   /* depth of the output frames */
    bool dither; /* ordered dithering when the depth is reduced */
} FvPrepareParams;

typedef struct FvPreparation FvPreparation;

/* Returns parameters that change nothing. */
FvPrepareParams fv_prepare_nothing(const FvFormat *format);

/* Returns whether the preparation leaves frames of this format unchanged. */
bool fv_prepare_is_nothing(const FvFormat *format, const FvPrepareParams *params);

/* Checks a crop. FV_ERROR_USAGE: it reaches beyond the picture or cuts through a chroma sample. */
FvStatus fv_prepare_check_crop(const FvFormat *from, const FvCrop *crop, FvError *error);

/*
 * Computes the format of the output frames. FV_ERROR_USAGE: fv_prepare_check_crop() refuses the crop, or the input is
 * gray and the output has chroma.
 */
FvStatus fv_prepare_format(const FvFormat *from, const FvPrepareParams *params, FvFormat *to, FvError *error);

/* Opens a preparation, which uses `threads` threads for each frame. */
FvStatus fv_prepare_open(FvPreparation **preparation, const FvFormat *from, const FvPrepareParams *params, FvIsa isa,
                         int threads, FvError *error);

/* Replaces *frame, which the host must be able to read, by the prepared frame with the same time. Not thread-safe. */
FvStatus fv_prepare_run(FvPreparation *preparation, FvFrame **frame, FvError *error);

/*
 * Computes the signature (picture/signature.h) of a frame that is not prepared yet, from its luma, cropped and
 * converted but not resampled. The cropped luma has at least 32x18 samples.
 */
void fv_prepare_sign(const FvPreparation *preparation, int32_t *signature, const FvFrame *frame);

/* Return the formats of the input and of the output frames. */
const FvFormat *fv_prepare_from(const FvPreparation *preparation);
const FvFormat *fv_prepare_to(const FvPreparation *preparation);

/* ---- Preparing on a device ------------------------------------------------------------------------------------- */

/* A frame that a device will prepare. The preparation must stay open until the device has prepared the frame. */
typedef struct FvUnprepared {
    FvFrame *frame;
    const FvPreparation *preparation;
} FvUnprepared;

/*
 * Replaces fv_prepare_run() if a device prepares frames: *frame becomes a frame without samples, which the device
 * makes from FvFramePlace.unprepared.
 */
FvStatus fv_prepare_defer(FvPreparation *preparation, FvFrame **frame, FvError *error);

/* The steps for luma [0] and chroma [1]. The tables belong to the preparation. */
typedef struct FvPrepareSteps {
    FvFormat from, cropped, to;
    size_t offset[2];         /* bytes from the plane's start to the crop, with the stride of fv_format_stride() */
    int depth;                /* depth of samples during resampling */
    int shift;                /* input samples are multiplied by 2^shift */
    const uint16_t *table[2]; /* lookup tables for input samples; or NULL */
    const FvScaleTable *across[2], *down[2];
} FvPrepareSteps;

/* Describes the steps of a preparation. false: only the CPU can do a step; `why` gets one sentence. */
bool fv_prepare_steps(const FvPreparation *preparation, FvPrepareSteps *steps, char *why, size_t size);

void fv_prepare_close(FvPreparation **preparation);
