/* Clips of VapourSynth as videos of fovea's. */
#pragma once

#include <VapourSynth4.h>

#include "fovea/fovea.h"

/* The format of a clip; its colour is the one that the properties of its first picture say. False after a message. */
bool clip_format(const char *role, VSNode *node, FvFormat *format, const VSAPI *api, FvError *error);

FvStatus clip_frame(const VSFrame *picture, const FvFormat *format, FvFrame **frame, const VSAPI *api,
                    FvError *error);
