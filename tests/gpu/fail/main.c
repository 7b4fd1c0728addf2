/*
 * Makes the n-th call of a GPU driver fail, for every n. A session or a source on the device must then still give the
 * right scores, or end with a message and keep the earlier frames. It must not crash, hang, leak memory, or store the
 * failure as a wrong result of the self-test.
 *
 *     test-gpu-fail fake|cuda|hip|vulkan [--scenario NAME] [--runs N] [--seed S]
 *
 * --runs limits the runs of each scenario and failure. The printed seed then decides which calls fail.
 */
#include <ftw.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clip/synth.h"
#include "codec/prores/maker.h"
#include "driver.h"
#include "fault.h"
#include "fovea/fovea.h"
#include "fovea/pixels.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#include "picture/frame.h"
#include "tap/tap.h"

enum { FRAMES = 7, VALUES = 3 };

typedef struct Outcome {
    FvStatus status;
    FvError error;
    int64_t frames;
    double value[FRAMES][VALUES];
    bool on_cpu;
} Outcome;

static Tap tap;
static FvFrame *small[2][FRAMES], *large[2][FRAMES], *huge[2][FRAMES]; /* [0]: reference, [1]: distorted */
static long most_runs; /* maximum per scenario and failure; 0: a run per call */
static char folder[] = "/tmp/fovea-fail-XXXXXX", packets[2][64], unequal[2][64], files[2][64], verdicts[64];

/* ---- Scenarios ------------------------------------------------------------------------------------------------- */

static void take_outcome(const FvSession *session, Outcome *outcome)
{
    outcome->frames = session ? fv_session_frames(session) : 0;
    for (int64_t i = 0; i < outcome->frames && i < FRAMES; i++)
        for (int k = 0; k < VALUES; k++)
            outcome->value[i][k] = fv_session_value(session, i, k);
    for (int i = 0; session && i < fv_session_decisions(session); i++) {
        const char *decision = fv_session_decision(session, i);
        outcome->on_cpu |= strstr(decision, "computed on the CPU") || strstr(decision, "prepared on the CPU");
    }
}

/* Allocates a frame in pinned memory, which the device reads by itself, and copies `from` to it. */
static FvStatus pinned(FvSession *session, FvFrame **frame, const FvFrame *from, FvError *error)
{
    FvStatus status = fv_session_frame(session, frame, &from->format, FV_MEMORY_PINNED, error);
    for (int plane = 0; plane < 3 && !status; plane++) {
        int width, height;
        fv_format_plane_size(&from->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            memcpy((*frame)->data[plane] + y * (*frame)->stride[plane], from->data[plane] + y * from->stride[plane],
                   (size_t)width * (size_t)fv_format_sample_bytes(&from->format));
    }
    return status;
}

static FvStatus push_one(FvSession *session, FvFrame *clip[2][FRAMES], int i, bool pin, FvError *error)
{
    FvFrame *frames[2] = {NULL, NULL};
    FvStatus status = FV_OK;
    for (int k = 0; k < 2 && !status; k++) {
        if (pin)
            status = pinned(session, &frames[k], clip[k][i], error);
        else
            frames[k] = fv_frame_ref(clip[k][i]);
    }
    if (!status)
        status = fv_session_push(session, i, frames[0], frames[1], error);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return status;
}

static void score_frames(const char *device, const char *const *metrics, FvFrame *clip[2][FRAMES], bool pin,
                         Outcome *outcome)
{
    FvSession *session = NULL;
    FvError *error = &outcome->error;
    FvStatus status =
        fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1, .in_flight = 4}, error);
    for (int i = 0; metrics[i] && !status; i++)
        status = fv_session_add(session, metrics[i], error);
    if (!status)
        status = fv_session_start(session, &clip[0][0]->format, &clip[1][0]->format, error);
    for (int i = 0; i < FRAMES && !status; i++)
        status = push_one(session, clip, i, pin, error);
    if (!status)
        status = fv_session_finish(session, error);
    outcome->status = status;
    take_outcome(session, outcome);
    fv_session_close(&session);
}

static const char *const psnr[] = {"psnr", NULL};

static void run_frames(const char *device, Outcome *outcome)
{
    score_frames(device, psnr, small, false, outcome);
}

static void run_pinned(const char *device, Outcome *outcome)
{
    score_frames(device, psnr, small, true, outcome);
}

/* Scores frames of which three exceed one list of copies, so the list is submitted within a pair. */
static void run_uploads(const char *device, Outcome *outcome)
{
    score_frames(device, psnr, huge, false, outcome);
}

/* Scores metrics that need earlier frames, and have many kernels. */
static void run_metrics(const char *device, Outcome *outcome)
{
    static const char *const all[] = {"psnr", "speed_temporal", "speed_chroma", "cambi", "psnr_hvs", NULL};
    score_frames(device, all, large, false, outcome);
}

static void score_files(const char *device, int threads, char paths[2][64], const FvScoreParams *score,
                        Outcome *outcome)
{
    FvSource *source[2] = {NULL, NULL};
    FvSession *session = NULL;
    FvError *error = &outcome->error;
    FvSessionParams params = {.device = device, .threads = threads, .in_flight = 4};
    FvStatus status = fv_session_open(&session, &params, error);
    if (!status)
        status = fv_session_add(session, "psnr", error);
    for (int i = 0; i < 2 && !status; i++)
        status = fv_source_open(&source[i], &(FvSourceParams){.path = paths[i], .threads = threads}, error);
    if (!status)
        status = fv_score(session, source[0], source[1], score, error);
    outcome->status = status;
    take_outcome(session, outcome);
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    fv_session_close(&session);
}

static void run_packets(const char *device, Outcome *outcome)
{
    score_files(device, 1, packets, &(FvScoreParams){0}, outcome);
}

static void run_readers(const char *device, Outcome *outcome)
{
    score_files(device, 2, packets, &(FvScoreParams){0}, outcome);
}

/* Scores two videos that the device scales. */
static void run_scaling(const char *device, Outcome *outcome)
{
    const FvScoreParams params = {.scale = {.to = FV_SCALE_SIZE, .width = 50, .height = 44, .fit = FV_FIT_STRETCH}};
    score_files(device, 1, unequal, &params, outcome);
}

/* Scores large frames from files, so the readers get their host memory back as soon as a frame is on the
 * device. */
static void run_files(const char *device, Outcome *outcome)
{
    score_files(device, 2, files, &(FvScoreParams){0}, outcome);
}

/* Returns a checksum of all samples. */
static double sum_samples(const FvFrame *frame)
{
    uint64_t sum = 1;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++) {
        int width, height;
        fv_format_plane_size(&frame->format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                sum = sum * 31 + ((const uint16_t *)(frame->data[plane] + y * frame->stride[plane]))[x];
    }
    return (double)(sum >> 12);
}

static void run_decoding(const char *device, Outcome *outcome)
{
    FvSource *source = NULL;
    FvError *error = &outcome->error;
    FvSourceParams params = {.path = packets[0], .threads = 1, .device = device};
    FvStatus status = fv_source_open(&source, &params, error);
    while (!status) {
        FvFrame *frame = NULL;
        status = fv_source_read(source, &frame, error);
        if (!status && outcome->frames < FRAMES)
            outcome->value[outcome->frames][0] = sum_samples(frame);
        outcome->frames += !status;
        fv_frame_unref(&frame);
    }
    outcome->status = status == FV_END ? FV_OK : status;
    fv_source_close(&source);
}

/* Pushes one pair of RGB frames that the device makes of pixels, of integers or of real numbers. */
static FvStatus push_pixels(FvSession *session, int i, FvError *error)
{
    const FvFormat bytes = {.width = 240, .height = 40, .chroma = FV_CHROMA_400, .depth = 8},
                   rgb = {.width = 20, .height = 40, .chroma = FV_CHROMA_RGB, .depth = 8};
    FvFrame *pair[2] = {NULL, NULL};
    FvStatus status = FV_OK;
    for (int k = 0; k < 2 && !status; k++) {
        FvFrame *array;
        status = fv_session_frame(session, &array, &bytes, FV_MEMORY_PINNED, error);
        if (status)
            break;
        const int sample = i % 2 ? 4 : 1;
        memset(array->data[0], 0, (size_t)array->stride[0] * (size_t)bytes.height);
        const FvPixels pixels = {.address = fv_frame_place(array)->address[0],
                                 .row = array->stride[0],
                                 .pixel = 3 * sample,
                                 .component = sample,
                                 .components = 3,
                                 .type = i % 2 ? FV_SAMPLE_FLOAT32 : FV_SAMPLE_UINT8,
                                 .highest = 1};
        status = fv_frame_from_pixels(&pair[k], session, &rgb, &pixels, 1, error);
        fv_frame_unref(&array);
    }
    if (!status && !i)
        status = fv_session_start_frames(session, pair[0], pair[1], error);
    if (!status)
        status = fv_session_push(session, i, pair[0], pair[1], error);
    fv_frame_unref(&pair[0]);
    fv_frame_unref(&pair[1]);
    return status;
}

static void run_pixels(const char *device, Outcome *outcome)
{
    FvSession *session = NULL;
    FvError *error = &outcome->error;
    FvStatus status =
        fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1, .in_flight = 4}, error);
    if (!status)
        status = fv_session_add(session, "psnr", error);
    for (int i = 0; i < FRAMES && !status; i++)
        status = push_pixels(session, i, error);
    if (!status)
        status = fv_session_finish(session, error);
    outcome->status = status;
    take_outcome(session, outcome);
    fv_session_close(&session);
}

static const struct Scenario {
    const char *name;
    void (*run)(const char *device, Outcome *outcome);
    bool tests; /* the device has no verdict yet, so the self-test runs */
    bool null;  /* runs on a null device, without comparing scores */
} scenarios[] = {
    {"frames", run_frames, false, false},     {"pinned", run_pinned, false, false},
    {"packets", run_packets, false, false},   {"readers", run_readers, false, false},
    {"decoding", run_decoding, false, false}, {"self-test", run_frames, true, false},
    {"metrics", run_metrics, false, true},    {"uploads", run_uploads, false, false},
    {"scaling", run_scaling, false, false},   {"files", run_files, false, false},
    {"pixels", run_pixels, false, true},
};

/*
 * Measuring a feature's speed makes hundreds of similar calls. Tests that fail every call (most_runs is 0) skip the
 * measurement; the other tests fail some of its calls.
 */
double __real_fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
double __wrap_fv_gpu_speed(FvGpu *gpu, const FvFeature *feature);
double __wrap_fv_gpu_speed(FvGpu *gpu, const FvFeature *feature)
{
    return most_runs ? __real_fv_gpu_speed(gpu, feature) : 0;
}

/* ---- Checks ---------------------------------------------------------------------------------------------------- */

/* Returns whether the file of verdicts has one that is not "ok". */
static bool refusal_kept(void)
{
    char line[600];
    bool kept = false;
    FILE *file = fopen(verdicts, "r");
    while (file && fgets(line, sizeof line, file))
        kept |= !strstr(line, " ok\n");
    if (file)
        fclose(file);
    return kept;
}

static bool check(const FailingDriver *driver, const struct Scenario *scenario, const Outcome *want,
                  const Outcome *got, char *why, size_t size)
{
    bool equal = true;
    for (int64_t i = 0; i < got->frames && !scenario->null; i++)
        equal &= i < FRAMES && !memcmp(got->value[i], want->value[i], sizeof got->value[i]);
    if (!driver->clean(why, size))
        return false;
    if (!equal)
        snprintf(why, size, "a score is wrong");
    else if (!got->status && got->frames != FRAMES)
        snprintf(why, size, "%d frames and no error", (int)got->frames);
    else if (got->status && (got->status != FV_ERROR_DEVICE || !*got->error.message))
        snprintf(why, size, "status %d, '%s'", got->status, got->error.message);
    else if (got->status && got->error.status != got->status)
        snprintf(why, size, "status %d, in the error %d", got->status, got->error.status);
    else if (got->status && fault_struck() && !scenario->tests && scenario->run == run_frames && driver->ensured &&
             got->frames < driver->ensured())
        snprintf(why, size, "%d frames were kept of %d", (int)got->frames, (int)driver->ensured());
    else if (refusal_kept())
        snprintf(why, size, "a failure was kept as a verdict");
    else
        return true;
    return false;
}

/* Runs the scenario while its n-th call fails. Fills `why` if the outcome is wrong. Returns false if the scenario
 * made fewer calls. */
static bool fail_one(const FailingDriver *driver, const struct Scenario *scenario, Fault fault, long n,
                     const Outcome *want, char *why, size_t size)
{
    Outcome got = {0}, later = {0};
    if (scenario->tests)
        unlink(verdicts);
    driver->reset(scenario->null);
    fault_arm(fault, n);
    scenario->run(driver->device, &got);
    const bool struck = fault_struck() != NULL;
    if (check(driver, scenario, want, &got, why, size) && scenario->tests && struck) {
        driver->reset(false);
        fault_arm(fault, 0);
        scenario->run(driver->device, &later);
        if (later.status || later.on_cpu)
            snprintf(why, size, "the next session is refused: %s", later.error.message);
    }
    if (*why) {
        const size_t used = strlen(why);
        snprintf(why + used, size - used, "; call %ld, %s; status %d, %s", n, struck ? fault_struck() : "none",
                 got.status, got.error.message);
    }
    return struck;
}

/*
 * Returns the maximum number of runs for a scenario, or 0 for one run per call. Large frames take time. A self-test
 * repeats its calls for each trial, so a quarter of the calls includes every kind.
 */
static long runs_of(const struct Scenario *scenario)
{
    if (scenario->run == run_files)
        return most_runs ? (most_runs + 3) / 4 : 30;
    return scenario->tests && !most_runs ? fault_calls() / 4 : most_runs;
}

/* Tries one kind of failure at every call of the scenario, or at runs_of() calls spread over it. */
static void try_fault(const FailingDriver *driver, const struct Scenario *scenario, Fault fault, const Outcome *want)
{
    char name[128], why[2400], first[2400] = "";
    Outcome plain = {0};
    int wrong = 0;
    long runs = 0;
    if (scenario->tests)
        unlink(verdicts);
    driver->reset(scenario->null);
    fault_arm(fault, 0);
    scenario->run(driver->device, &plain);
    const long most = runs_of(scenario);
    const long every = most && fault_calls() > most ? fault_calls() / most : 1;
    long n = every > 1 ? 1 + rand() % every : 1;
    for (bool struck = true; struck; n += every, runs += struck) {
        *why = '\0';
        struck = fail_one(driver, scenario, fault, n, want, why, sizeof why);
        if (*why && !wrong++)
            snprintf(first, sizeof first, "%s", why);
    }
    snprintf(name, sizeof name, "%s %s, %s: %ld runs", driver->device, scenario->name, fault_name(fault), runs);
    tap_case(&tap, !wrong && runs, name, first);
    if (wrong)
        printf("# %d of them went wrong\n", wrong);
}

static void try_scenario(const FailingDriver *driver, const struct Scenario *scenario)
{
    Outcome want = {0}, plain = {0};
    char name[128], why[2400] = "";
    driver->reset(false);
    fault_arm(FAULT_MEMORY, 0);
    if (!scenario->null) {
        scenario->run("cpu", &want);
        scenario->run(driver->device, &plain); /* stores a verdict, so that later runs need no self-test */
    }
    driver->reset(scenario->null);
    plain = (Outcome){0};
    scenario->run(driver->device, &plain);
    snprintf(name, sizeof name, "%s %s", driver->device, scenario->name);
    const bool good = check(driver, scenario, &want, &plain, why, sizeof why) && !plain.status && !plain.on_cpu;
    tap_case(&tap, good, name, *why ? why : plain.error.message);
    for (Fault fault = 0; good && fault < FAULTS; fault++)
        try_fault(driver, scenario, fault, &want);
    driver->reset(false);
}

/* ---- Set-up ---------------------------------------------------------------------------------------------------- */

static bool write_packets(const char *path, uint32_t seed)
{
    const FvProresShape shape = {
        .width = 70, .height = 50, .log2_slice = 2, .interlaced = true, .coefficients = 9, .greatest = 30};
    FvProresMaker maker = {.random = seed};
    for (int i = 0; i < FRAMES; i++)
        fv_prores_maker_frame(&maker, &shape);
    FILE *file = fopen(path, "wb");
    const bool good = file && fwrite(maker.bytes, 1, maker.used, file) == maker.used;
    fv_prores_maker_free(&maker);
    return file && !fclose(file) && good;
}

static bool write_clip(const char *path, int width, int height, uint32_t seed)
{
    const SynthClip clip = {width, height, FV_CHROMA_420, 8, seed, SYNTH_MIX, {0}};
    FILE *file = fopen(path, "wb");
    const bool good = file && synth_write_y4m(&clip, FRAMES, file);
    return file && !fclose(file) && good;
}

static bool make_clip(FvFrame *clip[2][FRAMES], int width, int height)
{
    const SynthClip kinds[2] = {{width, height, FV_CHROMA_420, 8, 7, SYNTH_REF, {0}},
                                {width, height, FV_CHROMA_420, 8, 7, SYNTH_MIX, {0}}};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FRAMES; i++)
            if (!(clip[k][i] = synth_frame(&kinds[k], i)))
                return false;
    return true;
}

/* Fills each frame with one gray. */
static bool make_flat_clip(FvFrame *clip[2][FRAMES], int width, int height)
{
    const FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_400, .depth = 8};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FRAMES; i++) {
            if (fv_frame_alloc(&clip[k][i], &format, NULL))
                return false;
            memset(clip[k][i]->data[0], 16 + 9 * i + k * (i + 1), (size_t)clip[k][i]->stride[0] * (size_t)height);
        }
    return true;
}

/* Writes the frames' only plane as a monochrome Y4M file. */
static bool write_video(const char *path, FvFrame *const clip[FRAMES])
{
    const FvFormat *format = &clip[0]->format;
    FILE *file = fopen(path, "wb");
    bool good = file && fprintf(file, "YUV4MPEG2 W%d H%d F25:1 Cmono\n", format->width, format->height) > 0;
    for (int i = 0; i < FRAMES && good; i++) {
        good = fputs("FRAME\n", file) >= 0;
        for (int y = 0; y < format->height && good; y++)
            good = fwrite(clip[i]->data[0] + y * clip[i]->stride[0], (size_t)format->width, 1, file) == 1;
    }
    return file && !fclose(file) && good;
}

static bool set_up(void)
{
    if (!mkdtemp(folder))
        return false;
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(verdicts, sizeof verdicts, "%s/fovea/selftest", folder);
    for (int k = 0; k < 2; k++) {
        snprintf(packets[k], sizeof packets[k], "%s/%d.icpf", folder, k);
        snprintf(unequal[k], sizeof unequal[k], "%s/%d.y4m", folder, k);
        if (!write_packets(packets[k], 17 + 6 * (uint32_t)k) ||
            !write_clip(unequal[k], 70 - 40 * k, 50 - 20 * k, 5 + (uint32_t)k))
            return false;
    }
    if (!make_clip(small, 70, 50) || !make_clip(large, 352, 288) || !make_flat_clip(huge, 2304, 1500))
        return false;
    for (int k = 0; k < 2; k++)
        snprintf(files[k], sizeof files[k], "%s/large%d.y4m", folder, k);
    return write_video(files[0], huge[0]) && write_video(files[1], huge[1]);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    return remove(path);
}

static void tear_down(void)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < FRAMES; i++)
            fv_frame_unref(&small[k][i]), fv_frame_unref(&large[k][i]), fv_frame_unref(&huge[k][i]);
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const FailingDriver *find_driver(const char *name)
{
    static const FailingDriver *const drivers[] = {
        &failing_fake,
#if FV_HAVE_CUDA
        &failing_cuda,
#endif
#if FV_HAVE_HIP
        &failing_hip,
#endif
#if FV_HAVE_VULKAN
        &failing_vulkan,
#endif
    };
    for (size_t i = 0; i < sizeof drivers / sizeof *drivers; i++)
        if (!strncmp(drivers[i]->device, name, strlen(name)))
            return drivers[i];
    return NULL;
}

/* Returns whether the driver runs the scenario: software Vulkan takes too long for large frames. */
static bool fits(const FailingDriver *driver, const struct Scenario *scenario)
{
    if (driver->null)
        return true;
    const bool slow = !strcmp(driver->device, "vulkan:0");
    return !scenario->null && scenario->run != run_uploads && (!slow || scenario->run != run_files);
}

int main(int argc, char **argv)
{
    static const struct option options[] = {{"scenario", required_argument, NULL, 's'},
                                            {"runs", required_argument, NULL, 'r'},
                                            {"seed", required_argument, NULL, 'S'},
                                            {0}};
    const char *only = NULL;
    unsigned seed = (unsigned)time(NULL);
    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (c == 's')
            only = optarg;
        else if (c == 'r')
            most_runs = atol(optarg);
        else if (c == 'S')
            seed = (unsigned)strtoul(optarg, NULL, 0);
        else
            return 2;
    }
    const FailingDriver *driver = optind < argc ? find_driver(argv[optind]) : NULL;
    char why[256];
    if (!driver)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    srand(seed);
    printf("# seed %u\n", seed);
    if (!set_up())
        tap_case(&tap, false, "set-up", "the files cannot be written");
    else if (driver->open && !driver->open(why, sizeof why))
        tap_skip(&tap, driver->device, why);
    const bool ready = !tap.count;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios && ready; i++)
        if ((!only || !strcmp(only, scenarios[i].name)) && fits(driver, &scenarios[i]))
            try_scenario(driver, &scenarios[i]);
    tear_down();
    return tap_done(&tap);
}
