/*
 * A preparation: what is done to each frame of a video before it is compared. The steps, in this order: crop, depth
 * up, range, matrix, size with chroma format, depth down. Every sample is exactly defined: docs/scaling.md
 */
#ifndef FV_PICTURE_PREPARE_H
#define FV_PICTURE_PREPARE_H

#include "fovea/fovea.h"
#include "base/isa.h"
#include "picture/scale_table.h"

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

/*
 * The signature (signature.h) of a frame that is to be prepared: of luma that is cropped and converted but not
 * resampled, at least 32x18 of it.
 */
void fv_prepare_sign(const FvPreparation *preparation, int32_t *signature, const FvFrame *frame);

/* What goes in and comes out. */
const FvFormat *fv_prepare_from(const FvPreparation *preparation);
const FvFormat *fv_prepare_to(const FvPreparation *preparation);

/* ---- By a device, which does the same ------------------------------------------------------------------------- */

/* A frame that is to be prepared yet. The preparation must be there until a device has taken the frame. */
typedef struct FvUnprepared {
    FvFrame *frame;
    const FvPreparation *preparation;
} FvUnprepared;

/* Instead of fv_prepare_run: *frame becomes one without samples, which FvFramePlace.unprepared are to be made from.
 */
FvStatus fv_prepare_defer(FvPreparation *preparation, FvFrame **frame, FvError *error);

/* The steps; [0] is for luma, [1] for chroma. What is pointed to belongs to the preparation. */
typedef struct FvPrepareSteps {
    FvFormat from, cropped, to;
    size_t offset[2]; /* bytes in front of the first sample that counts, with the stride of fv_format_stride */
    int depth;        /* of samples while they are resampled */
    int shift;        /* samples that come in are multiplied by 2^shift */
    const uint16_t *table[2]; /* or, when not NULL, replaced by those of the table */
    const FvScaleTable *across[2], *down[2];
} FvPrepareSteps;

/* False for what only the CPU does: then `why` is one sentence. */
bool fv_prepare_steps(const FvPreparation *preparation, FvPrepareSteps *steps, char *why, size_t size);

void fv_prepare_close(FvPreparation **preparation);

#endif
