/* Names the decoder of a stream as browsers do. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <libavcodec/avcodec.h>

/*
 * Writes the codec string of RFC 6381 that WebCodecs has for the stream: "avc1.640028". *described: a decoder also
 * needs the stream's description (extradata); without it, the packets have everything. False: there is no such name,
 * or the description lacks what the name states.
 */
bool fv_codec_string(char *text, size_t size, const AVCodecParameters *codec, bool *described);
