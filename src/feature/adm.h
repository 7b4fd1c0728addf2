/* ADM as a feature: integer sums of detail and of its losses. docs/metrics/adm.md */
#pragma once

#include "cpu/adm.h"
#include "device/feature.h"

/* The options that change the integers. */
typedef struct FvAdmOptions {
    int csf_mode;                     /* 0: Watson, 1: Barten, 2 and 3: tables */
    double csf_scale, csf_diag_scale; /* factors of mode 1 */
    double gain_limit;                /* limit of the enhancement gain, [1, 100] */
    double view_distance;             /* viewing distance in picture heights */
    int display_height;               /* height of the display in pixels */
    bool skip_scale0, skip_aim;
} FvAdmOptions;

/* The options for the tables of the feature and of the metric: X(Struct, prefix of the FvAdmOptions member, ...). */
#define FV_ADM_OPTION_LIST(X, Struct, place)                                                                         \
    X(Struct, place csf_mode, INT,                                                                                   \
      ("adm_csf_mode", "csf", 0, 0, 3, NULL,                                                                         \
       "contrast sensitivity: 0 Watson, 1 Barten, 2 and 3 the tables of VMAF version 1"))                            \
    X(Struct, place csf_scale, REAL,                                                                                 \
      ("adm_csf_scale", "scf", 1, 0, 50, NULL, "factor of mode 1 on horizontal and vertical detail"))                \
    X(Struct, place csf_diag_scale, REAL,                                                                            \
      ("adm_csf_diag_scale", "scfd", 1, 0, 50, NULL, "factor of mode 1 on diagonal detail"))                         \
    X(Struct, place gain_limit, REAL,                                                                                \
      ("adm_enhn_gain_limit", "egl", 100, 1, 100, NULL, "limit of the credit for enhancement; 1: none"))             \
    X(Struct, place view_distance, REAL,                                                                             \
      ("adm_norm_view_dist", "nvd", 3, 0.75, 24, "picture heights", "viewing distance"))                             \
    X(Struct, place display_height, INT,                                                                             \
      ("adm_ref_display_height", "rdh", 1080, 1, 4320, "pixels", "height of the display"))                           \
    X(Struct, place skip_scale0, BOOL, ("adm_skip_scale0", "ssz", 0, "the finest scale contributes nothing"))        \
    X(Struct, place skip_aim, BOOL, ("adm_skip_aim", "", 0, "impairment is not computed and counts as 0"))

/* Number of terms, which are integers: [scale][detail, restored, additive][h, v, d]. */
#define FV_ADM_TERMS (FV_ADM_SCALES * 9)

/* Contrast sensitivity of one scale: `straight` for bands h and v, `diagonal` for band d. */
typedef struct FvAdmSensitivity {
    float straight, diagonal;
} FvAdmSensitivity;

/* State of an instance. work->frame has the low-pass planes, then the FvAdmSums of each band of rows. */
typedef struct FvAdm {
    FvAdmSensitivity sensitivity[FV_ADM_SCALES];
    FvAdmScale scale[FV_ADM_SCALES];
    const FvAdmKernels *kernels[FV_ADM_SCALES];
    size_t low[FV_ADM_SCALES][2];        /* offsets of the low-pass planes in work->frame */
    ptrdiff_t low_stride[FV_ADM_SCALES]; /* strides of the low-pass planes, in bytes */
    size_t sums[FV_ADM_SCALES];          /* offsets of the sums in work->frame */
} FvAdm;

extern const FvFeature fv_feature_adm;
extern const struct FvGpuFeature fv_adm_gpu;

/* Computes the sensitivities for these options. Fails if there are none, with a message that starts with `owner`. */
FvStatus fv_adm_sensitivities(const FvAdmOptions *options, const char *owner, FvAdmSensitivity to[FV_ADM_SCALES],
                              FvError *error);

/* Fills sizes, regions and shifts of the four scales for frames of at least 33x33. */
void fv_adm_scales(const FvAdmOptions *options, const FvAdmSensitivity sensitivity[FV_ADM_SCALES], int width,
                   int height, int depth, FvAdmScale scale[FV_ADM_SCALES]);
