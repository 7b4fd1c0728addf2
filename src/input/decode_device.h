/* A GPU that decodes one source into ordinary memory. */
#pragma once

#include "input/source.h"

typedef struct FvDecodeDevice FvDecodeDevice;

/* Opens the device by its name and has it decode the source, which is open otherwise: ProRes, or what hardware
 * decoders take. */
FvStatus fv_decode_device_open(FvDecodeDevice **device, FvSource *source, const char *name, bool named,
                               FvError *error);

/* As FvSourceOps.read. */
FvStatus fv_decode_device_read(FvDecodeDevice *device, FvSource *source, FvFrame **frame, FvError *error);

/* Forgets what was decoded ahead: the source seeks or closes. */
void fv_decode_device_drop(FvDecodeDevice *device);

/* After all frames have been released. */
void fv_decode_device_close(FvDecodeDevice **device);
