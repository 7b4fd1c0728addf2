/* Decodes ProRes packets of a source into frames, for every reader of ProRes. */
#pragma once

#include "codec/prores/prores.h"
#include "input/source.h"

typedef struct FvProresInput FvProresInput;

/* Opens the decoder of a source. `depth` as in fv_prores_parse(). */
FvStatus fv_prores_input_open(FvProresInput **input, const FvSourceParams *params, int depth, FvError *error);

/* Fills info.codec, info.format and info.alpha of the source from its first packet. */
FvStatus fv_prores_input_describe(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                                  FvError *error);

/*
 * Decodes frame source->next. Damage is FV_ERROR_INPUT unless params.conceal was set; then source->damaged counts it.
 * A frame whose size or format differs from the first frame's is FV_ERROR_INPUT.
 */
FvStatus fv_prores_input_read(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                              FvFrame **frame, FvError *error);

/*
 * Makes a frame that holds a packet, for a device that decodes it. Takes over the packet's memory, also on failure.
 * Damage is unknown until the device has decoded the packet.
 */
FvStatus fv_prores_input_hand(FvProresInput *input, FvSource *source, const FvPacketMemory *memory, size_t size,
                              FvFrame **frame, FvError *error);

/*
 * Reads `size` bytes of the source's stream, a regular file, for fv_prores_input_hand(), with several threads and
 * into memory of the device if it offers any. *got: the bytes that the file has from `position` on; with fewer than
 * `size` no memory is returned.
 */
FvStatus fv_prores_input_load(FvProresInput *input, FvSource *source, int64_t position, size_t size,
                              FvPacketMemory *memory, size_t *got, FvError *error);

/*
 * Completes a packet whose colour a device has decoded: counts or refuses the `damaged` slices of each picture, and
 * decodes alpha, which devices do not decode. *frame must be NULL; it stays NULL unless the entire frame is
 * concealed.
 */
FvStatus fv_prores_input_accept(FvProresInput *input, FvSource *source, const FvProresPacket *packet,
                                const int damaged[2], FvFrame **frame, FvError *error);

void fv_prores_input_close(FvProresInput **input);
