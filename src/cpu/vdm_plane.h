/* The planes of the visual discrimination model's kernels, whose rows have room at both ends. */
#pragma once

#include "cpu/border.h"
#include "os/memory.h"

#define FV_VDM_MARGIN 16 /* floats before a row's first sample that kernels may write */
/* Floats after a row's last sample, rounded up to 16, that kernels may read or write. */
#define FV_VDM_BEHIND 48

/* Numbers of one frame at one pyramid level. */
typedef struct FvVdmPlane {
    float *data; /* sample (0, 0), 64-byte aligned */
    int width, height;
    ptrdiff_t stride; /* distance between rows in floats; a multiple of 16 */
} FvVdmPlane;

static inline ptrdiff_t fv_vdm_stride(int width)
{
    return FV_ROUND_UP((ptrdiff_t)width, 16) + FV_VDM_MARGIN + FV_VDM_BEHIND;
}

/* Returns the floats of a plane, including the margin before `data`. */
static inline size_t fv_vdm_plane_floats(int width, int height)
{
    return (size_t)fv_vdm_stride(width) * height + FV_VDM_MARGIN;
}

/* Returns index i of n samples, reflected about the outer edges of the border samples as often as necessary. */
static inline int fv_vdm_mirror(int i, int n)
{
    while (i < 0 || i >= n)
        i = fv_mirror_edge(i, n);
    return i;
}

static inline float *fv_vdm_row(const FvVdmPlane *plane, int y)
{
    return plane->data + y * plane->stride;
}

/* Fills samples [-reach, -1] and [width, width + reach - 1] of a row by reflection. */
static inline void fv_vdm_reflect(float *row, int width, int reach)
{
    for (int i = 1; i <= reach; i++) {
        row[-i] = row[fv_vdm_mirror(-i, width)];
        row[width - 1 + i] = row[fv_vdm_mirror(width - 1 + i, width)];
    }
}
