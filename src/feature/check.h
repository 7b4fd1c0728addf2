/*
 * Features of one video, for `fovea check`. Each one measures the distorted video and, if there is one, the
 * reference. The terms of the reference follow those of the distorted video.
 */
#pragma once

#include "cpu/check.h"
#include "device/feature.h"

/* Sides of an instance: 0 is the distorted video, 1 the reference. */
enum { FV_CHECK_SIDES = 2 };

/* Number of rows per job, a multiple of a block's rows. */
#define FV_CHECK_BAND 128

/* State that all features of one video have. */
typedef struct FvCheckPlan {
    const FvCheckKernels *kernels;
    int sides, bands;
    int blocks; /* number of blocks of a row, with room for vectors that write past the end */
    int edge_x[FV_CHECK_COLUMNS + 1], edge_y[FV_CHECK_ROWS + 1]; /* edges of cells in samples */
} FvCheckPlan;

/*
 * Fills the plan, and the number of jobs of the first stage: bands of rows of each side. FV_ERROR_INPUT, with a
 * message in the metric's name, for depths for which the measures are not defined.
 */
FvStatus fv_check_plan(FvCheckPlan *plan, FvFeatureInstance *run, FvError *error);

const FvFormat *fv_check_format(const FvFeatureInstance *run, int side);
const FvFrame *fv_check_frame(const FvWork *work, int side);
const FvFrame *fv_check_before(const FvWork *work, int side); /* previous frame; NULL for the first frame */

/* The band of rows of a job. */
typedef struct FvCheckBand {
    int side, first, rows;
} FvCheckBand;

FvCheckBand fv_check_band(const FvCheckPlan *plan, const FvFeatureInstance *run, int job);
bool fv_check_has_cells(const FvFeatureInstance *run);

/* Luma codes of black and white, and the range of chroma codes. */
typedef struct FvCheckRange {
    int low, high, chroma_low, chroma_high;
} FvCheckRange;

FvCheckRange fv_check_range(const FvFormat *format);

/* How a display shows the video; SDR is a power of 2.4 (BT.1886) or sRGB's curve. */
typedef enum FvCheckTransfer { FV_CHECK_BT1886, FV_CHECK_SRGB, FV_CHECK_PQ, FV_CHECK_HLG } FvCheckTransfer;

FvCheckTransfer fv_check_transfer(const FvFormat *format);
bool fv_check_is_hdr(const FvFormat *format);

/*
 * Fills the colours of a format, and, unless `white` is 0, the table of light. white: luminance of SDR white in
 * cd/m2; hlg_peak: peak of the display for HLG, in cd/m2. Free the tables with fv_check_light_close().
 */
FvStatus fv_check_light_open(FvCheckLight *light, const FvFormat *format, double white, double hlg_peak,
                             FvError *error);
void fv_check_light_close(FvCheckLight *light);

/* Returns the upper edge of the first bin up to which at least part / whole of all `numbers` numbers lie. */
uint32_t fv_check_rank(const uint32_t *bin, uint64_t numbers, uint64_t part, uint64_t whole);

/* ---- The features and their terms: of the distorted video, then of the reference ------------------------------ */

typedef struct FvSitiOptions {
    const char *domain; /* domain of the values: "pq" or "code" */
} FvSitiOptions;

#define FV_SITI_DOMAIN                                                                                               \
    ("domain", "dom", "pq", fv_siti_domains,                                                                         \
     "pq: as P.910 since 07/2022; code: code values, as before 07/2022 (legacy in other tools)")

extern const char *const fv_siti_domains[];
extern const FvFeature fv_feature_siti;
extern const struct FvGpuFeature fv_siti_gpu;

typedef struct FvSiti {
    FvCheckPlan plan;
    int32_t *table[FV_CHECK_SIDES]; /* value of each code */
} FvSiti;

/* The sums of the features SI and TI over a band of rows. */
typedef struct FvSitiBand {
    FvCheckSums si, ti;
} FvSitiBand;

/* Terms: sums of magnitudes, and sums of their squares as the low 32 bits and the rest. */
enum { FV_SITI_SI, FV_SITI_SI_LOW, FV_SITI_SI_HIGH, FV_SITI_TI, FV_SITI_TI_LOW, FV_SITI_TI_HIGH, FV_SITI_TERMS };
int64_t fv_siti_unit(const FvSitiOptions *options, const FvFormat *format);

extern const FvFeature fv_feature_freeze;
extern const struct FvGpuFeature fv_freeze_gpu;

/* The changes of a band of rows. The sums of cells follow the bands in a frame's memory. */
typedef struct FvFreezeBand {
    uint64_t differ, sad[3], peak;
} FvFreezeBand;

/* Returns the sums of the cells of the distorted video, then of the reference; NULL: the frame is too small. */
uint64_t *fv_freeze_cells(const FvFeatureInstance *run, const FvWork *work);
/* Replaces the sums of a row of cells by their means, in units of 1/256 of an 8-bit code value. */
void fv_freeze_divide(const FvFeatureInstance *run, int row, uint64_t *cells);
/*
 * Terms compared with the previous frame: the number of samples that differ, the sums of differences, and the maximum
 * of a block. Then the luma of cells, 16 bits each, four per term.
 */
enum {
    FV_FREEZE_DIFFER,
    FV_FREEZE_SAD,
    FV_FREEZE_PEAK = FV_FREEZE_SAD + 3,
    FV_FREEZE_CELLS,
    FV_FREEZE_TERMS = FV_FREEZE_CELLS + FV_CHECK_CELLS / 4
};

typedef struct FvBlackOptions {
    int pixel;
} FvBlackOptions;

#define FV_BLACK_PIXEL                                                                                               \
    ("pixel", "px", 100, 0, 1000, "1/1000", "samples of luma up to this share of the range above black are black")

extern const FvFeature fv_feature_black;
extern const struct FvGpuFeature fv_black_gpu;

/* The levels, row sums and column sums of a band. The first four row sums of a side's first band become its bars. */
typedef struct FvBlackBand {
    FvCheckLevels level[3];
    uint64_t row[FV_CHECK_BAND];
    uint32_t column[];
} FvBlackBand;

FvBlackBand *fv_black_band(const FvFeatureInstance *run, const FvWork *work, int job);
/* Returns the greatest code that counts as black. */
int fv_black_limit(const FvFeatureInstance *run, int side);
/* Finds the bars from the sums of all rows and all columns. */
void fv_black_set_bars(const FvFeatureInstance *run, const FvWork *work, int side, const uint32_t *rows,
                       const uint32_t *columns);

enum {
    FV_BLACK_SAMPLES,
    FV_BLACK_BARS,
    FV_BLACK_LEAST = FV_BLACK_BARS + 4,
    FV_BLACK_MOST = FV_BLACK_LEAST + 3,
    FV_BLACK_TERMS = FV_BLACK_MOST + 3
};

extern const FvFeature fv_feature_levels;
extern const struct FvGpuFeature fv_levels_gpu;

typedef struct FvLevels {
    FvCheckPlan plan;
    FvCheckLight light[FV_CHECK_SIDES];
} FvLevels;

/* The counts of a band. The last stage adds those of all bands of a side to the first band. */
typedef struct FvLevelsBand {
    FvCheckLevels chroma[2];
    uint64_t illegal;
    uint32_t codes[]; /* one for each luma code */
} FvLevelsBand;

FvLevelsBand *fv_levels_band(const FvFeatureInstance *run, const FvWork *work, int job);

enum {
    FV_LEVELS_LEAST,
    FV_LEVELS_MOST = FV_LEVELS_LEAST + 3,
    FV_LEVELS_RANKS = FV_LEVELS_MOST + 3,
    FV_LEVELS_SUM = FV_LEVELS_RANKS + 5,
    FV_LEVELS_LOW,
    FV_LEVELS_HIGH,
    FV_LEVELS_BELOW,
    FV_LEVELS_ABOVE,
    FV_LEVELS_RESERVED,
    FV_LEVELS_ILLEGAL,
    FV_LEVELS_TERMS
};

typedef struct FvPeaksOptions {
    int hlg_peak;
} FvPeaksOptions;

#define FV_PEAKS_HLG_PEAK                                                                                            \
    ("hlg_peak", "hlg", 1000, 100, 10000, "cd/m2", "nominal peak of the display on which HLG is shown")

extern const FvFeature fv_feature_peaks;
extern const struct FvGpuFeature fv_peaks_gpu;

typedef struct FvPeaks {
    FvCheckPlan plan;
    FvCheckLight light[FV_CHECK_SIDES];
} FvPeaks;

enum {
    FV_PEAKS_MOST,
    FV_PEAKS_SUM,
    FV_PEAKS_P99,
    FV_PEAKS_P9999,
    FV_PEAKS_BT709,
    FV_PEAKS_P3,
    FV_PEAKS_LIT,
    FV_PEAKS_TERMS
};

typedef struct FvFlashOptions {
    int white, hlg_peak;
} FvFlashOptions;

#define FV_FLASH_WHITE ("white", "wh", 200, 20, 1000, "cd/m2", "luminance of white of SDR")

extern const FvFeature fv_feature_flash;
extern const struct FvGpuFeature fv_flash_gpu;

typedef struct FvFlash {
    FvCheckPlan plan;
    FvCheckLight light[FV_CHECK_SIDES];
} FvFlash;

/* Returns the term of a cell from the sums of its pixels. */
uint64_t fv_flash_cell(const FvFeatureInstance *run, int cell, uint64_t luminance, uint64_t saturated);

/* Each term is a cell: luminance in the low 32 bits, saturated red in the high 32 bits. */
enum { FV_FLASH_TERMS = FV_CHECK_CELLS };

extern const FvFeature fv_feature_scan;
extern const struct FvGpuFeature fv_scan_gpu;

typedef struct FvScanBand {
    FvCheckScan scan;
    uint32_t comb; /* maximum number of combed pixels in a block */
} FvScanBand;

enum { FV_SCAN_MOVING, FV_SCAN_OWN, FV_SCAN_TOP, FV_SCAN_BOTTOM, FV_SCAN_COMB, FV_SCAN_TERMS };

extern const FvFeature fv_feature_texture;
extern const struct FvGpuFeature fv_texture_gpu;

typedef struct FvTextureBand {
    uint64_t across[8], down[8], noise;
    uint32_t bin[FV_CHECK_BINS]; /* counts of the sums of complete blocks */
} FvTextureBand;

enum {
    FV_TEXTURE_ACROSS,
    FV_TEXTURE_DOWN = FV_TEXTURE_ACROSS + 8,
    FV_TEXTURE_NOISE = FV_TEXTURE_DOWN + 8,
    FV_TEXTURE_FLOOR,
    FV_TEXTURE_TERMS
};
