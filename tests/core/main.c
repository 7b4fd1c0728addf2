/*
 * Tests that sessions give what the sample features and metrics are defined to give (sample.h): features that are
 * shared and read each other's memory, windows at the ends of the clip, subsampling, metrics without pixels, and maps
 * of some frames. They run on the CPU, on a GPU if there is one, and on both at once.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "sample.h"
#include "session/state.h"
#include "tap/tap.h"

enum { FRAMES = 7, WIDTH = 37, HEIGHT = 23 };

static Tap tap;
static const FvFormat format = {.width = WIDTH, .height = HEIGHT, .chroma = FV_CHROMA_420, .depth = 8};
static FvFrame *clip[2][FRAMES]; /* [0]: reference, [1]: distorted */

static void make_clip(void)
{
    uint32_t random = 1;
    for (int side = 0; side < 2; side++)
        for (int t = 0; t < FRAMES; t++) {
            if (fv_frame_alloc(&clip[side][t], &format, NULL))
                abort();
            for (int plane = 0; plane < 3; plane++) {
                int width, height;
                fv_format_plane_size(&format, plane, &width, &height);
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++) {
                        random = random * 1664525u + 1013904223u;
                        clip[side][t]->data[plane][y * clip[side][t]->stride[plane] + x] = (uint8_t)(random >> 24);
                    }
            }
        }
}

static int sample_at(int side, int t, int x, int y)
{
    return clip[side][t]->data[0][y * clip[side][t]->stride[0] + x];
}

static double want_rows(int t, int weight)
{
    double sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += weight * sample_at(1, t, x, y);
    return sum;
}

static double want_moment(int t, int weight)
{
    uint32_t sum = 0;
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += (uint32_t)(weight * sample_at(1, t, x, y) * (y + 1));
    return sum;
}

static double want_change(int t, int back)
{
    double sum = 0;
    for (int y = 0; y < HEIGHT && t >= back; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += abs(sample_at(0, t, x, y) - sample_at(0, t - back, x, y));
    return sum;
}

/* Parameters of a session. */
typedef struct Case {
    const char *device;
    int threads, in_flight, subsample, weight, back, ahead, behind;
    bool whole; /* pushes the clip to its end */
} Case;

static bool is_scored(const Case *c, int t)
{
    return t % c->subsample == 0;
}

static int count_scored(const Case *c, int end)
{
    return (end + c->subsample - 1) / c->subsample;
}

static FvStatus open_session(const Case *c, FvSession **session, FvError *error)
{
    char options[128];
    FvSessionParams params = {.device = c->device, .threads = c->threads, .in_flight = c->in_flight};
    snprintf(options, sizeof options, "weight=%d:back=%d:ahead=%d:behind=%d", c->weight, c->back, c->ahead,
             c->behind);
    FvStatus status = fv_session_open(session, &params, error);
    if (!status)
        status = sample_add(*session, &sample_still, options, error);
    if (!status)
        status = sample_add(*session, &sample_window, options, error);
    if (!status)
        status = sample_add(*session, &sample_blind, NULL, error);
    return status;
}

static FvStatus push_clip(const Case *c, FvSession *session, FvError *error)
{
    FvStatus status = fv_session_start(session, &format, &format, error);
    for (int t = 0; t < FRAMES && !status; t++)
        status = (is_scored(c, t) ? fv_session_push : fv_session_skip)(session, t, clip[0][t], clip[1][t], error);
    return status;
}

/* Returns whether a score differs from the expected one, and describes the difference. */
static bool differs(char *why, size_t size, const char *name, int t, double got, double want)
{
    if (got != want)
        snprintf(why, size, "%s of frame %d is %.17g instead of %.17g", name, t, got, want);
    return got != want;
}

static void check_scores(const Case *c, const FvSession *session, char *why, size_t size)
{
    int end = c->whole ? FRAMES : FRAMES - c->ahead;
    if (fv_session_frames(session) != count_scored(c, end))
        snprintf(why, size, "%d frames are scored instead of %d", (int)fv_session_frames(session),
                 count_scored(c, end));
    double total = 0;
    for (int t = 0; t < end && !*why; t++) {
        total += want_change(t, c->back);
        if (!is_scored(c, t))
            continue;
        double changes = 0, moments = 0, seen = 0;
        for (int f = t - c->behind; f <= t + c->ahead; f++)
            if (f >= 0 && f < FRAMES) {
                changes += want_change(f, c->back);
                moments += is_scored(c, f) ? want_moment(f, c->weight) : 0;
                seen++;
            }
        const double want[] = {want_rows(t, c->weight),
                               want_moment(t, c->weight),
                               want_moment(t, c->weight) / 2,
                               changes,
                               moments,
                               seen};
        for (int i = 0; i < 6; i++)
            if (differs(why, size, fv_session_output(session, i)->name, t,
                        fv_session_value(session, t / c->subsample, i), want[i]))
                return;
        differs(why, size, "blind", t, fv_session_value(session, t / c->subsample, 7), t + 0.5);
        if (fv_session_frame_number(session, t / c->subsample) != t)
            snprintf(why, size, "frame %d has the wrong number", t);
    }
    if (!*why)
        differs(why, size, "total", -1, fv_session_value(session, 0, 6), total);
}

/* Checks the terms of each row: sum, moment, half and change. `half` belongs to sample_still, `change` to
 * sample_window, whose moment is the same. */
static void check_rows(const Case *c, const FvSession *session, char *why, size_t size)
{
    static const char *const names[] = {"sum", "moment", "half", "change"};
    static const char *const features[] = {"sample_rows", "sample_moment", "sample_moment", "sample_change"};
    if (fv_session_terms(session) != 4 || fv_session_rows(session) != FRAMES)
        snprintf(why, size, "%d terms, %d rows", fv_session_terms(session), (int)fv_session_rows(session));
    for (int i = 0; i < 4 && !*why; i++) {
        const char *feature = "";
        const FvTermInfo *info = fv_session_term(session, i, &feature);
        if (!info || strcmp(info->name, names[i]) || strcmp(feature, features[i]))
            snprintf(why, size, "term %d is %s of %s", i, info ? info->name : "nothing", feature);
    }
    for (int t = 0; t < FRAMES && !*why; t++) {
        int64_t number;
        bool skipped;
        const FvTerm *row = fv_session_row(session, t, &number, &skipped);
        bool scored = is_scored(c, t);
        if (number != t || skipped == scored || (double)row[3].integer != want_change(t, c->back) ||
            (double)row[0].integer != (scored ? want_rows(t, c->weight) : 0) ||
            row[2].real != (scored ? want_moment(t, c->weight) / 2 : 0))
            snprintf(why, size, "the row of frame %d is wrong", t);
    }
    if (fv_session_row(session, FRAMES, NULL, NULL) || fv_session_row(session, -1, NULL, NULL) ||
        fv_session_term(session, 4, NULL) || fv_session_term(session, -1, NULL))
        snprintf(why, size, "there is something behind the end");
}

static void run_case(const Case *c)
{
    char name[160], why[2048] = "";
    FvError error = {0};
    FvSession *session = NULL;
    bool cpu = !strcmp(c->device, "cpu");
    sample_rows_jobs = sample_moment_jobs = sample_change_jobs = sample_map_jobs = 0;
    snprintf(name, sizeof name, "%s, %d threads, %d in flight, every %d, back %d, window -%d +%d%s", c->device,
             c->threads, c->in_flight, c->subsample, c->back, c->behind, c->ahead, c->whole ? "" : ", cut short");
    FvStatus status = open_session(c, &session, &error);
    if (!status)
        status = push_clip(c, session, &error);
    if (!status)
        status = fv_session_end(session, c->whole, &error);
    if (status)
        snprintf(why, sizeof why, "%s", error.message);
    if (!*why)
        check_scores(c, session, why, sizeof why);
    if (!*why)
        check_rows(c, session, why, sizeof why);
    int scored = count_scored(c, FRAMES);
    if (!*why && (sample_rows_jobs != (cpu ? scored : 0) || sample_moment_jobs != (cpu ? scored : 0) ||
                  sample_change_jobs != (cpu ? FRAMES : 0) || sample_map_jobs))
        snprintf(why, sizeof why, "computed on the CPU: rows %d, moment %d, change %d, map %d", sample_rows_jobs,
                 sample_moment_jobs, sample_change_jobs, sample_map_jobs);
    tap_case(&tap, !*why, name, why);
    fv_session_close(&session);
}

/* Lets the device run its self-test, which also runs the features on the CPU, before these are counted. */
static void meet_device(const char *device)
{
    const Case c = {.device = device, .threads = 1, .weight = 1, .back = 1};
    FvSession *session = NULL;
    if (!open_session(&c, &session, NULL))
        fv_session_start(session, &format, &format, NULL);
    fv_session_close(&session);
}

static void run_cases(const char *device, bool all)
{
    meet_device(device);
    for (int i = 0; i < (all ? 144 : 24); i++) {
        Case c = {.device = device,
                  .threads = i % 2 ? 4 : 1,
                  .in_flight = i / 2 % 2 ? 3 : 0,
                  .subsample = i / 4 % 3 + 1,
                  .weight = i % 5 + 1,
                  .back = i / 3 % 2 + 1,
                  .ahead = (i / 12 + i) % 3,
                  .behind = i / 5 % 4,
                  .whole = i % 7 != 0};
        run_case(&c);
    }
}

/* ---- Two devices at once ------------------------------------------------------------------------------------ */

static FvFeature cpu_moment; /* sample_moment without kernels */

static void want_both(const FvMetricInstance *run, FvWants *wants)
{
    const SampleOptions options = {.weight = 3, .back = 1};
    fv_want(wants, &sample_moment, &options);
    fv_want(wants, &cpu_moment, &options);
}

static FvStatus score_both(const FvMetricInstance *run, const FvRows *rows, int64_t frame, double *values,
                           FvError *error)
{
    values[0] = (double)fv_rows_at(rows, 0, frame)->integer;
    values[1] = (double)fv_rows_at(rows, 1, frame)->integer;
    return FV_OK;
}

static const FvOutputInfo both_outputs[] = {{.name = "first"}, {.name = "second"}};
static const FvMetric both = {
    .info = {.name = "both", .outputs = both_outputs, .output_count = 2}, .features = want_both, .score = score_both};

/*
 * Scores a metric of two features, of which only one has kernels. Both read the feature `rows`, so the GPU and the
 * CPU each compute it. With rows_wanted, another metric reads `rows`, too, and gets those of the CPU.
 */
static void split_devices(const char *device, bool rows_wanted)
{
    char name[96], why[2048] = "";
    FvError error = {0};
    FvSession *session = NULL;
    cpu_moment = sample_moment;
    cpu_moment.gpu = NULL;
    cpu_moment.name = "cpu_moment";
    sample_rows_jobs = sample_moment_jobs = 0;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 3}, &error);
    if (!status)
        status = sample_add(session, &both, NULL, &error);
    if (!status && rows_wanted)
        status = sample_add(session, &sample_still, "weight=3", &error);
    const Case c = {.subsample = 1};
    if (!status)
        status = push_clip(&c, session, &error);
    if (!status)
        status = fv_session_finish(session, &error);
    if (status)
        snprintf(why, sizeof why, "%s", error.message);
    for (int t = 0; t < FRAMES && !*why; t++)
        if (!differs(why, sizeof why, "first", t, fv_session_value(session, t, 0), want_moment(t, 3)) &&
            !differs(why, sizeof why, "second", t, fv_session_value(session, t, 1), want_moment(t, 3)) && rows_wanted)
            differs(why, sizeof why, "sum", t, fv_session_value(session, t, 2), want_rows(t, 3));
    if (!*why && (sample_rows_jobs != FRAMES || sample_moment_jobs != FRAMES))
        snprintf(why, sizeof why, "%d and %d frames on the CPU", sample_rows_jobs, sample_moment_jobs);
    char by[64] = "";
    if (!*why)
        fv_session_metric_devices(session, 0, by, sizeof by);
    if (!*why && strcmp(by, "vulkan+cpu"))
        snprintf(why, sizeof why, "carried by %s", by);
    snprintf(name, sizeof name, "%s and the CPU at once%s", device, rows_wanted ? ", of what both read" : "");
    tap_case(&tap, !*why, name, why);
    fv_session_close(&session);
}

/* ---- Maps --------------------------------------------------------------------------------------------------- */

typedef struct Taken {
    int weight, count, fails_at;
    int64_t last;
    char why[2048];
} Taken;

static bool wants_map(void *opaque, int64_t number)
{
    return number % 3 != 1;
}

static FvStatus take_map(void *opaque, const FvMap *map, FvError *error)
{
    Taken *taken = opaque;
    if (map->number <= taken->last || map->width != WIDTH || map->height != HEIGHT || map->minimum != 0 ||
        map->maximum != 255 * taken->weight || map->distorted != clip[1][map->number] ||
        strcmp(map->info->name, "samples"))
        snprintf(taken->why, sizeof taken->why, "what comes with the map of frame %d is wrong", (int)map->number);
    taken->last = map->number;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++)
            if (map->data[y * map->stride + x] != (float)(taken->weight * sample_at(1, (int)map->number, x, y)))
                snprintf(taken->why, sizeof taken->why, "frame %d at %d, %d is wrong", (int)map->number, x, y);
    if (++taken->count == taken->fails_at)
        return fv_fail(error, FV_ERROR_OUTPUT, "no room for maps");
    return FV_OK;
}

static void run_maps(const Case *c, bool gpu_maps, int fails_at)
{
    char name[160];
    FvError error = {0};
    FvSession *session = NULL;
    Taken some = {.weight = c->weight, .last = -1, .fails_at = fails_at}, all = some;
    sample_map_jobs = sample_rows_jobs = 0;
    sample_gpu_maps = gpu_maps;
    FvStatus status = open_session(c, &session, &error);
    if (!status)
        status = fv_session_want_map(session, &(FvMapRequest){0, 0, wants_map, take_map, &some}, &error);
    if (!status && c->back == 1)
        status = fv_session_want_map(session, &(FvMapRequest){0, 0, NULL, take_map, &all}, &error);
    if (!status)
        status = push_clip(c, session, &error);
    if (!status && !sample_maps_known)
        status = fv_fail(&error, FV_ERROR_DEVICE, "init did not know that a map is wanted");
    if (!status)
        status = fv_session_finish(session, &error);
    int want[2] = {0, 0};
    for (int t = 0; t < FRAMES; t++) {
        want[0] += is_scored(c, t) && wants_map(NULL, t);
        want[1] += is_scored(c, t) && c->back == 1;
    }
    char why[2048] = "";
    bool cpu = !strcmp(c->device, "cpu"), on_cpu = cpu || !gpu_maps;
    int made = c->back == 1 ? want[1] : want[0], rows = 0;
    /* Counts the frames whose features the CPU computes. If only some frames need maps, it computes these. */
    for (int t = 0; t < FRAMES; t++)
        rows += on_cpu && is_scored(c, t) && (cpu || c->back == 1 || wants_map(NULL, t));
    if (fails_at) {
        if (status != FV_ERROR_OUTPUT || strcmp(error.message, "no room for maps") || some.count != fails_at)
            snprintf(why, sizeof why, "%s", status ? error.message : "it did not fail");
    } else if (status || *some.why || *all.why)
        snprintf(why, sizeof why, "%s", status ? error.message : *some.why ? some.why : all.why);
    else if (some.count != want[0] || all.count != want[1] || sample_map_jobs != (on_cpu ? made : 0))
        snprintf(why, sizeof why, "%d and %d maps instead of %d and %d, %d made on the CPU", some.count, all.count,
                 want[0], want[1], sample_map_jobs);
    else if (sample_rows_jobs != rows)
        snprintf(why, sizeof why, "the CPU computes %d rows instead of %d", sample_rows_jobs, rows);
    else
        check_scores(c, session, why, sizeof why);
    sample_gpu_maps = true;
    snprintf(name, sizeof name, "maps on %s%s, every %d, %s%s", c->device, gpu_maps ? "" : " without kernels",
             c->subsample, c->back == 1 ? "wanted twice" : "wanted once", fails_at ? ", refused" : "");
    tap_case(&tap, !*why, name, why);
    fv_session_close(&session);
}

static void run_all_maps(const char *device)
{
    for (int i = 0; i < 4; i++) {
        Case c = {.device = device,
                  .threads = i % 2 ? 3 : 1,
                  .subsample = i / 2 + 1,
                  .weight = 4,
                  .back = i % 2 + 1,
                  .whole = true};
        run_maps(&c, true, 0);
        if (strcmp(device, "cpu"))
            run_maps(&c, false, 0);
        if (i == 1)
            run_maps(&c, true, 2);
    }
}

/* ---- Odds and ends ------------------------------------------------------------------------------------------ */

/* Rows follow each push. Scores follow with the delay of the window. */
static void check_delay(void)
{
    const Case c = {.device = "cpu", .threads = 1, .subsample = 1, .weight = 1, .back = 1, .ahead = 2, .whole = true};
    FvError error = {0};
    FvSession *session = NULL;
    char why[2048] = "";
    FvStatus status = open_session(&c, &session, &error);
    if (!status)
        status = fv_session_start(session, &format, &format, &error);
    for (int t = 0; t < FRAMES && !status; t++) {
        status = fv_session_push(session, t, clip[0][t], clip[1][t], &error);
        if (fv_session_rows(session) != t + 1 || fv_session_frames(session) != (t < 2 ? 0 : t - 1))
            snprintf(why, sizeof why, "after %d frames: %d rows, %d scores", t + 1, (int)fv_session_rows(session),
                     (int)fv_session_frames(session));
    }
    tap_case(&tap, !status && !*why, "scores follow their rows", *why ? why : error.message);
    fv_session_close(&session);
}

/* A session whose metrics look at no pixels needs no device and refuses no frames. */
static void check_blind(const char *device)
{
    char name[96];
    FvError error = {0};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 2}, &error);
    if (!status)
        status = sample_add(session, &sample_blind, NULL, &error);
    if (!status)
        status = fv_session_start(session, NULL, &format, &error);
    for (int t = 0; t < FRAMES && !status; t++)
        status = fv_session_push(session, t, NULL, clip[1][t], &error);
    if (!status)
        status = fv_session_finish(session, &error);
    bool good = !status && !session->devices.opened[1] && fv_session_frames(session) == FRAMES &&
                !session->facts.decision_count;
    for (int t = 0; t < FRAMES && good; t++)
        good = fv_session_value(session, t, 0) == t + 0.5;
    snprintf(name, sizeof name, "no pixels on %s", device);
    tap_case(&tap, good, name, error.message);
    fv_session_close(&session);
}

/* A file that an option names is read, hashed and reported. Its name may have any characters that the system
 * accepts. */
static void check_files(void)
{
#ifdef _WIN32
    static const char name[] = "b,c d";
    static const char *const quoted[] = {"weight=2:file='b,c d'", "file=b\\,c d:weight=2"};
#else
    static const char name[] = "a:b,c\\d";
    static const char *const quoted[] = {"weight=2:file='a:b,c\\d'", "file=a\\:b\\,c\\\\d:weight=2"};
#endif
    FILE *file = fopen(name, "wb");
    bool good = file && fputs("abc", file) >= 0 && !fclose(file);
    FvError error = {0};
    for (int i = 0; i < 2 && good; i++) {
        FvMetricInstance run;
        good = !fv_metric_open_as(&run, &sample_still, quoted[i], &error);
        if (!good)
            break;
        const FvOptionFile *read = &run.files[sample_still.options.count - 1];
        good = ((const SampleOptions *)run.options)->weight == 2 && read->content.size == 3 &&
               !strcmp((const char *)read->content.bytes, "abc") &&
               !strcmp(read->sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        fv_metric_close(&run);
    }
    remove(name);
    tap_case(&tap, good, "files of options", error.message);
    FvMetricInstance run;
    FvStatus status = fv_metric_open_as(&run, &sample_still, "file=/nowhere/at all", &error);
    tap_case(&tap, status == FV_ERROR_INPUT && strstr(error.message, "/nowhere/at all"), "a file that is missing",
             error.message);
    status = fv_metric_open_as(&run, &sample_still, "file=/dev/zero", &error);
    tap_case(&tap, status == FV_ERROR_INPUT && strstr(error.message, "not a regular file"), "a file without end",
             error.message);
}

static bool has_vulkan(void)
{
    FvDeviceList *list = NULL;
    bool found = false;
    if (fv_devices_list(&list, NULL))
        return false;
    for (int i = 0; i < fv_devices_count(list); i++)
        found |= !strcmp(fv_devices_info(list, i)->name, "vulkan:0") && fv_devices_info(list, i)->usable;
    fv_devices_close(&list);
    return found;
}

int main(void)
{
    make_clip();
    run_cases("cpu", true);
    run_all_maps("cpu");
    check_delay();
    check_blind("cpu");
    check_files();
    if (has_vulkan()) {
        run_cases("vulkan:0", false);
        run_all_maps("vulkan:0");
        split_devices("vulkan:0", false);
        split_devices("vulkan:0", true);
        check_blind("vulkan:0");
    } else
        tap_skip(&tap, "the same on a GPU", "there is no Vulkan device");
    for (int side = 0; side < 2; side++)
        for (int t = 0; t < FRAMES; t++)
            fv_frame_unref(&clip[side][t]);
    return tap_done(&tap);
}
