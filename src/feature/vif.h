/* Visual information fidelity of VMAF: the sums of four scales. */
#pragma once

#include "device/feature.h"

#define FV_VIF_TABLE 32769 /* entries of the table of logarithms; the last one is unused */

typedef struct FvVifOptions {
    double enhn_gain_limit;
    bool skip_scale0;
} FvVifOptions;

#define FV_VIF_OPTIONS(X, Struct, place)                                                                             \
    X(Struct, place enhn_gain_limit, REAL,                                                                           \
      ("vif_enhn_gain_limit", "egl", 100, 1, 100, NULL,                                                              \
       "upper limit of the gain; 1 gives no credit for enhancement"))                                                \
    X(Struct, place skip_scale0, BOOL,                                                                               \
      ("vif_skip_scale0", "ssclz", 0, "the finest scale is not computed and scores 0"))

/* State of an instance. work->frame has the sums of each band of each scale, and the frames of scales 1 to 3. */
typedef struct FvVif {
    int width[4], height[4];
    ptrdiff_t stride[4];            /* strides in bytes, from scale 1 on */
    size_t ref[4], dis[4], sums[4]; /* offsets in work->frame; frames from scale 1 on */
    uint16_t logs[FV_VIF_TABLE];
} FvVif;

/* Terms of each scale. */
enum { FV_VIF_NUMERATOR, FV_VIF_DENOMINATOR, FV_VIF_FLAT_VARIANCE, FV_VIF_FLAT, FV_VIF_TERMS };

/* logs[i] = 2048 * log2(1 + i / 2^15) for i below 2^15, rounded as in libvmaf and independent of the C library. */
void fv_vif_log_table(uint16_t *logs);

/* Fills the line segments from which fv_vif_line_log() of arith/vif.h computes the table. */
void fv_vif_log_lines(const uint16_t *logs, uint32_t *lines);

extern const FvFeature fv_feature_vif;
extern const struct FvGpuFeature fv_vif_gpu;
