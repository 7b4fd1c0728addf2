#include "input/packet/vp9_frame.h"

#include "base/bytes.h"

#define KEY_CODE 0x498342 /* frame_sync_code of a key frame */
#define RGB 7             /* value of color_space */

typedef struct Bits {
    const uint8_t *data;
    size_t size, at; /* (`size`) bytes of data; (`at`) number of bits read */
    bool beyond;
} Bits;

static unsigned take_bits(Bits *bits, int count)
{
    unsigned value = 0;
    for (int i = 0; i < count; i++, bits->at++) {
        bits->beyond |= bits->at / 8 >= bits->size;
        value = value << 1 | (bits->beyond ? 0u : bits->data[bits->at / 8] >> (7 - bits->at % 8) & 1u);
    }
    return value;
}

/* Skips a field: one bit, and `count` bits more if it is set. */
static void skip_optional(Bits *bits, int count)
{
    if (take_bits(bits, 1))
        take_bits(bits, count);
}

/* Skips color_config (7.2.2). False: RGB, which this profile does not allow. */
static bool skip_colours(Bits *bits, int profile)
{
    if (profile == 2)
        take_bits(bits, 1);
    if (take_bits(bits, 3) == RGB)
        return false;
    take_bits(bits, 1);
    return true;
}

static int take_size(Bits *bits)
{
    const int width = (int)take_bits(bits, 16) + 1;
    take_bits(bits, 16);
    skip_optional(bits, 32); /* skips the display size */
    return width;
}

static int take_size_of_references(Bits *bits, int width)
{
    for (int i = 0; i < 3; i++)
        if (take_bits(bits, 1)) {
            skip_optional(bits, 32);
            return width;
        }
    return take_size(bits);
}

/*
 * Reads the beginning of the uncompressed header (6.2), up to the fields that all frames have. Returns the width; 0:
 * a field is wrong.
 */
static int take_head(Bits *bits, int profile, bool key, bool shown, bool resilient, int width)
{
    const bool intra = !key && !shown && take_bits(bits, 1);
    if (!key && !resilient)
        take_bits(bits, 2);
    if ((key || intra) && take_bits(bits, 24) != KEY_CODE)
        return 0;
    if ((key || (intra && profile)) && !skip_colours(bits, profile))
        return 0;
    if (!key)
        take_bits(bits, 8);
    if (key || intra)
        return take_size(bits);
    take_bits(bits, 12);
    width = take_size_of_references(bits, width);
    take_bits(bits, 1);
    if (!take_bits(bits, 1))
        take_bits(bits, 2);
    return width;
}

/* Skips loop_filter_params (6.2.8) and quantization_params (6.2.9). */
static void skip_filter_and_quantizers(Bits *bits)
{
    take_bits(bits, 9);
    if (take_bits(bits, 1) && take_bits(bits, 1))
        for (int i = 0; i < 6; i++)
            skip_optional(bits, 7);
    take_bits(bits, 8);
    for (int i = 0; i < 3; i++)
        skip_optional(bits, 5);
}

/* Skips segmentation_params (6.2.11). */
static void skip_segments(Bits *bits)
{
    static const int length[4] = {9, 7, 2, 0}; /* bits of each feature's value, including the sign */
    if (!take_bits(bits, 1))
        return;
    if (take_bits(bits, 1)) {
        for (int i = 0; i < 7; i++)
            skip_optional(bits, 8);
        const bool temporal = take_bits(bits, 1);
        for (int i = 0; i < 3 && temporal; i++)
            skip_optional(bits, 8);
    }
    if (!take_bits(bits, 1))
        return;
    take_bits(bits, 1);
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 4; k++)
            skip_optional(bits, length[k]);
}

/* Reads tile_info (6.2.13). Returns the number of tiles. */
static int take_tiles(Bits *bits, int width)
{
    const int blocks = (width + 63) / 64;
    int least = 0, most = 1;
    while (64 << least < blocks)
        least++;
    while (blocks >> most >= 4)
        most++;
    while (least < most - 1 && take_bits(bits, 1))
        least++;
    int rows = (int)take_bits(bits, 1);
    rows += rows && take_bits(bits, 1);
    return 1 << least << rows;
}

/* Returns whether the tiles fit. The length of each tile except the last is before it. */
static bool has_tiles(const uint8_t *at, size_t left, int tiles)
{
    for (int i = 0; i < tiles; i++) {
        size_t size = left;
        if (i < tiles - 1) {
            if (left < 4)
                return false;
            size = fv_be32(at);
            at += 4;
            left -= 4;
        }
        if (!size || size > left || *at & 0x80)
            return false;
        at += size;
        left -= size;
    }
    return true;
}

bool fv_vp9_frame_whole(const uint8_t *data, size_t size, int width)
{
    Bits bits = {.data = data, .size = size};
    if (take_bits(&bits, 2) != 2)
        return false;
    int profile = (int)take_bits(&bits, 1);
    profile += 2 * (int)take_bits(&bits, 1);
    if (profile & 1)
        return false;
    if (take_bits(&bits, 1)) /* the frame only shows a picture that was decoded before */
        return true;
    const bool key = !take_bits(&bits, 1), shown = take_bits(&bits, 1), resilient = take_bits(&bits, 1);
    width = take_head(&bits, profile, key, shown, resilient, width);
    if (!width)
        return false;
    if (!resilient)
        take_bits(&bits, 2);
    take_bits(&bits, 2);
    skip_filter_and_quantizers(&bits);
    skip_segments(&bits);
    const int tiles = take_tiles(&bits, width);
    const size_t header = take_bits(&bits, 16), first = (bits.at + 7) / 8;
    if (bits.beyond || !header || header >= size - first || data[first] & 0x80)
        return false;
    return has_tiles(data + first + header, size - first - header, tiles);
}
