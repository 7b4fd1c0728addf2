/* Measures scaling: frames of two thirds of a clip's size are scaled up to it, as fovea score --scale dis does. */
#pragma once

#include "clip.h"
#include "picture/prepare.h"

typedef struct BenchScale BenchScale;

/* Makes the preparation, and a frame for it: the first frame of the clip, scaled down. */
FvStatus bench_scale_prepare(FvPreparation **preparation, FvFrame **small, const Clip *clip, const char *isa,
                             int threads, FvError *error);

/*
 * Opens a measurement. `isa`: name of an instruction set, or NULL for the best. Call bench_scale_close() in any case.
 */
FvStatus bench_scale_open(BenchScale **scale, const Clip *clip, const char *isa, int threads, FvError *error);

/* Scales `frames` frames of one video. A few frames exist at once, as in a session. */
FvStatus bench_scale_run(BenchScale *scale, int frames, FvError *error);

void bench_scale_close(BenchScale **scale);
