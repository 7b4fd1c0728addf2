/* Delta E ITP as a feature: sums the differences of all pixels. docs/metrics/delta_e_itp.md */
#pragma once

#include "cpu/itp.h"
#include "device/feature.h"
#include "feature/display.h"

typedef struct FvItpOptions {
    FvDisplayOptions display;
} FvItpOptions;

/* State of an instance. work->frame has a FvItpSum for each band of rows. */
typedef struct FvItp {
    const FvItpKernels *kernels;
    FvLight light;
    FvItpCurves curves;
} FvItp;

/* Terms: the members of FvItpSum over all pixels. */
enum { FV_ITP_SUM, FV_ITP_VISIBLE, FV_ITP_TERMS };

extern const FvMapInfo fv_itp_maps[1];
extern const FvFeature fv_feature_itp;
extern const struct FvGpuFeature fv_itp_gpu;
