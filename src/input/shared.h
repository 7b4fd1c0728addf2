/* Shares a video among several runs that read it at the same time: each frame is read and decoded once. */
#pragma once

#include "input/source.h"

typedef struct FvShared FvShared;

/*
 * Opens a shared video for `readers` readers, from the current frame of the source on; the source must outlive them.
 * The first frame is read when each reader has requested it or has left; frames that no reader needs are skipped. A
 * reader that is some frames ahead of the slowest one waits for it. At most `turns` readers work at a time, where
 * working means to be between fv_shared_enter() and fv_shared_leave() without waiting for a frame; 0: no limit.
 */
FvStatus fv_shared_open(FvShared **shared, FvSource *source, int readers, int turns, FvError *error);

/* Opens a shared video for two readers: the first gets the top fields of the frames, the second the bottom fields. */
FvStatus fv_shared_open_fields(FvShared **shared, FvSource *source, FvError *error);

/*
 * Returns the source of one reader. It belongs to `shared`, can only be read, and delivers the frames of the shared
 * source, or their fields, in host memory. If it is given hardware decoders, they decode the shared source, unless
 * that is read for its fields.
 */
FvSource *fv_shared_reader(FvShared *shared, int reader);

/* Waits until this reader may work. */
void fv_shared_enter(FvShared *shared, int reader);

/* Ends a reader, so that the other readers do not wait for it. Can be called without fv_shared_enter(). */
void fv_shared_leave(FvShared *shared, int reader);

void fv_shared_close(FvShared **shared);
