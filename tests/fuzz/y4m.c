/* Reads any bytes as Y4M, from a file and through a pipe. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    fuzz_source(bytes, size, (FvSourceParams){.reader = "y4m"});
    return 0;
}
