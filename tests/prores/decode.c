#include "decode.h"

#include <stdlib.h>
#include <string.h>

static FvStatus decode_copy(Decoded *d, FvProresDecoder *decoder, const uint8_t *packet, size_t size, int depth)
{
    FvStatus status = fv_prores_parse(&d->header, packet, size, depth, &d->error);
    if (status)
        return status;
    FvFormat alpha = d->header.format;
    alpha.chroma = FV_CHROMA_400;
    status = fv_frame_alloc(&d->frame, &d->header.format, &d->error);
    if (!status && d->header.alpha_bits)
        status = fv_frame_alloc(&d->alpha, &alpha, &d->error);
    if (status)
        return status;
    for (int plane = 0; plane < 3; plane++) { /* makes samples visible that the decoder does not write */
        int width, height;
        fv_format_plane_size(&d->header.format, plane, &width, &height);
        memset(d->frame->data[plane], 0xaa, (size_t)d->frame->stride[plane] * (size_t)height);
    }
    if (d->alpha)
        memset(d->alpha->data[0], 0xaa, (size_t)d->alpha->stride[0] * (size_t)d->header.format.height);
    return fv_prores_decode(decoder, &d->header, packet, size, d->frame, d->alpha, &d->damage, &d->error);
}

Decoded decode_packet(FvProresDecoder *decoder, const uint8_t *packet, size_t size, int depth)
{
    Decoded decoded = {0};
    uint8_t *copy = malloc(size ? size : 1);
    memcpy(copy, packet, size);
    decoded.status = decode_copy(&decoded, decoder, copy, size, depth);
    free(copy);
    if (decoded.status) {
        fv_frame_unref(&decoded.frame);
        fv_frame_unref(&decoded.alpha);
    }
    return decoded;
}

void decoded_free(Decoded *decoded)
{
    fv_frame_unref(&decoded->frame);
    fv_frame_unref(&decoded->alpha);
}

static bool same_samples(const FvFrame *a, const FvFrame *b)
{
    if (!a || !b)
        return a == b;
    for (int plane = 0; plane < fv_format_planes(&a->format); plane++) {
        int width, height;
        fv_format_plane_size(&a->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            if (memcmp(a->data[plane] + y * a->stride[plane], b->data[plane] + y * b->stride[plane],
                       2 * (size_t)width))
                return false;
    }
    return true;
}

bool decoded_same(const Decoded *a, const Decoded *b)
{
    return a->status == b->status && !strcmp(a->error.message, b->error.message) &&
           a->damage.slices == b->damage.slices && a->damage.damaged == b->damage.damaged &&
           a->damage.field_missing == b->damage.field_missing && same_samples(a->frame, b->frame) &&
           same_samples(a->alpha, b->alpha);
}
