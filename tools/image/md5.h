/* MD5 of pictures through a library (Nettle), so that other decoders can be compared with. */
#pragma once

#include "fovea/fovea.h"

/* 32 hexadecimal digits and a zero. */
#define MD5_TEXT 33

/* False in a build without Nettle. */
bool md5_available(void);

/*
 * Computes the MD5 of the planes of all frames in order, without NULL planes: rows of samples without padding,
 * samples of more than 8 bits as little-endian words. Returns text.
 */
char *md5_frames(char text[MD5_TEXT], const FvFrame *const *frames, int count);
