/* The visual discrimination model: its parameters, and the tables that follow from them. docs/metrics/vdm.md */
#ifndef FV_FEATURE_VDM_H
#define FV_FEATURE_VDM_H

#include "cpu/vdm.h"

#define FV_VDM_LEVELS 7

typedef enum FvVdmEotf { FV_VDM_BT1886, FV_VDM_SRGB, FV_VDM_PQ, FV_VDM_LINEAR } FvVdmEotf;

/* As the specification names them. */
typedef struct FvVdmParameters {
    FvVdmEotf eotf;
    bool full_range;
    double lw, lb; /* peak and black of the display, cd/m2 */
    double ambient_lux, reflectance;
    double distance_h;  /* viewing distance in picture heights */
    double ppd;         /* pixels per degree; 0: from distance_h */
    double max_ppd;     /* the picture on the retina is halved while it has more pixels per degree */
    double retinal_ppd; /* 0, or resample to this density instead */
    int levels;
    bool optics, barten03;
    double csf_width, csf_gain;
    double n, w, kappa; /* transducer */
    double q;           /* exponent of the distance */
    int pool;
} FvVdmParameters;

/* Pixels per degree of a picture of so many rows. */
double fv_vdm_ppd(const FvVdmParameters *parameters, int height);

/* Luminance in cd/m2 of every code of `depth` bits. */
void fv_vdm_display(const FvVdmParameters *parameters, int depth, float *table);

/* The point spread at `ppd`; radius 0 without optics. */
FvVdmSpread fv_vdm_spread_at(const FvVdmParameters *parameters, double ppd);

/* Squared sensitivity of channel `level` at FV_VDM_NODES luminances, for a retina of `ppd`. */
void fv_vdm_weights(const FvVdmParameters *parameters, double ppd, int level, float *weights);

FvVdmTransducer fv_vdm_transducer(const FvVdmParameters *parameters);

#endif
