#include "synth.h"

FvFormat synth_format(const SynthClip *clip)
{
    return (FvFormat){.width = clip->width,
                      .height = clip->height,
                      .chroma = clip->chroma,
                      .depth = clip->depth,
                      .rate_num = 25,
                      .rate_den = 1};
}

static SynthPlane synth_plane(const SynthClip *clip)
{
    return (SynthPlane){.seed = clip->seed, .depth = clip->depth, .kind = clip->kind, .changes = clip->changes};
}

/* Fills a plane with bytes, or with 16-bit words in host order. `stride` is in bytes. */
static void fill_plane(const SynthClip *clip, int frame, int number, void *to, ptrdiff_t stride)
{
    FvFormat format = synth_format(clip);
    int width, height;
    fv_format_plane_size(&format, number, &width, &height);
    SynthPlane plane = synth_plane(clip);
    plane.number = (uint32_t)number;
    plane.width = (uint32_t)width;
    plane.height = (uint32_t)height;
    plane.frame = (uint32_t)frame;
    for (int y = 0; y < height; y++) {
        uint8_t *bytes = (uint8_t *)to + y * stride;
        uint16_t *words = (uint16_t *)bytes;
        for (int x = 0; x < width; x++)
            if (clip->depth == 8)
                bytes[x] = (uint8_t)synth_sample(&plane, (uint32_t)x, (uint32_t)y);
            else
                words[x] = (uint16_t)synth_sample(&plane, (uint32_t)x, (uint32_t)y);
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

bool synth_write_y4m(const SynthClip *clip, int frames, FILE *file)
{
    static const int numbers[] = {400, 420, 422, 444};
    return synth_write(file, clip->width, clip->height, numbers[clip->chroma], synth_plane(clip), frames);
}
