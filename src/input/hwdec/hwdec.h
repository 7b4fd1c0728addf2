/*
 * Decodes a video with the hardware decoders of a GPU. Its packets are cut into parts at which nothing refers to
 * earlier packets (input/packet/random_access.h), each part goes to one of several decoders, and frames come out in
 * order (docs/decoders.md). Every frame is checked before it is delivered: its presentation time must be the one that
 * its packet states, and each part must give as many frames as it has packets. Any failure ends the decoding with a
 * reason, and the caller decodes on the CPU from the beginning: only the CPU decides which videos are refused, and
 * how.
 */
#pragma once

#include "input/hwdec/decoder.h"

typedef struct FvHwdec FvHwdec;

FvStatus fv_hwdec_open(FvHwdec **hwdec, const FvHwdecParams *params, FvError *error);

/* Reads the next frame. FV_ERROR_DEVICE, with the reason: the CPU must decode; every later call returns the same. */
FvStatus fv_hwdec_read(FvHwdec *hwdec, FvHwdecFrame *frame, FvError *error);

void fv_hwdec_close(FvHwdec **hwdec);
