/* Frames in the kinds of memory that a GPU takes them from. */
#ifndef BENCH_FRAME_H
#define BENCH_FRAME_H

#include "bench.h"

/* A frame with the samples of `from` in another kind of memory, of the session's GPU. */
FvStatus bench_frame(FvSession *session, FvFrame **frame, const FvFrame *from, Origin origin, FvError *error);

#endif
