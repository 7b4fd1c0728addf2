/*
 * Reads chunks by Portable Network Graphics, third edition, 4.3 and 11.3.2: cICP takes precedence over iCCP, then
 * sRGB, then gAMA with cHRM; mDCV and cLLI add to any of these.
 */
#include "input/image/png.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "picture/colour.h"

#define PNG_WHOLE 100000 /* the value in gAMA and cHRM that means 1 */
#define CHROMATICITY 300 /* tolerance; green's x of BT.709 and of BT.601 differ by 1,000 */
#define GAMMA 500        /* tolerance; writers round 1 / 2.2 to 45454, 45455 or 45500 */
#define SRGB_GAMMA 45455
#define BT709_GAMMA 50994 /* 1 / 1.961, which FFmpeg writes for the curve of BT.709 */
#define SIGNATURE 8       /* bytes before the first chunk */

static bool near(uint32_t value, int known, int error)
{
    return value < 1u << 31 && abs((int)value - known) <= error;
}

/* Returns the code point of the primaries in a chunk: white, red, green and blue. 0: fovea does not know them. */
static int primaries_of(const uint8_t *chunk)
{
    static const struct {
        int code, place[6];
    } known[] = {{FV_H273_BT709, {64000, 33000, 30000, 60000, 15000, 6000}},
                 {FV_H273_BT470BG, {64000, 33000, 29000, 60000, 15000, 6000}},
                 {FV_H273_BT601, {63000, 34000, 31000, 59500, 15500, 7000}},
                 {FV_H273_DISPLAY_P3, {68000, 32000, 26500, 69000, 15000, 6000}},
                 {FV_H273_BT2020, {70800, 29200, 17000, 79700, 13100, 4600}}};
    const bool d65 = near(fv_be32(chunk), 31270, CHROMATICITY) && near(fv_be32(chunk + 4), 32900, CHROMATICITY);
    for (size_t k = 0; d65 && k < sizeof known / sizeof *known; k++) {
        int same = 0;
        for (int i = 0; i < 6; i++)
            same += near(fv_be32(chunk + 8 + 4 * i), known[k].place[i], CHROMATICITY);
        if (same == 6)
            return known[k].code;
    }
    return 0;
}

/*
 * Returns the transfer that a gamma means. 1 / 2.2 means sRGB: pictures in sRGB state it for programs that read
 * nothing else.
 */
static int transfer_of(uint32_t gamma)
{
    return near(gamma, SRGB_GAMMA, GAMMA)    ? FV_H273_SRGB
           : near(gamma, BT709_GAMMA, GAMMA) ? FV_H273_BT709
           : near(gamma, PNG_WHOLE, GAMMA)   ? FV_H273_LINEAR
                                             : 0;
}

static bool is(const uint8_t *name, const char *known)
{
    return !memcmp(name, known, 4);
}

/*
 * Reads a chunk about the mastering display. In drafts of the standard, the last letter of its name was lower case.
 */
static void read_mastering(FvPngMastering *mastering, const uint8_t *name, const uint8_t *body, size_t length)
{
    if (length == 24 && (is(name, "mDCV") || is(name, "mDCv"))) {
        mastering->display = true;
        for (int i = 0; i < 8; i++)
            mastering->place[i] = (uint16_t)(body[2 * i] << 8 | body[2 * i + 1]);
        mastering->most = fv_be32(body + 16);
        mastering->least = fv_be32(body + 20);
    }
    if (length == 8 && (is(name, "cLLI") || is(name, "cLLi"))) {
        mastering->light = true;
        mastering->peak = fv_be32(body);
        mastering->average = fv_be32(body + 4);
    }
}

FvPng fv_png_read(const uint8_t *bytes, size_t size)
{
    FvPng png = {.primaries = 0}, coded = {.coded = false};
    FvPngMastering mastering = {.display = false};
    bool srgb = false;
    for (size_t at = size > SIGNATURE && !memcmp(bytes + 1, "PNG", 3) ? SIGNATURE : 0; size - at >= 12;) {
        const size_t length = fv_be32(bytes + at);
        const uint8_t *name = bytes + at + 4, *body = name + 4;
        if (length > size - at - 12 || is(name, "IDAT"))
            break;
        if (is(name, "cICP") && length == 4 && !coded.coded)
            coded = (FvPng){body[0], body[1], .coded = true, .limited = !body[3]};
        if (is(name, "sRGB"))
            srgb = true;
        if (is(name, "gAMA") && length == 4) {
            png.transfer = transfer_of(fv_be32(body));
            png.unknown |= !png.transfer;
        }
        if (is(name, "cHRM") && length == 32) {
            png.primaries = primaries_of(body);
            png.unknown |= !png.primaries;
        }
        read_mastering(&mastering, name, body, length);
        at += 12 + length;
    }
    if (coded.coded)
        png = coded;
    else if (srgb)
        png = (FvPng){FV_H273_BT709, FV_H273_SRGB, .coded = false};
    png.mastering = mastering;
    return png;
}
