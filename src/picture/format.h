/* Formats of pictures: their checks, sizes and names. The public part is in fovea/frame.h. */
#pragma once

#include "fovea/fovea.h"

/* Readable bytes after the last sample of every row. */
#define FV_ROW_PADDING 64

/* FV_ERROR_USAGE, with a message that names the field, when a field is outside the ranges of FvFormat. */
FvStatus fv_format_check(const FvFormat *format, FvError *error);

/* Same size, chroma and depth. */
bool fv_format_same_shape(const FvFormat *a, const FvFormat *b);

/* Returns the bytes from one row of `plane` to the next in a frame of fv_frame_alloc(). */
ptrdiff_t fv_format_stride(const FvFormat *format, int plane);

/* Bytes of the planes of a frame laid out with fv_format_stride, one after the other. */
size_t fv_format_plane_bytes(const FvFormat *format);

/* Names of enumerators: "4:2:0", "limited". */
const char *fv_chroma_name(FvChroma chroma);
const char *fv_range_name(FvRange range);
const char *fv_siting_name(FvSiting siting);    /* "left", "topleft", "unknown" */
const char *fv_fields_name(FvFieldOrder order); /* "progressive", "top field first", "unknown" */
