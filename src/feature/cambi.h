/*
 * CAMBI as a feature: its options, and the state of an instance for its stages on the CPU, its plan on GPUs and the
 * metric.
 */
#pragma once

#include "cpu/cambi.h"
#include "device/feature.h"
#include "feature/cambi_picture.h"

extern const char *const fv_cambi_eotfs[], *const fv_cambi_displays[];

/* All options except cambi_max_val and heatmaps_path, which only the metric has. */
#define FV_CAMBI_PICTURE_OPTIONS(X)                                                                                  \
    X(FvCambiOptions, enc_width, INT,                                                                                \
      ("enc_width", "encw", 0, 180, 7680, "px", "width at which the distorted video is scored; unset: its own"))     \
    X(FvCambiOptions, enc_height, INT,                                                                               \
      ("enc_height", "ench", 0, 150, 7680, "px", "height at which the distorted video is scored; unset: its own"))   \
    X(FvCambiOptions, enc_bitdepth, INT,                                                                             \
      ("enc_bitdepth", "encbd", 0, 6, 16, "bit",                                                                     \
       "depth of encoding; below 10 dither is smoothed; unset: the video's"))                                        \
    X(FvCambiOptions, src_width, INT,                                                                                \
      ("src_width", "srcw", 0, 320, 7680, "px", "width at which the reference is scored; unset: the video's"))       \
    X(FvCambiOptions, src_height, INT,                                                                               \
      ("src_height", "srch", 0, 200, 4320, "px", "height at which the reference is scored; unset: the video's"))     \
    X(FvCambiOptions, window_size, INT,                                                                              \
      ("window_size", "ws", 65, 15, 127, "px", "side of the window at 3840x2160; it scales with the size"))          \
    X(FvCambiOptions, topk, REAL, ("topk", NULL, 0.6, 0.0001, 1, NULL, "share of the pixels that is pooled"))        \
    X(FvCambiOptions, cambi_topk, REAL,                                                                              \
      ("cambi_topk", "ctpk", 0.6, 0.0001, 1, NULL, "topk by another name, used while topk is 0.6"))                  \
    X(FvCambiOptions, tvi_threshold, REAL,                                                                           \
      ("tvi_threshold", "tvit", 0.019, 0.0001, 1, NULL, "least visible relative difference of luminance"))           \
    X(FvCambiOptions, vis_lum_threshold, REAL,                                                                       \
      ("cambi_vis_lum_threshold", "vlt", 0, 0, 300, "cd/m2", "luminance below which banding is ignored"))            \
    X(FvCambiOptions, max_log_contrast, INT,                                                                         \
      ("max_log_contrast", "mlc", 2, 0, 5, NULL, "contrasts up to 2 to this power are examined"))
#define FV_CAMBI_DISPLAY_OPTIONS(X)                                                                                  \
    X(FvCambiOptions, full_ref, BOOL, ("full_ref", NULL, 0, "also score the reference, and the difference"))         \
    X(FvCambiOptions, eotf, TEXT,                                                                                    \
      ("eotf", NULL, "auto", fv_cambi_displays, "transfer function of the display; auto: pq for PQ, by the tags"))   \
    X(FvCambiOptions, cambi_eotf, TEXT,                                                                              \
      ("cambi_eotf", "ceot", "bt1886", fv_cambi_eotfs, "eotf by another name; pq overrides eotf"))                   \
    X(FvCambiOptions, speedup, INT,                                                                                  \
      ("cambi_high_res_speedup", "hrs", 0, 0, 2160, NULL,                                                            \
       "1080, 1440 or 2160: from this many lines on, start at half the size; other values: never"))                  \
    FV_REGION_OPTIONS(X, FvCambiOptions, region)

/* The results of one frame of one video, from which the score is computed. */
typedef struct FvCambiOutcome {
    uint64_t sum[FV_CAMBI_SCALES]; /* sum of the pooled c-values, times 2^24 */
    bool invalid; /* a GPU found a sample above the depth; frames in the host's memory are checked by the session */
} FvCambiOutcome;

/* State of an instance. Index 0 is the distorted video, 1 the reference. */
typedef struct FvCambi {
    const FvCambiKernels *kernels;
    FvCambiTables tables;
    float *reciprocal;
    int reciprocals;
    int pictures;
    FvCambiPicture picture[2];
    int bands[2][FV_CAMBI_SCALES], strips[2][FV_CAMBI_SCALES];
    int64_t pooled[2][FV_CAMBI_SCALES];
    FvWeigher weigher[2][FV_CAMBI_SCALES]; /* weights of the c-values */
    /* Offsets in the frame's block: of a video's planes, of its jobs' results, and of its outcome. */
    size_t planes[2], results[2], outcome[2];
} FvCambi;

static inline FvCambiOutcome *fv_cambi_outcome(const FvCambi *cambi, const FvWork *work, int picture)
{
    return (FvCambiOutcome *)((char *)work->frame + cambi->outcome[picture]);
}

/*
 * Terms: the sums of the scales of the distorted video, then those of the reference. Maps: the c-values of each scale
 * of the distorted video.
 */
extern const FvFeature fv_feature_cambi;
extern const FvMapInfo fv_cambi_maps[FV_CAMBI_SCALES];
extern const struct FvGpuFeature fv_cambi_gpu;
