/*
 * Reads any bytes as a source of ProRes frames without a container, and decodes each packet, in a block of exactly
 * its size, in plain C and on every instruction set of this CPU. All results must agree.
 */
#include <stdlib.h>
#include <string.h>

#include "../prores/decode.h"
#include "base/bytes.h"
#include "fuzz.h"

#define MOST_SAMPLES (1 << 13) /* enough for several slices of every size; larger pictures only cost time */

static FvProresDecoder *decoder_of(FvIsa isa)
{
    static FvProresDecoder *decoders[FV_ISA_COUNT];
    if (!decoders[isa] && fv_prores_open(&decoders[isa], isa, 1, NULL))
        abort();
    return decoders[isa];
}

static bool is_small(const uint8_t *packet, size_t size)
{
    return size < 20 || (int64_t)fv_be16(packet + 16) * fv_be16(packet + 18) <= MOST_SAMPLES;
}

static void compare(const uint8_t *packet, size_t size, int depth)
{
    Decoded reference = decode_packet(decoder_of(FV_ISA_SCALAR), packet, size, depth);
    if (reference.status && !*reference.error.message)
        abort();
    for (FvIsa isa = FV_ISA_SCALAR + 1; isa < FV_ISA_COUNT; isa++) {
        if (!fv_isa_usable(isa))
            continue;
        Decoded fast = decode_packet(decoder_of(isa), packet, size, depth);
        if (!decoded_same(&reference, &fast))
            abort();
        decoded_free(&fast);
    }
    decoded_free(&reference);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    bool small = true;
    for (size_t at = 0, step; size - at >= 8 && small; at += step) {
        step = fv_be32(bytes + at);
        if (step < 8 || step > size - at)
            step = size - at;
        small = is_small(bytes + at, step);
        if (small)
            compare(bytes + at, step, at % 2 ? 12 : 10);
    }
    if (small)
        fuzz_source(bytes, size, (FvSourceParams){.reader = "icpf", .threads = 1, .alpha = true, .conceal = true});
    return 0;
}
