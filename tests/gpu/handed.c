/* Sources that hand packets to the device: the same scores as from frames decoded on the CPU, the same
 * refusals. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../prores/make.h"
#include "device.h"
#include "fovea/fovea.h"
#include "tap.h"

enum { FRAMES = 5, VALUES = 3 };

typedef struct Scores {
    FvStatus status;
    int64_t frames;
    double value[FRAMES][VALUES];
    FvError error;
} Scores;

static Scores score(const char *device, const char *paths[2])
{
    Scores scores = {0};
    FvSession *session = NULL;
    FvSource *source[2] = {NULL, NULL};
    FvError *error = &scores.error;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 2}, error);
    if (!status)
        status = fv_session_add(session, "psnr", error);
    for (int i = 0; i < 2 && !status; i++)
        status = fv_source_open(&source[i], &(FvSourceParams){.path = paths[i], .threads = 1}, error);
    if (!status)
        status = fv_score(session, source[0], source[1], &(FvScoreParams){0}, error);
    scores.status = status;
    scores.frames = session ? fv_session_frames(session) : 0;
    for (int64_t i = 0; i < scores.frames && i < FRAMES; i++)
        for (int j = 0; j < VALUES; j++)
            scores.value[i][j] = fv_session_value(session, i, j);
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    fv_session_close(&session);
    return scores;
}

static void write_clip(const char *path, const MakerFrame *shape, uint32_t seed, int damaged_frame)
{
    Maker maker = {.random = seed};
    for (int i = 0; i < FRAMES; i++) {
        size_t start = maker.used;
        maker_frame(&maker, shape);
        if (i == damaged_frame)
            maker.bytes[start + 28 + 8 + 2 * 8 + 2] = 0xff; /* luma longer than its slice */
    }
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(maker.bytes, 1, maker.used, file) != maker.used)
        abort();
    fclose(file);
    maker_free(&maker);
}

static void compare(Tap *tap, const char *device, const char *what, const char *paths[2])
{
    Scores cpu = score("cpu", paths), gpu = score(device, paths);
    char name[160], why[2400] = "";
    bool same = gpu.status == cpu.status && !strcmp(gpu.error.message, cpu.error.message);
    /* A device may stop a batch earlier. */
    same = same && gpu.frames <= cpu.frames && (cpu.status || gpu.frames == FRAMES);
    for (int64_t i = 0; i < gpu.frames && same; i++)
        same = !memcmp(gpu.value[i], cpu.value[i], sizeof gpu.value[i]);
    if (!same)
        snprintf(why, sizeof why, "status %d and %d, %d and %d frames: %s | %s", gpu.status, cpu.status,
                 (int)gpu.frames, (int)cpu.frames, gpu.error.message, cpu.error.message);
    snprintf(name, sizeof name, "%s: %s", device, what);
    tap_case(tap, same, name, why);
}

int main(void)
{
    Tap tap = {0};
    char ref[] = "handed-ref-XXXXXX", dis[] = "handed-dis-XXXXXX";
    close(mkstemp(ref));
    close(mkstemp(dis));
    const char *paths[2] = {ref, dis};
    MakerFrame shape = {.width = 70, .height = 50, .log2_slice = 2, .coefficients = 9, .greatest = 30};
    FvDeviceList *list = NULL;
    if (fv_devices_list(&list, NULL))
        return 1;
    for (int i = 0; i < fv_devices_count(list); i++) {
        const FvDeviceInfo *device = fv_devices_info(list, i);
        if (!device->usable || !strcmp(device->name, "cpu"))
            continue;
        write_clip(ref, &shape, 17, -1);
        write_clip(dis, &shape, 23, -1);
        compare(&tap, device->name, "progressive 4:2:2", paths);
        write_clip(dis, &shape, 23, 2);
        compare(&tap, device->name, "a damaged frame", paths);
        write_clip(dis, &shape, 23, 0);
        compare(&tap, device->name, "a damaged first frame", paths);
        MakerFrame fields = shape;
        fields.interlaced = fields.chroma_444 = true;
        write_clip(ref, &fields, 5, -1);
        write_clip(dis, &fields, 6, -1);
        compare(&tap, device->name, "interlaced 4:4:4", paths);
    }
    fv_devices_close(&list);
    unlink(ref);
    unlink(dis);
    if (!tap.count)
        tap_skip(&tap, "no GPU here", "nothing to compare");
    return tap_done(&tap);
}
