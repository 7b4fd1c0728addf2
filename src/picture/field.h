/* Fields: the rows 0, 2, ... of a frame are its top field, the rows 1, 3, ... its bottom field. */
#pragma once

#include "fovea/fovea.h"

/*
 * Returns the number of rows of which a frame's height must be a multiple, so that both fields get equally many rows
 * of luma and of chroma.
 */
int fv_field_rows(const FvFormat *format);

/* Returns the format of a field. Rows after the last multiple of fv_field_rows() are left out. */
FvFormat fv_field_format(const FvFormat *format);

/*
 * Replaces *frame by its top (0) or bottom (1) field, which keeps the frame's memory and time. On failure *frame is
 * NULL.
 */
FvStatus fv_field_take(FvFrame **frame, int field, FvError *error);
