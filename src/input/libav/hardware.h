/* A video whose packets go to hardware decoders. docs/decoders.md */
#pragma once

#include "input/hwdec/hwdec.h"
#include "input/libav/video.h"

typedef struct FvHardware {
    FvVideo *video;
    FvFormat stated; /* colour by the first picture, as far as the caller states none */
    FvHwdecLoan loan;
    FvHwdec *hwdec; /* NULL: the CPU decodes */
} FvHardware;

/* Whether the caller lets hardware decoders take over the video that is being opened. */
bool fv_hardware_wanted(const FvSource *source, const FvSourceParams *params);

/* As FvSourceOps.suits_hwdec and use_hwdec. */
bool fv_hardware_suits(const FvVideo *video);
void fv_hardware_use(FvHardware *hardware, const FvHwdecLoan *loan);

/* In FV_VIDEO_HARDWARE: the next frame is this one, which the index has. False: they cannot begin there. */
bool fv_hardware_enter(FvHardware *hardware, int64_t frame);

/* In FV_VIDEO_HARDWARE: the next frame, or the end. `fails`: they give no frame, for the reason in `error`. */
FvStatus fv_hardware_read(FvHardware *hardware, FvFrame **frame, bool *fails, FvError *error);

/* Before the video is stopped or started again. */
void fv_hardware_close(FvHardware *hardware);
