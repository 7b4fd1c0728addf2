/*
 * Compares every table, every stage of every level and every score of the visual discrimination model, on every
 * instruction set, with checksums of the prototype's numbers. golden/vdm_stages.py explains the file.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "feature/vdm_steps.h"
#include "feature/vdm_time.h"
#include "golden.h"
#include "metric/vdm.h"
#include "os/memory.h"
#include "tap/tap.h"
#include "vdm_defaults.h"

typedef struct Stage {
    char name[32];
    int width, height;
    uint32_t crc;
} Stage;

typedef struct Case {
    char name[64], source[160];
    FvVdmParameters parameters;
    uint32_t display, weights[FV_VDM_LEVELS];
    float spread[15];
    Stage stages[256];
    int stage_count;
    double scores[FV_VDM_SCORES];
    int scored; /* number of expected scores; those of generated clips are in vectors/vdm.vec */
} Case;

static const char *const score_names[FV_VDM_SCORES] = {
    "vdm_mean", "vdm_min",       "vdm_max",    "vdm_p50",     "vdm_p95",
    "vdm_p99",  "vdm_minkowski", "vdm_detect", "vdm_visible", "vdm_correct_2afc"};

static uint32_t crc32_of(uint32_t crc, const void *data, size_t bytes)
{
    static uint32_t table[256];
    for (uint32_t i = 0; !table[255] && i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] & 1 ? table[i] >> 1 ^ 0xedb88320u : table[i] >> 1;
    }
    crc = ~crc;
    for (size_t i = 0; i < bytes; i++)
        crc = table[(crc ^ ((const uint8_t *)data)[i]) & 255] ^ crc >> 8;
    return ~crc;
}

/* ---- The file ------------------------------------------------------------------------------------------------- */

static const FvVdmParameters defaults = {VDM_DEFAULTS, .tau_s = 0.04, .tau_f = 0.01, .transient_sens = 100};

static bool set(FvVdmParameters *p, const char *name, const char *text)
{
    static const char *const eotfs[] = {"bt1886", "srgb", "pq", "linear"};
    const struct {
        const char *name;
        double *value;
    } reals[] = {{"lw", &p->lw},   {"lb", &p->lb},           {"ambient_lux", &p->ambient_lux},
                 {"ppd", &p->ppd}, {"max_ppd", &p->max_ppd}, {"retinal_ppd", &p->retinal_ppd},
                 {"fps", &p->fps}};
    for (int i = 0; i < 7; i++)
        if (!strcmp(name, reals[i].name)) {
            *reals[i].value = atof(text);
            return true;
        }
    for (int i = 0; !strcmp(name, "eotf") && i < 4; i++)
        if (!strcmp(text, eotfs[i])) {
            p->eotf = i;
            return true;
        }
    if (!strcmp(name, "preset") && !strcmp(text, "lubin95")) {
        p->n = 1.5;
        p->w = 0.068;
        p->kappa = p->csf_gain = 1;
        return true;
    }
    if (!strcmp(name, "full_range"))
        p->full_range = atoi(text);
    else if (!strcmp(name, "temporal"))
        p->temporal = atoi(text);
    else if (!strcmp(name, "optics"))
        p->optics = atoi(text);
    else if (!strcmp(name, "csf"))
        p->barten03 = !strcmp(text, "barten03");
    else
        return false;
    return true;
}

/* Reads a line of a case. Returns false if the line is unknown. */
static bool read_line(Case *c, char *line)
{
    char word[32], text[64];
    int a, b;
    double value;
    Stage *stage = &c->stages[c->stage_count];
    if (sscanf(line, "set %31s %63s", word, text) == 2)
        return set(&c->parameters, word, text);
    if (sscanf(line, "display %x", &c->display) == 1)
        return true;
    if (sscanf(line, "spread %d,%d %63s", &a, &b, text) == 3 && a >= b && b >= 0 && a <= FV_VDM_RADIUS) {
        c->spread[a * (a + 1) / 2 + b] = strtof(text, NULL);
        return true;
    }
    if (sscanf(line, "weights %d %63s", &a, text) == 2 && a >= 0 && a < FV_VDM_LEVELS) {
        c->weights[a] = strtoul(text, NULL, 16);
        return true;
    }
    if (sscanf(line, "stage %31s %d %d %x", stage->name, &stage->width, &stage->height, &stage->crc) == 4)
        return ++c->stage_count < 256;
    if (sscanf(line, "score %31s %la", word, &value) == 2)
        for (int i = 0; i < FV_VDM_SCORES; i++)
            if (!strcmp(word, score_names[i])) {
                c->scores[i] = value;
                c->scored++;
                return true;
            }
    return sscanf(line, "%159[^\n]", c->source) == 1;
}

/* Reads the next case. Returns false at the end. */
static bool read_case(FILE *file, Case *c)
{
    char line[512];
    *c = (Case){.parameters = defaults};
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "case %63s", c->name) == 1 || *line == '#')
            continue;
        if (*line == '\n' && *c->name)
            return true;
        if (*line != '\n' && !read_line(c, line)) {
            fprintf(stderr, "not understood: %s", line);
            exit(2);
        }
    }
    return *c->name;
}

/* ---- Pairs ---------------------------------------------------------------------------------------------------- */

/* Distorts a plane like the prototype: "quant" rounds to multiples of `argument`, "blur" smooths `argument` times. */
static void change(const char *operation, int argument, int width, int height, uint8_t *plane, ptrdiff_t stride)
{
    if (!strcmp(operation, "quant")) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int value = (plane[y * stride + x] + argument / 2) / argument * argument;
                plane[y * stride + x] = value > 255 ? 255 : value;
            }
        return;
    }
    uint8_t *line = malloc(width > height ? width : height);
    for (int pass = 0; pass < argument; pass++)
        for (int direction = 0; direction < 2; direction++) {
            int lines = direction ? width : height, length = direction ? height : width;
            ptrdiff_t step = direction ? stride : 1, next = direction ? 1 : stride;
            for (int i = 0; i < lines; i++) {
                uint8_t *first = plane + i * next;
                for (int j = 0; j < length; j++)
                    line[j] = first[j * step];
                for (int j = 0; j < length; j++)
                    first[j * step] =
                        (line[fv_vdm_mirror(j - 1, length)] + 2 * line[j] + line[fv_vdm_mirror(j + 1, length)] + 2) >>
                        2;
            }
        }
    free(line);
}

/* Reads the two frames of a case. Returns false if the clip is missing. */
static bool read_pair(const Case *c, const char *folder, FvFrame *frames[2])
{
    char names[2][32], operation[32];
    int width, height, chroma, depth, number, code, x, y, side, other, argument;
    unsigned seed;
    frames[0] = frames[1] = NULL;
    if (sscanf(c->source, "synth %d %d %d %d %u %31s %31s %d", &width, &height, &chroma, &depth, &seed, names[0],
               names[1], &number) == 8) {
        for (int i = 0; i < 2; i++) {
            SynthClip clip = {width, height, FV_CHROMA_420, depth, seed, SYNTH_REF, {0}};
            clip.chroma = chroma == 422 ? FV_CHROMA_422 : chroma == 444 ? FV_CHROMA_444 : FV_CHROMA_420;
            synth_kind_parse(names[i], &clip.kind);
            frames[i] = synth_frame(&clip, number);
        }
        return true;
    }
    FvError error;
    if (sscanf(c->source, "flat %d %d %d %d %d %d %d", &width, &height, &code, &x, &y, &side, &other) == 7) {
        FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_400, .depth = 8};
        for (int i = 0; i < 2; i++) {
            if (fv_frame_alloc(&frames[i], &format, &error))
                abort();
            for (int row = 0; row < height; row++)
                for (int column = 0; column < width; column++) {
                    bool inside = i && row >= y && row < y + side && column >= x && column < x + side;
                    frames[i]->data[0][row * frames[i]->stride[0] + column] = inside ? other : code;
                }
        }
        return true;
    }
    if (sscanf(c->source, "park_joy %d %31s %d", &number, operation, &argument) != 3)
        abort();
    GoldenClip clip = {.present = true};
    strcpy(clip.file, "park_joy_420_720p50_frm0to9_480x270.y4m");
    for (int i = 0; i < 2; i++) {
        GoldenReader reader;
        if (golden_reader_open(&reader, &clip, folder, &error))
            return false;
        bool read = !golden_reader_next(&reader, &frames[i], &error);
        golden_reader_close(&reader);
        if (!read)
            return false;
    }
    FvFrame *changed;
    if (fv_frame_alloc(&changed, &frames[1]->format, &error))
        abort();
    width = changed->format.width;
    height = changed->format.height;
    for (y = 0; y < height; y++)
        memcpy(changed->data[0] + y * changed->stride[0], frames[1]->data[0] + y * frames[1]->stride[0], width);
    change(operation, argument, width, height, changed->data[0], changed->stride[0]);
    fv_frame_unref(&frames[1]);
    frames[1] = changed;
    return true;
}

/* ---- The model ------------------------------------------------------------------------------------------------ */

static bool same_plane(const Stage *stage, FvVdmPlane plane, char *why)
{
    uint32_t crc = 0;
    for (int y = 0; y < plane.height; y++)
        crc = crc32_of(crc, fv_vdm_row(&plane, y), plane.width * sizeof(float));
    if (crc == stage->crc && plane.width == stage->width && plane.height == stage->height)
        return true;
    snprintf(why, 160, "%s differs: %dx%d with checksum %08x, not %dx%d with %08x", stage->name, plane.width,
             plane.height, crc, stage->width, stage->height, stage->crc);
    return false;
}

static bool same_tables(const Case *c, const FvVdmPlan *plan, int depth, char *why)
{
    if (crc32_of(0, plan->display, sizeof(float) << depth) != c->display)
        return strcpy(why, "the display's table differs") == NULL;
    for (int i = 0; i < 15; i++)
        if (plan->optics.spread.weight[i] != c->spread[i] && (c->parameters.optics || i == 0))
            if (c->parameters.optics)
                return snprintf(why, 160, "weight %d of the point spread differs", i) < 0;
    for (int k = 0; k < plan->parameters.levels; k++)
        if (crc32_of(0, plan->weights[k], sizeof plan->weights[k]) != c->weights[k])
            return snprintf(why, 160, "the weights of level %d differ", k) < 0;
    return true;
}

/* Computes all of a level's stages again, by one more call of the kernel, into planes of the sum's shape, and
 * compares them. */
static bool same_level(const Case *c, const FvVdmPlan *plan, const FvVdmPair *pair, int k, char *why)
{
    const FvVdmPlace *place = &plan->level[k], *next = place + 1;
    size_t floats = fv_vdm_plane_floats(place->width, place->height);
    float *memory = malloc(2 * FV_VDM_STAGES * floats * sizeof *memory);
    FvVdmSeen seen;
    FvVdmLevel level = {.sum = fv_vdm_plane_at(pair->frame, place->sum, place->width, place->height),
                        .weights = plan->weights[k],
                        .transducer = plan->transducer,
                        .q = (float)plan->parameters.q,
                        .pool = plan->parameters.pool};
    for (int i = 0; i < 2; i++) {
        level.gauss[i] = fv_vdm_plane_at(pair->frame, place->gauss[i], place->width, place->height);
        level.coarse[i] = fv_vdm_plane_at(pair->frame, next->gauss[i], next->width, next->height);
        level.mean[i] = fv_vdm_plane_at(pair->frame, next->mean[i], next->width, next->height);
        for (int s = 0; s < FV_VDM_STAGES; s++)
            seen.plane[i][s] = memory + (i * FV_VDM_STAGES + s) * floats + FV_VDM_MARGIN;
    }
    for (int y = 0; y < place->height; y += FV_VDM_TILE_HEIGHT)
        for (int x = 0; x < place->width; x += FV_VDM_TILE_WIDTH) {
            FvVdmTile tile = {x, y, place->width - x, place->height - y};
            tile.width = tile.width < FV_VDM_TILE_WIDTH ? tile.width : FV_VDM_TILE_WIDTH;
            tile.height = tile.height < FV_VDM_TILE_HEIGHT ? tile.height : FV_VDM_TILE_HEIGHT;
            plan->kernels->respond(&level, tile, &seen, pair->scratch);
        }
    if (c->parameters.temporal && k == FV_VDM_TRANSIENT_LEVEL)
        fv_vdm_transient_rows(plan, pair, 0, place->height);
    bool same = true;
    for (int i = 0; same && i < c->stage_count; i++) {
        const Stage *stage = &c->stages[i];
        const char *name = stage->name, *dot = strchr(name, '.');
        int picture = !strncmp(name, "dis.", 4), number, orientation = 0;
        FvVdmPlane plane = level.gauss[picture];
        if (sscanf(name, "diff%d", &number) == 1)
            plane = level.sum;
        else if (dot && sscanf(dot, ".contrast%d", &number) == 1)
            plane.data = seen.plane[picture][FV_VDM_CONTRAST];
        else if (dot && sscanf(dot, ".adapt%d", &number) == 1)
            plane.data = seen.plane[picture][FV_VDM_ADAPTATION];
        else if (dot && sscanf(dot, ".energy%d.%d", &number, &orientation) == 2)
            plane.data = seen.plane[picture][FV_VDM_ENERGY + orientation];
        else if (dot && sscanf(dot, ".transducer%d.%d", &number, &orientation) == 2)
            plane.data = seen.plane[picture][FV_VDM_RESPONSE + orientation];
        else if (!dot || sscanf(dot, ".gauss%d", &number) != 1)
            continue;
        if (number == k)
            same = same_plane(stage, plane, why);
    }
    free(memory);
    return same;
}

static bool same_ends(const Case *c, const FvVdmPlan *plan, const FvVdmPair *pair, char *why)
{
    int last = plan->resampled ? 1 : plan->halvings;
    for (int i = 0; i < c->stage_count; i++) {
        const Stage *stage = &c->stages[i];
        int picture = !strncmp(stage->name, "dis.", 4), at = strstr(stage->name, ".retina") ? last : 0;
        FvVdmPlane plane = {pair->maps->data, plan->optics.width, plan->optics.height, pair->maps->stride};
        if (strcmp(stage->name, "jnd")) {
            const FvVdmPlace *place = &plan->level[FV_VDM_TRANSIENT_LEVEL];
            if (strstr(stage->name, ".flicker"))
                plane = fv_vdm_plane_at(pair->frame, plan->flicker[picture], place->width, place->height);
            else if (strstr(stage->name, ".optics") || strstr(stage->name, ".retina"))
                plane = fv_vdm_plane_at(pair->frame, plan->chain[picture][at], plan->chain_width[at],
                                        plan->chain_height[at]);
            else
                continue;
        }
        if (!same_plane(stage, plane, why))
            return false;
    }
    return true;
}

static void run_steps(const FvVdmPlan *plan, FvVdmPair *pair, const FvFrame *const frames[2], FvVdmStep last)
{
    for (int i = 0; i < 2; i++) {
        pair->samples[i] = frames[i]->data[0];
        pair->stride[i] = frames[i]->stride[0];
    }
    for (FvVdmStep step = 0; step <= last; step++)
        for (int job = fv_vdm_jobs(plan, step) - 1; job >= 0; job--)
            fv_vdm_job(plan, pair, step, job);
}

/* Runs the frames before the case's frame, since they affect its result. */
static void run_earlier(const Case *c, const FvVdmPlan *plan, FvVdmPair *pair)
{
    char *number = strrchr(c->source, ' ') + 1;
    pair->first = true;
    for (int i = 0; i < atoi(number); i++) {
        static Case earlier;
        FvFrame *frames[2];
        earlier = *c;
        snprintf(earlier.source + (number - c->source), 16, "%d", i);
        read_pair(&earlier, NULL, frames);
        run_steps(plan, pair, (const FvFrame *const *)frames, FV_VDM_STEP_TIME);
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
        pair->first = false;
    }
}

static void check(Tap *tap, const Case *c, const FvFrame *const frames[2], FvIsa isa)
{
    char why[160] = "", name[128];
    FvVdmPlan plan;
    FvError error;
    int depth = frames[0]->format.depth, width = frames[0]->format.width, height = frames[0]->format.height;
    if (fv_vdm_plan_open(&plan, &c->parameters, width, height, depth, depth == 8 ? 1 : 2, false, isa, NULL, &error))
        abort();
    FvMapPlane maps[FV_VDM_MAPS] = {{malloc((size_t)width * height * sizeof(float)), width}};
    FvVdmPair pair = {.frame = fv_alloc(plan.floats * sizeof(float)),
                      .scratch = fv_alloc(plan.scratch_floats * sizeof(float)),
                      .maps = maps};
    memset(pair.frame, 0xff, plan.floats * sizeof(float));
    memset(pair.scratch, 0xff, plan.scratch_floats * sizeof(float));
    if (plan.lasting_floats) {
        pair.lasting = fv_alloc(plan.lasting_floats * sizeof(float));
        memset(pair.lasting, 0xff, plan.lasting_floats * sizeof(float));
        run_earlier(c, &plan, &pair);
    }
    run_steps(&plan, &pair, frames, FV_VDM_STEPS - 1);
    bool same = same_tables(c, &plan, depth, why) && same_ends(c, &plan, &pair, why);
    FvTerm terms[FV_VDM_TERMS];
    double scores[FV_VDM_SCORES];
    fv_vdm_terms(&plan, pair.frame, terms);
    fv_vdm_scores(terms, (double)width * height, plan.ppd, 1.3, scores);
    for (int i = 0; same && i < FV_VDM_SCORES && c->scored; i++)
        if (scores[i] != c->scores[i]) {
            snprintf(why, sizeof why, "%s is %a, not %a", score_names[i], scores[i], c->scores[i]);
            same = false;
        }
    for (int k = 0; same && k < plan.parameters.levels; k++)
        same = same_level(c, &plan, &pair, k, why);
    snprintf(name, sizeof name, "%s, %s", c->name, fv_isa_name(isa));
    tap_case(tap, same, name, why);
    fv_free(pair.frame);
    fv_free(pair.lasting);
    fv_free(pair.scratch);
    free(maps->data);
    fv_vdm_plan_close(&plan);
}

int main(int argc, char **argv)
{
    Tap tap = {0};
    static Case c;
    bool full = argc == 4 && !strcmp(argv[1], "--full");
    FILE *file = argc >= 3 ? fopen(argv[argc - 1], "r") : NULL;
    if (!file) {
        fputs("usage: test-vdm-stages [--full] FOLDER vdm_stages.txt\n", stderr);
        return 2;
    }
    while (read_case(file, &c)) {
        FvFrame *frames[2];
        if (!full && !strncmp(c.source, "park_joy", 8))
            continue;
        if (read_pair(&c, argv[argc - 2], frames)) {
            for (FvIsa isa = 0; isa < FV_ISA_COUNT; isa++)
                if (fv_isa_usable(isa))
                    check(&tap, &c, (const FvFrame *const *)frames, isa);
        } else
            tap_skip(&tap, c.name, "the clip is not there");
        fv_frame_unref(&frames[0]);
        fv_frame_unref(&frames[1]);
    }
    fclose(file);
    return tap_done(&tap);
}
