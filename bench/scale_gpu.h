/* Measures scaling on a GPU: frames of two thirds of a clip's size are scaled up to it. */
#pragma once

#include "plan.h"
#include "steady.h"

typedef struct ScaleLane ScaleLane;

/*
 * Opens a measurement. `timed`: the measurement is for scale_lane_print(), which needs timed kernels.
 * FV_ERROR_DEVICE: the device does not support this scaling. Call scale_lane_close() in any case.
 */
FvStatus scale_lane_open(ScaleLane **lane, const char *device, const Clip *clip, Origin origin, bool timed,
                         FvError *error);
void scale_lane_close(ScaleLane **lane);

/* A SteadyWork that scales frames of one video, in batches: one is sent while another is scaled. */
FvStatus scale_lane_run(void *lane, double seconds, double *rate, FvError *error);

/* Returns the bytes of a frame that go over the bus or, for resident frames, are read and written. */
double scale_lane_bytes(const ScaleLane *lane);

/* Returns the device's own name. */
const char *scale_lane_title(const ScaleLane *lane);

/* Scales for `seconds`, and prints the time of each kernel. */
FvStatus scale_lane_print(ScaleLane *lane, double seconds, FvError *error);
