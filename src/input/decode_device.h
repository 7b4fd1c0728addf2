/* Decodes one source on a GPU into ordinary memory. */
#pragma once

#include "input/source.h"

typedef struct FvDecodeDevice FvDecodeDevice;

/*
 * Opens the device by its name and lets it decode the source, which is open already: ProRes, or the codecs of
 * hardware decoders.
 */
FvStatus fv_decode_device_open(FvDecodeDevice **device, FvSource *source, const char *name, bool named,
                               FvError *error);

/* Reads a frame, as FvSourceOps.read does. */
FvStatus fv_decode_device_read(FvDecodeDevice *device, FvSource *source, FvFrame **frame, FvError *error);

/* Drops the frames that were decoded ahead. Call it when the source seeks or closes. */
void fv_decode_device_drop(FvDecodeDevice *device);

/* Closes the device. Call it after all frames have been released. */
void fv_decode_device_close(FvDecodeDevice **device);
