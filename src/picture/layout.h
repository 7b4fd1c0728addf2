/*
 * Layouts in which components share planes, in a file or a caller's memory: NV12, P010, UYVY, v210 and others.
 * docs/input.md
 */
#pragma once

#include "fovea/fovea.h"

/* The stored plane of a component, and in its rows the first sample and the distance of samples, both in samples. */
typedef struct FvLayoutPart {
    int plane, first, step;
} FvLayoutPart;

/* Value of `shift`: each 32-bit word has three samples, and `part` only states that there is one plane. */
#define FV_LAYOUT_TRIPLES (-1)

typedef struct FvLayout {
    const char *name; /* libav's name of the pixel format */
    FvChroma chroma;
    int depth;
    int shift; /* number of empty bits below a sample in a 16-bit word; or FV_LAYOUT_TRIPLES */
    FvLayoutPart part[3];
} FvLayout;

/* Returns the layout with this name, whose suffix "le" may be left out; NULL: unknown. */
const FvLayout *fv_layout_find(const char *name);

/* Returns the number of stored planes: 1 or 2. */
int fv_layout_planes(const FvLayout *layout);

/* Returns the bytes of a row of a stored plane. */
size_t fv_layout_row(const FvLayout *layout, const FvFormat *format, int plane);

/*
 * Checks a frame's format. FV_ERROR_USAGE: its chroma format or depth differs, or its width is odd but the layout
 * stores pairs of pixels.
 */
FvStatus fv_layout_check(const FvLayout *layout, const FvFormat *format, FvError *error);

/* A stored word that is not a sample of the layout's depth. */
typedef struct FvBadWord {
    int plane, x; /* plane of the frame, and column in it */
    unsigned word;
} FvBadWord;

/* Unpacks row `y` of the stored plane `from` into the planes of the frame. false: *bad is the first invalid word. */
bool fv_layout_take(const FvLayout *layout, FvFrame *frame, int from, int y, const uint8_t *stored, FvBadWord *bad);
