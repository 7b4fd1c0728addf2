/* How CAMBI's jobs divide the pictures, what each leaves behind, and where the planes lie. */
#ifndef FV_CPU_CAMBI_PLANES_H
#define FV_CPU_CAMBI_PLANES_H

#include "feature/cambi_picture.h"

#define FV_CAMBI_BAND 128  /* rows of one job of the image stages */
#define FV_CAMBI_STRIP 640 /* most columns of one job of the contrast stage, a multiple of 64 */
/* Room for the counters of a strip, windows beside it and vectors: an odd number of cache lines spreads the values.
 */
#define FV_CAMBI_COUNTERS 864

/* Bins of c-values by exponent and 8 bits of fraction, from 0.5, the least nonzero one, to 9/4 * 255^2. */
#define FV_CAMBI_BIN_SHIFT 15
#define FV_CAMBI_FIRST_BIN (0x3f000000 >> FV_CAMBI_BIN_SHIFT)
#define FV_CAMBI_BINS ((0x48100000 >> FV_CAMBI_BIN_SHIFT) - FV_CAMBI_FIRST_BIN)
#define FV_CAMBI_IN_BIN (1 << FV_CAMBI_BIN_SHIFT)

/* What a band of rows leaves behind. */
typedef struct FvCambiBand {
    int64_t masked;   /* pixels that take part in runs: no more c-values than these can be nonzero */
    uint32_t samples; /* all source samples of the band, or-ed together */
} FvCambiBand;

/* What a strip of columns leaves behind. */
typedef struct FvCambiSum {
    uint64_t sum; /* of c times 2^24 */
    int64_t nonzero;
} FvCambiSum;

/* Columns of a job of the contrast stage, a multiple of 64: fewer for wide windows. */
static inline int fv_cambi_strip(const FvCambiPicture *picture)
{
    int most = (FV_CAMBI_COUNTERS - 4 * picture->radius - 48) / 64 * 64;
    return most < FV_CAMBI_STRIP ? most : FV_CAMBI_STRIP;
}

static inline uint16_t *fv_cambi_row(const FvCambiScale *scale, void *frame, int y)
{
    return (uint16_t *)((char *)frame + scale->image) + y * scale->stride;
}

static inline FvCambiEdges *fv_cambi_edges(const FvCambiScale *scale, void *frame, int y)
{
    return (FvCambiEdges *)((char *)frame + scale->edges) + (ptrdiff_t)y * scale->edge_words;
}

static inline float *fv_cambi_c(const FvCambiScale *scale, void *frame, int y)
{
    return (float *)((char *)frame + scale->c) + y * scale->c_stride;
}

#endif
