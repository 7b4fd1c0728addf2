/* Returns how many bytes a truncated file lacks, by the lengths that it states. */
#pragma once

#include "input/stream.h"

/*
 * At least the bytes that the file lacks of the length that it states (Matroska) or of its last unit (packets of
 * MPEG-TS, frames of IVF, tags of FLV, pages of Ogg and others); 0: none, or unknown. `format`: the name that
 * libavformat has for its container.
 */
int64_t fv_missing_bytes(const FvStream *stream, const char *format);
