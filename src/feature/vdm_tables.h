/*
 * The parameters of the visual discrimination model, and the tables that follow from them, computed in binary64 and
 * rounded once. docs/metrics/vdm.md
 */
#pragma once

#include "cpu/vdm.h"
#include "picture/region.h"

#define FV_VDM_LEVELS 7

enum { FV_VDM_BT1886, FV_VDM_SRGB, FV_VDM_PQ, FV_VDM_LINEAR, FV_VDM_HLG };

/* The feature's options, which decide the map. */
typedef struct FvVdmParameters {
    int eotf; /* FV_VDM_BT1886, ... */
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
    double n, w, kappa;    /* transducer */
    double q;              /* exponent of the distance */
    int pool;              /* 1 or 5 */
    double psych_slope;    /* slope of the probability map */
    bool temporal;         /* the temporal channels */
    double fps;            /* frames a second */
    double tau_s, tau_f;   /* time constants of sustained and fast responses, s */
    double transient_sens; /* sensitivity to transient contrast */
    FvRegionOptions region;
} FvVdmParameters;

/* Pixels per degree of a picture of `height` rows. */
double fv_vdm_ppd(const FvVdmParameters *parameters, int height);

bool fv_vdm_same_display(const FvVdmParameters *a, const FvVdmParameters *b);

/* Luminance in cd/m2 of every code of `depth` bits. */
void fv_vdm_display(const FvVdmParameters *parameters, int depth, float *table);

/* The point spread at `ppd`; radius 0 without optics. */
FvVdmSpread fv_vdm_spread_at(const FvVdmParameters *parameters, double ppd);

/* The parts of sensitivity that depend only on the table's luminances, in the terms of the chosen formula. */
typedef struct FvVdmNodes {
    double first[FV_VDM_NODES], second[FV_VDM_NODES];
} FvVdmNodes;

void fv_vdm_nodes(const FvVdmParameters *parameters, FvVdmNodes *nodes);

/* Squared sensitivity of channel `level` at FV_VDM_NODES luminances, for a retina of `ppd`. */
void fv_vdm_weights(const FvVdmParameters *parameters, const FvVdmNodes *nodes, double ppd, int level,
                    float *weights);

/* The share of a step that a filter with a time constant of `tau` seconds covers in one frame. */
float fv_vdm_share(const FvVdmParameters *parameters, double tau);

FvVdmTransducer fv_vdm_transducer(const FvVdmParameters *parameters);
