/* Returns how many bytes a truncated file lacks, by the lengths that it states. */
#pragma once

#include "input/stream.h"

/*
 * Returns the minimum number of bytes that are missing of the length that the file states (Matroska), or of its last
 * unit (packets of MPEG-TS, frames of IVF, tags of FLV, pages of Ogg and others). 0: none, or unknown. `format`:
 * libavformat's name of the container.
 */
int64_t fv_missing_bytes(const FvStream *stream, const char *format);
