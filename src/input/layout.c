#include "input/layout.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "input/planes.h"
#include "input/samples.h"
#include "os/memory.h"

/* clang-format off */
#define PLANES_2 {{0, 0, 1}, {1, 0, 2}, {1, 1, 2}} /* Y, and Cb and Cr in turn */
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

#define GROUP_PIXELS 6 /* of which each row has whole groups of eight */
#define GROUP_BYTES 16

static bool has_triples(const FvLayout *layout)
{
    return layout->shift == FV_LAYOUT_TRIPLES;
}

static size_t triples_row(int width)
{
    return ((size_t)width + 8 * GROUP_PIXELS - 1) / (8 * GROUP_PIXELS) * 8 * GROUP_BYTES;
}

/* Cb Y Cr, Y Cb Y, Cr Y Cb, Y Cr Y, the first one in the lowest bits. */
static FvStatus take_triples(const FvSource *source, FvFrame *frame, int y, const uint8_t *stored, FvError *error)
{
    const int width = frame->format.width;
    uint16_t *row[3];
    for (int plane = 0; plane < 3; plane++)
        row[plane] = (uint16_t *)(frame->data[plane] + y * frame->stride[plane]);
    for (int i = 0; i < 2 * width; i++) { /* samples: chroma and luma in turn */
        const uint32_t word = fv_le32(stored + i / 3 * 4);
        const int plane = i % 2 ? 0 : i % 4 ? 2 : 1;
        row[plane][plane ? i / 4 : i / 2] = (uint16_t)(word >> 10 * (i % 3) & 1023);
        if (word >> 30)
            return fv_fail_sample(source, plane, plane ? i / 4 : i / 2, y, word, error);
    }
    return FV_OK;
}

/* ---- The others ------------------------------------------------------------------------------------------------ */

/* The row of a plane of the file, taken apart into the planes of the frame. */
static FvStatus take_row(const FvSource *source, const FvLayout *layout, FvFrame *frame, int from, int y,
                         const uint8_t *stored, FvError *error)
{
    const int bytes = layout->depth > 8 ? 2 : 1;
    for (int plane = 0; plane < 3; plane++) {
        const FvLayoutPart *part = &layout->part[plane];
        int width, height;
        if (part->plane != from)
            continue;
        fv_format_plane_size(&frame->format, plane, &width, &height);
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
            if (((const uint16_t *)row)[x] & empty)
                return fv_fail_sample(source, plane, x, y, ((const uint16_t *)row)[x], error);
    }
    return FV_OK;
}

/* Bytes of a row of a plane of the file. */
static size_t row_bytes(const FvLayout *layout, const FvFormat *format, int plane)
{
    int width, across;
    fv_format_plane_size(format, 0, &width, NULL);
    fv_format_plane_size(format, 1, &across, NULL);
    const bool packed = layout->part[1].plane == 0;
    const size_t samples = packed ? 4 * (size_t)across : plane ? 2 * (size_t)across : (size_t)width;
    return has_triples(layout) ? triples_row(width) : samples * (layout->depth > 8 ? 2 : 1);
}

int64_t fv_layout_bytes(const FvLayout *layout, const FvFormat *format)
{
    int64_t bytes = 0;
    for (int plane = 0; plane <= layout->part[1].plane; plane++) {
        int height;
        fv_format_plane_size(format, plane, NULL, &height);
        bytes += (int64_t)row_bytes(layout, format, plane) * height;
    }
    return bytes;
}

static FvStatus read_rows(FvSource *source, const FvLayout *layout, FvFrame *frame, uint8_t *stored, FvError *error)
{
    int64_t got = 0;
    for (int from = 0; from <= layout->part[1].plane; from++) {
        const size_t row = row_bytes(layout, &frame->format, from);
        int height;
        fv_format_plane_size(&frame->format, from, NULL, &height);
        for (int y = 0; y < height; y++) {
            size_t length;
            FvStatus status = fv_stream_read(&source->stream, stored, row, &length, error);
            got += (int64_t)length;
            if (!status && length < row)
                status = fv_fail_cut(source, got, fv_layout_bytes(layout, &frame->format), error);
            if (!status)
                status = has_triples(layout) ? take_triples(source, frame, y, stored, error)
                                             : take_row(source, layout, frame, from, y, stored, error);
            if (status)
                return status;
        }
    }
    return FV_OK;
}

FvStatus fv_layout_read(FvSource *source, const FvLayout *layout, FvFrame **frame, FvError *error)
{
    const size_t most = 4 * ((size_t)source->info.format.width + 8 * GROUP_PIXELS);
    FvStatus status = fv_frame_pool_get(source->pool, frame, error);
    if (status)
        return status;
    uint8_t *stored = fv_alloc(most);
    status = stored ? read_rows(source, layout, *frame, stored, error) : fv_fail_memory(error, most);
    fv_free(stored);
    if (status)
        fv_frame_unref(frame);
    return status;
}
