/* ColorVideoVDP as a feature: its parameters, the tables that depend on them, and the sums of a frame's bands. */
#pragma once

#include "cpu/cvvdp.h"
#include "device/feature.h"
#include "feature/light.h"

#define FV_CVVDP_LEVELS 16 /* maximum number of pyramid levels */
#define FV_CVVDP_CSF 32    /* number of luminances, and of spatial frequencies, of a table of sensitivity */

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

/* The feature's options, which decide the terms. */
typedef struct FvCvvdpParameters {
    FvLightOptions light; /* matrix, range and location */
    int transfer, primaries;
    double peak, black;          /* luminance of white and black on the display, in cd/m2 */
    double ambient, reflectance; /* ambient light in lx, and the fraction of it that the display reflects */
    double exposure;
    double ppd;
    double fps; /* frames per second; 0: unknown */
    bool still; /* the video is one still picture */
} FvCvvdpParameters;

/* State of an instance: its tables and the layout of its memory. */
typedef struct FvCvvdp {
    FvCvvdpParameters parameters;
    FvLight light;
    FvCvvdpOpponent opponent;
    FvCvvdpTime time;
    FvCvvdpMasking masking;
    FvCvvdpMap map;
    double base[FV_CVVDP_CHANNELS][FV_CVVDP_CSF]; /* log10 of sensitivity at the frequency of the base band */
    const FvCvvdpKernels *kernels;
    bool clip; /* true: filters in time; false: one still picture, without filters */
    int bands; /* number of bands below the base band, which is level[bands] */
    struct FvCvvdpLevel {
        /* Size in samples, number of tiles per row, and number of the band's first tile. */
        int width, height, across, first;
        size_t planes, sums, drawn; /* offsets in work->frame: planes, sums, and band of the map */
        float (*nodes)[FV_CVVDP_CHANNELS][2];
    } level[FV_CVVDP_LEVELS];
    int tiles;
    int frames, blocks; /* number of frames in the history, 2 * time.half + 1, and number of blocks per row */
    ptrdiff_t apart;    /* distance between frames of the history, in blocks */
} FvCvvdp;

/* A frame of a clip, or the first frame of a clip treated as a still picture. */
typedef struct FvCvvdpView {
    int channels;
    FvVdmPlane plane[FV_CVVDP_LEVELS][FV_CVVDP_PLANES], drawn[FV_CVVDP_LEVELS];
} FvCvvdpView;

/* Chooses the bands and fills all tables. Release them with fv_cvvdp_close(), also after FV_ERROR_MEMORY. */
FvStatus fv_cvvdp_tables(FvCvvdp *cvvdp, int width, int height, FvError *error);

/* Returns the light of the display for a component v of R'G'B'; for HLG before the system gamma. */
double fv_cvvdp_light(const FvCvvdpParameters *parameters, double v);

/* Returns the sensitivity at a luminance; line: log10 of sensitivity at the luminances of the table. */
double fv_cvvdp_sensitivity(const double line[FV_CVVDP_CSF], double luminance);

/* Returns the pooled difference of a frame from the sums of its bands and the planes of its base band. */
double fv_cvvdp_pool(const FvCvvdp *cvvdp, const FvCvvdpView *view,
                     const FvCvvdpSum sums[FV_CVVDP_LEVELS][FV_CVVDP_CHANNELS]);

/* Fills the constants of the map. */
void fv_cvvdp_map_of(FvCvvdpMap *map, int channels);

/* Draws the base band of the map. */
void fv_cvvdp_draw_base(const FvCvvdp *cvvdp, const FvCvvdpView *view);

/* Returns (x + 0.00001)^y - 0.00001^y. */
double fv_cvvdp_power(double x, double y);

/* JOD = 10 - scale * difference^exponent for differences above 0.1, with ColorVideoVDP's parameters. */
#define FV_CVVDP_JOD_SCALE 0.0439569391310215
#define FV_CVVDP_JOD_EXPONENT 0.9302042722702026
#define FV_CVVDP_STILL 0.577918291091919 /* weight of a still picture's difference */

/*
 * Terms: the pooled difference of the frame in its clip, and, for the first frame only, the difference of that frame
 * as a still picture. work->frame starts with both, as doubles.
 */
enum { FV_CVVDP_TERM_CLIP, FV_CVVDP_TERM_STILL, FV_CVVDP_TERMS };

extern const FvMapInfo fv_cvvdp_maps[1];
extern const FvFeature fv_feature_cvvdp;

extern const struct FvGpuFeature fv_cvvdp_gpu;
