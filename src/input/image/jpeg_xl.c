#include "input/image/jpeg_xl.h"

#include <string.h>

#include "base/bytes.h"

/* A string of bits, beginning at the lowest bit of each byte. Bits beyond the end are 0. */
typedef struct Bits {
    const uint8_t *at;
    size_t count, used; /* number of bits, and of bits read so far */
} Bits;

static uint32_t take_bits(Bits *bits, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++, bits->used++)
        if (bits->used < bits->count)
            value |= (uint32_t)(bits->at[bits->used / 8] >> bits->used % 8 & 1) << i;
    return value;
}

/* Skips a side of the picture (D.3.1), in a field of one of four widths. */
static void pass_side(Bits *bits, bool eighths)
{
    static const int widths[] = {9, 13, 18, 30};
    take_bits(bits, eighths ? 5 : widths[take_bits(bits, 2)]);
}

static void pass_size(Bits *bits)
{
    const bool eighths = take_bits(bits, 1);
    pass_side(bits, eighths);
    if (!take_bits(bits, 3)) /* code 0: the width is stated instead of an aspect ratio */
        pass_side(bits, eighths);
}

/* Skips the size of a preview (D.3.3); its fields have other widths than the picture's. */
static void pass_preview(Bits *bits)
{
    static const int eights[] = {0, 0, 5, 9}, ones[] = {6, 8, 10, 12};
    const bool eighths = take_bits(bits, 1);
    for (int side = 0; side < 2; side++) {
        const uint32_t choice = take_bits(bits, 2);
        take_bits(bits, eighths ? eights[choice] : ones[choice]);
        if (!side && take_bits(bits, 3))
            return;
    }
}

/*
 * Returns whether the codestream is animated (D.3.2). The flag follows those of orientation, intrinsic size and
 * preview.
 */
static bool is_animated(Bits bits)
{
    pass_size(&bits);
    if (take_bits(&bits, 1) || !take_bits(&bits, 1)) /* everything has its default; no fields follow */
        return false;
    take_bits(&bits, 3);
    if (take_bits(&bits, 1))
        pass_size(&bits);
    if (take_bits(&bits, 1))
        pass_preview(&bits);
    return take_bits(&bits, 1);
}

bool fv_jpeg_xl_moves(const uint8_t *bytes, size_t size)
{
    size_t at = 0;
    if (size > 12 && !memcmp(bytes + 4, "JXL ", 4))
        for (; size - at > 16; at += fv_be32(bytes + at)) {
            const uint8_t *type = bytes + at + 4;
            const size_t front = !memcmp(type, "jxlc", 4) ? 8 : !memcmp(type, "jxlp", 4) ? 12 : 0;
            if (front) {
                at += front;
                break;
            }
            if (fv_be32(bytes + at) < 8 || fv_be32(bytes + at) > size - at)
                return false;
        }
    if (size - at < 3 || bytes[at] != 0xff || bytes[at + 1] != 0x0a)
        return false;
    return is_animated((Bits){bytes + at + 2, 8 * (size - at - 2), 0});
}
