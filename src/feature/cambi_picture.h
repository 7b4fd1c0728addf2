/* CAMBI's derived sizes and tables: everything that options and format decide before the first frame. */
#ifndef FV_FEATURE_CAMBI_PICTURE_H
#define FV_FEATURE_CAMBI_PICTURE_H

#include "fovea/fovea.h"

#define FV_CAMBI_SCALES 5
#define FV_CAMBI_CONTRASTS 32  /* most contrast steps that can be examined */
#define FV_CAMBI_LEVELS 1025   /* values of the 10-bit picture: rounding 16-bit white gives 1024 */
#define FV_CAMBI_MASKED 0x8000 /* set in a sample of FvCambiScale whose surroundings are flat */
#define FV_CAMBI_WINDOW 255    /* the largest window: its 255 * 255 pixels are what a 16-bit counter holds */

typedef struct FvCambiOptions {
    double max_val, topk, cambi_topk, tvi_threshold, vis_lum_threshold;
    int enc_width, enc_height, enc_bitdepth, src_width, src_height, window_size, max_log_contrast, speedup;
    bool full_ref;
    const char *eotf, *cambi_eotf, *heatmaps_path;
} FvCambiOptions;

/* What the viewer's display makes visible. */
typedef struct FvCambiTables {
    int contrasts;                     /* D: contrasts of 1..D codes are examined */
    int tvi[FV_CAMBI_CONTRASTS];       /* [d - 1]: the brightest value at which a contrast of d is visible */
    int dark;                          /* values below are too dark, after the shift of fv_cambi_visible */
    uint32_t visible[FV_CAMBI_LEVELS]; /* [v], bit d - 1: a contrast of d codes counts for a pixel of value v */
    int low, high;           /* only values in [low, high] can make a difference; FV_CAMBI_LEVELS when none can */
    const float *reciprocal; /* [n] for n up to the area of the window */
} FvCambiTables;

/*
 * The runs of masked pixels of one value that could make a difference, among 64 pixels, a bit each: whether one
 * begins there, and whether one has ended before.
 */
typedef struct FvCambiEdges {
    uint64_t begins, ends;
} FvCambiEdges;

/*
 * One of the five pictures. Samples are 10-bit values with FV_CAMBI_MASKED; the sample left of a row and those right
 * of it up to a multiple of 64 are 0.
 */
typedef struct FvCambiScale {
    int width, height;
    ptrdiff_t stride;       /* of samples, in samples */
    int edge_words;         /* of 64 pixels, per row */
    ptrdiff_t c_stride;     /* of the plane of c-values, in values */
    size_t image, edges, c; /* where they lie in the frame's block, in bytes */
} FvCambiScale;

/* How the pictures of one video are processed. */
typedef struct FvCambiPicture {
    int source_width, source_height, depth;
    int width, height;       /* of processing */
    const int *column, *row; /* source position of every column and row, or NULL when the sizes are equal */
    bool undither;           /* smooth 2x2 before everything else */
    bool half;               /* the high-resolution speed-up: the first scale is half the size already */
    int window, radius;
    int mask_threshold;
    double topk;
    const FvCambiTables *tables;
    FvCambiScale scale[FV_CAMBI_SCALES];
    size_t bytes; /* of the block that holds all planes, 64-byte aligned */
} FvCambiPicture;

/* Effective values of options that override each other. */
double fv_cambi_topk(const FvCambiOptions *options);

/* Fills the geometry of the distorted (reference: false) or the reference picture, without column, row and tables. */
FvStatus fv_cambi_geometry(FvCambiPicture *picture, const FvCambiOptions *options, const FvFormat *format,
                           bool reference, FvError *error);

/* column and row, which must be freed; both NULL when nothing is resampled. */
FvStatus fv_cambi_resample(FvCambiPicture *picture, FvError *error);

/* Everything but the reciprocals. */
void fv_cambi_tables(FvCambiTables *tables, const FvCambiOptions *options);

/* R(0) = 0 and R(n) = the float nearest to 1/n rounded to nine significant decimals, for n < count. */
void fv_cambi_reciprocals(float *reciprocal, int count);

/* Number of pixels that are pooled out of n. */
int64_t fv_cambi_pooled(double topk, int64_t n);

/* The greatest c-value that the options allow. */
double fv_cambi_greatest(const FvCambiPicture *picture);

/* A c-value, given by its bits, times 2^24. */
uint64_t fv_cambi_fixed(uint32_t bits);

/* sum / 2^24 / k, weighted over the scales and divided by the window's area. */
double fv_cambi_score(const uint64_t *sum, const int64_t *k, int window);

#endif
