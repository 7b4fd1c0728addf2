/* fovea.Format and FvFormat. */
#pragma once

#include "core.h"

/* Fills *format from a fovea.Format; fields that are None become 0, and so does chroma, with *has_chroma false. */
bool format_read(const Core *core, FvFormat *format, bool *has_chroma, PyObject *object);

PyObject *format_make(const Core *core, const FvFormat *format);

/* "4:2:0", "420". False after a ValueError. */
bool format_chroma(const char *text, FvChroma *chroma);

/* The tags of an object with the attributes range, transfer, primaries, matrix and siting. */
bool format_read_tags(FvFormat *format, PyObject *object);

/* What a format of RGB is: full range, no matrix, and sRGB where nothing else is said, as of picture files. */
void format_rgb(FvFormat *format);
