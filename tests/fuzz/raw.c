/*
 * Reads any bytes as raw video. The first eight choose the geometry, which may be invalid; the others are the
 * video.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size < 8)
        return 0;
    FvFormat format = {.width = bytes[0] + 256 * (bytes[1] & 0x83),
                       .height = bytes[2] + 256 * (bytes[3] & 0x83),
                       .chroma = bytes[4] % 5,
                       .depth = bytes[5] % 18,
                       .range = bytes[6] % 4,
                       .rate_num = bytes[7] & 15,
                       .rate_den = bytes[7] >> 4};
    fuzz_source(bytes + 8, size - 8, (FvSourceParams){.reader = "raw", .raw = format});
    return 0;
}
