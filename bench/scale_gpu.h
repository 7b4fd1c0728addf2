/* Scaling by fovea bench on a GPU: frames of two thirds of a clip's size are brought to it. */
#pragma once

#include "plan.h"
#include "steady.h"

typedef struct ScaleLane ScaleLane;

/* `timed`: for scale_lane_print. FV_ERROR_DEVICE when the device does not scale so. To be closed in any case. */
FvStatus scale_lane_open(ScaleLane **lane, const char *device, const Clip *clip, Origin origin, bool timed,
                         FvError *error);
void scale_lane_close(ScaleLane **lane);

/* SteadyWork: frames of one video, in batches of which one is sent while another one is scaled. */
FvStatus scale_lane_run(void *lane, double seconds, double *rate, FvError *error);

/* Bytes of a frame: those that go over the bus or, for resident frames, those that are read and written. */
double scale_lane_bytes(const ScaleLane *lane);

/* The device's own name. */
const char *scale_lane_title(const ScaleLane *lane);

/* Runs, and prints the time of each kernel. */
FvStatus scale_lane_print(ScaleLane *lane, double seconds, FvError *error);
