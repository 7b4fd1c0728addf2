/*
 * Resamples frames to a retina of another density than the display's, and maps back to the display.
 * docs/metrics/vdm.md
 */
#pragma once

#include "cpu/vdm.h"

/* One direction: `outputs` samples from `inputs`, each a weighted sum of `taps` neighbouring inputs. */
typedef struct FvVdmResample {
    int inputs, outputs, taps;
    int *first;     /* index of the input under the first tap of each output; may be outside */
    float *weights; /* `taps` weights for each output */
} FvVdmResample;

/*
 * Opens a direction with `ratio` inputs per output. Returns false if memory runs out; then there is nothing to close.
 */
bool fv_vdm_resample_open(FvVdmResample *resample, int inputs, double ratio);
void fv_vdm_resample_close(FvVdmResample *resample);

/* Resamples along the rows of `from` to `between`, then along columns to `to`. */
void fv_vdm_resample(const FvVdmResample *across, const FvVdmResample *down, const FvVdmPlane *from,
                     const FvVdmPlane *between, const FvVdmPlane *to);

/*
 * Position of output i of `outputs`: between inputs `first`, which may be -1, and first + 1, at the fraction `part`
 * of the distance.
 */
typedef struct FvVdmBetween {
    int first;
    float part;
} FvVdmBetween;

FvVdmBetween fv_vdm_between(int i, int inputs, int outputs);

/* Interpolates linearly to any larger or smaller size: along rows, then along columns. */
void fv_vdm_bilinear(const FvVdmPlane *from, const FvVdmPlane *between, const FvVdmPlane *to);
