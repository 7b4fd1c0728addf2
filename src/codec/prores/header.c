/* Parses frame and picture headers. Every offset that it returns lies inside the packet. */
#include <string.h>

#include "arith/scalar.h"
#include "arith/prores.h"
#include "base/bytes.h"
#include "base/error.h"
#include "codec/prores/slice.h"

enum { FRAME_HEADER = 8, FRAME_HEADER_MIN = 20, PICTURE_HEADER_MIN = 8, SLICE_MIN = 6 };

/* Frame rates by code; the rate of code 0 is unknown. */
static const int rates[16][2] = {{0, 0},  {24000, 1001}, {24, 1}, {25, 1},  {30000, 1001},  {30, 1},
                                 {50, 1}, {60000, 1001}, {60, 1}, {100, 1}, {120000, 1001}, {120, 1}};

#define BAD(...) fv_fail(error, FV_ERROR_INPUT, "ProRes: " __VA_ARGS__)

static FvStatus parse_frame_header(FvProresHeader *header, const uint8_t *packet, size_t size, size_t *end,
                                   FvError *error)
{
    if (size < FRAME_HEADER + FRAME_HEADER_MIN)
        return BAD("a packet of %zu bytes is too short for a frame", size);
    if (memcmp(packet + 4, "icpf", 4))
        return BAD("the packet does not start with a frame");
    const uint8_t *h = packet + FRAME_HEADER;
    size_t bytes = fv_be16(h), left = size - FRAME_HEADER, needed = FRAME_HEADER_MIN;
    bool custom[2] = {h[19] & 2, h[19] & 1};
    needed += 64 * (custom[0] + custom[1]);
    if (bytes < needed || bytes > left)
        return BAD("the frame header has %zu bytes; it needs %zu, and the packet has %zu left", bytes, needed, left);
    if (fv_be16(h + 2) > 1)
        return BAD("bitstream version %d is unknown; 0 and 1 are decoded", fv_be16(h + 2));
    int width = fv_be16(h + 8), height = fv_be16(h + 10);
    if (!width || !height || width > FV_PRORES_MAX_SIDE || height > FV_PRORES_MAX_SIDE)
        return BAD("picture size %dx%d is outside 1x1 to %dx%d", width, height, FV_PRORES_MAX_SIDE,
                   FV_PRORES_MAX_SIDE);
    int alpha = h[17] & 15, rate = h[13] & 15, mode = (h[12] >> 2) & 3;
    if (alpha > 2)
        return BAD("alpha type %d is unknown; 0 to 2 are decoded", alpha);
    header->format.width = width;
    header->format.height = height;
    header->format.chroma = h[12] >> 6 == 3 ? FV_CHROMA_444 : FV_CHROMA_422;
    header->format.range = FV_RANGE_LIMITED;
    header->format.rate_num = rates[rate][0];
    header->format.rate_den = rates[rate][1];
    header->format.primaries = h[14] == 2 ? 0 : h[14]; /* code 2: unspecified */
    header->format.transfer = h[15] == 2 ? 0 : h[15];
    header->format.matrix = h[16] == 2 ? 0 : h[16];
    header->format.siting = FV_SITING_LEFT;
    header->alpha_bits = 8 * alpha;
    header->interlaced = mode != 0;
    header->bottom_first = mode > 1;
    header->columns = (width + 15) / 16;
    header->primaries = h[14];
    header->transfer = h[15];
    header->matrix = h[16];
    const uint8_t *matrix = h + FRAME_HEADER_MIN;
    for (int i = 0; i < 2; i++) {
        if (custom[i]) {
            memcpy(header->quantiser[i], matrix, 64);
            matrix += 64;
        } else if (i)
            memcpy(header->quantiser[1], header->quantiser[0], 64);
        else
            memset(header->quantiser[0], 4, 64);
    }
    *end = FRAME_HEADER + bytes;
    return FV_OK;
}

/* Parses the header of the picture at offset *at, and advances *at to its end. */
static FvStatus parse_picture(FvProresHeader *header, FvProresPicture *picture, const uint8_t *packet, size_t size,
                              size_t *at, FvError *error)
{
    const uint8_t *p = packet + *at;
    size_t left = size - *at;
    if (left < PICTURE_HEADER_MIN)
        return BAD("%zu bytes are too few for a picture", left);
    size_t bytes = p[0] >> 3, whole = fv_be32(p + 1);
    if (bytes < PICTURE_HEADER_MIN || bytes > left)
        return BAD("the picture header has %zu bytes; it needs %d, and the packet has %zu left", bytes,
                   PICTURE_HEADER_MIN, left);
    picture->log2_slice = p[7] >> 4;
    if (picture->log2_slice > 3 || p[7] & 15)
        return BAD("slices have 2^%d by 2^%d macroblocks; the standard allows 1 to 8 by 1", p[7] >> 4, p[7] & 15);
    int lines = header->interlaced ? 32 : 16;
    picture->rows = (header->format.height + lines - 1) / lines;
    picture->slices_per_row = fv_prores_slices_per_row(header->columns, picture->log2_slice);
    picture->slices = picture->slices_per_row * picture->rows;
    size_t table = 2 * (size_t)picture->slices;
    if (bytes + table > left || whole < bytes + table || whole > left)
        return BAD("the picture has %zu bytes and a table of %d slices; the packet has %zu bytes left", whole,
                   picture->slices, left);
    picture->table = (uint32_t)(*at + bytes);
    picture->data = (uint32_t)(*at + bytes + table);
    size_t room = left - bytes - table;
    for (int i = 0; i < picture->slices; i++) {
        size_t slice = fv_be16(p + bytes + 2 * (size_t)i);
        if (slice < SLICE_MIN || slice > room)
            return BAD("slice %d of %d has %zu bytes; it needs %d, and the packet has %zu left", i, picture->slices,
                       slice, SLICE_MIN, room);
        room -= slice;
    }
    *at += whole;
    return FV_OK;
}

FvStatus fv_prores_parse(FvProresHeader *header, const uint8_t *packet, size_t size, int depth, FvError *error)
{
    *header = (FvProresHeader){.format.depth = depth};
    if (size > INT32_MAX)
        return BAD("a packet of %zu bytes is longer than any frame", size);
    size_t at = 0;
    FvStatus status = parse_frame_header(header, packet, size, &at, error);
    while (!status && header->pictures < (header->interlaced ? 2 : 1)) {
        if (header->pictures == 1 && at == size)
            break;
        FvProresPicture *picture = &header->picture[header->pictures];
        picture->field = header->interlaced && header->bottom_first != (header->pictures == 1);
        status = parse_picture(header, picture, packet, size, &at, error);
        header->pictures++;
    }
    return status;
}

bool fv_prores_parse_slice(FvProresSlice *slice, const uint8_t *data, size_t size)
{
    int header = data[0] >> 3;
    int cr = header >= 8 && size >= 8 ? fv_be16(data + 6) : 0;
    FvProresParts parts = fv_prores_parts((int)size, header, fv_be16(data + 2), fv_be16(data + 4), cr);
    if (!parts.fits)
        return false;
    *slice = (FvProresSlice){
        .scale = fv_prores_scale(data[1]),
        .offset = {parts.luma, parts.cb, parts.cr, parts.alpha},
        .bytes = {parts.cb - parts.luma, parts.cr - parts.cb, parts.alpha - parts.cr, (int)size - parts.alpha}};
    return true;
}
