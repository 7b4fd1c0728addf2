/*
 * Tests frames in device memory that begin at any address and have rows of any length. The device copies frames that
 * its kernels cannot read in place. The scores equal those of frames on the host.
 */
#include <stdlib.h>
#include <string.h>

#include "clip/synth.h"
#include "each.h"
#include "fovea/fovea.h"
#include "picture/frame.h"

enum { FRAMES = 5, VALUES = 4 };

typedef struct Scores {
    FvStatus status;
    FvError error;
    int64_t frames;
    int released;
    double value[FRAMES][VALUES];
} Scores;

static void count_release(void *opaque)
{
    ++*(int *)opaque;
}

/* Copies `host` into a block that the device reads, from byte `skew` on, with `gap` bytes between rows. *frame wraps
 * the copy. */
static FvStatus shift(FvSession *session, const FvFrame *host, size_t skew, size_t gap, FvFrame **block,
                      FvFrame **frame, int *released, FvError *error)
{
    const FvFormat *format = &host->format;
    FvFormat room = {.width = 4096, .height = 64, .chroma = FV_CHROMA_400, .depth = 8};
    FvDeviceFrame where = {.release = count_release, .opaque = released};
    size_t at = skew, sample = (size_t)(format->depth > 8 ? 2 : 1);
    FvStatus status = fv_session_frame(session, block, &room, FV_MEMORY_PINNED, error);
    for (int plane = 0; plane < fv_format_planes(format) && !status; plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        where.address[plane] = fv_frame_place(*block)->address[0] + at;
        where.stride[plane] = (ptrdiff_t)((size_t)width * sample + gap);
        for (int y = 0; y < height; y++, at += (size_t)where.stride[plane])
            memcpy((*block)->data[0] + at, host->data[plane] + y * host->stride[plane], (size_t)width * sample);
    }
    return status ? status : fv_session_wrap(session, frame, format, &where, error);
}

static Scores score(const char *device, const SynthClip *clip, const char *metric, size_t skew, size_t gap)
{
    Scores scores = {0};
    FvSession *session = NULL;
    FvFrame *block[FRAMES][2] = {{NULL}};
    SynthClip sides[2] = {*clip, *clip};
    sides[0].kind = SYNTH_REF;
    FvError *error = &scores.error;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1}, error);
    FvFrame *first = synth_frame(clip, 0);
    if (!status)
        status = fv_session_add(session, metric, error);
    if (!status)
        status = fv_session_start(session, &first->format, &first->format, error);
    bool shifts = fv_session_takes_device_frames(session);
    for (int i = 0; i < FRAMES && !status; i++) {
        FvFrame *pair[2] = {NULL, NULL};
        for (int k = 0; k < 2 && !status; k++) {
            FvFrame *host = synth_frame(&sides[k], i);
            if (shifts)
                status = shift(session, host, skew + (size_t)k, gap, &block[i][k], &pair[k], &scores.released, error);
            else
                pair[k] = fv_frame_ref(host);
            fv_frame_unref(&host);
        }
        if (!status)
            status = fv_session_push(session, i, pair[0], pair[1], error);
        fv_frame_unref(&pair[0]);
        fv_frame_unref(&pair[1]);
    }
    if (!status)
        status = fv_session_finish(session, error);
    scores.status = status;
    scores.frames = session ? fv_session_frames(session) : 0;
    for (int64_t i = 0; i < scores.frames && i < FRAMES; i++)
        for (int v = 0; v < VALUES && v < fv_session_outputs(session); v++)
            scores.value[i][v] = fv_session_value(session, i, v);
    fv_frame_unref(&first);
    for (int i = 0; i < 2 * FRAMES; i++)
        fv_frame_unref(&block[i / 2][i % 2]);
    fv_session_close(&session);
    return scores;
}

static void compare(Tap *tap, const char *device, const char *paths[2])
{
    static const struct {
        SynthClip clip;
        const char *metric;
        size_t skew, gap;
    } cases[] = {
        {{71, 53, FV_CHROMA_420, 8, 5, SYNTH_MIX, {0}}, "psnr", 1, 0},
        {{71, 53, FV_CHROMA_444, 8, 5, SYNTH_MIX, {0}}, "psnr", 14, 3},
        {{64, 48, FV_CHROMA_422, 8, 5, SYNTH_MIX, {0}}, "psnr", 16, 5},
        {{66, 50, FV_CHROMA_420, 10, 5, SYNTH_MIX, {0}}, "psnr", 7, 0},
        {{66, 50, FV_CHROMA_400, 10, 5, SYNTH_MIX, {0}}, "psnr", 2, 1},
        {{80, 50, FV_CHROMA_420, 8, 5, SYNTH_MIX, {0}}, "xpsnr", 3, 2}, /* XPSNR looks two frames back */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[160], why[2400];
        Scores want = score("cpu", &cases[i].clip, cases[i].metric, 0, 0);
        Scores got = score(device, &cases[i].clip, cases[i].metric, cases[i].skew, cases[i].gap);
        snprintf(name, sizeof name, "%s: %s, %d bits, %zu bytes in front, %zu between rows", device, cases[i].metric,
                 cases[i].clip.depth, cases[i].skew, cases[i].gap);
        snprintf(why, sizeof why, "status %d, %d frames, %d released: %s", got.status, (int)got.frames, got.released,
                 got.error.message);
        tap_case(tap,
                 !want.status && !got.status && got.frames == FRAMES && got.released == 2 * FRAMES &&
                     !memcmp(got.value, want.value, sizeof got.value),
                 name, why);
    }
}

int main(void)
{
    return each_gpu(compare);
}
