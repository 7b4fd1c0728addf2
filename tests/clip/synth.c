#include "synth.h"

#include <string.h>

static const char *const kind_names[] = {"ref",   "band",    "noise", "mix",     "steps",   "blocks",
                                         "cells", "columns", "lines", "checks1", "checks2", "checks8"};

bool synth_kind_parse(const char *name, SynthKind *kind)
{
    for (int i = 0; i < (int)(sizeof kind_names / sizeof *kind_names); i++)
        if (!strcmp(name, kind_names[i])) {
            *kind = i;
            return true;
        }
    return false;
}

const char *synth_kind_name(SynthKind kind)
{
    return kind_names[kind];
}

FvFormat synth_format(const SynthClip *clip)
{
    return (FvFormat){.width = clip->width,
                      .height = clip->height,
                      .chroma = clip->chroma,
                      .depth = clip->depth,
                      .rate_num = 25,
                      .rate_den = 1};
}

static uint32_t hash(uint32_t x, uint32_t y, uint32_t t, uint32_t plane, uint32_t seed)
{
    uint32_t u = x * 0x9E3779B1u ^ y * 0x85EBCA77u ^ t * 0xC2B2AE3Du ^ plane * 0x27D4EB2Fu ^ seed * 0x165667B1u;
    u ^= u >> 15;
    u *= 0x2C1B3C6Du;
    u ^= u >> 12;
    u *= 0x297A2D39u;
    u ^= u >> 15;
    return u;
}

/* Triangle wave of period 512, value 0 to 256. */
static uint32_t triangle(uint32_t v)
{
    uint32_t m = v & 511u;
    return m < 256u ? m : 512u - m;
}

/* A plane being drawn: number, size in samples, and time. */
typedef struct Canvas {
    uint32_t plane, width, height, time, seed;
} Canvas;

/* The undistorted sample on a 12-bit scale; it may exceed 4095. */
static uint32_t reference_sample(const Canvas *c, uint32_t x, uint32_t y)
{
    uint32_t gradient =
        (x * 3u + y * 2u + c->time * 2u) * 2048u / (3u * c->width + 2u * c->height + 64u) + 512u + c->plane * 200u;
    uint32_t cell = (x / 48u + y / 48u + c->plane) % 5u;
    if (cell == 0)
        return gradient + hash(x, y, c->time, c->plane, c->seed) % 257u;
    if (cell == 3)
        return gradient + triangle(x * 37u + y * 11u + c->time * 29u + c->seed * 7u);
    return gradient;
}

static uint32_t sample(const Canvas *c, SynthKind kind, uint32_t x, uint32_t y)
{
    if (kind == SYNTH_STEPS)
        return 1024u + (x / 20u + y / 20u) % 4u * 16u;
    if (kind == SYNTH_BLOCKS)
        return 256u + hash(x / 4u, y / 4u, c->time, c->plane, c->seed) % 496u * 4u;
    if (kind == SYNTH_CELLS)
        return 256u + hash(x / 3u, y / 6u, c->time, c->plane, c->seed) % 496u * 4u;
    if (kind >= SYNTH_COLUMNS) {
        uint32_t across = kind == SYNTH_LINES ? 0 : x, down = kind == SYNTH_COLUMNS ? 0 : y;
        int shift = kind == SYNTH_CHECKS8 ? 3 : kind == SYNTH_CHECKS2 ? 1 : 0;
        return 4095u * (((across >> shift) + (down >> shift) + c->time) & 1u);
    }
    uint32_t v = reference_sample(c, x, y);
    if (kind == SYNTH_BAND || kind == SYNTH_MIX) {
        uint32_t step = 48u + (hash(x / 64u, y / 64u, 0u, c->plane, c->seed + 1u) & 1u) * 32u;
        v = (v + step / 2u) / step * step;
    }
    if (kind == SYNTH_NOISE || (kind == SYNTH_MIX && ((x / 96u + y / 96u) & 1u)))
        v += hash(x, y, c->time, c->plane, c->seed + 2u) % 97u;
    return v > 4095u ? 4095u : v;
}

/* Bytes, or 16-bit words in host order; stride in bytes. */
static void fill_plane(const SynthClip *clip, int frame, int plane, void *to, ptrdiff_t stride)
{
    FvFormat format = synth_format(clip);
    int width, height;
    fv_format_plane_size(&format, plane, &width, &height);
    Canvas canvas = {plane, width, height, frame, clip->seed};
    for (int y = 0; y < height; y++) {
        uint8_t *bytes = (uint8_t *)to + y * stride;
        uint16_t *words = (uint16_t *)bytes;
        for (int x = 0; x < width; x++) {
            uint32_t v = sample(&canvas, clip->kind, x, y);
            if (clip->depth == 8)
                bytes[x] = (uint8_t)(v >> 4);
            else
                words[x] = (uint16_t)(clip->depth == 16 ? 16 * v + v / 256 : v >> (12 - clip->depth));
        }
    }
}

FvFrame *synth_frame(const SynthClip *clip, int frame)
{
    FvFormat format = synth_format(clip);
    FvFrame *made;
    if (fv_frame_alloc(&made, &format, NULL))
        return NULL;
    for (int plane = 0; plane < fv_format_planes(&format); plane++)
        fill_plane(clip, frame, plane, made->data[plane], made->stride[plane]);
    return made;
}

static void write_header(const FvFormat *format, FILE *file)
{
    static const char *const names[] = {"mono", "420", "422", "444"};
    const char *chroma = names[format->chroma];
    fprintf(file, "YUV4MPEG2 W%d H%d F%d:%d Ip A1:1 C%s", format->width, format->height, format->rate_num,
            format->rate_den, chroma);
    if (format->depth == 8)
        fprintf(file, "%s\n", format->chroma == FV_CHROMA_420 ? "jpeg" : "");
    else if (format->chroma == FV_CHROMA_400)
        fprintf(file, "%d\n", format->depth);
    else
        fprintf(file, "p%d XYSCSS=%sP%d\n", format->depth, chroma, format->depth);
}

bool synth_write_y4m(const SynthClip *clip, int frames, FILE *file)
{
    FvFormat format = synth_format(clip);
    write_header(&format, file);
    for (int t = 0; t < frames; t++) {
        FvFrame *frame = synth_frame(clip, t);
        if (!frame)
            return false;
        fputs("FRAME\n", file);
        for (int plane = 0; plane < fv_format_planes(&format); plane++) {
            int width, height;
            fv_format_plane_size(&format, plane, &width, &height);
            for (int y = 0; y < height; y++)
                fwrite(frame->data[plane] + y * frame->stride[plane], fv_format_sample_bytes(&format), width, file);
        }
        fv_frame_unref(&frame);
    }
    return !fflush(file) && !ferror(file);
}
