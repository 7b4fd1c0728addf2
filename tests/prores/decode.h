/* Decodes one packet for a test, from a copy of exactly its size. */
#pragma once

#include "codec/prores/prores.h"

typedef struct Decoded {
    FvStatus status;
    FvError error;
    FvProresHeader header;
    FvProresDamage damage;
    FvFrame *frame, *alpha; /* NULL after a failure; `alpha` is also NULL if the frame has none */
} Decoded;

Decoded decode_packet(FvProresDecoder *decoder, const uint8_t *packet, size_t size, int depth);
void decoded_free(Decoded *decoded);

/* Returns whether status, message, damage and samples are equal. */
bool decoded_same(const Decoded *a, const Decoded *b);
