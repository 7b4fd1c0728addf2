/* SHA-256 (FIPS 180-4), by which reports identify the files that a score depends on. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define FV_SHA256_BLOCK 64

typedef struct FvSha256 {
    uint32_t state[8];
    uint8_t rest[FV_SHA256_BLOCK]; /* bytes of the last, incomplete block */
    uint64_t size;                 /* number of bytes hashed so far */
} FvSha256;

void fv_sha256_begin(FvSha256 *hash);
void fv_sha256_add(FvSha256 *hash, const void *bytes, size_t size);

/* Writes the hash as 64 hexadecimal digits and a NUL. */
void fv_sha256_end(const FvSha256 *hash, char digits[65]);

/* Hashes bytes in memory. */
void fv_sha256(const void *bytes, size_t size, char digits[65]);
