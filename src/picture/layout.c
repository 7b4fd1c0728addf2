#include "picture/layout.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "picture/frame.h"
#include "picture/samples.h"

/* clang-format off */
#define PLANES_2 {{0, 0, 1}, {1, 0, 2}, {1, 1, 2}} /* plane 0: Y; plane 1: alternating Cb and Cr */
#define PLANES_2_CR {{0, 0, 1}, {1, 1, 2}, {1, 0, 2}}
#define YUYV {{0, 0, 2}, {0, 1, 4}, {0, 3, 4}}
#define YVYU {{0, 0, 2}, {0, 3, 4}, {0, 1, 4}}
#define UYVY {{0, 1, 2}, {0, 0, 4}, {0, 2, 4}}

static const FvLayout layouts[] = {
    {"nv12", FV_CHROMA_420, 8, 0, PLANES_2},
    {"nv21", FV_CHROMA_420, 8, 0, PLANES_2_CR},
    {"nv16", FV_CHROMA_422, 8, 0, PLANES_2},
    {"nv24", FV_CHROMA_444, 8, 0, PLANES_2},
    {"nv42", FV_CHROMA_444, 8, 0, PLANES_2_CR},
    {"p010le", FV_CHROMA_420, 10, 6, PLANES_2},
    {"p012le", FV_CHROMA_420, 12, 4, PLANES_2},
    {"p016le", FV_CHROMA_420, 16, 0, PLANES_2},
    {"p210le", FV_CHROMA_422, 10, 6, PLANES_2},
    {"p212le", FV_CHROMA_422, 12, 4, PLANES_2},
    {"p216le", FV_CHROMA_422, 16, 0, PLANES_2},
    {"p410le", FV_CHROMA_444, 10, 6, PLANES_2},
    {"p412le", FV_CHROMA_444, 12, 4, PLANES_2},
    {"p416le", FV_CHROMA_444, 16, 0, PLANES_2},
    {"yuyv422", FV_CHROMA_422, 8, 0, YUYV},
    {"yvyu422", FV_CHROMA_422, 8, 0, YVYU},
    {"uyvy422", FV_CHROMA_422, 8, 0, UYVY},
    {"y210le", FV_CHROMA_422, 10, 6, YUYV},
    {"y212le", FV_CHROMA_422, 12, 4, YUYV},
    {"v210", FV_CHROMA_422, 10, FV_LAYOUT_TRIPLES, UYVY},
};
/* clang-format on */
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

const FvLayout *fv_layout_find(const char *name)
{
    for (int i = 0; i < LAYOUTS && name; i++) {
        const size_t length = strlen(name);
        if (!strncmp(layouts[i].name, name, length) &&
            (!layouts[i].name[length] || (length && !strcmp(layouts[i].name + length, "le"))))
            return &layouts[i];
    }
    return NULL;
}

bool fv_raw_layout(const char *name, FvFormat *format)
{
    const FvLayout *layout = fv_layout_find(name);
    if (layout && format) {
        format->chroma = layout->chroma;
        format->depth = layout->depth;
    }
    return layout != NULL;
}

/* ---- v210 ------------------------------------------------------------------------------------------------------ */

#define GROUP_PIXELS 6 /* each row has complete blocks of eight such groups */
#define GROUP_BYTES 16

static bool has_triples(const FvLayout *layout)
{
    return layout->shift == FV_LAYOUT_TRIPLES;
}

static size_t triples_row(int width)
{
    return ((size_t)width + 8 * GROUP_PIXELS - 1) / (8 * GROUP_PIXELS) * 8 * GROUP_BYTES;
}

/* Unpacks a row of v210: words with Cb Y Cr, Y Cb Y, Cr Y Cb, Y Cr Y, the first sample in the lowest bits. */
static bool take_triples(FvFrame *frame, int y, const uint8_t *stored, FvBadWord *bad)
{
    const int width = frame->format.width;
    uint16_t *row[3];
    for (int plane = 0; plane < 3; plane++)
        row[plane] = (uint16_t *)(frame->data[plane] + y * frame->stride[plane]);
    for (int i = 0; i < 2 * width; i++) { /* samples alternate: chroma, luma */
        const uint32_t word = fv_le32(stored + i / 3 * 4);
        const int plane = i % 2 ? 0 : i % 4 ? 2 : 1;
        row[plane][plane ? i / 4 : i / 2] = (uint16_t)(word >> 10 * (i % 3) & 1023);
        if (word >> 30) {
            *bad = (FvBadWord){plane, plane ? i / 4 : i / 2, word};
            return false;
        }
    }
    return true;
}

/* ---- The others ------------------------------------------------------------------------------------------------ */

bool fv_layout_take(const FvLayout *layout, FvFrame *frame, int from, int y, const uint8_t *stored, FvBadWord *bad)
{
    const int bytes = layout->depth > 8 ? 2 : 1;
    if (has_triples(layout))
        return take_triples(frame, y, stored, bad);
    for (int plane = 0; plane < 3; plane++) {
        const FvLayoutPart *part = &layout->part[plane];
        int width;
        if (part->plane != from)
            continue;
        fv_format_plane_size(&frame->format, plane, &width, NULL);
        uint8_t *row = frame->data[plane] + y * frame->stride[plane];
        const uint8_t *first = stored + part->first * bytes;
        if (bytes == 1) {
            fv_samples_unpack8(row, first, part->step, width);
            continue;
        }
        const FvWords words = {2 * part->step, FV_SWAP_LITTLE, layout->shift, UINT16_MAX};
        const unsigned empty = (1u << layout->shift) - 1;
        if (!(fv_samples_unpack16((uint16_t *)row, first, words, width) & empty))
            continue;
        fv_samples_unpack16((uint16_t *)row, first, (FvWords){2 * part->step, FV_SWAP_LITTLE, 0, UINT16_MAX}, width);
        for (int x = 0; x < width; x++)
            if (((const uint16_t *)row)[x] & empty) {
                *bad = (FvBadWord){plane, x, ((const uint16_t *)row)[x]};
                return false;
            }
    }
    return true;
}

int fv_layout_planes(const FvLayout *layout)
{
    return layout->part[1].plane + 1;
}

size_t fv_layout_row(const FvLayout *layout, const FvFormat *format, int plane)
{
    int width, across;
    fv_format_plane_size(format, 0, &width, NULL);
    fv_format_plane_size(format, 1, &across, NULL);
    const bool packed = fv_layout_planes(layout) == 1;
    const size_t samples = packed ? 4 * (size_t)across : plane ? 2 * (size_t)across : (size_t)width;
    return has_triples(layout) ? triples_row(width) : samples * (layout->depth > 8 ? 2 : 1);
}

size_t fv_raw_layout_row(const char *name, int width, int plane)
{
    const FvLayout *layout = fv_layout_find(name);
    if (!layout || plane < 0 || plane >= fv_layout_planes(layout) || width < 1 || width > FV_MAX_SIDE)
        return 0;
    return fv_layout_row(layout, &(FvFormat){.width = width, .height = 1, .chroma = layout->chroma}, plane);
}

FvStatus fv_layout_check(const FvLayout *layout, const FvFormat *format, FvError *error)
{
    if (layout->chroma != format->chroma || layout->depth != format->depth)
        return fv_fail(error, FV_ERROR_USAGE, "%s is %s of %d bits", layout->name, fv_chroma_name(layout->chroma),
                       layout->depth);
    if (fv_layout_planes(layout) == 1 && format->width % 2)
        return fv_fail(error, FV_ERROR_USAGE, "a row of %s has an even number of pixels, not %d", layout->name,
                       format->width);
    return FV_OK;
}
