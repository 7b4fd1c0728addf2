/* Fields: the rows 0, 2, ... of a frame are its top field, the rows 1, 3, ... its bottom field. */
#pragma once

#include "fovea/fovea.h"

/* Rows of a frame that both fields share equally, chroma included: a multiple of this many. */
int fv_field_rows(const FvFormat *format);

/* The format of a field. Rows after the last multiple of fv_field_rows() are left out. */
FvFormat fv_field_format(const FvFormat *format);

/* Replaces a frame by its top (0) or bottom (1) field, which keeps the frame's memory and time. NULL on failure. */
FvStatus fv_field_take(FvFrame **frame, int field, FvError *error);
