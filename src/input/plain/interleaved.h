/* Reads raw video whose components share planes. */
#pragma once

#include "input/source.h"
#include "picture/layout.h"

/* Returns the bytes of a frame in the file. */
int64_t fv_interleaved_bytes(const FvLayout *layout, const FvFormat *format);

/* Reads the next frame of a raw source. */
FvStatus fv_interleaved_read(FvSource *source, const FvLayout *layout, FvFrame **frame, FvError *error);
