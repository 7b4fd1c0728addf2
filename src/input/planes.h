/* Planar samples in a file: their size, and messages about damage. */
#pragma once

#include "input/source.h"

/* Returns the bytes of one frame in the file: samples of 8 bits have one byte, deeper ones two, the lower first. */
int64_t fv_planes_bytes(const FvFormat *format);

/*
 * Brings 16-bit rows into the machine's byte order and refuses samples above the maximum. 8-bit rows are left alone.
 * `first` and `rows` in rows of the plane.
 */
FvStatus fv_planes_check(const FvSource *source, const FvFrame *frame, int plane, int first, int rows,
                         FvError *error);

/* The error of a frame of which only the first `got` of its bytes are there. */
FvStatus fv_fail_cut(const FvSource *source, int64_t got, int64_t bytes, FvError *error);

/* The error of a sample that has more bits than its depth, for every reader; x, y in samples of the plane. */
FvStatus fv_fail_sample(const FvSource *source, int plane, int x, int y, unsigned value, FvError *error);
