/* Encodes baseline JPEG by ITU-T T.81, with colours by JFIF 1.01, using integers only. */
#include "image/jpeg.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* T.81, figure A.6: for each position in the file, the coefficient of a block. */
static const uint8_t zigzag[64] = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                   12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                   35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                   58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

/* T.81, tables K.1 and K.2: quantisation steps of luma and chroma. */
static const uint8_t steps[2][64] = {
    {16, 11,  10,  16, 24, 40, 51, 61, 12,  12,  14,  19,  26, 58, 60, 55,  14,  13,  16,  24, 40, 57,
     69, 56,  14,  17, 22, 29, 51, 87, 80,  62,  18,  22,  37, 56, 68, 109, 103, 77,  24,  35, 55, 64,
     81, 104, 113, 92, 49, 64, 78, 87, 103, 121, 120, 101, 72, 92, 95, 98,  112, 100, 103, 99},
    {17, 18, 24, 47, 99, 99, 99, 99, 18, 21, 26, 66, 99, 99, 99, 99, 24, 26, 56, 99, 99, 99,
     99, 99, 47, 66, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99,
     99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99, 99}};

/* T.81, tables K.3 and K.5, used for both luma and chroma: the number of codes of each length, and their values. */
static const uint8_t dc_lengths[16] = {0, 1, 5, 1, 1, 1, 1, 1, 1};
static const uint8_t dc_values[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
static const uint8_t ac_lengths[16] = {0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 125};
static const uint8_t ac_values[162] = {
    0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
    0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
    0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37,
    0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
    0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
    0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
    0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
    0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
    0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa};

typedef struct Code {
    uint16_t bits;
    uint8_t length;
} Code;

typedef struct Jpeg {
    FILE *file;
    uint32_t bits; /* the low `held` bits are not yet written */
    int held;
    Code dc[256], ac[256];
    uint8_t step[2][64]; /* steps of luma and chroma, in rows */
    int last[3];         /* the DC coefficient of each component's previous block */
} Jpeg;

static void put_bits(Jpeg *jpeg, uint32_t bits, int count)
{
    jpeg->bits = jpeg->bits << count | (bits & ((1u << count) - 1));
    for (jpeg->held += count; jpeg->held >= 8; jpeg->held -= 8) {
        const int byte = (int)(jpeg->bits >> (jpeg->held - 8) & 255);
        putc(byte, jpeg->file);
        if (byte == 255)
            putc(0, jpeg->file);
    }
}

/* Makes the Huffman codes by T.81, annex C, in which codes of equal length are consecutive. */
static void make_codes(Code codes[256], const uint8_t lengths[16], const uint8_t *values)
{
    uint16_t next = 0;
    for (int length = 1; length <= 16; length++, next = (uint16_t)(next << 1))
        for (int i = 0; i < lengths[length - 1]; i++)
            codes[*values++] = (Code){next++, (uint8_t)length};
}

/* Writes a Huffman code and the bits of a value. `run`: number of zero coefficients before it. */
static void put_value(Jpeg *jpeg, const Code codes[256], int run, int value)
{
    int size = 0;
    for (int rest = abs(value); rest; rest >>= 1)
        size++;
    const Code code = codes[run << 4 | size];
    put_bits(jpeg, code.bits, code.length);
    if (size)
        put_bits(jpeg, (uint32_t)(value < 0 ? value - 1 : value), size);
}

/* Returns the DCT's factor: cos((2x + 1) u pi / 16) / 2, and sqrt(1 / 8) for u = 0, times 2^13. */
static int cosine(int u, int x)
{
    static const int table[] = {4096, 4017, 3784, 3406, 2896, 2276, 1567, 799, 0};
    const int k = (2 * x + 1) * u % 32;
    return !u ? 2896 : k <= 8 ? table[k] : k <= 16 ? -table[16 - k] : k <= 24 ? -table[k - 16] : table[32 - k];
}

/* Transforms, rounds and writes a block of samples in [-128, 127]. */
static void put_block(Jpeg *jpeg, const int samples[64], int component)
{
    int rows[64], factor[64], run = 0;
    int16_t made[64];
    const uint8_t *step = jpeg->step[component > 0];
    for (int i = 0; i < 64; i++)
        factor[i] = cosine(i / 8, i % 8);
    for (int y = 0; y < 8; y++)
        for (int u = 0; u < 8; u++) {
            int sum = 0;
            for (int x = 0; x < 8; x++)
                sum += samples[8 * y + x] * factor[8 * u + x];
            rows[8 * y + u] = (sum + 512) >> 10; /* scaled by 2^3 */
        }
    for (int v = 0; v < 8; v++)
        for (int u = 0; u < 8; u++) {
            int sum = 0;
            for (int y = 0; y < 8; y++)
                sum += rows[8 * y + u] * factor[8 * v + y];
            const int value = (sum + (1 << 12)) >> 13, by = 8 * step[8 * v + u];
            made[8 * v + u] = (int16_t)(value < 0 ? -((by / 2 - value) / by) : (value + by / 2) / by);
        }
    put_value(jpeg, jpeg->dc, 0, made[0] - jpeg->last[component]);
    jpeg->last[component] = made[0];
    for (int i = 1; i < 64; i++) {
        if (!made[zigzag[i]]) {
            run++;
            continue;
        }
        for (; run > 15; run -= 16)
            put_bits(jpeg, jpeg->ac[0xf0].bits, jpeg->ac[0xf0].length);
        put_value(jpeg, jpeg->ac, run, made[zigzag[i]]);
        run = 0;
    }
    if (run)
        put_bits(jpeg, jpeg->ac[0].bits, jpeg->ac[0].length);
}

/* Writes a marker, and the length of its segment. */
static void put_marker(FILE *file, int marker, int length)
{
    fprintf(file, "%c%c%c%c", 0xff, marker, (length + 2) >> 8, (length + 2) & 255);
}

static void put_head(Jpeg *jpeg, int width, int height)
{
    static const uint8_t jfif[14] = "JFIF\0\1\1\0\0\1\0\1\0";
    FILE *file = jpeg->file;
    fprintf(file, "%c%c", 0xff, 0xd8);
    put_marker(file, 0xe0, sizeof jfif);
    fwrite(jfif, 1, sizeof jfif, file);
    put_marker(file, 0xdb, 2 * 65);
    for (int table = 0; table < 2; table++) {
        putc(table, file);
        for (int i = 0; i < 64; i++)
            putc(jpeg->step[table][zigzag[i]], file);
    }
    put_marker(file, 0xc0, 15);
    fprintf(file, "%c%c%c%c%c%c", 8, height >> 8, height & 255, width >> 8, width & 255, 3);
    for (int c = 0; c < 3; c++)
        fprintf(file, "%c%c%c", c + 1, c ? 0x11 : 0x22, c ? 1 : 0);
    put_marker(file, 0xc4, 2 * 17 + (int)sizeof dc_values + (int)sizeof ac_values);
    putc(0x00, file);
    fwrite(dc_lengths, 1, sizeof dc_lengths, file);
    fwrite(dc_values, 1, sizeof dc_values, file);
    putc(0x10, file);
    fwrite(ac_lengths, 1, sizeof ac_lengths, file);
    fwrite(ac_values, 1, sizeof ac_values, file);
    put_marker(file, 0xda, 10);
    fprintf(file, "%c%c%c%c%c%c%c%c%c%c", 3, 1, 0, 2, 0, 3, 0, 0, 63, 0);
}

/*
 * Writes 16 x 16 pixels as four blocks of luma and one of each chroma, converted by JFIF 1.01. Beyond the edges, the
 * last pixel is repeated.
 */
static void put_square(Jpeg *jpeg, const uint8_t *rgb, int width, int height, int left, int top)
{
    int luma[4][64], chroma[2][64] = {{0}};
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) {
            const int from_x = left + x < width ? left + x : width - 1,
                      from_y = top + y < height ? top + y : height - 1;
            const uint8_t *pixel = rgb + 3 * ((size_t)from_y * (size_t)width + (size_t)from_x);
            const int r = pixel[0], g = pixel[1], b = pixel[2], place = y / 2 * 8 + x / 2;
            luma[y / 8 * 2 + x / 8][y % 8 * 8 + x % 8] = ((19595 * r + 38470 * g + 7471 * b + 32768) >> 16) - 128;
            chroma[0][place] += -11059 * r - 21709 * g + 32768 * b;
            chroma[1][place] += 32768 * r - 27439 * g - 5329 * b;
        }
    for (int i = 0; i < 128; i++)
        chroma[i / 64][i % 64] = (chroma[i / 64][i % 64] + (1 << 17)) >> 18;
    for (int i = 0; i < 4; i++)
        put_block(jpeg, luma[i], 0);
    put_block(jpeg, chroma[0], 1);
    put_block(jpeg, chroma[1], 2);
}

void *jpeg_encode(const uint8_t *rgb, int width, int height, int quality, size_t *bytes)
{
    char *made;
    Jpeg jpeg = {.file = fv_text_open(&made, bytes)};
    const int scale = quality < 50 ? 5000 / quality : 200 - 2 * quality;
    if (!jpeg.file)
        return NULL;
    for (int i = 0; i < 128; i++) {
        const int step = (steps[i / 64][i % 64] * scale + 50) / 100;
        jpeg.step[i / 64][i % 64] = (uint8_t)(step < 1 ? 1 : step > 255 ? 255 : step);
    }
    make_codes(jpeg.dc, dc_lengths, dc_values);
    make_codes(jpeg.ac, ac_lengths, ac_values);
    put_head(&jpeg, width, height);
    for (int top = 0; top < height; top += 16)
        for (int left = 0; left < width; left += 16)
            put_square(&jpeg, rgb, width, height, left, top);
    put_bits(&jpeg, 127, 7);
    fprintf(jpeg.file, "%c%c", 0xff, 0xd9);
    return fv_text_close(jpeg.file, &made) ? made : NULL;
}
