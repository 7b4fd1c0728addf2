/* Converts between fovea.Format and FvFormat. */
#pragma once

#include "core.h"

/* Raises the library's refusal of a format, by the name of the argument. Returns NULL. */
PyObject *format_refused(const Core *core, const FvError *error);

/* Fills *format from a fovea.Format; fields that are None become 0. If chroma is None, *has_chroma is false. */
bool format_read(const Core *core, FvFormat *format, bool *has_chroma, PyObject *object);

PyObject *format_make(const Core *core, const FvFormat *format);

/* Reads a chroma format, "4:2:0" or "420". false after a ValueError. */
bool format_chroma(const char *text, FvChroma *chroma);

/* Reads the tags of an object with the attributes range, transfer, primaries, matrix and siting. */
bool format_read_tags(FvFormat *format, PyObject *object);

/*
 * Sets the tags of an RGB format: full range, no matrix, and sRGB unless the format says otherwise, as for picture
 * files.
 */
void format_rgb(FvFormat *format);
