/* Estimates this run from the speeds that earlier sessions measured, and stores the speeds that it measures. */
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "device_select/devices.h"
#include "device_select/estimate.h"
#include "device_select/speeds.h"
#include "os/processors.h"
#include "picture/frame.h"
#include "session/state.h"

#define LEAST_PAIRS 8      /* minimum number of pairs from which a speed is derived */
#define LEAST_SECONDS 0.02 /* minimum time of the pairs from which a speed is derived, in seconds */

/* ---- Names ----------------------------------------------------------------------------------------------------- */

/*
 * Writes the name of the CPU or of a GPU. `gpu` NULL without `cpu`: writes only the end, which the names of all GPUs
 * share.
 */
static void name_place(const FvSession *session, const FvDevice *gpu, bool cpu, char *text, size_t size)
{
    char title[128];
    fv_processor_title(title, sizeof title);
    const int threads = session->devices.threads;
    if (cpu)
        snprintf(text, size, "cpu %s, %d threads, %s", fv_isa_name(session->devices.isa), threads, title);
    else if (gpu)
        snprintf(text, size, "%s %.100s, %d threads, %s", gpu->ops->kind, gpu->title, threads, title);
    else
        snprintf(text, size, ", %d threads, %s", threads, title);
}

/* Writes the kind of input: "raw", or the codecs of both sides, with the chroma format. */
static void name_input(const FvSession *session, bool hardware, char *text, size_t size)
{
    const FvInput *sides[] = {&session->facts.reference, &session->facts.distorted};
    const char *codec[2];
    for (int side = 0; side < 2; side++)
        codec[side] = sides[side]->codec && *sides[side]->codec ? sides[side]->codec : "raw";
    if (!sides[0]->present)
        codec[0] = "";
    snprintf(text, size, "%.24s%s%.24s %s%s", codec[0], *codec[0] && *codec[1] ? " and " : "", codec[1],
             fv_chroma_name(session->dis.chroma), hardware ? " by video decoders" : "");
}

/*
 * The measured aspects of an input: the time to read a pair, the work of all processors for a pair on the CPU, and
 * the time until the first pair.
 */
typedef enum Aspect { ARRIVAL, WORK, FIRST } Aspect;

#define FEW_PAIRS 256 /* number of pairs at the start during which decoders and memory are still being allocated */

typedef struct Input {
    char name[3][96];  /* names of the speeds, by aspect */
    char many[96];     /* name of the time to read a pair in runs of many pairs, in which it is shorter */
    const char *start; /* name of the start-up time of all inputs of this kind */
} Input;

static Input input_of(const FvSession *session, bool hardware, int64_t pairs)
{
    char text[72];
    Input input = {.start = hardware ? "start with video decoders" : "start"};
    name_input(session, hardware, text, sizeof text);
    const bool few = pairs < FEW_PAIRS;
    snprintf(input.name[ARRIVAL], sizeof input.name[0], "%s%s", text, few ? ", few pairs" : "");
    snprintf(input.many, sizeof input.many, "%s", text);
    snprintf(input.name[WORK], sizeof input.name[0], "work of %s", text);
    snprintf(input.name[FIRST], sizeof input.name[0], FV_SPEEDS_FIRST "%s", text);
    return input;
}

/* ---- The estimate ---------------------------------------------------------------------------------------------- */

static double value_of(const FvSpeeds *speeds, const char *what, const char *where, const FvFormat *format)
{
    const FvSpeed *speed = where ? fv_speeds_find(speeds, what, where, format) : NULL;
    return speed ? speed->value : 0;
}

/* Returns the seconds until the first pair is read. */
static double start_of(const FvSpeeds *speeds, const Input *input, const char *where, const FvFormat *format)
{
    const double first = value_of(speeds, input->name[FIRST], where, format);
    return first > 0 ? first : value_of(speeds, input->start, where, NULL);
}

/* Returns the seconds to read a pair. */
static double arrival_of(const FvSpeeds *speeds, const Input *input, const char *where, const FvFormat *format)
{
    const double same = value_of(speeds, input->name[ARRIVAL], where, format);
    return (double)format->width * format->height * (same > 0 ? same : value_of(speeds, input->many, where, format));
}

/* Returns the known speeds of a feature, from the self-test and from runs on the processors `where`. */
static FvKnown known_of(const FvSpeeds *speeds, const char *const where[2], FvDevice *gpu,
                        const FvFeatureInstance *run)
{
    FvKnown known = run->feature->gpu ? fv_devices_known(gpu, run->feature) : (FvKnown){.tested = false};
    for (int d = 0; d < 2; d++)
        known.shown[d] = 1e12 * value_of(speeds, run->feature->name, where[d], &run->dis);
    return known;
}

static FvEstimate estimate(const FvSession *session, FvDevice *gpu, const FvSpeeds *speeds)
{
    const FvFormat *dis = &session->dis;
    char cpu[300], device[300];
    name_place(session, NULL, true, cpu, sizeof cpu);
    name_place(session, gpu, false, device, sizeof device);
    const char *const where[2] = {cpu, gpu ? device : fv_speeds_latest(speeds, device)};
    FvEstimateParams params = {.pairs = session->workload.pairs,
                               .samples = (double)dis->width * dis->height,
                               .bytes = (double)fv_format_plane_bytes(dis) * (1 + session->has_reference),
                               .open = gpu != NULL,
                               .videos = session->workload.decoded,
                               .hwdec = session->workload.hwdec,
                               .processors = session->devices.threads};
    for (int d = 0; d < 2; d++) {
        const Input input = input_of(session, d && session->workload.hwdec, session->workload.pairs);
        params.start[d] = start_of(speeds, &input, where[d], dis);
        params.arrival[d] = arrival_of(speeds, &input, where[d], dis);
        if (!d)
            params.work = params.samples * value_of(speeds, input.name[WORK], where[d], dis);
    }
    for (int r = 0; r < session->runs.count; r++) {
        const FvKnown known = known_of(speeds, where, gpu, &session->runs.run[r]);
        fv_estimate_add(&params, session->runs.run[r].feature, &known);
    }
    return fv_estimate(&params);
}

FvStatus fv_session_estimate(FvSession *session, FvDevice *gpu, FvEstimate *seconds, FvError *error)
{
    FvSpeeds speeds;
    fv_speeds_read(&speeds);
    *seconds = estimate(session, gpu, &speeds);
    FvStatus status = speeds.damaged ? fv_session_decide(session, error,
                                                         "%.400s is damaged, so that auto uses constants instead "
                                                         "of the speeds that this machine has shown",
                                                         speeds.path)
                                     : FV_OK;
    fv_speeds_free(&speeds);
    return status;
}

/* ---- Measurements of a run ------------------------------------------------------------------------------------- */

typedef struct Showing {
    FvSpeeds *speeds;
    const char *where;
    const FvFormat *format;
    double weight;
} Showing;

/*
 * Stores a speed in seconds per pair. exact: `seconds` is the time itself; false: an upper bound. before: the time
 * known so far; 0: none.
 */
static void store_speed(const Showing *showing, const char *what, double seconds, bool exact, double before)
{
    const double samples = (double)showing->format->width * showing->format->height;
    FvSpeed speed = {.width = showing->format->width,
                     .height = showing->format->height,
                     .depth = showing->format->depth,
                     .value = seconds / samples,
                     .weight = showing->weight};
    if (!exact && (before <= seconds || before <= 0))
        return;
    snprintf(speed.what, sizeof speed.what, "%s", what);
    snprintf(speed.where, sizeof speed.where, "%s", showing->where);
    fv_speeds_show(showing->speeds, &speed);
}

/*
 * Returns the known seconds of all features for a pair, and fills costs[] with those of each. *known: all were
 * measured in a run.
 */
static double costs_of(const Showing *showing, const FvSession *session, FvDevice *gpu,
                       double costs[FV_MAX_INSTANCES], bool *known)
{
    const char *const where[2] = {gpu ? NULL : showing->where, gpu ? showing->where : NULL};
    const double unit = 1e-12 * showing->format->width * showing->format->height;
    double sum = 0;
    *known = true;
    for (int r = 0; r < session->runs.count; r++) {
        const FvFeature *feature = session->runs.run[r].feature;
        const FvKnown found = known_of(showing->speeds, where, gpu, &session->runs.run[r]);
        const double shown = found.shown[gpu != NULL];
        costs[r] = unit * (gpu ? fv_gpu_cost(feature, &found) : shown > 0 ? shown : feature->cost);
        *known &= shown > 0;
        sum += costs[r];
    }
    return sum;
}

/*
 * Divides the time of a pair among its features in proportion to their known times, and stores the parts. `seconds`
 * and `exact` as in store_speed().
 */
static void show_features(const Showing *showing, const FvSession *session, const double costs[FV_MAX_INSTANCES],
                          double sum, double seconds, bool exact)
{
    for (int r = 0; r < session->runs.count && sum > 0; r++)
        if (costs[r] > 0)
            store_speed(showing, session->runs.run[r].feature->name, seconds * costs[r] / sum, exact, costs[r]);
}

/* Stores the seconds of a start. format: NULL: they do not depend on the frames. */
static void show_start(const Showing *showing, const char *what, double seconds, const FvFormat *format)
{
    FvSpeed start = {.value = seconds, .weight = 1};
    if (format) {
        start.width = format->width;
        start.height = format->height;
        start.depth = format->depth;
    }
    snprintf(start.what, sizeof start.what, "%s", what);
    snprintf(start.where, sizeof start.where, "%s", showing->where);
    fv_speeds_show(showing->speeds, &start);
}

/*
 * Stores the speeds of the CPU. Decoding threads share the processors with scoring threads, which therefore work less
 * than the time that passes.
 */
static void show_cpu(const Showing *showing, const FvSession *session, const Input *input, const FvRunTiming *timing)
{
    const int threads = session->devices.threads;
    const double pair = timing->seconds / (double)timing->pairs;
    const double work = (double)atomic_load(&session->devices.opened[0]->worked) * 1e-9 / (double)timing->pairs;
    double costs[FV_MAX_INSTANCES];
    bool known;
    const double sum = costs_of(showing, session, NULL, costs, &known);
    const double before = arrival_of(showing->speeds, input, showing->where, showing->format);
    const bool idle = timing->waits && 2 * work < pair * threads; /* else reading may wait for scoring threads */
    store_speed(showing, input->name[ARRIVAL], pair, idle, before);
    if (!idle && session->workload.decoded && pair * threads > sum)
        store_speed(showing, input->name[WORK], pair * threads - sum, true, 0);
    if (!session->workload.decoded || !known)
        show_features(showing, session, costs, sum, work, true);
    show_start(showing, input->name[FIRST], timing->start, showing->format);
}

static void show_gpu(const Showing *showing, const FvSession *session, const Input *input, const FvRunTiming *timing)
{
    FvDevice *device = session->devices.opened[0];
    const double pair = timing->seconds / (double)timing->pairs;
    const double before = arrival_of(showing->speeds, input, showing->where, showing->format);
    double costs[FV_MAX_INSTANCES];
    bool known;
    const double sum = costs_of(showing, session, device, costs, &known);
    show_features(showing, session, costs, sum, pair, !timing->waits);
    store_speed(showing, input->name[ARRIVAL], pair, timing->waits, before);
    if (!session->devices.first || device->tested)
        return;
    show_start(showing, input->start, timing->start, NULL);
    show_start(showing, input->name[FIRST], timing->start, showing->format);
}

void fv_session_show_speeds(const FvSession *session, const FvRunTiming *timing)
{
    FvDevice *device = session->devices.opened[0];
    const bool cpu = device->ops == &fv_device_cpu;
    if (session->devices.opened[1] || session->devices.others || device->software || timing->pairs < LEAST_PAIRS ||
        timing->seconds < LEAST_SECONDS || !fv_devices_may_have_gpu())
        return;
    FvSpeeds speeds;
    char where[300];
    fv_speeds_read(&speeds);
    name_place(session, device, cpu, where, sizeof where);
    const Input input = input_of(session, timing->hardware, timing->pairs);
    const Showing showing = {&speeds, where, &session->dis, timing->seconds};
    (cpu ? show_cpu : show_gpu)(&showing, session, &input, timing);
    fv_speeds_keep(&speeds);
    fv_speeds_free(&speeds);
}
