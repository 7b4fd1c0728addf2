/* Decodes one packet for a test, from a copy of exactly its size. */
#pragma once

#include "codec/prores/prores.h"

typedef struct Decoded {
    FvStatus status;
    FvError error;
    FvProresHeader header;
    FvProresDamage damage;
    FvFrame *frame, *alpha; /* NULL after a failure; alpha also when there is none */
} Decoded;

Decoded decode_packet(FvProresDecoder *decoder, const uint8_t *packet, size_t size, int depth);
void decoded_free(Decoded *decoded);

/* Same status, message, damage and samples. */
bool decoded_same(const Decoded *a, const Decoded *b);
