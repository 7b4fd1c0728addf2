/* Pictures whose components share planes, in a file or a caller's memory: NV12, P010, UYVY, v210 and their kin.
 * docs/input.md */
#pragma once

#include "fovea/fovea.h"

/* The first sample of a component and the distance of its samples, in a row of a stored plane. In samples. */
typedef struct FvLayoutPart {
    int plane, first, step;
} FvLayoutPart;

/* Three samples in each word of 32 bits: `part` only says that there is one plane. */
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

/* The planes that are stored: 1 or 2. */
int fv_layout_planes(const FvLayout *layout);

/* Bytes of a row of a stored plane. */
size_t fv_layout_row(const FvLayout *layout, const FvFormat *format, int plane);

/* FV_ERROR_USAGE: the frame's chroma format or depth differs, or its width is odd where pixels come in pairs. */
FvStatus fv_layout_check(const FvLayout *layout, const FvFormat *format, FvError *error);

/* A stored word that is not a sample of the layout's depth. */
typedef struct FvBadWord {
    int plane, x; /* plane of the frame, and column in it */
    unsigned word;
} FvBadWord;

/* Takes row `y` of the stored plane `from` apart into the planes of the frame. False: *bad says what is wrong. */
bool fv_layout_take(const FvLayout *layout, FvFrame *frame, int from, int y, const uint8_t *stored, FvBadWord *bad);
