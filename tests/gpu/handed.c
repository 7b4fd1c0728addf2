/*
 * Tests sources that deliver packets to the device: they give the scores and the refusals of frames decoded on the
 * CPU.
 */
#include <stdlib.h>
#include <string.h>

#include "codec/prores/maker.h"
#include "device/device.h"
#include "device_select/devices.h"
#include "each.h"
#include "fovea/fovea.h"
#include "gpu/selftest/selftest.h"

/* The host decodes the first eight frames and each eighth one, because it looks at them (docs/doubt.md). */
enum { FRAMES = 14, MANY = 70, VALUES = 3 };

typedef struct Scores {
    FvStatus status;
    int64_t frames;
    double value[FRAMES][VALUES];
    char warnings[1000];
    FvError error;
} Scores;

static Scores score(const char *device, const char *paths[2], const FvScoreParams *params)
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
        status = fv_score(session, source[0], source[1], params, error);
    scores.status = status;
    scores.frames = session ? fv_session_frames(session) : 0;
    for (int64_t i = 0; i < scores.frames && i < FRAMES; i++)
        for (int j = 0; j < VALUES; j++)
            scores.value[i][j] = fv_session_value(session, i, j);
    for (int i = 0; session && i < fv_session_decisions(session); i++)
        if (!strncmp(fv_session_decision(session, i), "warning: ", 9))
            strncat(scores.warnings, fv_session_decision(session, i) + 9,
                    sizeof scores.warnings - 1 - strlen(scores.warnings));
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    fv_session_close(&session);
    return scores;
}

typedef enum Damage {
    WHOLE,
    ONE_SLICE,   /* damages the first slice of the frame's first picture */
    LAST_SLICE,  /* damages the last slice of the frame's last picture */
    FIRST_FIELD, /* damages all slices of the frame's first picture */
    LAST_FIELD,  /* damages all slices of the frame's last picture */
    NO_FRAME,    /* removes the frame's identifier */
    LONGER,      /* appends MORE_BYTES useless bytes, which count as part of the valid frame */
    CUT,         /* ends the file within the frame */
    TOO_LONG,    /* states a size of the frame that exceeds the file */
} Damage;

enum { MORE_BYTES = 1300000 }; /* enough to make the packet need larger memory and be read in pieces */

/* Makes slices [first, end) of a picture state more luma bytes than they have. slices: number per picture. */
static void damage_slices(uint8_t *picture, int slices, int first, int end)
{
    uint8_t *slice = picture + 8 + 2 * slices;
    for (int i = 0; i < end; i++) {
        if (i >= first)
            slice[2] = 0xff;
        slice += picture[8 + 2 * i] << 8 | picture[8 + 2 * i + 1];
    }
}

static void set_size(uint8_t *frame, size_t size)
{
    for (int i = 0; i < 4; i++)
        frame[i] = (uint8_t)(size >> (24 - 8 * i));
}

static void write_longer(FILE *file, uint8_t *frame, size_t size)
{
    uint8_t *more = calloc(1, MORE_BYTES);
    set_size(frame, size + MORE_BYTES);
    if (!more || fwrite(frame, 1, size, file) != size || fwrite(more, 1, MORE_BYTES, file) != MORE_BYTES)
        abort();
    free(more);
}

static void damage_frame(uint8_t *frame, const FvProresShape *shape, Damage damage)
{
    uint8_t *picture[2] = {frame + 28, frame + 28};
    const int slices = 2 * (shape->interlaced ? 2 : 4); /* each row has a slice of 4 macroblocks and one of 1 */
    if (shape->interlaced)
        picture[1] += picture[0][1] << 24 | picture[0][2] << 16 | picture[0][3] << 8 | picture[0][4];
    if (damage == NO_FRAME)
        memset(frame + 4, 0, 4);
    else if (damage == ONE_SLICE)
        damage_slices(picture[0], slices, 0, 1);
    else if (damage == LAST_SLICE)
        damage_slices(picture[1], slices, slices - 1, slices);
    else if (damage == TOO_LONG)
        set_size(frame, 1 << 30);
    else if (damage == FIRST_FIELD || damage == LAST_FIELD)
        damage_slices(picture[damage == LAST_FIELD], slices, 0, slices);
}

/* Writes a clip whose frame `number` has one kind of damage, and whose frame `number` + 2 has another. */
static void write_clip(const char *path, const FvProresShape *shape, uint32_t seed, int number, Damage damage,
                       Damage later)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        abort();
    FvProresMaker maker = {.random = seed};
    bool ends = false;
    for (int i = 0; i < FRAMES && !ends; i++) {
        const Damage own = i == number ? damage : i == number + 2 ? later : WHOLE;
        maker.used = 0;
        fv_prores_maker_frame(&maker, shape);
        damage_frame(maker.bytes, shape, own);
        ends = own == CUT;
        if (own == LONGER)
            write_longer(file, maker.bytes, maker.used);
        else if (fwrite(maker.bytes, 1, maker.used - ends, file) != maker.used - ends)
            abort();
    }
    fclose(file);
    fv_prores_maker_free(&maker);
}

static void compare(Tap *tap, const char *device, const char *what, const char *paths[2], const FvScoreParams *params,
                    const char *words)
{
    Scores cpu = score("cpu", paths, params), gpu = score(device, paths, params);
    char name[160], why[4400] = "";
    bool same = gpu.status == cpu.status && !strcmp(gpu.error.message, cpu.error.message) && gpu.frames == cpu.frames;
    for (int64_t i = 0; i < gpu.frames && i < FRAMES && same; i++)
        same = !memcmp(gpu.value[i], cpu.value[i], sizeof gpu.value[i]);
    if (!same || !strstr(cpu.status ? cpu.error.message : cpu.warnings, words))
        snprintf(why, sizeof why, "status %d and %d, %d and %d frames: %s | %s | %s", gpu.status, cpu.status,
                 (int)gpu.frames, (int)cpu.frames, gpu.error.message, cpu.error.message, cpu.warnings);
    else if (strcmp(gpu.warnings, cpu.warnings))
        snprintf(why, sizeof why, "warns of '%s' instead of '%s'", gpu.warnings, cpu.warnings);
    snprintf(name, sizeof name, "%s: %s", device, what);
    tap_case(tap, !*why, name, why);
}

/* Writes more frames than a batch has, without frame `dropped` unless it is negative, and with the first frame
 * `times` times. */
static void write_many(const char *path, const FvProresShape *shape, int times, int dropped)
{
    FILE *file = fopen(path, "wb");
    FvProresMaker maker = {.random = 5};
    if (!file)
        abort();
    for (int i = 0; i < MANY + (dropped >= 0); i++) {
        maker.used = 0;
        fv_prores_maker_frame(&maker, shape);
        for (int left = i == dropped ? 0 : i ? 1 : times; left; left--)
            if (fwrite(maker.bytes, 1, maker.used, file) != maker.used)
                abort();
    }
    fclose(file);
    fv_prores_maker_free(&maker);
}

/* A GPU that once decoded ProRes differently decodes none: the CPU does, says why, and gives the same scores. */
static void compare_distrusted(Tap *tap, const char *device, const char *paths[2])
{
    static const char fault[] = "failed the self-test: another sample";
    char folder[] = "gpu-cache-XXXXXX", file[600] = "", name[160], why[2200] = "";
    const char *home = getenv("XDG_CACHE_HOME");
    char *kept = home ? strdup(home) : NULL;
    FvGpu *gpu = NULL;
    FvError error = {0};
    FvSource *source = NULL;
    if (!mkdtemp(folder) || setenv("XDG_CACHE_HOME", realpath(folder, file), 1) ||
        fv_devices_open_gpu(&gpu, device, &error))
        abort();
    fv_gpu_keep(gpu, fv_gpu_prores.subject, &(FvGpuFinding){.why = "another sample"});
    gpu->ops->close(&gpu);
    const Scores cpu = score("cpu", paths, &(FvScoreParams){0}), got = score(device, paths, &(FvScoreParams){0});
    snprintf(name, sizeof name, "%s: distrusted, it leaves ProRes to the CPU", device);
    if (got.status || memcmp(got.value, cpu.value, sizeof got.value) || !strstr(got.warnings, fault) ||
        !strstr(got.warnings, "are decoded on the CPU"))
        snprintf(why, sizeof why, "status %d: %s | %s", got.status, got.error.message, got.warnings);
    tap_case(tap, !*why, name, why);
    snprintf(name, sizeof name, "%s: distrusted, it is refused as a decoder", device);
    const FvStatus status = fv_source_open(&source, &(FvSourceParams){.path = paths[0], .device = device}, &error);
    tap_case(tap,
             status == FV_ERROR_DEVICE && strstr(error.message, fault) && strstr(error.message, "leave `device`"),
             name, error.message);
    fv_source_close(&source);
    snprintf(file, sizeof file, "rm -r %s", folder);
    if (system(file))
        fprintf(stderr, "%s: not removed\n", folder);
    if (kept)
        setenv("XDG_CACHE_HOME", kept, 1);
    free(kept);
}

static void compare_all(Tap *tap, const char *device, const char *paths[2])
{
    const FvProresShape plain = {.width = 70, .height = 50, .log2_slice = 2, .coefficients = 9, .greatest = 30};
    FvProresShape fields = plain;
    fields.interlaced = fields.chroma_444 = true;
    const struct {
        const char *what;
        const FvProresShape *shape;
        int number;
        Damage damage, later;
        FvScoreParams params;
        const char *words;
    } cases[] = {
        {"progressive 4:2:2", &plain, -1, WHOLE, WHOLE, {0}, ""},
        {"interlaced 4:4:4", &fields, -1, WHOLE, WHOLE, {0}, ""},
        {"a damaged frame", &plain, 11, ONE_SLICE, WHOLE, {0}, "frame 11: 1 of 8 slices"},
        {"a damaged frame that is looked at", &plain, 2, ONE_SLICE, WHOLE, {0}, "frame 2: 1 of 8 slices"},
        {"a damaged first frame", &plain, 0, ONE_SLICE, WHOLE, {0}, "frame 0: 1 of 8 slices"},
        {"a frame without any good slice", &plain, 10, FIRST_FIELD, WHOLE, {0}, "frame 10: ProRes: all 8 slices"},
        {"a damaged second field", &fields, 12, LAST_SLICE, WHOLE, {0}, "frame 12: 1 of 8 slices"},
        {"a first field without any good slice",
         &fields,
         12,
         FIRST_FIELD,
         WHOLE,
         {0},
         "frame 12: ProRes: all 4 slices"},
        {"a second field without any good slice",
         &fields,
         12,
         LAST_FIELD,
         WHOLE,
         {0},
         "frame 12: ProRes: all 4 slices"},
        {"two damaged frames", &plain, 10, ONE_SLICE, LAST_SLICE, {0}, "frame 10: 1 of 8 slices"},
        {"a damaged frame before one that is none", &plain, 10, ONE_SLICE, NO_FRAME, {0}, "frame 10: 1 of 8 slices"},
        {"large packets among small ones", &plain, 10, LONGER, LONGER, {0}, ""},
        {"a frame that the file's end cuts", &plain, 12, CUT, WHOLE, {0}, "frame 12 should have"},
        {"a frame that promises too much", &plain, 11, TOO_LONG, WHOLE, {0}, "frame 11 should have 1073741824 bytes"},
        {"a damaged frame before the first that counts",
         &plain,
         1,
         ONE_SLICE,
         WHOLE,
         {.skip_reference = 2, .skip_distorted = 2},
         "frame 1: 1 of 8 slices"},
        {"a damaged frame among those left out",
         &plain,
         10,
         ONE_SLICE,
         WHOLE,
         {.subsample = 4},
         "frame 10: 1 of 8 slices"},
        {"a damaged frame behind the last that counts", &plain, 13, ONE_SLICE, WHOLE, {.frames = 11}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_clip(paths[0], cases[i].shape, 17, -1, WHOLE, WHOLE);
        write_clip(paths[1], cases[i].shape, 23, cases[i].number, cases[i].damage,
                   cases[i].number < 0 ? WHOLE : cases[i].later);
        compare(tap, device, cases[i].what, paths, &cases[i].params, cases[i].words);
    }
    write_clip(paths[0], &plain, 17, -1, WHOLE, WHOLE);
    write_clip(paths[1], &plain, 23, -1, WHOLE, WHOLE);
    compare_distrusted(tap, device, paths);
    write_many(paths[0], &plain, 1, -1);
    write_many(paths[1], &plain, 1, 40);
    compare(tap, device, "a dropped frame", paths, &(FvScoreParams){0}, "from frame 40 on the distorted video is 1");
    write_many(paths[0], &fields, 1, -1);
    write_many(paths[1], &fields, 2, 40);
    compare(tap, device, "a dropped frame, one side decoded by the CPU", paths, &(FvScoreParams){.skip_distorted = 1},
            "from frame 40 on the distorted video is 1");
}

int main(void)
{
    return each_gpu(compare_all);
}
