/* Reads large frames of regular files in slices: several threads at once, straight into the frame. */
#pragma once

#include "input/source.h"

/* Returns whether the source's frames are large enough and their places in the file are known. */
bool fv_slices_fit(const FvSource *source);

/*
 * Reads the needed rows (source->services.rows) of the needed planes (source->services.planes) of the next frame, as
 * fv_planar_read() does, and advances the stream. Of several errors the first one in the file is returned, with any
 * number of threads.
 */
FvStatus fv_slices_read(FvSource *source, FvFrame *frame, FvError *error);

/* Returns how many threads may feed a device with the source's frames (frame_feed.h); 0: they cannot be fed. */
int fv_slices_lanes(const FvSource *source);

/* Makes a frame for fv_slices_read(): on the device, if the source has a feed and that has room; else on the host. */
FvStatus fv_slices_frame(FvSource *source, FvFrame **frame, FvError *error);

/* Starts the threads: `threads` as in FvSourceParams. If the system starts none, the caller's thread reads alone. */
void fv_slices_open(FvSource *source, int threads);
void fv_slices_close(FvSource *source);
