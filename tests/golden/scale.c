/*
 * Tests that scaling and conversions give the planes of the reference program, on every instruction set, with any
 * number of threads, and on a GPU.
 *
 *     test-scale CASES [--full] [--device NAME]
 */
#include <stdlib.h>
#include <string.h>

#include <nettle/md5.h>

#include "device_select/devices.h"
#if FV_HAVE_GPU
#include "gpu/guard.h"
#include "gpu/prepare.h"
#endif
#include "clip/synth.h"
#include "picture/prepare.h"
#include "picture/scale_table.h"
#include "tap/tap.h"

#define LINE 4096
#define PLANES 3

typedef struct Case {
    char name[64];
    SynthClip clip;
    int frames;
    FvPrepareParams params;
    char md5[PLANES][33];
} Case;

/* The GPU to test; NULL: the CPU. */
static struct FvGpu *gpu;

static FvStatus prepare_frame(FvPreparation *preparation, FvFrame **frame, FvError *error)
{
#if FV_HAVE_GPU
    if (gpu)
        return fv_gpu_prepare_frame(gpu, preparation, frame, error);
#endif
    return fv_prepare_run(preparation, frame, error);
}

/* Returns whether a GPU leaves the case to the CPU: it neither converts matrices nor reduces depths. */
static bool is_left_out(const Case *this)
{
    const FvFormat format = synth_format(&this->clip);
    return gpu && (this->params.matrix || this->params.depth < format.depth);
}

static FvScaleKernel parse_kernel(const char *name)
{
    static const char *const names[] = {"bicubic", "bilinear", "lanczos", "spline36"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, names[i]))
            return (FvScaleKernel)i;
    exit(fprintf(stderr, "kernel %s\n", name));
}

static FvSiting parse_siting(const char *name)
{
    static const char *const names[] = {"left", "center", "topleft", "top", "bottomleft", "bottom"};
    for (int i = 0; i < 6; i++)
        if (!strcmp(name, names[i]))
            return (FvSiting)(i + 1);
    exit(fprintf(stderr, "siting %s\n", name));
}

static FvChroma parse_chroma(int number)
{
    return number == 420   ? FV_CHROMA_420
           : number == 422 ? FV_CHROMA_422
           : number == 444 ? FV_CHROMA_444
                           : FV_CHROMA_400;
}

static FvRange parse_range(const char *name)
{
    return !strcmp(name, "full") ? FV_RANGE_FULL : FV_RANGE_LIMITED;
}

static void parse_option(FvPrepareParams *params, char *word)
{
    char *value = strchr(word, '='), *second = NULL;
    *value++ = 0;
    if (!strcmp(word, "siting") || !strcmp(word, "range")) {
        second = strchr(value, ',');
        if (second)
            *second++ = 0;
    }
    if (!strcmp(word, "size"))
        sscanf(value, "%dx%d", &params->width, &params->height);
    else if (!strcmp(word, "kernel"))
        params->kernel = parse_kernel(value);
    else if (!strcmp(word, "b"))
        params->b = strtod(value, NULL);
    else if (!strcmp(word, "c"))
        params->c = strtod(value, NULL);
    else if (!strcmp(word, "siting")) {
        params->siting[0] = parse_siting(value);
        params->siting[1] = parse_siting(second ? second : value);
    } else if (!strcmp(word, "chroma"))
        params->chroma = parse_chroma(atoi(value));
    else if (!strcmp(word, "depth"))
        params->depth = atoi(value);
    else if (!strcmp(word, "dither"))
        params->dither = !strcmp(value, "ordered");
    else if (!strcmp(word, "range")) {
        params->range = parse_range(value);
        params->to_range = parse_range(second ? second : value);
    } else if (!strcmp(word, "matrix"))
        params->matrix = !strcmp(value, "601,709") ? FV_MATRIX_601_TO_709 : FV_MATRIX_709_TO_601;
    else if (!strcmp(word, "crop")) {
        FvCrop *crop = &params->crop;
        sscanf(value, "%d,%d,%d,%d", &crop->x, &crop->y, &crop->width, &crop->height);
    } else
        exit(fprintf(stderr, "option %s\n", word));
}

static Case parse_case(char *line)
{
    Case this = {0};
    char *rest = NULL, *word = strtok_r(line, " \n", &rest);
    snprintf(this.name, sizeof this.name, "%s", strtok_r(NULL, " \n", &rest));
    strtok_r(NULL, " \n", &rest); /* skips the word "synth" */
    this.clip.width = atoi(strtok_r(NULL, " \n", &rest));
    this.clip.height = atoi(strtok_r(NULL, " \n", &rest));
    this.clip.chroma = parse_chroma(atoi(strtok_r(NULL, " \n", &rest)));
    this.clip.depth = atoi(strtok_r(NULL, " \n", &rest));
    this.frames = atoi(strtok_r(NULL, " \n", &rest));
    this.clip.seed = (uint32_t)atoi(strtok_r(NULL, " \n", &rest));
    if (!synth_kind_parse(strtok_r(NULL, " \n", &rest), &this.clip.kind))
        exit(fprintf(stderr, "%s: kind\n", this.name));
    FvFormat format = synth_format(&this.clip);
    this.params = fv_prepare_nothing(&format);
    this.params.range = FV_RANGE_LIMITED;
    this.params.width = this.params.height = 0;
    while ((word = strtok_r(NULL, " \n", &rest)) && strcmp(word, "md5"))
        parse_option(&this.params, word);
    for (int plane = 0; plane < PLANES && (word = strtok_r(NULL, " \n", &rest)); plane++)
        snprintf(this.md5[plane], sizeof this.md5[plane], "%s", word);
    const FvCrop *crop = &this.params.crop;
    if (!this.params.width) {
        this.params.width = crop->width ? crop->width : format.width;
        this.params.height = crop->width ? crop->height : format.height;
    }
    return this;
}

static void add_plane(struct md5_ctx *md5, const FvFrame *frame, int plane)
{
    int width, height;
    fv_format_plane_size(&frame->format, plane, &width, &height);
    for (int y = 0; y < height; y++)
        md5_update(md5, (size_t)width * (size_t)fv_format_sample_bytes(&frame->format),
                   frame->data[plane] + y * frame->stride[plane]);
}

static const char *run(const Case *this, FvIsa isa, int threads)
{
    static char why[256];
    FvFormat format = synth_format(&this->clip);
    FvPreparation *preparation;
    FvError error = {0};
    struct md5_ctx md5[PLANES];
    int planes = 0;
    if (fv_prepare_open(&preparation, &format, &this->params, isa, threads, &error)) {
        snprintf(why, sizeof why, "%.200s", error.message);
        return why;
    }
    for (int plane = 0; plane < PLANES; plane++)
        md5_init(&md5[plane]);
    for (int i = 0; i < this->frames; i++) {
        FvFrame *frame = synth_frame(&this->clip, i);
        if (!frame || prepare_frame(preparation, &frame, &error))
            return "a frame failed";
        planes = fv_format_planes(&frame->format);
        for (int plane = 0; plane < planes; plane++)
            add_plane(&md5[plane], frame, plane);
        fv_frame_unref(&frame);
    }
    fv_prepare_close(&preparation);
    for (int plane = 0; plane < planes; plane++) {
        uint8_t digest[MD5_DIGEST_SIZE];
        char text[33];
        md5_digest(&md5[plane], sizeof digest, digest);
        for (int i = 0; i < MD5_DIGEST_SIZE; i++)
            snprintf(text + 2 * i, 3, "%02x", digest[i]);
        if (strcmp(text, this->md5[plane])) {
            snprintf(why, sizeof why, "plane %d has the sum %s, not %s", plane, text, this->md5[plane]);
            return why;
        }
    }
    return this->md5[planes < PLANES ? planes : 0][0] && planes < PLANES ? "planes are missing" : NULL;
}

/* Opens the table of a line. Its rows help to locate faults. */
static FvScaleTable open_table(char *line)
{
    char name[16];
    double b, c;
    FvScaleAxis axis;
    FvScaleTable table;
    FvError error = {0};
    if (sscanf(line, "table %15s %lf %lf %d %d %d %d %d %d", name, &b, &c, &axis.in, &axis.out, &axis.sub_in,
               &axis.at_in, &axis.sub_out, &axis.at_out) != 9)
        exit(fprintf(stderr, "%s", line));
    axis.samples_in = (axis.in + axis.sub_in - 1) / axis.sub_in;
    axis.samples_out = (axis.out + axis.sub_out - 1) / axis.sub_out;
    if (fv_scale_table_open(&table, &axis, parse_kernel(name), b, c, &error))
        exit(fprintf(stderr, "%s", error.message));
    return table;
}

/* Compares a row of coefficients. The row in the file may have taps of 0 at its ends. */
static bool same_row(const FvScaleTable *table, char *line)
{
    char *rest = line + strlen("row");
    const int i = (int)strtol(rest, &rest, 10);
    const int shift = (int)strtol(rest, &rest, 10) - table->first[i];
    int count = 0, sum = 0;
    for (char *end; strtol(rest, &end, 10), end != rest; rest = end, count++) {
        const int c = (int)strtol(rest, NULL, 10), tap = count + shift;
        if (c != (tap < 0 || tap >= table->taps ? 0 : fv_scale_coefficient(table, i, tap)))
            return false;
        sum += c;
    }
    return sum == 16384;
}

static void check(Tap *tap, const Case *this, bool every)
{
    char name[128];
    if (is_left_out(this))
        return;
    for (FvIsa isa = 0; isa < FV_ISA_COUNT; isa++) {
        if (!fv_isa_usable(isa) || (!every && isa != FV_ISA_SCALAR && isa != fv_isa_best()))
            continue;
        if (gpu && isa != FV_ISA_SCALAR)
            break;
        for (int threads = 1; threads <= (every && !gpu ? 3 : 1); threads += 2) {
            snprintf(name, sizeof name, "%s, %s, %d threads", this->name, gpu ? "GPU" : fv_isa_name(isa), threads);
            const char *why = run(this, isa, threads);
            tap_case(tap, !why, name, why);
        }
    }
}

/* ---- Random pictures ------------------------------------------------------------------------------------------- */

static uint32_t state;

static int below(int count)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 8) % (uint32_t)count);
}

static Case random_case(uint32_t seed)
{
    static const int depths[] = {8, 10, 12, 16};
    Case this = {.frames = 1};
    state = seed;
    this.clip = (SynthClip){.width = 4 + below(300),
                            .height = 4 + below(60),
                            .chroma = (FvChroma)below(4),
                            .depth = depths[below(4)],
                            .seed = seed,
                            .kind = SYNTH_MIX};
    const FvFormat format = synth_format(&this.clip);
    FvPrepareParams *params = &this.params;
    *params = fv_prepare_nothing(&format);
    params->range = below(4) ? FV_RANGE_LIMITED : FV_RANGE_FULL;
    params->width = 1 + below(600);
    params->height = 1 + below(90);
    params->kernel = (FvScaleKernel)below(4);
    if (below(3) == 0 && params->depth < 16)
        params->depth += 2;
    if (below(4) == 0 && format.width > 20)
        params->crop = (FvCrop){
            .x = 2 * below(4), .y = 2 * below(2), .width = format.width - 6 - below(4), .height = format.height - 2};
    if (params->crop.height + params->crop.y > format.height || params->crop.width + params->crop.x > format.width)
        params->crop = (FvCrop){0};
    return this;
}

static FvFrame *prepare(const Case *this, FvIsa isa, int threads, bool on_device)
{
    FvFormat format = synth_format(&this->clip);
    FvPreparation *preparation;
    FvError error;
    FvFrame *frame = synth_frame(&this->clip, 0);
    if (fv_prepare_open(&preparation, &format, &this->params, isa, threads, &error) ||
        (on_device ? prepare_frame : fv_prepare_run)(preparation, &frame, &error))
        exit(fprintf(stderr, "%s\n", error.message));
    fv_prepare_close(&preparation);
    return frame;
}

static bool same_samples(const FvFrame *a, const FvFrame *b)
{
    bool same = true;
    for (int plane = 0; plane < fv_format_planes(&a->format); plane++) {
        int width, height;
        fv_format_plane_size(&a->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            same &= !memcmp(a->data[plane] + y * a->stride[plane], b->data[plane] + y * b->stride[plane],
                            (size_t)width * (size_t)fv_format_sample_bytes(&a->format));
    }
    return same;
}

/* Every instruction set with several threads, or the GPU, gives the samples of plain C for random cases. */
static void check_random(Tap *tap, int count)
{
    char name[64];
    for (uint32_t seed = 1; seed <= (uint32_t)count; seed++) {
        const Case this = random_case(seed);
        FvFrame *want = prepare(&this, FV_ISA_SCALAR, 1, false);
        bool same = true;
        for (FvIsa isa = FV_ISA_SCALAR; isa < (gpu ? FV_ISA_SCALAR + 1 : FV_ISA_COUNT); isa++) {
            FvFrame *got = fv_isa_usable(isa) ? prepare(&this, isa, 1 + (int)(seed % 3), gpu) : NULL;
            same &= !got || same_samples(want, got);
            fv_frame_unref(&got);
        }
        fv_frame_unref(&want);
        snprintf(name, sizeof name, "random picture %u", seed);
        if (!same || seed == (uint32_t)count)
            tap_case(tap, same, same ? "random pictures" : name, NULL);
    }
}

/* Opens the GPU to test. Returns false and skips the test if there is none. */
static bool open_device(Tap *tap, const char *name)
{
#if FV_HAVE_GPU
    FvError error;
    if (!fv_devices_open_gpu(&gpu, name, &error)) {
        guard_install(gpu);
        return true;
    }
    tap_skip(tap, name, error.message);
#else
    tap_skip(tap, name, "this build has no GPUs");
#endif
    return false;
}

static void close_device(Tap *tap)
{
#if FV_HAVE_GPU
    if (!gpu)
        return;
    guard_remove(gpu);
    tap_case(tap, guard_checked && !guard_damaged, "memory of the device is written within its bounds", NULL);
    gpu->ops->close(&gpu);
#else
#endif
}

int main(int argc, char **argv)
{
    bool full = false;
    const char *device = NULL;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    Tap tap = {0};
    FvScaleTable table = {0};
    char line[LINE];
    bool same = true;
    int tables = 0;
    for (int i = 2; i < argc; i++) {
        full |= !strcmp(argv[i], "--full");
        device = !strcmp(argv[i], "--device") && i + 1 < argc ? argv[++i] : device;
    }
    if (!file)
        return fprintf(stderr, "test-scale CASES [--full] [--device NAME]\n"), 2;
    if (device && !open_device(&tap, device)) {
        fclose(file);
        return tap_done(&tap);
    }
    while (fgets(line, sizeof line, file)) {
        if (!strncmp(line, "table", 5)) {
            fv_scale_table_close(&table);
            table = open_table(line);
            tables++;
        } else if (!strncmp(line, "row", 3)) {
            same &= same_row(&table, line);
        } else if (!strncmp(line, "case", 4)) {
            const Case this = parse_case(line);
            if (full || (this.clip.width <= 400 && this.params.width <= 400))
                check(&tap, &this, full);
        }
    }
    fv_scale_table_close(&table);
    fclose(file);
    tap_case(&tap, same && tables, "rows of coefficients", NULL);
    check_random(&tap, device ? (full ? 100 : 20) : full ? 500 : 50);
    close_device(&tap);
    return tap_done(&tap);
}
