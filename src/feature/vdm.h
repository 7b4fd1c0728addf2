/* The visual discrimination model: its parameters, and the tables that follow from them. docs/metrics/vdm.md */
#ifndef FV_FEATURE_VDM_H
#define FV_FEATURE_VDM_H

#include "cpu/vdm.h"
#include "device/feature.h"

#define FV_VDM_LEVELS 7

enum { FV_VDM_BT1886, FV_VDM_SRGB, FV_VDM_PQ, FV_VDM_LINEAR };

/* What decides the map; the feature's options. */
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
    double psych_slope;    /* of the probability map */
    bool temporal;         /* the temporal channels */
    double fps;            /* frames a second */
    double tau_s, tau_f;   /* time constants of sustained and fast responses, s */
    double transient_sens; /* sensitivity to transient contrast */
} FvVdmParameters;

/*
 * Maps of the feature. The last two groups have the sizes of the levels: of each level its own JND, and of each
 * orientation in it how the responses differ.
 */
enum {
    FV_VDM_MAP_JND,
    FV_VDM_MAP_PROBABILITY,
    FV_VDM_MAP_LEVEL,
    FV_VDM_MAP_RESPONSE = FV_VDM_MAP_LEVEL + FV_VDM_LEVELS,
    FV_VDM_MAPS = FV_VDM_MAP_RESPONSE + 4 * FV_VDM_LEVELS
};
extern const FvMapInfo fv_vdm_maps[FV_VDM_MAPS];

/* Terms of the feature: what is known of a map. */
enum {
    FV_VDM_TERM_JND, /* sums in units of 2^-26: of J, of J^2, of J^4, J limited to 63 */
    FV_VDM_TERM_SQUARE,
    FV_VDM_TERM_FOURTH,
    FV_VDM_TERM_LEAST,
    FV_VDM_TERM_GREATEST,
    FV_VDM_TERM_VISIBLE, /* samples of 1 JND and more */
    FV_VDM_TERM_P50,
    FV_VDM_TERM_P95,
    FV_VDM_TERM_P99,
    FV_VDM_TERMS
};

extern const FvFeature fv_feature_vdm;
extern const struct FvGpuFeature fv_vdm_gpu;

/* Pixels per degree of a picture of so many rows. */
double fv_vdm_ppd(const FvVdmParameters *parameters, int height);

bool fv_vdm_same_display(const FvVdmParameters *a, const FvVdmParameters *b);

/* Luminance in cd/m2 of every code of `depth` bits. */
void fv_vdm_display(const FvVdmParameters *parameters, int depth, float *table);

/* The point spread at `ppd`; radius 0 without optics. */
FvVdmSpread fv_vdm_spread_at(const FvVdmParameters *parameters, double ppd);

/* What sensitivity takes from the luminances of the table alone, in the terms of the formula that was chosen. */
typedef struct FvVdmNodes {
    double first[FV_VDM_NODES], second[FV_VDM_NODES];
} FvVdmNodes;

void fv_vdm_nodes(const FvVdmParameters *parameters, FvVdmNodes *nodes);

/* Squared sensitivity of channel `level` at FV_VDM_NODES luminances, for a retina of `ppd`. */
void fv_vdm_weights(const FvVdmParameters *parameters, const FvVdmNodes *nodes, double ppd, int level,
                    float *weights);

/* How far a filter with a time constant of `tau` seconds goes in one frame. */
float fv_vdm_share(const FvVdmParameters *parameters, double tau);

FvVdmTransducer fv_vdm_transducer(const FvVdmParameters *parameters);

#endif
