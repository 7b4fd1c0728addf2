/* fovea.Video and the keywords that prepare two videos, as the library's parameters. */
#pragma once

#include "core.h"

#define CONVERT_RGB 16

/* Of the usual metrics, some take RGB. */
enum { USUAL_METRICS = 2, USUAL_TAKERS = 1 };

/* Two videos that are compared. Strings belong to the Python objects. */
typedef struct Videos {
    bool has_reference;
    FvSourceParams source[2];
    FvScoreParams params;
    bool bars[2]; /* crop to the picture within black bars */
} Videos;

/*
 * From two fovea.Video, of which reference may be None, and the tuple that fovea._preparation makes. `taking` of the
 * metrics take RGB. False after an exception.
 */
bool videos_read(Videos *videos, PyObject *reference, PyObject *distorted, PyObject *preparation, int metrics,
                 int taking);

/* The tuple of _preparation() in Python; bits of convert: of FvConversion, and CONVERT_RGB. False after an exception.
 */
bool preparation_read(FvScoreParams *params, int *convert, int *threads, PyObject *preparation);

/* Finds bars and, where frames pair by content, the alignment, which is the caller's to close. Blocks. */
FvStatus videos_prepare(Videos *videos, FvAlignment **alignment, FvError *error);
