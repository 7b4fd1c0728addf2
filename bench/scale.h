/* Scaling by fovea bench: frames of two thirds of a clip's size are brought to it, as fovea score --scale dis does.
 */
#pragma once

#include "clip.h"
#include "picture/prepare.h"

typedef struct BenchScale BenchScale;

/* The preparation, and a frame for it: the first one of the clip, scaled down. */
FvStatus bench_scale_prepare(FvPreparation **preparation, FvFrame **small, const Clip *clip, const char *isa,
                             int threads, FvError *error);

/* `isa`: its name, or NULL for the best. To be closed in any case. */
FvStatus bench_scale_open(BenchScale **scale, const Clip *clip, const char *isa, int threads, FvError *error);

/* One video of the pair, `frames` frames; a few of them exist at once, as in a session. */
FvStatus bench_scale_run(BenchScale *scale, int frames, FvError *error);

void bench_scale_close(BenchScale **scale);
