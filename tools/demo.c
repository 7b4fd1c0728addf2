/* fovea demo: a clip pair made from integers in memory, scored with every metric. Needs no file. */
#include <stdio.h>
#include <stdlib.h>

#include "command.h"
#include "fovea/fovea.h"
#include "message.h"
#include "progress.h"
#include "rows.h"
#include "table.h"

#define WIDTH 640
#define HEIGHT 360
#define FRAMES 24

typedef struct Demo {
    const char *output, *device, *isa;
    int64_t threads;
} Demo;

/* A hash of 32 bits: the same noise on every machine. */
static uint32_t mix(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ x >> 16;
}

/* 0..255, up and down along n. */
static int triangle(int n, int period)
{
    int half = period / 2, at = ((n % period) + period) % period;
    return (at < half ? at : period - at) * 255 / half;
}

/* Noise between random values on a grid of 16 samples, bilinear: cloth, leaves, water. 0..255 */
static int texture(int x, int y, uint32_t seed)
{
    uint32_t gx = (uint32_t)(x >> 4), gy = (uint32_t)(y >> 4);
    int fx = x & 15, fy = y & 15, corner[4];
    for (uint32_t i = 0; i < 4; i++)
        corner[i] = (int)(mix((gx + (i & 1)) * 7919u + (gy + (i >> 1)) * 104729u + seed) & 255);
    int top = corner[0] * (16 - fx) + corner[1] * fx, bottom = corner[2] * (16 - fx) + corner[3] * fx;
    return (top * (16 - fy) + bottom * fy) >> 8;
}

static int clamp8(int value)
{
    return value < 16 ? 16 : value > 235 ? 235 : value;
}

/* The sky in sixteenths of a code value: so gentle a slope that whole codes would show as bands. */
static int sky(int x, int y)
{
    return 16 * 90 + y + x / 4;
}

/* The dithered sky, a panning texture below it, and a ball of stripes that flies across. */
static int reference_luma(int x, int y, int frame)
{
    int ball_x = x - 60 - frame * 20, ball_y = y - 180;
    uint32_t noise = mix((uint32_t)(x + frame * 3) * 65537u + (uint32_t)y);
    if (ball_x * ball_x + ball_y * ball_y < 60 * 60)
        return 60 + triangle(x * 7 + y * 3, 96) / 2;
    if (y < HEIGHT / 2)
        return (sky(x, y) + (int)(noise & 31)) >> 4;
    return 50 + texture(x + frame * 3, y, 1) * 5 / 8 + (int)(noise & 7);
}

static int reference_chroma(int x, int y, int frame, int plane)
{
    bool above = y < HEIGHT / 4;
    int base = plane == 1 ? (above ? 152 : 112) : (above ? 108 : 126);
    return base + texture(2 * (x + frame), 2 * y, (uint32_t)plane + 9) / 16;
}

/* What a hasty encoder does: bands in the sky, a blurred and blocky ground, pale colours. */
static int distorted_luma(int x, int y, int frame)
{
    if (y < HEIGHT / 2 - 60)
        return (sky(x, y) + 16) / 32 * 2;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            sum += reference_luma(x + dx, y + dy, frame);
    uint32_t block = mix((uint32_t)(x >> 3) * 31u + (uint32_t)(y >> 3) * 1009u + (uint32_t)frame * 77u);
    return sum / 9 + (int)(block % 13) - 6;
}

static int distorted_chroma(int x, int y, int frame, int plane)
{
    return 128 + (reference_chroma(x, y, frame, plane) - 128) * 7 / 8;
}

static FvStatus make_frame(FvFrame **frame, const FvFormat *format, int number, bool distorted, FvError *error)
{
    FvStatus status = fv_frame_alloc(frame, format, error);
    for (int plane = 0; plane < 3 && status == FV_OK; plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
            for (int x = 0; x < width; x++)
                row[x] =
                    (uint8_t)clamp8(plane ? (distorted ? distorted_chroma : reference_chroma)(x, y, number, plane)
                                          : (distorted ? distorted_luma : reference_luma)(x, y, number));
        }
    }
    return status;
}

static FvStatus push_frames(FvSession *session, const FvFormat *format, FvError *error)
{
    FvStatus status = fv_session_start(session, format, format, error);
    ProgressStyle style = progress_style(NULL);
    for (int i = 0; i < FRAMES && status == FV_OK; i++) {
        FvFrame *reference = NULL, *distorted = NULL;
        status = make_frame(&reference, format, i, false, error);
        if (status == FV_OK)
            status = make_frame(&distorted, format, i, true, error);
        if (status == FV_OK)
            status = fv_session_push(session, i, reference, distorted, error);
        fv_frame_unref(&reference);
        fv_frame_unref(&distorted);
        progress_show(style, &(FvProgress){.frames = i + 1, .total = FRAMES});
    }
    progress_clear();
    return status == FV_OK ? fv_session_finish(session, error) : status;
}

static FvStatus score(FvSession *session, const FvFormat *format, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < fv_metric_count() && status == FV_OK; i++)
        status = fv_session_add(session, fv_metric_info(i)->name, error);
    return status == FV_OK ? push_frames(session, format, error) : status;
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    const Demo *demo = values;
    const FvFormat format = {.width = WIDTH,
                             .height = HEIGHT,
                             .chroma = FV_CHROMA_420,
                             .depth = 8,
                             .range = FV_RANGE_LIMITED,
                             .rate_num = 24,
                             .rate_den = 1};
    FvSessionParams params = {.device = demo->device, .isa = demo->isa, .threads = (int)demo->threads};
    FvSession *session = NULL;
    FvError error = {0};
    FvStatus status = fv_session_open(&session, &params, &error);
    if (status == FV_OK)
        status = score(session, &format, &error);
    if (status == FV_OK && demo->output)
        status = fv_report_write(session, demo->output, FV_REPORT_JSON, &error);
    if (status != FV_OK)
        complain(status, "%s", error.message);
    else {
        char text[96];
        printf("A generated clip, %d frames of %s, against itself with banding, blur and pale colours:\n\n", FRAMES,
               fv_format_describe(&format, text, sizeof text));
        table_print(stdout, session);
        printf("\nNow yours: fovea score -r reference.mov -d distorted.mp4\n");
    }
    fv_session_close(&session);
    return status;
}

#define AT(field) offsetof(Demo, field)

static const ArgOption options[] = {
    {.section = "Options",
     .name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(output),
     .value = "FILE",
     .offer = OFFER_FILES,
     .help = "write the JSON report, too"},
    {ROW_DEVICE(AT(device))},
    {ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 1024)},
};

const Command command_demo = {
    .name = "demo",
    .summary = "score a generated clip pair with every metric",
    .synopsis = "[OPTION]...",
    .description = "Makes a short clip and a damaged copy of it in memory and scores them with every metric. The "
                   "numbers are the same on every machine and device.",
    .example = "fovea demo --isa scalar",
    .refusal = "fovea demo makes its own clips; your files go to: fovea score -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Demo),
    .run = run,
};
