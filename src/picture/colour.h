/* Code points of ITU-T H.273: their names, and which of them have equal meaning. 0 means "unknown". */
#pragma once

#include "fovea/fovea.h"

/* Code points on which code depends. BT601 is BT.601's system of 525 lines, BT470BG its system of 625 lines. */
enum { FV_H273_UNKNOWN = 0, FV_H273_BT709 = 1, FV_H273_BT470BG = 5, FV_H273_BT601 = 6, FV_H273_SMPTE240M = 7 };
enum { FV_H273_BT2020 = 9, FV_H273_BT2020_CONSTANT = 10, FV_H273_DISPLAY_P3 = 12 }; /* primaries, matrices */
enum { FV_H273_GAMMA22 = 4, FV_H273_LINEAR = 8, FV_H273_SRGB = 13, FV_H273_PQ = 16, FV_H273_HLG = 18 };

/*
 * Weights of red and blue in luma, in units of 1 / FV_LUMA_WHOLE; 0 for a matrix other than BT.709, BT.601 and
 * BT.2020.
 */
typedef struct FvLumaWeights {
    int red, blue;
} FvLumaWeights;

#define FV_LUMA_WHOLE 10000

FvLumaWeights fv_colour_luma(int matrix);

/* Returns the format with code points 2, "unspecified", replaced by 0. */
FvFormat fv_colour_known(const FvFormat *format);

/* Returns the code point of a tag. */
int fv_format_tag(const FvFormat *format, FvColourTag tag);

/* Returns the name of a tag: "primaries", "transfer", "matrix". */
const char *fv_colour_tag_name(FvColourTag tag);

/*
 * Returns whether two code points have equal meaning for samples. BT.709, BT.601 and BT.2020 share one transfer
 * curve; the matrices 5 and 6 are both BT.601.
 */
bool fv_colour_same(FvColourTag tag, int a, int b);

/* Returns whether both code points are primaries of BT.601 (EBU, SMPTE C) or BT.709, which files often confuse. */
bool fv_colour_near(FvColourTag tag, int a, int b);
