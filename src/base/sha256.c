#include "sha256.h"

#include <stdio.h>
#include <string.h>

#include "bytes.h"

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int by)
{
    return x >> by | x << (32 - by);
}

static uint32_t stretch(const uint32_t *w)
{
    return w[0] + (rotate(w[1], 7) ^ rotate(w[1], 18) ^ w[1] >> 3) + w[9] +
           (rotate(w[14], 17) ^ rotate(w[14], 19) ^ w[14] >> 10);
}

/* One of the 64 rounds. Instead of moving the eight words, the next round gets them as other arguments. */
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                             \
    do {                                                                                                             \
        const uint32_t choice = (e & f) ^ (~e & g), majority = (a & b) ^ (a & c) ^ (b & c);                          \
        h += (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + constants[i] + w[i];                          \
        d += h;                                                                                                      \
        h += (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;                                              \
    } while (0)

static void add_block(uint32_t state[8], const uint8_t *block)
{
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 16; i++)
        w[i] = fv_be32(block + 4 * i);
    for (int i = 16; i < 64; i++)
        w[i] = stretch(w + i - 16);
    for (int i = 0; i < 64; i += 8) {
        ROUND(a, b, c, d, e, f, g, h, i);
        ROUND(h, a, b, c, d, e, f, g, i + 1);
        ROUND(g, h, a, b, c, d, e, f, i + 2);
        ROUND(f, g, h, a, b, c, d, e, i + 3);
        ROUND(e, f, g, h, a, b, c, d, i + 4);
        ROUND(d, e, f, g, h, a, b, c, i + 5);
        ROUND(c, d, e, f, g, h, a, b, i + 6);
        ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    const uint32_t sum[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        state[i] += sum[i];
}

void fv_sha256_begin(FvSha256 *hash)
{
    /* First 32 bits of the fractional parts of the square roots of the first eight primes. */
    *hash = (FvSha256){
        .state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void fv_sha256_add(FvSha256 *hash, const void *bytes, size_t size)
{
    const uint8_t *next = bytes;
    size_t filled = (size_t)(hash->size % FV_SHA256_BLOCK);
    hash->size += size;
    if (filled) {
        const size_t taken = size < FV_SHA256_BLOCK - filled ? size : FV_SHA256_BLOCK - filled;
        memcpy(hash->rest + filled, next, taken);
        next += taken;
        size -= taken;
        if (filled + taken < FV_SHA256_BLOCK)
            return;
        add_block(hash->state, hash->rest);
    }
    for (; size >= FV_SHA256_BLOCK; size -= FV_SHA256_BLOCK, next += FV_SHA256_BLOCK)
        add_block(hash->state, next);
    if (size)
        memcpy(hash->rest, next, size);
}

void fv_sha256_end(const FvSha256 *hash, char digits[65])
{
    uint32_t state[8];
    uint8_t last[2 * FV_SHA256_BLOCK] = {0};
    const size_t left = (size_t)(hash->size % FV_SHA256_BLOCK),
                 padded = left < FV_SHA256_BLOCK - 8 ? FV_SHA256_BLOCK : 2 * FV_SHA256_BLOCK;
    memcpy(state, hash->state, sizeof state);
    memcpy(last, hash->rest, left);
    last[left] = 0x80;
    for (int i = 0; i < 8; i++)
        last[padded - 1 - (size_t)i] = (uint8_t)(hash->size * 8 >> 8 * i);
    for (size_t at = 0; at < padded; at += FV_SHA256_BLOCK)
        add_block(state, last + at);
    for (int i = 0; i < 8; i++)
        snprintf(digits + 8 * i, 9, "%08x", state[i]);
}

void fv_sha256(const void *bytes, size_t size, char digits[65])
{
    FvSha256 hash;
    fv_sha256_begin(&hash);
    fv_sha256_add(&hash, bytes, size);
    fv_sha256_end(&hash, digits);
}
