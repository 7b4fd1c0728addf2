/* CAMBI's options, and the sizes and tables that depend on options and format only. */
#pragma once

#include "cpu/cambi_planes.h"
#include "fovea/fovea.h"
#include "picture/region.h"

typedef struct FvCambiOptions {
    double max_val, topk, cambi_topk, tvi_threshold, vis_lum_threshold;
    int enc_width, enc_height, enc_bitdepth, src_width, src_height, window_size, max_log_contrast, speedup;
    bool full_ref;
    const char *eotf, *cambi_eotf, *heatmaps_path;
    FvRegionOptions region;
} FvCambiOptions;

/* Fills the sizes for the distorted video, or for the reference, except column, row and tables. */
FvStatus fv_cambi_geometry(FvCambiPicture *picture, const FvCambiOptions *options, const FvFormat *format,
                           bool reference, FvError *error);

/* Allocates column and row, which the caller frees. Both are NULL if frames are not resized. */
FvStatus fv_cambi_resample(FvCambiPicture *picture, FvError *error);

/* Fills all tables except the reciprocals. */
void fv_cambi_tables(FvCambiTables *tables, const FvCambiOptions *options);

/* reciprocal[0] = 0. For n < count, reciprocal[n] is the float nearest to 1/n rounded to nine significant digits. */
void fv_cambi_reciprocals(float *reciprocal, int count);

/* Returns the number of pixels, out of n, whose c-values are pooled. */
int64_t fv_cambi_pooled(double topk, int64_t n);

/* Returns the maximum c-value under the options. */
double fv_cambi_greatest(const FvCambiPicture *picture);

/* Returns a c-value times 2^24; bits: the bits of the float. */
uint64_t fv_cambi_fixed(uint32_t bits);

#define FV_CAMBI_TALLY 65536 /* number of values of half a float's bits */

/*
 * Returns the weighted sum of the greatest c-values of a scale, taken until their weights add up to `most`; the last
 * value may count in part. The sum is then scaled from `most` to `pooled` and rounded down. `tally` is working
 * memory.
 */
uint64_t fv_cambi_weighted(const FvCambiScale *scale, void *frame, const FvWeights *weights, uint64_t most,
                           int64_t pooled, uint64_t tally[FV_CAMBI_TALLY]);

/* Returns the score: sum / 2^24 / k, weighted over the scales and divided by the area of the window. */
double fv_cambi_score(const uint64_t *sum, const int64_t *k, int window);
