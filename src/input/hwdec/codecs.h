/* Decides which codecs, profiles and formats hardware decoders decode. docs/decoders.md */
#pragma once

#include <libavcodec/avcodec.h>

#include "fovea/fovea.h"

/* Returns whether this build and this machine have hardware decoders, without asking a driver. */
bool fv_hwdec_installed(void);

/*
 * Returns whether hardware decoders may decode the video. If not, `why` gets the kind of video that they must not
 * decode: "H.264 of 10 bits".
 */
bool fv_hwdec_takes(enum AVCodecID codec, int profile, const FvFormat *format, char *why, size_t size);

/* Returns the name of a codec, such as "H.264" or "HEVC". */
const char *fv_hwdec_codec_name(enum AVCodecID codec);
