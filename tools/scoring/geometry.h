/* The geometry of raw video from the options. */
#pragma once

#include "cli/options.h"
#include "fovea/fovea.h"

/*
 * Takes all of the geometry or none, which gives a zeroed format; else FV_ERROR_USAGE after a message. ProRes frames
 * without a container record everything but their depth.
 */
FvStatus geometry_parse(const Options *options, FvFormat *format);

/* FvSourceParams.raw_layout. */
const char *geometry_layout(const Options *options);

/* Warns when neither of the two, of which either may be NULL, uses the geometry given. */
void geometry_check(const Options *options, const FvSource *reference, const FvSource *distorted);
