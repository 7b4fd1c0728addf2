/* The planes that kernels of the visual discrimination model work on, with room around their rows. */
#pragma once

#include "os/memory.h"

#define FV_VDM_MARGIN 16 /* floats in front of every row that may be written */
#define FV_VDM_BEHIND 48 /* floats behind the last sample, rounded up to 16, that may be read or written */

/* Numbers of one picture at one level. */
typedef struct FvVdmPlane {
    float *data; /* sample (0, 0), 64-byte aligned */
    int width, height;
    ptrdiff_t stride; /* floats; a multiple of 16 */
} FvVdmPlane;

static inline ptrdiff_t fv_vdm_stride(int width)
{
    return FV_ROUND_UP((ptrdiff_t)width, 16) + FV_VDM_MARGIN + FV_VDM_BEHIND;
}

/* Margin included, which lies in front of `data`. */
static inline size_t fv_vdm_plane_floats(int width, int height)
{
    return (size_t)fv_vdm_stride(width) * height + FV_VDM_MARGIN;
}

/* Half-sample symmetric reflection, as often as it takes: where sample i of n is. */
static inline int fv_vdm_mirror(int i, int n)
{
    while (i < 0 || i >= n)
        i = i < 0 ? -1 - i : 2 * n - 1 - i;
    return i;
}

static inline float *fv_vdm_row(const FvVdmPlane *plane, int y)
{
    return plane->data + y * plane->stride;
}

/* Samples -reach ... -1 and width ... width + reach - 1 of a row from the ones inside. */
static inline void fv_vdm_reflect(float *row, int width, int reach)
{
    for (int i = 1; i <= reach; i++) {
        row[-i] = row[fv_vdm_mirror(-i, width)];
        row[width - 1 + i] = row[fv_vdm_mirror(width - 1 + i, width)];
    }
}
