#include "input/layout.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "input/planes.h"
#include "input/samples.h"
#include "mem.h"

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

static FvStatus read_rows(FvSource *source, const FvLayout *layout, FvFrame *frame, uint8_t *stored, FvError *error)
{
    const bool packed = layout->part[1].plane == 0;
    int64_t got = 0;
    for (int from = 0; from <= layout->part[1].plane; from++) {
        int width, height, across, down;
        fv_format_plane_size(&frame->format, 0, &width, &height);
        fv_format_plane_size(&frame->format, 1, &across, &down);
        const size_t samples = packed ? 4 * (size_t)across : from ? 2 * (size_t)across : (size_t)width;
        const size_t row = samples * (layout->depth > 8 ? 2 : 1);
        for (int y = 0; y < (from ? down : height); y++) {
            size_t length;
            FvStatus status = fv_stream_read(&source->stream, stored, row, &length, error);
            got += (int64_t)length;
            if (!status && length < row)
                status = fv_fail_cut(source, got, error);
            if (!status)
                status = take_row(source, layout, frame, from, y, stored, error);
            if (status)
                return status;
        }
    }
    return FV_OK;
}

FvStatus fv_layout_read(FvSource *source, const FvLayout *layout, FvFrame **frame, FvError *error)
{
    const size_t most = 4 * ((size_t)source->info.format.width + 1);
    FvStatus status = fv_frame_pool_get(source->pool, frame, error);
    if (status)
        return status;
    uint8_t *stored = fv_alloc(most);
    status = stored ? read_rows(source, layout, *frame, stored, error) : fv_fail_memory(error, most);
    free(stored);
    if (status)
        fv_frame_unref(frame);
    return status;
}
