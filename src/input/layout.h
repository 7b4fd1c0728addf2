/* Raw video whose components share planes in the file: NV12, P010, UYVY, v210 and their kin.
 * docs/input.md */
#pragma once

#include "input/source.h"

/* The first sample of a component and the distance of its samples, in a row of a plane of the file. In samples. */
typedef struct FvLayoutPart {
    int plane, first, step;
} FvLayoutPart;

/* Three samples in each word of 32 bits: `part` only tells that there is one plane. */
#define FV_LAYOUT_TRIPLES (-1)

typedef struct FvLayout {
    const char *name; /* libav's */
    FvChroma chroma;
    int depth;
    int shift; /* empty bits below a sample, in words of 16 bits; or FV_LAYOUT_TRIPLES */
    FvLayoutPart part[3];
} FvLayout;

/* NULL for a name that is not known; the suffix "le" may be left out. */
const FvLayout *fv_layout_find(const char *name);

/* Bytes of a frame in the file. */
int64_t fv_layout_bytes(const FvLayout *layout, const FvFormat *format);

/* The next frame of a raw source. */
FvStatus fv_layout_read(FvSource *source, const FvLayout *layout, FvFrame **frame, FvError *error);
