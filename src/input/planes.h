/* Planar samples in a file: their size, checks, and messages about damage. */
#pragma once

#include "input/source.h"

/*
 * Returns the bytes of one frame in the file: samples of 8 bits take one byte, deeper samples two, the low byte
 * first.
 */
int64_t fv_planes_bytes(const FvFormat *format);

/*
 * Converts 16-bit rows to the machine's byte order, and refuses samples above the depth's maximum. 8-bit rows need
 * neither. `first` and `rows` count rows of the plane.
 */
FvStatus fv_planes_check(const FvSource *source, const FvFrame *frame, int plane, int first, int rows,
                         FvError *error);

/* Fails because the file has only the first `got` of a frame's `bytes`. */
FvStatus fv_fail_cut(const FvSource *source, int64_t got, int64_t bytes, FvError *error);

/* Fails because a sample has more bits than its depth, for every reader; x and y in samples of the plane. */
FvStatus fv_fail_sample(const FvSource *source, int plane, int x, int y, unsigned value, FvError *error);
