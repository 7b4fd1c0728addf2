/*
 * Compares CAMBI's planes of frame 0 with the golden hashes: every picture, mask and plane of c-values, on every
 * instruction set.
 */
#include <stdlib.h>
#include <string.h>

#include "cpu/cambi.h"
#include "feature/cambi_picture.h"
#include "golden.h"
#include "metric/metric.h"
#include "os/memory.h"
#include "tap/tap.h"

#define FNV_BASIS 14695981039346656037u

/* A line of the golden file, without the names at its start: the expected numbers of a scale, as text. */
typedef char Line[512];

typedef struct Side {
    const FvCambiKernels *kernels;
    FvCambiOptions options;
    FvCambiPicture picture;
    FvCambiTables tables;
    float *reciprocal;
    void *frame, *scratch;
    uint32_t histogram[FV_CAMBI_BINS];
} Side;

static uint64_t fnv(uint64_t hash, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    return hash;
}

static uint64_t fnv_word(uint64_t hash, uint16_t word)
{
    return fnv(hash, &word, sizeof word);
}

static void side_close(Side *side)
{
    free((void *)side->picture.column);
    free((void *)side->picture.row);
    free(side->reciprocal);
    fv_free(side->frame);
    fv_free(side->scratch);
}

static FvStatus side_open(Side *side, const GoldenCase *golden, const FvFormat *format, bool reference, FvIsa isa,
                          FvError *error)
{
    *side = (Side){.kernels = fv_cambi_kernels(isa)};
    const FvOptions *table = &fv_metric_find("cambi")->options;
    char text[sizeof golden->metric];
    snprintf(text, sizeof text, "%s", strchr(golden->metric, '=') ? strchr(golden->metric, '=') + 1 : "");
    fv_options_default(&side->options, table);
    FvStatus status = fv_options_parse(&side->options, table, "cambi", text, error);
    if (!status)
        status = fv_cambi_geometry(&side->picture, &side->options, format, reference, error);
    if (!status)
        status = fv_cambi_resample(&side->picture, error);
    if (status)
        return status;
    int count = side->picture.window * side->picture.window + 1;
    side->reciprocal = malloc((size_t)count * sizeof *side->reciprocal);
    fv_cambi_reciprocals(side->reciprocal, count);
    fv_cambi_tables(&side->tables, &side->options);
    side->tables.reciprocal = side->reciprocal;
    side->picture.tables = &side->tables;
    side->frame = fv_alloc(side->picture.bytes);
    side->scratch = fv_alloc(side->kernels->scratch(&side->picture));
    memset(side->frame, 0xa5, side->picture.bytes);
    return FV_OK;
}

static uint64_t preprocessed(const Side *side, const FvFrame *source)
{
    uint16_t *row = malloc(((size_t)side->picture.width + 64) * sizeof *row);
    uint64_t hash = FNV_BASIS;
    for (int y = 0; y < side->picture.height; y++) {
        side->kernels->row(&side->picture, source->data[0], source->stride[0], y, row, side->scratch);
        hash = fnv(hash, row, (size_t)side->picture.width * sizeof *row);
    }
    free(row);
    return hash;
}

/* Divides the work into bands and strips of uneven sizes, since no result may depend on the division. */
static void make_scale(Side *side, const FvFrame *source, int s, FvCambiSum *sum)
{
    const FvCambiScale *scale = &side->picture.scale[s];
    for (int y = 0, rows = FV_CAMBI_BAND; y < scale->height; y += rows, rows = rows * 3 / 4 + 1) {
        int count = scale->height - y < rows ? scale->height - y : rows;
        if (s)
            side->kernels->halve(&side->picture, side->frame, s, y, count, side->scratch);
        else
            side->kernels->prepare(&side->picture, source->data[0], source->stride[0], side->frame, y, count,
                                   side->scratch);
    }
    *sum = (FvCambiSum){0};
    memset(side->histogram, 0, sizeof side->histogram);
    for (int x = 0, columns = FV_CAMBI_STRIP;
         x<scale->width; x += columns, columns = columns> 64 ? columns - 64 : 64) {
        int count = scale->width - x < columns ? scale->width - x : columns;
        FvCambiSum strip =
            side->kernels->contrast(&side->picture, side->frame, s, x, count, side->histogram, side->scratch);
        sum->sum += strip.sum;
        sum->nonzero += strip.nonzero;
    }
}

static void scale_line(Side *side, int s, FvCambiSum sum, Line line)
{
    const FvCambiScale *scale = &side->picture.scale[s];
    uint64_t image = FNV_BASIS, mask = FNV_BASIS, c = FNV_BASIS;
    for (int y = 0; y < scale->height; y++) {
        const uint16_t *row = fv_cambi_row(scale, side->frame, y);
        for (int x = 0; x < scale->width; x++) {
            image = fnv_word(image, row[x] & (uint16_t)~FV_CAMBI_MASKED);
            mask = fnv_word(mask, row[x] / FV_CAMBI_MASKED);
        }
        c = fnv(c, fv_cambi_c(scale, side->frame, y), (size_t)scale->width * sizeof(float));
    }
    int64_t k = fv_cambi_pooled(side->picture.topk, (int64_t)scale->width * scale->height);
    uint64_t kept = sum.nonzero <= k
                        ? sum.sum
                        : fv_cambi_top(side->kernels, scale, side->frame, side->histogram, k, side->scratch);
    snprintf(line, sizeof(Line), "%d %d %d %016llx %016llx %016llx %lld %lld %a", s, scale->width, scale->height,
             (unsigned long long)image, (unsigned long long)mask, (unsigned long long)c, (long long)sum.nonzero,
             (long long)k, (double)kept * 0x1p-24 / (double)k);
}

static uint64_t full_mask(const Side *side)
{
    const FvCambiScale *scale = &side->picture.scale[0];
    uint64_t mask = FNV_BASIS;
    for (int y = 0; y < scale->height; y++)
        for (int x = 0; x < scale->width; x++)
            mask = fnv_word(mask, fv_cambi_row(scale, side->frame, y)[x] / FV_CAMBI_MASKED);
    return mask;
}

static void full_line(const Side *side, const FvFrame *source, const char *expected, Line line)
{
    char mask[17];
    unsigned long long hash;
    if (!side->picture.half) /* a mask of full size exists only without `half` */
        snprintf(mask, sizeof mask, "%016llx", (unsigned long long)full_mask(side));
    else if (sscanf(expected, "full %*x %llx", &hash) == 1)
        snprintf(mask, sizeof mask, "%016llx", hash);
    int used =
        snprintf(line, sizeof(Line), "full %016llx %s %d %d %d", (unsigned long long)preprocessed(side, source), mask,
                 side->picture.window, side->picture.mask_threshold, side->tables.dark);
    for (int d = 0; d < side->tables.contrasts; d++)
        used += snprintf(line + used, sizeof(Line) - (size_t)used, " %d", side->tables.tvi[d]);
}

/* Returns whether the lines are equal. In sums above 2^29, only the first 13 digits must be, since the reference
 * program's sum depends on its order. */
static bool same_line(const char *expected, const char *line)
{
    const char *a = strrchr(expected, ' '), *b = strrchr(line, ' ');
    if (!strcmp(expected, line))
        return true;
    if (!a || !b || !strstr(a, "0x") || a - expected != b - line || memcmp(expected, line, (size_t)(a - expected)))
        return false;
    double kept = strtod(a, NULL), ours = strtod(b, NULL);
    long long k = 0;
    return sscanf(expected, "%*d %*d %*d %*x %*x %*x %*d %lld", &k) == 1 && kept * (double)k >= 0x1p29 &&
           ours - kept <= 1e-13 * kept && kept - ours <= 1e-13 * kept;
}

typedef struct Planes {
    Tap tap;
    FILE *file;
    const char *data;
    bool full, every_isa;
} Planes;

/* Compares one side of a case with its six expected lines. */
static void run_side(Planes *planes, const GoldenCase *golden, bool reference, Line *expected, FvIsa isa)
{
    char name[160], why[sizeof(Line) * 2 + 32] = "";
    snprintf(name, sizeof name, "%s %s on %s", golden->name, reference ? "ref" : "dis", fv_isa_name(isa));
    GoldenReader reader;
    FvFrame *source = NULL;
    FvError error = {0};
    Side side = {0};
    FvStatus status = golden_reader_open(&reader, reference ? &golden->ref : &golden->dis, planes->data, &error);
    bool missing = status;
    if (!status)
        status = golden_reader_next(&reader, &source, &error);
    if (!status)
        status = side_open(&side, golden, &source->format, reference, isa, &error);
    bool good = !status;
    for (int i = 0; i <= FV_CAMBI_SCALES && good; i++) {
        Line line;
        FvCambiSum sum;
        if (i < FV_CAMBI_SCALES) {
            make_scale(&side, source, i, &sum);
            scale_line(&side, i, sum, line);
        } else {
            full_line(&side, source, expected[0], line);
        }
        const char *wanted = expected[i < FV_CAMBI_SCALES ? i + 1 : 0];
        good = same_line(wanted, line);
        if (!good)
            snprintf(why, sizeof why, "expected %.511s, got %.511s", wanted, line);
    }
    if (missing)
        tap_skip(&planes->tap, name, "the clip is not here");
    else
        tap_case(&planes->tap, good, name, status ? error.message : why);
    side_close(&side);
    fv_frame_unref(&source);
    golden_reader_close(&reader);
}

static const GoldenCase *find(const GoldenFile *golden, const char *name)
{
    for (int i = 0; i < golden->count; i++)
        if (!strcmp(golden->cases[i].name, name))
            return &golden->cases[i];
    return NULL;
}

static bool read_side(FILE *file, char *name, char *side, Line *lines)
{
    for (int i = 0; i <= FV_CAMBI_SCALES; i++) {
        if (fscanf(file, "%95s %7s ", name, side) != 2 || !fgets(lines[i], sizeof(Line), file))
            return false;
        lines[i][strcspn(lines[i], "\n")] = '\0';
    }
    return true;
}

/* Runs every instruction set or only one, which alternates from case to case. */
static void run_isas(Planes *planes, const GoldenCase *golden, bool reference, Line *expected, int turn)
{
    FvIsa usable[FV_ISA_COUNT];
    int count = 0;
    for (FvIsa isa = 0; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa))
            usable[count++] = isa;
    for (int i = 0; i < count; i++)
        if (planes->every_isa || i == turn % count)
            run_side(planes, golden, reference, expected, usable[i]);
}

/* Usage: test-cambi-planes CASES CASES PLANES DATA [--every-isa | --full]. */
int main(int argc, char **argv)
{
    GoldenFile golden = {0};
    if (argc < 5 || !golden_read(&golden, argv[1]) || !golden_read(&golden, argv[2]))
        return 2;
    Planes planes = {.file = fopen(argv[3], "r"), .data = argv[4]};
    planes.full = argc > 5 && !strcmp(argv[5], "--full");
    planes.every_isa = argc > 5;
    if (!planes.file) {
        perror(argv[3]);
        return 2;
    }
    char name[96], side[8];
    Line lines[FV_CAMBI_SCALES + 1];
    for (int turn = 0; read_side(planes.file, name, side, lines); turn++) {
        const GoldenCase *one = find(&golden, name);
        if (!one)
            tap_case(&planes.tap, false, name, "there is no such case");
        else if (planes.full || !golden_slow(one))
            run_isas(&planes, one, !strcmp(side, "ref"), lines, turn);
    }
    fclose(planes.file);
    golden_free(&golden);
    return tap_done(&planes.tap);
}
