/* Scaling by fovea bench: frames of two thirds of a clip's size are brought to it, as fovea score --scale dis does.
 */
#ifndef BENCH_SCALE_H
#define BENCH_SCALE_H

#include "clip.h"
#include "picture/prepare.h"

typedef struct BenchScale BenchScale;

/* The preparation, and a frame that it takes: the first one of the clip, scaled down. */
FvStatus bench_scale_prepare(FvPreparation **preparation, FvFrame **small, const Clip *clip, const char *isa,
                             int threads, FvError *error);

/* `isa`: its name, or NULL for the best. To be closed in any case. */
FvStatus bench_scale_open(BenchScale **scale, const Clip *clip, const char *isa, int threads, FvError *error);

/* One video of the pair, so many frames; a few of them live at once, as in a session. */
FvStatus bench_scale_run(BenchScale *scale, int frames, FvError *error);

void bench_scale_close(BenchScale **scale);

#endif
