/* Computes the MD5 of frames with the library Nettle, for comparison with other decoders. */
#pragma once

#include "fovea/fovea.h"

/* size of the text: 32 hexadecimal digits and a NUL */
#define MD5_TEXT 33

/* Returns whether this build has Nettle. */
bool md5_available(void);

/*
 * Computes the MD5 of the planes of all frames in order, without NULL planes: rows of samples without padding,
 * samples of more than 8 bits as 16-bit little-endian words. Prints the digits into `text`, and returns `text`.
 */
char *md5_frames(char text[MD5_TEXT], const FvFrame *const *frames, int count);
