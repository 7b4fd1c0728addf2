#include "base64.h"

#include <math.h>
#include <string.h>

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void put_group(FILE *file, uint32_t bits, int bytes)
{
    char group[4];
    for (int i = 0; i < 4; i++)
        group[i] = i <= bytes ? digits[bits >> (18 - 6 * i) & 63] : '=';
    fwrite(group, 1, sizeof group, file);
}

void fv_base64_bytes(FvBase64 *to, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    for (size_t i = 0; i < size; i++) {
        to->bits |= (uint32_t)from[i] << (16 - 8 * to->held);
        if (++to->held == 3) {
            put_group(to->file, to->bits, 3);
            to->bits = 0;
            to->held = 0;
        }
    }
}

void fv_base64_end(FvBase64 *to)
{
    if (to->held)
        put_group(to->file, to->bits, to->held);
    to->bits = 0;
    to->held = 0;
}

static void put_word(FvBase64 *to, uint64_t word, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(word >> 8 * i);
    fv_base64_bytes(to, bytes, (size_t)size);
}

void fv_base64_real(FvBase64 *to, double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    put_word(to, isnan(value) ? UINT64_C(0x7ff8000000000000) : word, 8);
}

void fv_base64_single(FvBase64 *to, double value)
{
    const float single = (float)value;
    uint32_t word;
    memcpy(&word, &single, sizeof word);
    put_word(to, isnan(value) ? UINT32_C(0x7fc00000) : word, 4);
}

void fv_base64_reals(FILE *file, const double *values, int64_t count, int64_t step)
{
    FvBase64 to = {.file = file};
    for (int64_t i = 0; i < count; i++)
        fv_base64_real(&to, values[i * step]);
    fv_base64_end(&to);
}
