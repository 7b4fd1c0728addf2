/*
 * A fuzz target is the function LLVMFuzzerTestOneInput. libFuzzer calls it, or main.c in builds without libFuzzer.
 * docs/testing.md
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "fovea/fovea.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/*
 * Reads the bytes as a video from a file and, every eighth input that a pipe can hold, from a pipe. Stops the process
 * when the two differ in any sample or an error has no message. params.path is filled in here.
 */
void fuzz_source(const uint8_t *bytes, size_t size, FvSourceParams params);
