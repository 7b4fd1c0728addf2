/* Formats of pictures: their checks, sizes and names. The public part is in fovea/frame.h. */
#pragma once

#include "fovea/fovea.h"

/* Number of readable bytes after the last sample of every row. */
#define FV_ROW_PADDING 64

/*
 * Checks that every field is within the ranges of FvFormat. FV_ERROR_USAGE: one is not; the message names the field.
 */
FvStatus fv_format_check(const FvFormat *format, FvError *error);

/* The same for frames that are compared: refuses chroma formats that are only converted, too. */
FvStatus fv_format_check_scored(const FvFormat *format, FvError *error);

/* Number of luma samples that share a chroma sample in a row and in a column; 1 without subsampling. */
typedef struct FvChromaSteps {
    int across, down;
} FvChromaSteps;
FvChromaSteps fv_chroma_steps(FvChroma chroma);

/* Returns whether sessions compare frames of this chroma format. */
bool fv_chroma_is_scored(FvChroma chroma);

/* Returns the format with the fewest chroma samples that is compared and has all that either format has. */
FvChroma fv_chroma_common(FvChroma a, FvChroma b);

/* Returns whether both formats have the same size, chroma and depth. */
bool fv_format_same_shape(const FvFormat *a, const FvFormat *b);

/* Returns the bytes from one row of `plane` to the next in a frame of fv_frame_alloc(). */
ptrdiff_t fv_format_stride(const FvFormat *format, int plane);

/* Returns the bytes of a frame's planes, one after the other, with the strides of fv_format_stride(). */
size_t fv_format_plane_bytes(const FvFormat *format);

/* Return the names of enumerators, such as "4:2:0" and "limited". */
const char *fv_chroma_name(FvChroma chroma);
const char *fv_range_name(FvRange range);
const char *fv_siting_name(FvSiting siting);    /* "left", "topleft", "unknown" */
const char *fv_fields_name(FvFieldOrder order); /* "progressive", "top field first", "unknown" */
