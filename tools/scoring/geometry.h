/* The geometry of raw video, as options give it. */
#ifndef GEOMETRY_H
#define GEOMETRY_H

#include "fovea/fovea.h"

/* 0 and NULL: not given. */
typedef struct Geometry {
    int64_t width, height, depth;
    const char *pixel_format; /* "420", "yuv420p10le", ... */
} Geometry;

/*
 * For a --reader, which may be NULL. All of it or nothing: else FV_ERROR_USAGE after a message; ProRes frames without
 * container say everything but their depth. Nothing gives a zeroed format.
 */
FvStatus geometry_parse(const Geometry *given, const char *reader, FvFormat *format);

/* FvSourceParams.raw_layout. */
const char *geometry_layout(const Geometry *given);

/* Warns about a geometry that neither of the two (either may be NULL) has a use for. */
void geometry_check(const Geometry *given, const char *reader, const FvSource *reference, const FvSource *distorted);

#endif
