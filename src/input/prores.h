/* ProRes packets of a source into its frames, for every reader that finds some. */
#ifndef FV_INPUT_PRORES_H
#define FV_INPUT_PRORES_H

#include "codec/prores/prores.h"
#include "input/source.h"

typedef struct FvProresInput FvProresInput;

/* depth as in fv_prores_parse. */
FvStatus fv_prores_input_open(FvProresInput **input, const FvSourceParams *params, int depth, FvError *error);

/* Fills info.codec, info.format and info.alpha of the source from its first packet. */
FvStatus fv_prores_input_describe(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                                  FvError *error);

/*
 * The frame source->next. Damage is FV_ERROR_INPUT unless params.conceal was set; then source->damaged says
 * how much. A frame of another size or format than the first is FV_ERROR_INPUT.
 */
FvStatus fv_prores_input_read(FvProresInput *input, FvSource *source, const uint8_t *packet, size_t size,
                              FvFrame **frame, FvError *error);

/*
 * The same frame without samples, for a device that makes them. Takes over the memory, which holds the packet, even
 * when it fails. Damage shows when the device has decoded.
 */
FvStatus fv_prores_input_hand(FvProresInput *input, FvSource *source, const FvPacketMemory *memory, size_t size,
                              FvFrame **frame, FvError *error);

/*
 * Reads `size` bytes of the source's stream, an ordinary file, for fv_prores_input_hand: several threads together,
 * into memory that the device lends where it does. *got: how many there are from `position` on; with fewer than
 * `size` there is no memory.
 */
FvStatus fv_prores_input_load(FvProresInput *input, FvSource *source, int64_t position, size_t size,
                              FvPacketMemory *memory, size_t *got, FvError *error);

/*
 * What fv_prores_input_read does besides the colour, for the packet of the frame source->next that a device has
 * decoded: `damaged` slices of each picture are counted or refused, and alpha, which devices do not decode, is
 * decoded here.
 */
FvStatus fv_prores_input_accept(FvProresInput *input, FvSource *source, const FvProresPacket *packet,
                                const int damaged[2], FvError *error);

void fv_prores_input_close(FvProresInput **input);

#endif
