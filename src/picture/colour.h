/* Code points of ITU-T H.273: their names, and which of them mean the same. 0 stands for "unknown". */
#ifndef FV_PICTURE_COLOUR_H
#define FV_PICTURE_COLOUR_H

#include "fovea/fovea.h"

/* "primaries", "transfer", "matrix". */
const char *fv_colour_tag_name(FvColourTag tag);

/*
 * Whether two code points mean the same samples. BT.709, BT.601 and BT.2020 share one transfer curve; the matrices 5
 * and 6 are both BT.601.
 */
bool fv_colour_same(FvColourTag tag, int a, int b);

/* Whether both are primaries of BT.601 (EBU, SMPTE C) or BT.709: in practice these are taken for one another. */
bool fv_colour_near(FvColourTag tag, int a, int b);

#endif
