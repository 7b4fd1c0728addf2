/*
 * Compares every stage of SpEED, on every instruction set, with checksums of the reference program's values, in
 * memory that ends at an inaccessible page. Then it checks that these comparisons catch variants that are broken on
 * purpose.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "device/instances.h"
#include "feature/speed.h"
#include "golden.h"
#include "metric/metric.h"
#include "tap/tap.h"

enum { INPUT, SCALED, DECIMATED, PLANE, MEANS, COVARIANCE, EIGENVALUES, VARIANCES, ENTROPIES, STAGES };
static const char *const stage_names[STAGES] = {"input",      "scaled",      "decimated", "plane",    "means",
                                                "covariance", "eigenvalues", "variances", "entropies"};

typedef struct Sums {
    int singular;
    bool known[STAGES];
    uint64_t sum[STAGES];
} Sums;

typedef struct Expected {
    char name[96];
    int frame, plane;
    Sums side[2];
} Expected;

static void add(Sums *sums, int stage, const float *values, int count)
{
    if (!sums->known[stage])
        sums->sum[stage] = 14695981039346656037u;
    sums->known[stage] = true;
    for (int i = 0; i < count; i++) {
        uint32_t word;
        memcpy(&word, values + i, 4);
        for (int byte = 0; byte < 4; byte++, word >>= 8)
            sums->sum[stage] = (sums->sum[stage] ^ (word & 255)) * 1099511628211u;
    }
}

static bool parse_side(Sums *sums, char *line)
{
    char *rest = line, *word = strsep(&rest, " ");
    *sums = (Sums){0};
    if (strcmp(word, "side") || !rest)
        return false;
    sums->singular = atoi(strsep(&rest, " "));
    while ((word = strsep(&rest, " \n"))) {
        char *equals = strchr(word, '=');
        for (int i = 0; equals && i < STAGES; i++)
            if (!strncmp(word, stage_names[i], equals - word) && !stage_names[i][equals - word]) {
                sums->known[i] = true;
                sums->sum[i] = strtoull(equals + 1, NULL, 16);
            }
    }
    return sums->known[ENTROPIES];
}

/* Returns memory of this size that ends at an inaccessible page, or `short_by` bytes less of it. */
static void *guarded(size_t bytes, size_t short_by)
{
    size_t page = sysconf(_SC_PAGESIZE), inside = FV_ROUND_UP(bytes, page);
    char *mapping = mmap(NULL, inside + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapping == MAP_FAILED)
        abort();
    mprotect(mapping + inside, page, PROT_NONE);
    memset(mapping, 0xff, inside);
    return mapping + inside - FV_ROUND_UP(bytes, FV_ALIGN) + FV_ROUND_UP(short_by, FV_ALIGN);
}

static void unguard(void *memory, size_t bytes, size_t short_by)
{
    size_t page = sysconf(_SC_PAGESIZE), inside = FV_ROUND_UP(bytes, page);
    char *mapping = (char *)memory - (inside - FV_ROUND_UP(bytes, FV_ALIGN) + FV_ROUND_UP(short_by, FV_ALIGN));
    munmap(mapping, inside + page);
}

static void add_source(Sums *sums, const FvSpeed *speed, const FvDifference *from)
{
    const FvSpeedShape *shape = &speed->shape;
    int width = shape->width > shape->scaled_width ? shape->width : shape->scaled_width;
    float *row = calloc(width, sizeof *row);
    for (int y = 0; y < shape->height; y++) {
        fv_difference_row(from, shape->width, y, row);
        add(sums, INPUT, row, shape->width);
    }
    for (int y = 0; speed->resized && y < shape->scaled_height; y++) {
        fv_speed_prescale_row(&speed->resize, from, y, row);
        add(sums, SCALED, row, shape->scaled_width);
    }
    free(row);
}

static void collect(Sums *sums, const FvFeatureInstance *run, const FvWork *work, int index)
{
    const FvSpeed *speed = run->state;
    const FvSpeedShape *shape = &speed->shape;
    FvSpeedPlace place = fv_speed_place(speed, work->frame, index);
    FvDifference from = fv_speed_source(run, work, index);
    *sums = (Sums){.singular = place.side->singular};
    add_source(sums, speed, &from);
    for (int y = 0; y < shape->rows; y++) {
        add(sums, DECIMATED, place.low + y * shape->stride, shape->columns);
        add(sums, PLANE, place.plane + y * shape->stride, shape->columns);
    }
    add(sums, MEANS, place.side->mean, 25);
    for (int i = 0; i < 25; i++)
        add(sums, COVARIANCE, place.side->covariance[i], 25);
    add(sums, EIGENVALUES, place.side->diagonal, 25);
    add(sums, VARIANCES, place.variance, shape->blocks);
    add(sums, ENTROPIES, place.entropy, shape->blocks);
}

typedef struct Variant {
    const FvSpeedKernels *kernels; /* NULL: the kernels of the run */
    size_t short_by;               /* number of bytes missing at the end of the working memory */
    FvIsa isa;
    int threads;
} Variant;

/* Runs all stages of a frame pair. Returns -1 if the run cannot start. */
static int run_stages(const GoldenCase *golden, FvFrame *const frames[4], const Variant *variant, int plane,
                      Sums sides[2], FvError *error)
{
    FvMetricInstance metric;
    FvWants wants = {.count = 0};
    if (fv_metric_open(&metric, golden->metric, error))
        return -1;
    fv_metric_want(&metric, &wants);
    const FvFeature *feature = wants.item[0].feature;
    FvSpeed state = {.planes = 0}, *speed = &state;
    FvFeatureInstance run = {.feature = feature,
                             .state = speed,
                             .options = wants.item[0].options,
                             .ref = frames[0]->format,
                             .dis = frames[1]->format,
                             .has_reference = true,
                             .isa = variant->isa,
                             .threads = variant->threads};
    FvStatus status = feature->init(&run, error);
    if (status) {
        feature->close(&run);
        fv_wants_free(&wants);
        fv_metric_close(&metric);
        return -1;
    }
    if (variant->kernels)
        speed->kernels = variant->kernels;
    FvWork work = {.ref = frames[0],
                   .dis = frames[1],
                   .prev_ref = {frames[2]},
                   .prev_dis = {frames[3]},
                   .index = 1,
                   .frame = guarded(run.frame_bytes, 0),
                   .scratch = guarded(run.scratch_bytes, variant->short_by)};
    for (int i = 0; i < feature->stage_count; i++)
        for (int job = run.jobs[i] - 1; job >= 0; job--)
            feature->stages[i].job(&run, &work, job);
    for (int side = 0; side < 2; side++)
        collect(&sides[side], &run, &work, 2 * (plane - speed->first_plane) + side);
    unguard(work.frame, run.frame_bytes, 0);
    unguard(work.scratch, run.scratch_bytes, variant->short_by);
    feature->close(&run);
    fv_wants_free(&wants);
    fv_metric_close(&metric);
    return 0;
}

/* Returns the first stage that differs, and names it with its side in `why`; STAGES: none differs. */
static int compare(const Expected *expected, const Sums sides[2], char why[160])
{
    *why = 0;
    for (int side = 0; side < 2; side++) {
        const Sums *want = &expected->side[side], *got = &sides[side];
        for (int stage = 0; stage < STAGES; stage++)
            if (want->known[stage] && (!got->known[stage] || want->sum[stage] != got->sum[stage])) {
                snprintf(why, 160, "%s of the %s differ", stage_names[stage], side ? "distorted" : "reference");
                return stage;
            }
        if (want->singular != got->singular) {
            snprintf(why, 160, "the %s is %ssingular", side ? "distorted" : "reference", got->singular ? "" : "not ");
            return EIGENVALUES;
        }
    }
    return STAGES;
}

/* Reads four frames: reference, distorted, and their predecessors. Returns false if a clip cannot be read. */
static bool read_frames(const GoldenCase *golden, const char *folder, int number, FvFrame *frames[4])
{
    FvError error;
    memset(frames, 0, 4 * sizeof *frames);
    for (int side = 0; side < 2; side++) {
        GoldenReader reader;
        if (golden_reader_open(&reader, side ? &golden->dis : &golden->ref, folder, &error))
            return false;
        for (int i = 0; i <= number; i++) {
            fv_frame_unref(&frames[2 + side]);
            frames[2 + side] = frames[side];
            frames[side] = NULL;
            if (golden_reader_next(&reader, &frames[side], &error))
                break;
        }
        golden_reader_close(&reader);
        if (!frames[side])
            return false;
    }
    return true;
}

/* ---- Variants that are broken on purpose --------------------------------------------------------------------- */

static const FvSpeedKernels *sound;

/* This broken variant averages the statistics of tiles of ten rows. */
static void tiled_covariance(const FvSpeedShape *shape, const float *plane, const float *mean, int part, int parts,
                             float (*covariance)[FV_SPEED_ROW])
{
    float sum[25][25] = {{0}};
    int tiles = 0;
    for (int y = 0; y + 5 <= shape->window_height; y += 5, tiles++) {
        FvSpeedShape tile = *shape;
        tile.window_height = 5;
        sound->covariance(&tile, plane + y * shape->stride, mean, part, parts, covariance);
        for (int i = 0; i < 25; i++)
            for (int j = 0; j < 25; j++)
                sum[i][j] += covariance[i][j];
    }
    for (int i = 0; i < 25; i++)
        for (int j = 0; j < 25; j++)
            covariance[i][j] = sum[i][j] / (float)(tiles ? tiles : 1);
}

static float saved_eigenvalues[25];
static int sides_seen;

/* This broken variant uses the distorted side's eigenvalues for the reference, too. The distorted side comes first,
 * as jobs run backwards. */
static void shared_eigenvalues(const FvSpeedShape *shape, const float *plane, const FvSpeedSide *side, int first,
                               int last, float *variance, float *entropy)
{
    FvSpeedSide mixed = *side;
    if (sides_seen++ % 2 == 0)
        memcpy(saved_eigenvalues, side->diagonal, sizeof saved_eigenvalues);
    memcpy(mixed.diagonal, saved_eigenvalues, sizeof saved_eigenvalues);
    sound->blocks(shape, plane, &mixed, first, last, variance, entropy);
}

/* Returns the stage at which the broken variant is caught; -1: a memory fault. */
static int caught_at(const GoldenCase *golden, FvFrame *const frames[4], const Expected *expected,
                     const Variant *variant)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL); /* sanitizers would turn the signal into an exit */
        Sums sides[2];
        FvError error;
        char why[160];
        if (run_stages(golden, frames, variant, expected->plane, sides, &error))
            _exit(STAGES);
        _exit(compare(expected, sides, why));
    }
    int status;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return STAGES;
    return WIFSIGNALED(status) ? -1 : WEXITSTATUS(status);
}

static void check_broken(Tap *tap, const GoldenCase *golden, FvFrame *const frames[4], const Expected *expected)
{
    char name[200], why[80];
    Variant variant = {.isa = fv_isa_best(), .threads = 1};
    sound = fv_speed_kernels(variant.isa);
    FvSpeedKernels tiled = *sound, shared = *sound;
    tiled.covariance = tiled_covariance;
    shared.blocks = shared_eigenvalues;
    const struct {
        const char *what;
        Variant variant;
        int stage;
    } broken[] = {
        {"sound kernels pass", variant, STAGES},
        {"covariance of tiles is caught", {&tiled, 0, variant.isa, 1}, COVARIANCE},
        {"eigenvalues of the other side are caught", {&shared, 0, variant.isa, 1}, ENTROPIES},
        {"working memory 25 floats short is caught", {NULL, 25 * sizeof(float), variant.isa, 1}, -1},
    };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        if (broken[i].variant.short_by && variant.isa == FV_ISA_SCALAR)
            continue; /* plain C uses no working memory */
        int stage = caught_at(golden, frames, expected, &broken[i].variant);
        snprintf(name, sizeof name, "broken on purpose, %s: %s", expected->name, broken[i].what);
        snprintf(why, sizeof why, "stopped at %s",
                 stage < 0        ? "a memory fault"
                 : stage < STAGES ? stage_names[stage]
                                  : "nothing");
        tap_case(tap, stage == broken[i].stage, name, why);
    }
}

/* ---- The file ------------------------------------------------------------------------------------------------ */

static void check(Tap *tap, const GoldenFile *golden_file, const Expected *expected, const char *folder)
{
    char name[200];
    const GoldenCase *golden = NULL;
    for (int i = 0; i < golden_file->count; i++)
        if (!strcmp(golden_file->cases[i].name, expected->name))
            golden = &golden_file->cases[i];
    FvFrame *frames[4];
    if (!golden || !read_frames(golden, folder, expected->frame, frames)) {
        if (golden && *golden->ref.file && access(folder, R_OK))
            tap_skip(tap, expected->name, "the folder of test video is not here");
        else
            tap_case(tap, false, expected->name, "the case is missing or its clips cannot be read");
        return;
    }
    for (int isa = 0; isa < FV_ISA_COUNT; isa++) {
        if (!fv_isa_usable(isa))
            continue;
        Sums sides[2];
        FvError error = {0};
        char why[160];
        Variant variant = {.isa = isa, .threads = 1 + isa % 2};
        if (!run_stages(golden, frames, &variant, expected->plane, sides, &error))
            compare(expected, sides, why);
        else
            snprintf(why, sizeof why, "%.150s", error.message);
        snprintf(name, sizeof name, "%s %s frame %d plane %d", fv_isa_name(isa), expected->name, expected->frame,
                 expected->plane);
        tap_case(tap, !*why, name, why);
    }
    /* At 645x363, less than 25 floats at the end of the working memory are padding. */
    if (!strcmp(expected->name, "s09_645x363_420_8b_noise_chroma"))
        check_broken(tap, golden, frames, expected);
    for (int i = 0; i < 4; i++)
        fv_frame_unref(&frames[i]);
}

int main(int argc, char **argv)
{
    GoldenFile golden = {0};
    FILE *file = argc > 3 ? fopen(argv[2], "r") : NULL;
    bool good = file;
    for (int i = 3; i < argc; i++)
        good = good && golden_read(&golden, argv[i]);
    if (!good) {
        fprintf(stderr, "usage: test-speed-stages FOLDER_OF_VIDEO speed_stages.txt FILE.vec...\n");
        return 2;
    }
    Tap tap = {0};
    char line[1024];
    Expected expected;
    while (fgets(line, sizeof line, file)) {
        if (*line == '#' || *line == '\n')
            continue;
        good = sscanf(line, "stages %95s %d %d", expected.name, &expected.frame, &expected.plane) == 3;
        for (int side = 0; side < 2 && good; side++)
            good = fgets(line, sizeof line, file) && parse_side(&expected.side[side], line);
        if (good)
            check(&tap, &golden, &expected, argv[1]);
        else
            tap_case(&tap, false, line, "this line cannot be read");
    }
    fclose(file);
    golden_free(&golden);
    return tap_done(&tap);
}
