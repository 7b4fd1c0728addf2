/* fovea.Video and the keywords that prepare two videos, as the library's parameters. */
#pragma once

#include "core.h"

/* Two videos that are compared. Strings belong to the Python objects. */
typedef struct Videos {
    bool has_reference;
    FvSourceParams source[2];
    FvScoreParams params;
    bool bars[2]; /* crop to the picture within black bars */
} Videos;

/*
 * From two fovea.Video, of which reference may be None, and the tuple that fovea._preparation makes. False after an
 * exception.
 */
bool videos_read(Videos *videos, PyObject *reference, PyObject *distorted, PyObject *preparation);

/* The tuple of _preparation() in Python. False after an exception. */
bool preparation_read(FvScoreParams *params, bool *rgb, int *threads, PyObject *preparation);

/* Finds bars and, where frames pair by content, the alignment, which is the caller's to close. Blocks. */
FvStatus videos_prepare(Videos *videos, FvAlignment **alignment, FvError *error);
