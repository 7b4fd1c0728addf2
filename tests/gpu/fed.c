/* Tests large frames that are uploaded slice by slice: they give the scores and the refusals of the CPU. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "each.h"
#include "fovea/fovea.h"
#include "gpu/device.h"
#include "gpu/gpu.h"
#include "input/slices.h"
#include "input/source.h"
#include "session/state.h"

enum { FRAMES = 6 };

/* One metric reads all planes; the other looks back and reads luma only. */
static const char metrics[] = "psnr,motion";

typedef struct Scores {
    FvStatus status;
    int64_t frames;
    bool fed;
    int in_flight;
    double value[FRAMES][16];
    int values;
    FvError error;
} Scores;

typedef struct Case {
    const char *what;
    FvFormat format;
    int large; /* number of a frame with a sample above the depth; 0: none */
    FvScoreParams params;
    bool fed;
    const char *words;
} Case;

static Scores score(const char *device, int threads, const char *paths[2], const Case *c)
{
    Scores scores = {0};
    FvSession *session = NULL;
    FvSource *source[2] = {NULL, NULL};
    FvError *error = &scores.error;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 2}, error);
    if (!status && strcmp(device, "cpu")) /* forces uploads in slices, even if they are slower here */
        fv_gpu_of_device(session->devices.opened[0])->info.feeds = true;
    if (!status)
        status = fv_session_add(session, metrics, error);
    for (int i = 0; i < 2 && !status; i++)
        status = fv_source_open(
            &source[i], &(FvSourceParams){.path = paths[i], .reader = "raw", .raw = c->format, .threads = threads},
            error);
    if (!status)
        status = fv_score(session, source[0], source[1], &c->params, error);
    scores.status = status;
    scores.frames = session ? fv_session_frames(session) : 0;
    scores.values = session ? fv_session_outputs(session) : 0;
    for (int64_t i = 0; i < scores.frames && i < FRAMES; i++)
        for (int j = 0; j < scores.values && j < 16; j++)
            scores.value[i][j] = fv_session_value(session, i, j);
    scores.in_flight = session ? session->flight.most : 0;
    scores.fed = source[1] && fv_slices_lanes(source[1]) > 0;
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    fv_session_close(&session);
    return scores;
}

static void write_clip(const char *path, const Case *c, uint32_t seed, bool distorted)
{
    FILE *file = fopen(path, "wb");
    const int bytes = fv_format_sample_bytes(&c->format), limit = 1 << c->format.depth;
    for (int i = 0; file && i < FRAMES; i++)
        for (int plane = 0; plane < fv_format_planes(&c->format); plane++) {
            int width, height;
            fv_format_plane_size(&c->format, plane, &width, &height);
            for (int y = 0; y < height; y++)
                for (int x = 0; x < width; x++) {
                    seed = seed * 1664525u + 1013904223u;
                    int value = ((x + 3 * y + 5 * i) / 7 + (int)(seed >> 28)) % limit;
                    if (distorted && c->large && i == c->large && plane == 1 && y == height - 1 && x == width - 1)
                        value = limit;
                    fputc(value & 255, file);
                    if (bytes == 2)
                        fputc(value >> 8, file);
                }
        }
    if (!file || fclose(file))
        abort();
}

static void compare(Tap *tap, const char *device, const Case *c, const char *paths[2])
{
    const Scores cpu = score("cpu", 1, paths, c);
    for (int threads = 1; threads <= 4; threads += 3) {
        const Scores gpu = score(device, threads, paths, c);
        char name[160], why[2400] = "";
        bool same = gpu.status == cpu.status && !strcmp(gpu.error.message, cpu.error.message) &&
                    gpu.frames == cpu.frames && gpu.values == cpu.values;
        for (int64_t i = 0; i < gpu.frames && same; i++)
            same = !memcmp(gpu.value[i], cpu.value[i], sizeof gpu.value[i]);
        if (!same || !strstr(cpu.error.message, c->words))
            snprintf(why, sizeof why, "status %d and %d, %d and %d frames: %s | %s", gpu.status, cpu.status,
                     (int)gpu.frames, (int)cpu.frames, gpu.error.message, cpu.error.message);
        else if (gpu.fed != c->fed)
            snprintf(why, sizeof why, "the frames %s", gpu.fed ? "went in slices" : "did not go in slices");
        else if (gpu.in_flight > FRAMES) /* a short clip does not allocate the memory of a long one */
            snprintf(why, sizeof why, "%d pairs are in flight, and there are %d", gpu.in_flight, FRAMES);
        snprintf(name, sizeof name, "%s: %s, %d threads", device, c->what, threads);
        tap_case(tap, !*why, name, why);
    }
}

static void compare_all(Tap *tap, const char *device, const char *paths[2])
{
    const FvFormat ten = {.width = 640, .height = 432, .chroma = FV_CHROMA_420, .depth = 10};
    FvFormat eight = ten, odd = ten;
    eight.depth = 8;
    eight.chroma = FV_CHROMA_444;
    odd.width = 642;
    const Case cases[] = {
        {"10 bits", ten, 0, {0}, true, ""},
        {"8 bits, 4:4:4", eight, 0, {0}, true, ""},
        {"rows that are no multiple of 16 bytes", odd, 0, {0}, false, ""},
        {"a few frames from the second on",
         ten,
         0,
         {.skip_reference = 1, .skip_distorted = 1, .frames = 3},
         true,
         ""},
        {"every second frame", ten, 0, {.subsample = 2}, true, ""},
        {"a sample beyond the depth", ten, 3, {0}, true, "frame 3, plane Cb, column 319, row 215"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_clip(paths[0], &cases[i], 17, false);
        write_clip(paths[1], &cases[i], 23, true);
        compare(tap, device, &cases[i], paths);
    }
}

int main(void)
{
    return each_gpu(compare_all);
}
