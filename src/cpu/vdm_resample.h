/* Pictures on the retina of another density than the display's, and maps back to it. docs/metrics/vdm.md */
#pragma once

#include "cpu/vdm.h"

/* One direction: `outputs` samples from `inputs`, each from `taps` neighbouring ones. */
typedef struct FvVdmResample {
    int inputs, outputs, taps;
    int *first;     /* the input under the first tap of each output; may lie outside */
    float *weights; /* `taps` of each output */
} FvVdmResample;

/* `ratio` inputs an output. False when memory runs out; nothing is to be released then. */
bool fv_vdm_resample_open(FvVdmResample *resample, int inputs, double ratio);
void fv_vdm_resample_close(FvVdmResample *resample);

/* Along rows from `from` to `between`, then along columns. */
void fv_vdm_resample(const FvVdmResample *across, const FvVdmResample *down, const FvVdmPlane *from,
                     const FvVdmPlane *between, const FvVdmPlane *to);

/* Output i of `outputs` lies between inputs `first`, which may be -1, and first + 1: how far from the one to the
 * other. */
typedef struct FvVdmBetween {
    int first;
    float part;
} FvVdmBetween;

FvVdmBetween fv_vdm_between(int i, int inputs, int outputs);

/* Linear between samples, to any greater or smaller size: along rows, then along columns. */
void fv_vdm_bilinear(const FvVdmPlane *from, const FvVdmPlane *between, const FvVdmPlane *to);
