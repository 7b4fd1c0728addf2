/*
 * A fuzz target is the function LLVMFuzzerTestOneInput. libFuzzer calls it, or main.c in builds without libFuzzer.
 * docs/testing.md explains fuzzing.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "fovea/fovea.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/*
 * Reads the bytes as a video from a file and, every eighth input that a pipe can hold, from a pipe. Aborts if the two
 * differ in any sample, or if an error has no message. The function sets params.path.
 */
void fuzz_source(const uint8_t *bytes, size_t size, FvSourceParams params);
