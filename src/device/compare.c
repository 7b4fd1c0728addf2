#include "device/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "device/instances.h"
#include "os/memory.h"
#include "picture/frame.h"

#define MAX_FRAMES 24
#define SCALAR_THREADS 2 /* threads for scalar C, which is slower than the GPU */

static uint32_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}

static uint32_t band(uint32_t peak, int x, int y)
{
    uint32_t tall = (uint32_t)x / 190 % 2;
    return (peak >> 3) + (uint32_t)(x / 23 + (tall ? 0 : y / 17 + (x + y) / 50)) % 9 * (1 + tall);
}

static uint32_t sample_of_fill(int fill, uint32_t peak, int x, int y, uint64_t *state)
{
    uint32_t random = next_random(state);
    switch (fill) {
    case FV_FILL_NOISE:
        return random % (peak + 1);
    case FV_FILL_EXTREMES:
    case FV_FILL_OPPOSITES:
        return random & 1 ? peak : 0;
    case FV_FILL_SLOPES:
        return ((uint32_t)(x + 2 * y) * (peak + 1) / 512 + (random % 61 == 0)) % (peak + 1);
    case FV_FILL_BANDS:
        return band(peak, x, y);
    case FV_FILL_CELLS:
        if (x / 480 % 2)
            return band(peak, x, y);
        return (peak >> 3) + (((uint32_t)(x / 3) * 2654435761u ^ (uint32_t)(y / 6) * 2246822519u) >> 8) % 211;
    default:
        return ((uint32_t)(x / 16 * 37 + y / 16 * 101) % 7 * peak / 8 + random % 3) % (peak + 1);
    }
}

static uint32_t random_step(uint64_t *state)
{
    return next_random(state) % 16 == 0;
}

static FvStatus make_frame(FvFrame **frame, const FvFormat *format, int fill, uint64_t *state, const FvFrame *like,
                           FvError *error)
{
    FvStatus status = fv_frame_alloc(frame, format, error);
    if (status)
        return status;
    uint32_t peak = (1u << format->depth) - 1;
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++) {
            uint8_t *row = (*frame)->data[plane] + y * (*frame)->stride[plane];
            const uint8_t *original = like ? like->data[plane] + y * like->stride[plane] : NULL;
            for (int x = 0; x < width; x++) {
                uint32_t value = sample_of_fill(fill, peak, x, y, state);
                const uint32_t was = !like ? 0 : format->depth == 8 ? original[x] : ((const uint16_t *)original)[x];
                /* A distorted frame equals the reference except for errors in a third of the samples. */
                if (like && fill == FV_FILL_OPPOSITES)
                    value = was ? random_step(state) : peak - random_step(state);
                else if (like && next_random(state) % 3)
                    value = was;
                if (format->depth == 8)
                    row[x] = (uint8_t)value;
                else
                    ((uint16_t *)row)[x] = (uint16_t)value;
            }
        }
    }
    return FV_OK;
}

/* The compared feature, with its inputs, on one device. */
typedef struct Side {
    FvFeatureInstances runs;
    FvPlacement placement[FV_MAX_INSTANCES];
    int target; /* index of the compared feature's instance */
    FvTask tasks[MAX_FRAMES];
    FvMapPlane maps[FV_MAX_MAPS]; /* maps of the last frame */
    FvDevice *device;
} Side;

typedef struct Comparison {
    const FvTestDevice *device;
    Side side[2]; /* [0] scalar C, [1] the device */
    int frames;
    bool refused; /* the device does not accept the frames */
} Comparison;

static uint64_t all_maps(const FvFeature *feature)
{
    return feature->map_count ? UINT64_MAX >> (64 - feature->map_count) : 0;
}

/* Initialises the feature instances. FV_END: the feature does not accept frames of this format. */
static FvStatus init_runs(Side *side, const FvFeature *feature, const void *options, const FvFormat *format,
                          FvIsa isa, FvError *error)
{
    /* Other options are compared as the twin of an instance with the defaults, whose memory has the results. */
    void *defaults = feature->computes_both ? fv_alloc_zero(feature->options_size) : NULL;
    FvStatus status = FV_OK;
    if (feature->computes_both && !defaults)
        status = fv_fail_memory(error, feature->options_size);
    if (defaults) {
        fv_options_default(defaults, &feature->options);
        status = fv_instances_add(&side->runs, feature, defaults, false, &side->target, error);
        fv_free(defaults);
    }
    if (!status)
        status = fv_instances_add(&side->runs, feature, options, false, &side->target, error);
    for (int r = 0; r < side->runs.count; r++) {
        side->runs.run[r].isa = isa;
        side->runs.run[r].threads = 1;
        side->placement[r] = r == side->target || feature->computes_both ? FV_PLACED : FV_PLACED_AS_INPUT;
    }
    side->runs.run[side->target].wanted_maps = all_maps(feature);
    if (!status && (status = fv_instances_init(&side->runs, format, format, error)) && status != FV_ERROR_MEMORY)
        status = FV_END;
    return status;
}

/* Plans the instances without the maps that the device cannot make. */
static FvStatus plan_runs(Comparison *c)
{
    Side *side = &c->side[1];
    for (int r = 0; r < side->runs.count; r++) {
        FvFeatureInstance *run = &side->runs.run[r];
        char why[256];
        if (c->device->takes && !c->device->takes(c->device->opaque, run, why, sizeof why))
            return FV_END;
        if (r == side->target)
            c->side[0].runs.run[c->side[0].target].wanted_maps = run->wanted_maps;
    }
    return FV_OK;
}

static FvStatus alloc_side(Side *side, int frames, FvError *error)
{
    const FvFeatureInstance *target = &side->runs.run[side->target];
    for (int t = 0; t < frames; t++)
        for (int r = 0; r < side->runs.count; r++)
            if (!(side->tasks[t].frame[r] = fv_alloc(side->runs.run[r].frame_bytes)))
                return fv_fail_memory(error, side->runs.run[r].frame_bytes);
    for (int m = 0; m < target->feature->map_count; m++) {
        size_t samples = (size_t)target->map[m].width * (size_t)target->map[m].height;
        if (!(target->wanted_maps >> m & 1))
            continue;
        side->maps[m].stride = target->map[m].width;
        if (!(side->maps[m].data = fv_alloc(samples * sizeof(float))))
            return fv_fail_memory(error, samples * sizeof(float));
        side->tasks[frames - 1].map[side->target] = side->maps;
    }
    return FV_OK;
}

static FvStatus prepare_comparison(Comparison *c, const FvFeature *feature, const void *options,
                                   const FvFormat *format, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = init_runs(&c->side[i], feature, options, format, i ? c->device->isa : FV_ISA_SCALAR, error);
    if (!status && plan_runs(c))
        c->refused = true;
    for (int i = 0; i < 2 && !status; i++)
        status = alloc_side(&c->side[i], c->frames, error);
    const FvDeviceParams scalar = {.name = "cpu", .isa = FV_ISA_SCALAR, .threads = SCALAR_THREADS};
    int all = c->frames;
    if (!status)
        status = fv_device_cpu.open(&c->side[0].device, &scalar, error);
    if (!status)
        status = fv_device_cpu.start(c->side[0].device, c->side[0].runs.run, c->side[0].placement,
                                     c->side[0].runs.count, &all, error);
    return status;
}

static FvStatus make_task(Comparison *c, int t, const FvFormat *format, int fill, uint64_t *state, FvError *error)
{
    FvTask *task = &c->side[1].tasks[t];
    task->index = task->number = t;
    FvStatus status = make_frame(&task->ref, format, fill, state, NULL, error);
    if (!status)
        status = make_frame(&task->dis, format, fill, state, task->ref, error);
    for (int k = 0; k < FV_MAX_BEHIND && k < t; k++) {
        task->prev_ref[k] = c->side[1].tasks[t - 1 - k].ref;
        task->prev_dis[k] = c->side[1].tasks[t - 1 - k].dis;
    }
    return status;
}

/* Lets the tasks of scalar C use the same frames as those of the device. */
static void borrow_frames(const FvTask *from, FvTask *to)
{
    to->index = to->number = from->index;
    to->ref = from->ref;
    to->dis = from->dis;
    memcpy(to->prev_ref, from->prev_ref, sizeof to->prev_ref);
    memcpy(to->prev_dis, from->prev_dis, sizeof to->prev_dis);
}

static void compare_terms(const FvFeatureInstance *run, int t, const FvTerm *c, const FvTerm *gpu, char *why,
                          size_t size)
{
    char text[96], value[2][32];
    for (int i = 0; i < run->term_count && !*why; i++) {
        const FvTerm *both[2] = {&c[i], &gpu[i]};
        if (c[i].integer == gpu[i].integer) /* compares all bits, whatever the type */
            continue;
        for (int k = 0; k < 2; k++)
            if (run->feature->terms_info[i].type == FV_TERM_INTEGER)
                snprintf(value[k], sizeof value[k], "%lld", (long long)both[k]->integer);
            else
                snprintf(value[k], sizeof value[k], "%.17g", both[k]->real);
        snprintf(why, size, "%s of frame %d (%s) is %s instead of %s", run->feature->terms_info[i].name, t,
                 fv_format_describe(&run->dis, text, sizeof text), value[1], value[0]);
    }
}

static void compare_maps(const Comparison *c, char *why, size_t size)
{
    const FvFeatureInstance *run = &c->side[0].runs.run[c->side[0].target];
    char text[96];
    for (int m = 0; m < run->feature->map_count; m++) {
        const float *maps[2] = {c->side[0].maps[m].data, c->side[1].maps[m].data};
        int width = run->map[m].width, count = maps[0] ? width * run->map[m].height : 0;
        for (int i = 0; i < count && !*why; i++)
            if (memcmp(&maps[0][i], &maps[1][i], sizeof(float)))
                snprintf(why, size, "map %s (%s) is %.9g instead of %.9g at %d, %d", run->feature->maps[m].name,
                         fv_format_describe(&run->dis, text, sizeof text), (double)maps[1][i], (double)maps[0][i],
                         i % width, i / width);
    }
}

/* Scores all frames on the device and closes it. The results remain in the tasks. */
static FvStatus score_there(Comparison *c, FvError *error)
{
    Side *side = &c->side[1];
    const FvDeviceOps *ops = &c->device->ops;
    int all = c->frames;
    FvStatus status = c->device->open(c->device->opaque, &side->device, error);
    if (!status)
        status = ops->start(side->device, side->runs.run, side->placement, side->runs.count, &all, error);
    for (int t = 0; t < c->frames && !status; t++)
        status = ops->submit(side->device, &side->tasks[t], error);
    for (int t = 0; t < c->frames && !status; t++)
        status = ops->wait(side->device, &side->tasks[t], error);
    c->device->close(c->device->opaque, &side->device);
    return status;
}

static FvStatus begin_scalar(Comparison *c, FvError *error)
{
    FvStatus status = FV_OK;
    for (int t = 0; t < c->frames && !status; t++) {
        borrow_frames(&c->side[1].tasks[t], &c->side[0].tasks[t]);
        status = fv_device_cpu.submit(c->side[0].device, &c->side[0].tasks[t], error);
    }
    return status;
}

/* Compares a frame. If the results differ, returns FV_OK and fills `why`. FV_ERROR_DEVICE: the device failed. */
static FvStatus compare_frame(Comparison *c, int t, FvSha256 *words, char *why, size_t size, FvError *error)
{
    Side *side = c->side;
    FvTerm *rows[2];
    FvStatus status = fv_device_cpu.wait(side[0].device, &side[0].tasks[t], error);
    int count = side[0].runs.run[side[0].target].term_count;
    rows[0] = fv_alloc_zero((size_t)count * sizeof(FvTerm));
    rows[1] = fv_alloc_zero((size_t)count * sizeof(FvTerm));
    if (!rows[0] || !rows[1])
        status = fv_fail_memory(error, (size_t)count * sizeof(FvTerm));
    const int sides = c->refused ? 1 : 2;
    for (int i = 0; i < sides && !status; i++) {
        FvWork work = fv_task_work(&side[i].tasks[t], side[i].runs.run, side[i].target);
        status = fv_instance_terms(&side[i].runs.run[side[i].target], &work, rows[i], error);
    }
    for (int i = 0; i < count && words && !status; i++) {
        uint8_t bytes[8];
        for (int k = 0; k < 8; k++)
            bytes[k] = (uint8_t)((uint64_t)rows[sides - 1][i].integer >> 8 * k);
        fv_sha256_add(words, bytes, sizeof bytes);
    }
    if (!status && !c->refused)
        compare_terms(&side[0].runs.run[side[0].target], t, rows[0], rows[1], why, size);
    if (!status && !c->refused && t == c->frames - 1)
        compare_maps(c, why, size);
    fv_free(rows[0]);
    fv_free(rows[1]);
    return status;
}

static void close_side(Side *side, int frames)
{
    for (int t = 0; t < frames; t++)
        for (int r = 0; r < side->runs.count; r++)
            fv_free(side->tasks[t].frame[r]);
    for (int m = 0; m < FV_MAX_MAPS; m++)
        fv_free(side->maps[m].data);
    fv_instances_close(&side->runs);
}

FvTestVerdict fv_test_compare(const FvTestDevice *device, const FvFeature *feature, const void *options,
                              const FvFormat *format, uint64_t seed, int fill, int frames, FvSha256 *words, char *why,
                              size_t size)
{
    FvError error = {0};
    uint64_t state = seed * 2654435761u + 88172645463325252u;
    *why = '\0';
    Comparison *c = fv_alloc_zero(sizeof *c);
    if (!c) {
        snprintf(why, size, "out of memory");
        return FV_TEST_UNTESTED;
    }
    c->device = device;
    c->frames = frames < MAX_FRAMES ? frames : MAX_FRAMES;
    FvStatus status = prepare_comparison(c, feature, options, format, &error);
    for (int t = 0; t < c->frames && !status; t++)
        status = make_task(c, t, format, fill, &state, &error);
    if (!status && (!c->refused || words))
        status = begin_scalar(c, &error);
    if (!status && !c->refused)
        status = score_there(c, &error);
    for (int t = 0; t < c->frames && !status && !*why && (!c->refused || words); t++)
        status = compare_frame(c, t, words, why, size, &error);
    FvTestVerdict verdict = status == FV_END || (!status && c->refused) ? FV_TEST_REFUSES
                            : status                                    ? FV_TEST_UNTESTED
                            : *why                                      ? FV_TEST_DIFFERS
                                                                        : FV_TEST_SAME;
    if (verdict == FV_TEST_UNTESTED)
        snprintf(why, size, "%s", error.message);
    if (c->side[0].device)
        fv_device_cpu.close(&c->side[0].device);
    close_side(&c->side[0], c->frames);
    close_side(&c->side[1], c->frames);
    for (int t = 0; t < c->frames; t++) {
        fv_frame_unref(&c->side[1].tasks[t].ref);
        fv_frame_unref(&c->side[1].tasks[t].dis);
    }
    fv_free(c);
    return verdict;
}

/* ---- The CPU ------------------------------------------------------------------------------------------------ */

static FvStatus open_cpu(void *opaque, FvDevice **device, FvError *error)
{
    return fv_device_cpu.open(device, opaque, error);
}

static void close_cpu(void *opaque, FvDevice **device)
{
    if (*device)
        fv_device_cpu.close(device);
}

FvTestDevice fv_test_cpu(const FvDeviceParams *params)
{
    return (FvTestDevice){
        .isa = params->isa, .ops = fv_device_cpu, .open = open_cpu, .close = close_cpu, .opaque = (void *)params};
}

/* ---- Speed -------------------------------------------------------------------------------------------------- */

/* Prepares the device's side for timing, without scalar C and without maps. */
static FvStatus prepare_time(Comparison *c, const FvFeature *feature, const void *options, const FvFormat *format,
                             FvError *error)
{
    Side *side = &c->side[1];
    int all = c->frames;
    uint64_t state = 88172645463325252u;
    FvStatus status = init_runs(side, feature, options, format, c->device->isa, error);
    if (!status)
        status = plan_runs(c);
    side->runs.run[side->target].wanted_maps = 0;
    if (!status)
        status = alloc_side(side, c->frames, error);
    FvStatus opened = c->device->open(c->device->opaque, &side->device, error);
    status = status ? status : opened;
    if (!status)
        status = c->device->ops.start(side->device, side->runs.run, side->placement, side->runs.count, &all, error);
    c->frames = all < c->frames ? all : c->frames;
    return status ? status : make_task(c, 0, format, FV_FILL_SQUARES, &state, error);
}

/* Scores the same pair `count` times. Returns the seconds that this took; 0 after a failure. */
static double time_pairs(Comparison *c, int64_t first, int count)
{
    Side *side = &c->side[1];
    FvStatus status = FV_OK;
    FvError ignored;
    const double started = fv_seconds();
    for (int t = 0; t < count && !status; t++) {
        FvTask *task = &side->tasks[t];
        task->index = task->number = first + t;
        task->ref = side->tasks[0].ref;
        task->dis = side->tasks[0].dis;
        for (int k = 0; k < FV_MAX_BEHIND && k < task->index; k++) {
            task->prev_ref[k] = task->ref;
            task->prev_dis[k] = task->dis;
        }
        status = c->device->ops.submit(side->device, task, &ignored);
    }
    for (int t = 0; t < count && !status; t++)
        status = c->device->ops.wait(side->device, &side->tasks[t], &ignored);
    return status ? 0 : fv_seconds() - started;
}

int fv_test_time(const FvTestDevice *device, const FvFeature *feature, const void *options, const FvFormat *format,
                 int rounds, double budget, double *seconds, double *cost)
{
    FvError ignored;
    int timed = 0;
    Comparison *c = fv_alloc_zero(sizeof *c);
    if (!c)
        return 0;
    c->device = device;
    c->frames = MAX_FRAMES;
    double one = 0, spent = 0;
    if (!prepare_time(c, feature, options, format, &ignored) && time_pairs(c, 0, 1) > 0) /* loads kernels */
        one = time_pairs(c, 1, 1);
    int64_t next = 2;
    for (; one > 0 && timed < rounds && spent < budget; timed++) {
        const double room = budget / rounds / one;
        const int count = room >= c->frames ? c->frames : room < 1 ? 1 : (int)room;
        if (!timed && rounds > 1) { /* the first use of each task's memory clears its pages */
            one = time_pairs(c, next, count) / count;
            next += count;
        }
        double taken = 0, batch;
        int64_t pairs = 0;
        do { /* repeats batches, so that a clock that is slow at the start of the round has time to rise */
            batch = time_pairs(c, next, count);
            taken += batch;
            pairs += count;
            next += count;
        } while (batch > 0 && rounds > 1 && taken < budget / rounds);
        if (batch <= 0)
            break;
        spent += taken;
        seconds[timed] = taken / (double)pairs;
    }
    if (cost)
        *cost = 0;
    for (int r = 0; r < c->side[1].runs.count && cost; r++)
        *cost += c->side[1].runs.run[r].feature->cost * 1e-12 * format->width * format->height;
    device->close(device->opaque, &c->side[1].device);
    close_side(&c->side[1], MAX_FRAMES);
    fv_frame_unref(&c->side[1].tasks[0].ref);
    fv_frame_unref(&c->side[1].tasks[0].dis);
    fv_free(c);
    return timed;
}
