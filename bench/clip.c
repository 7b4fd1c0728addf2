#include "clip.h"

#include <stdlib.h>

/* Minimum bytes of different frames, more than any cache holds. */
#define CLIP_BYTES 2e8
#define MIN_PAIRS 4 /* minimum number of pairs */

static FvStatus clip_frame(FvFrame **frame, const SynthClip *synth, FvFrame *const *before, int i, FvError *error)
{
    if (i >= 2)
        return fv_frame_copy(frame, &before[i % 2]->format, (const void *const *)before[i % 2]->data,
                             before[i % 2]->stride, error);
    *frame = synth_frame(synth, i);
    return *frame ? FV_OK : FV_ERROR_MEMORY;
}

FvStatus clip_make(Clip *clip, int width, int height, int depth, SynthKind kind, FvError *error)
{
    SynthClip ref = {width, height, FV_CHROMA_420, depth, 7, SYNTH_REF, {0}}, dis = ref;
    dis.kind = kind;
    *clip = (Clip){.format = synth_format(&ref)};
    for (int plane = 0; plane < fv_format_planes(&clip->format); plane++) {
        int w, h;
        fv_format_plane_size(&clip->format, plane, &w, &h);
        clip->pair_bytes += 2. * w * h * fv_format_sample_bytes(&clip->format);
    }
    int pairs = (int)(CLIP_BYTES / clip->pair_bytes) + 1;
    pairs = pairs < MIN_PAIRS ? MIN_PAIRS : pairs > 1024 ? 1024 : pairs;
    clip->ref = calloc(3 * (size_t)pairs, sizeof *clip->ref);
    if (!clip->ref)
        return FV_ERROR_MEMORY;
    clip->dis = clip->ref + pairs;
    clip->copy = clip->dis + pairs;
    clip->pairs = pairs;
    FvStatus status = FV_OK;
    for (int i = 0; i < pairs && !status; i++) {
        status = clip_frame(&clip->ref[i], &ref, clip->ref, i, error);
        if (!status)
            status = clip_frame(&clip->dis[i], &dis, clip->dis, i, error);
        if (!status)
            status = clip_frame(&clip->copy[i], &ref, clip->ref, i, error);
    }
    return status;
}

void clip_free(Clip *clip)
{
    for (int i = 0; i < clip->pairs; i++) {
        fv_frame_unref(&clip->ref[i]);
        fv_frame_unref(&clip->dis[i]);
        fv_frame_unref(&clip->copy[i]);
    }
    free(clip->ref);
    *clip = (Clip){0};
}
