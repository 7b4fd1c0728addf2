/* ADM as a feature: detail and its losses, as integers. docs/metrics/adm.md */
#ifndef FV_FEATURE_ADM_H
#define FV_FEATURE_ADM_H

#include "cpu/adm.h"

/* What decides the integers. */
typedef struct FvAdmOptions {
    int csf_mode;                     /* 0 Watson, 1 Barten, 2 and 3 tables */
    double csf_scale, csf_diag_scale; /* of mode 1 */
    double gain_limit;                /* of enhancement, [1, 100] */
    double view_distance;             /* in picture heights */
    int display_height;               /* pixels */
    bool skip_scale0, skip_aim;
} FvAdmOptions;

/* Terms: [scale][detail, restored, additive][h, v, d]; integers. */
#define FV_ADM_TERMS (FV_ADM_SCALES * 9)

/* Contrast sensitivity of one scale: bands h and v, band d. */
typedef struct FvAdmSensitivity {
    float straight, diagonal;
} FvAdmSensitivity;

/* Whether there are factors for these options; if not, `error` says why, under the name of `owner`. */
FvStatus fv_adm_sensitivities(const FvAdmOptions *options, const char *owner, FvAdmSensitivity to[FV_ADM_SCALES],
                              FvError *error);

/* Sizes, regions and shifts of the four scales for pictures of this size, which is 33 x 33 at least. */
void fv_adm_scales(const FvAdmOptions *options, const FvAdmSensitivity sensitivity[FV_ADM_SCALES], int width,
                   int height, int depth, FvAdmScale scale[FV_ADM_SCALES]);

#endif
