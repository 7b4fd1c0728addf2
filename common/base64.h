/* Writes Base64 (RFC 4648) to a file, piece by piece. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A writer. Initialise it as {.file = ...}. The stream remembers write errors: check ferror() at the end. */
typedef struct FvBase64 {
    FILE *file;
    uint32_t bits;
    int held; /* number of bytes that wait to be encoded */
} FvBase64;

void fv_base64_bytes(FvBase64 *to, const void *bytes, size_t size);

/* Encodes numbers as binary64 and binary32, the lower byte first on every processor. Every NaN has the same form. */
void fv_base64_real(FvBase64 *to, double value);
void fv_base64_single(FvBase64 *to, double value);

void fv_base64_end(FvBase64 *to);

/* Encodes `count` numbers that are `step` elements apart, and ends the text. */
void fv_base64_reals(FILE *file, const double *values, int64_t count, int64_t step);
