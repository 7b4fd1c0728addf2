/* Decodes one source on a GPU, to frames in host memory. */
#pragma once

#include "input/source.h"

typedef struct FvDecodeDevice FvDecodeDevice;

/*
 * Opens the device `name` and makes it decode the open source: ProRes, or the codecs of hardware decoders. named: the
 * caller chose the device by name.
 */
FvStatus fv_decode_device_open(FvDecodeDevice **device, FvSource *source, const char *name, bool named,
                               FvError *error);

/* Reads a frame, as FvSourceOps.read does. */
FvStatus fv_decode_device_read(FvDecodeDevice *device, FvSource *source, FvFrame **frame, FvError *error);

/* Drops the frames that were decoded ahead. Call it when the source seeks or closes. */
void fv_decode_device_drop(FvDecodeDevice *device);

/* Closes the device. Call it after all frames have been released. */
void fv_decode_device_close(FvDecodeDevice **device);
