/* Frames in the kinds of memory that a GPU takes them from. */
#pragma once

#include "fovea/fovea.h"

/* Where frames lie before a GPU gets them. */
typedef enum Origin { RESIDENT, PINNED, PAGEABLE, PACKETS, ORIGINS } Origin;

/* A frame with the samples of `from` in memory of another kind, except PACKETS, of the session's first GPU. */
FvStatus bench_frame(FvSession *session, FvFrame **frame, const FvFrame *from, Origin origin, FvError *error);
