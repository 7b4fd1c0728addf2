/* Converts formats and pictures of VapourSynth's clips to fovea's. */
#pragma once

#include <VapourSynth4.h>

#include "fovea/fovea.h"

/* Gets the format of a clip, with the colour that the properties of its first picture state. false: *error is set. */
bool clip_format(const char *role, VSNode *node, FvFormat *format, const VSAPI *api, FvError *error);

FvStatus clip_frame(const VSFrame *picture, const FvFormat *format, FvFrame **frame, const VSAPI *api,
                    FvError *error);
