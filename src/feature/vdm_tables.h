/*
 * The parameters of the visual discrimination model, and the tables that follow from them, computed in binary64 and
 * rounded once. docs/metrics/vdm.md
 */
#pragma once

#include "cpu/vdm.h"
#include "picture/region.h"

#define FV_VDM_LEVELS 7

enum { FV_VDM_BT1886, FV_VDM_SRGB, FV_VDM_PQ, FV_VDM_LINEAR, FV_VDM_HLG };

/* The feature's options, which determine the map. */
typedef struct FvVdmParameters {
    int eotf; /* FV_VDM_BT1886, ... */
    bool full_range;
    double lw, lb; /* peak and black luminance of the display, cd/m2 */
    double ambient_lux, reflectance;
    double distance_h;  /* viewing distance in picture heights */
    double ppd;         /* pixels per degree; 0: from distance_h */
    double max_ppd;     /* the frame on the retina is halved while it has more pixels per degree */
    double retinal_ppd; /* pixels per degree to which the frame is resampled instead of halved; 0: no resampling */
    int levels;
    bool optics, barten03;
    double csf_width, csf_gain;
    double n, w, kappa;    /* parameters of the transducer */
    double q;              /* exponent of the distance */
    int pool;              /* width of the window of means, in samples: 1 or 5 */
    double psych_slope;    /* slope of the probability map */
    bool temporal;         /* whether the temporal channels are used */
    double fps;            /* frames per second */
    double tau_s, tau_f;   /* time constants of the sustained and the fast filter, in seconds */
    double transient_sens; /* sensitivity to transient contrast */
    FvRegionOptions region;
} FvVdmParameters;

/* Returns the pixels per degree of a frame of `height` rows. */
double fv_vdm_ppd(const FvVdmParameters *parameters, int height);

bool fv_vdm_same_display(const FvVdmParameters *a, const FvVdmParameters *b);

/* Fills the luminance in cd/m2 of every code of `depth` bits. */
void fv_vdm_display(const FvVdmParameters *parameters, int depth, float *table);

/* Returns the point spread at `ppd` pixels per degree; radius 0 without optics. */
FvVdmSpread fv_vdm_spread_at(const FvVdmParameters *parameters, double ppd);

/* The factors of sensitivity that depend only on the luminances of the table, for the chosen formula. */
typedef struct FvVdmNodes {
    double first[FV_VDM_NODES], second[FV_VDM_NODES];
} FvVdmNodes;

void fv_vdm_nodes(const FvVdmParameters *parameters, FvVdmNodes *nodes);

/*
 * Fills the squared sensitivity of channel `level` at FV_VDM_NODES luminances, for a retina of `ppd` pixels per
 * degree.
 */
void fv_vdm_weights(const FvVdmParameters *parameters, const FvVdmNodes *nodes, double ppd, int level,
                    float *weights);

/* Returns the fraction of a step that a filter with a time constant of `tau` seconds covers in one frame. */
float fv_vdm_share(const FvVdmParameters *parameters, double tau);

FvVdmTransducer fv_vdm_transducer(const FvVdmParameters *parameters);
