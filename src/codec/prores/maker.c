#include "codec/prores/maker.h"

#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/prores.h"

uint32_t fv_prores_maker_random(FvProresMaker *maker)
{
    maker->random ^= maker->random << 13;
    maker->random ^= maker->random >> 17;
    maker->random ^= maker->random << 5;
    return maker->random;
}

void fv_prores_maker_free(FvProresMaker *maker)
{
    free(maker->bytes);
}

static void put_byte(FvProresMaker *maker, int byte)
{
    if (maker->used == maker->room) {
        const size_t room = maker->room ? 2 * maker->room : 4096;
        uint8_t *bytes = realloc(maker->bytes, room);
        if (!bytes) {
            maker->failed = true;
            return;
        }
        maker->bytes = bytes;
        maker->room = room;
    }
    maker->bytes[maker->used++] = (uint8_t)byte;
}

static void put_bits(FvProresMaker *maker, uint32_t value, int count)
{
    maker->bits = maker->bits << count | value;
    for (maker->bit_count += count; maker->bit_count >= 8; maker->bit_count -= 8)
        put_byte(maker, (int)(maker->bits >> (maker->bit_count - 8)) & 0xff);
}

static void end_byte(FvProresMaker *maker)
{
    if (maker->bit_count)
        put_bits(maker, 0, 8 - maker->bit_count);
}

/* Writes the codeword that a decoder reads as `value`. */
static void put_code(FvProresMaker *maker, int book, int value)
{
    for (int zeros = 0; zeros < 32; zeros++) {
        int length = fv_prores_code_length(book, zeros);
        int64_t bits = (int64_t)value - fv_prores_code_bias(book, zeros);
        if (length > zeros && bits > 0 && bits >> (length - zeros - 1) == 1) {
            put_bits(maker, (uint32_t)bits, length);
            return;
        }
    }
    maker->failed = true;
}

/* Returns a random level, mostly small, rarely as large as `greatest`. */
static int random_level(FvProresMaker *maker, int greatest)
{
    uint32_t r = fv_prores_maker_random(maker);
    int most = r % 4 ? 3 : r % 64 ? 20 : greatest;
    return 1 + (int)(fv_prores_maker_random(maker) % (uint32_t)(most < greatest ? most : greatest));
}

void fv_prores_maker_string(FvProresMaker *maker, int log2_blocks, int coefficients, int greatest)
{
    int blocks = 1 << log2_blocks, code = FV_PRORES_FIRST_DC_CODE;
    put_code(maker, FV_PRORES_FIRST_DC_BOOK, (int)(fv_prores_maker_random(maker) % 600));
    for (int i = 1; i < blocks; i++) {
        int next = (int)(fv_prores_maker_random(maker) % (fv_prores_maker_random(maker) % 8 ? 12 : 300));
        put_code(maker, fv_prores_dc_book(code), next);
        code = next;
    }
    int position = blocks - 1, last_run = FV_PRORES_FIRST_RUN, last_level = FV_PRORES_FIRST_LEVEL;
    uint32_t most = coefficients ? 126 / (uint32_t)coefficients + 1 : 64 * (uint32_t)blocks;
    for (;;) {
        int run = (int)(fv_prores_maker_random(maker) % (fv_prores_maker_random(maker) % 16 ? most : 8 * most));
        int level = random_level(maker, greatest);
        position += run + 1;
        if (position >= 64 * blocks)
            break;
        put_code(maker, fv_prores_run_book(last_run), run);
        put_code(maker, fv_prores_level_book(last_level), level - 1);
        put_bits(maker, fv_prores_maker_random(maker) & 1, 1);
        last_run = run;
        last_level = level;
    }
    end_byte(maker);
}

static void put_word(FvProresMaker *maker, size_t value)
{
    put_byte(maker, (int)(value >> 8) & 0xff);
    put_byte(maker, (int)value & 0xff);
}

static void set_word(FvProresMaker *maker, size_t at, size_t value)
{
    if (at + 2 > maker->used)
        return; /* memory ran out */
    maker->bytes[at] = (uint8_t)(value >> 8);
    maker->bytes[at + 1] = (uint8_t)value;
}

static void set_long(FvProresMaker *maker, size_t at, size_t value)
{
    set_word(maker, at, value >> 16);
    set_word(maker, at + 2, value);
}

/* Writes alpha as short steps, long steps and repeats. */
static void put_alpha(FvProresMaker *maker, int log2_macroblocks, int bits)
{
    int left = 256 << log2_macroblocks;
    while (left > 0) {
        bool plain = fv_prores_maker_random(maker) % 4 == 0;
        int step = plain ? bits : bits == 16 ? 7 : 4;
        put_bits(maker, plain, 1);
        put_bits(maker, fv_prores_maker_random(maker) & ((1u << step) - 1), step);
        if (--left == 0)
            break;
        bool again = fv_prores_maker_random(maker) % 2;
        put_bits(maker, again, 1);
        if (again)
            continue;
        bool longer = fv_prores_maker_random(maker) % 4 == 0;
        int repeat = (int)(fv_prores_maker_random(maker) % (longer ? 2048 : 15)) + !longer;
        put_bits(maker, longer ? 0 : (uint32_t)repeat, 4);
        if (longer)
            put_bits(maker, (uint32_t)repeat, 11);
        left -= repeat;
    }
    end_byte(maker);
}

static size_t put_slice(FvProresMaker *maker, const FvProresShape *frame, int log2_macroblocks)
{
    size_t start = maker->used;
    put_byte(maker, 8 << 3);
    put_byte(maker, frame->scale ? frame->scale : (int)(fv_prores_maker_random(maker) % 256));
    for (int i = 0; i < 3; i++)
        put_word(maker, 0);
    for (int plane = 0; plane < 3; plane++) {
        size_t before = maker->used;
        fv_prores_maker_string(maker, log2_macroblocks + (plane && !frame->chroma_444 ? 1 : 2), frame->coefficients,
                               frame->greatest);
        set_word(maker, start + 2 + 2 * (size_t)plane, maker->used - before);
    }
    if (frame->alpha_bits)
        put_alpha(maker, log2_macroblocks, frame->alpha_bits);
    return maker->used - start;
}

static void put_picture(FvProresMaker *maker, const FvProresShape *frame)
{
    size_t start = maker->used, lines = frame->interlaced ? 32 : 16;
    int columns = (frame->width + 15) / 16, rows = (int)(((size_t)frame->height + lines - 1) / lines);
    int per_row = fv_prores_slices_per_row(columns, frame->log2_slice);
    put_byte(maker, 8 << 3);
    for (int i = 0; i < 6; i++)
        put_byte(maker, 0);
    put_byte(maker, frame->log2_slice << 4);
    for (int i = 0; i < per_row * rows; i++)
        put_word(maker, 0);
    for (int i = 0; i < per_row * rows; i++) {
        size_t bytes = put_slice(maker, frame, fv_prores_slice_log2(columns, frame->log2_slice, i % per_row));
        set_word(maker, start + 8 + 2 * (size_t)i, bytes);
    }
    set_long(maker, start + 1, maker->used - start);
}

void fv_prores_maker_frame(FvProresMaker *maker, const FvProresShape *frame)
{
    size_t start = maker->used;
    for (int i = 0; i < 4; i++)
        put_byte(maker, 0);
    for (int i = 0; i < 4; i++)
        put_byte(maker, "icpf"[i]);
    put_word(maker, frame->matrices ? 148 : 20);
    put_word(maker, 1);
    for (int i = 0; i < 4; i++)
        put_byte(maker, 0);
    put_word(maker, (size_t)frame->width);
    put_word(maker, (size_t)frame->height);
    put_byte(maker, (frame->chroma_444 ? 0xc0 : 0x80) | (frame->interlaced ? frame->bottom_first ? 8 : 4 : 0));
    for (int i = 0; i < 4; i++)
        put_byte(maker, 0);
    put_byte(maker, frame->alpha_bits / 8);
    put_byte(maker, 0);
    put_byte(maker, frame->matrices ? 3 : 0);
    for (int i = 0; frame->matrices && i < 128; i++)
        put_byte(maker, (int)(fv_prores_maker_random(maker) % 64));
    for (int i = 0; i < (frame->interlaced ? 2 : 1); i++)
        put_picture(maker, frame);
    set_long(maker, start, maker->used - start);
}
