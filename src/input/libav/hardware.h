/* Decodes a video with hardware decoders. docs/decoders.md */
#pragma once

#include "input/hwdec/hwdec.h"
#include "input/libav/video.h"

typedef struct FvHardware {
    FvVideo *video;
    FvFormat stated; /* colour that the first picture states; 0 for tags that the caller gave */
    FvHwdecService service;
    FvHwdec *hwdec; /* hardware decoders of the video; NULL: the CPU decodes */
} FvHardware;

/* Returns whether the caller lets hardware decoders take over the video that is being opened. */
bool fv_hardware_wanted(const FvSource *source, const FvSourceParams *params);

/* Implement FvSourceOps.suits_hwdec and use_hwdec. */
bool fv_hardware_suits(const FvVideo *video);
void fv_hardware_use(FvHardware *hardware, const FvHwdecService *service);

/*
 * Makes this frame, which is in the index, the next one, in the state FV_VIDEO_HARDWARE. False: the decoders cannot
 * begin there.
 */
bool fv_hardware_enter(FvHardware *hardware, int64_t frame);

/*
 * Reads the next frame or the end, in the state FV_VIDEO_HARDWARE. *fails: the decoders cannot deliver the frame, for
 * the reason in `error`.
 */
FvStatus fv_hardware_read(FvHardware *hardware, FvFrame **frame, bool *fails, FvError *error);

/* Closes the decoders. Call it before the video is stopped or started again. */
void fv_hardware_close(FvHardware *hardware);
