/* ColorVideoVDP: its parameters, the tables that follow from them, and what a frame's bands add up to. */
#ifndef FV_FEATURE_CVVDP_H
#define FV_FEATURE_CVVDP_H

#include "cpu/cvvdp.h"
#include "device/feature.h"
#include "feature/light.h"

#define FV_CVVDP_LEVELS 16 /* of the deepest pyramid */
#define FV_CVVDP_CSF 32    /* luminances and spatial frequencies of a table of sensitivity */

/* log10 of sensitivity in units of 10^-8: [channel][luminance][frequency]. */
extern const int32_t fv_cvvdp_csf[FV_CVVDP_CHANNELS][FV_CVVDP_CSF][FV_CVVDP_CSF];

typedef enum FvCvvdpTransfer {
    FV_CVVDP_SRGB,
    FV_CVVDP_BT1886,
    FV_CVVDP_GAMMA22,
    FV_CVVDP_GAMMA24,
    FV_CVVDP_PQ,
    FV_CVVDP_HLG
} FvCvvdpTransfer;

typedef enum FvCvvdpPrimaries { FV_CVVDP_BT709, FV_CVVDP_BT2020, FV_CVVDP_P3 } FvCvvdpPrimaries;

/* What decides the terms; the feature's options. */
typedef struct FvCvvdpParameters {
    FvLightOptions light; /* matrix, range and location */
    int transfer, primaries;
    double peak, black;          /* cd/m2 */
    double ambient, reflectance; /* lx, and how much of it the display reflects */
    double exposure;
    double ppd;
    double fps; /* 0: not known */
    bool still; /* one picture */
} FvCvvdpParameters;

/* A run: tables, and where everything lies. */
typedef struct FvCvvdp {
    FvCvvdpParameters parameters;
    FvLight light;
    FvCvvdpOpponent opponent;
    FvCvvdpTime time;
    FvCvvdpMasking masking;
    FvCvvdpMap map;
    double base[FV_CVVDP_CHANNELS][FV_CVVDP_CSF]; /* log10 of sensitivity at the base band's frequency */
    const FvCvvdpKernels *kernels;
    bool clip; /* filters in time; else there is one picture, without them */
    int bands; /* below the base band, which is level[bands] */
    struct FvCvvdpLevel {
        int width, height, across, first; /* tiles of a row; the first of the band's tiles */
        size_t planes, sums, drawn;       /* where they begin in work->frame */
        float (*nodes)[FV_CVVDP_CHANNELS][2];
    } level[FV_CVVDP_LEVELS];
    int tiles;
    int frames, blocks; /* of the history: 2 * time.half + 1, and blocks of a row */
} FvCvvdp;

/* Of one run or of the first frame of a clip seen as a picture. */
typedef struct FvCvvdpView {
    int channels;
    FvVdmPlane plane[FV_CVVDP_LEVELS][FV_CVVDP_PLANES], drawn[FV_CVVDP_LEVELS];
} FvCvvdpView;

/* Chooses the bands and fills all tables. FV_ERROR_MEMORY; fv_cvvdp_close releases them, also then. */
FvStatus fv_cvvdp_tables(FvCvvdp *cvvdp, int width, int height, FvError *error);

/* Light that the display shows for a component v of R'G'B'. For HLG before the system gamma. */
double fv_cvvdp_light(const FvCvvdpParameters *parameters, double v);

/* Sensitivity at a luminance, from its logarithms at those of the table. */
double fv_cvvdp_sensitivity(const double line[FV_CVVDP_CSF], double luminance);

/* The pooled difference of a frame, from the sums of its bands and the planes of the base band. */
double fv_cvvdp_pool(const FvCvvdp *cvvdp, const FvCvvdpView *view,
                     const FvCvvdpSum sums[FV_CVVDP_LEVELS][FV_CVVDP_CHANNELS]);

/* What the map needs. */
void fv_cvvdp_map_of(FvCvvdpMap *map, int channels);

/* The base band of the map. */
void fv_cvvdp_draw_base(const FvCvvdp *cvvdp, const FvCvvdpView *view);

/* (x + 0.00001)^y less the same of 0. */
double fv_cvvdp_power(double x, double y);

#define FV_CVVDP_JOD_SCALE 0.0439569391310215
#define FV_CVVDP_JOD_EXPONENT 0.9302042722702026
#define FV_CVVDP_STILL 0.577918291091919 /* weight of a picture's difference */

/* Terms of the feature: the pooled difference of the frame in its clip, and as a picture: of the first frame alone.
 */
enum { FV_CVVDP_TERM_CLIP, FV_CVVDP_TERM_STILL, FV_CVVDP_TERMS };

extern const FvMapInfo fv_cvvdp_maps[1];
extern const FvFeature fv_feature_cvvdp;

#endif
