/*
 * Tests that every kernel of every metric gives the bits of scalar C on every GPU of this machine, including software
 * Vulkan. Sizes (near those of tiles), depths, chroma formats and contents vary. Memory is guarded and filled with
 * garbage.
 *
 *     test-gpu [--device vulkan|cuda|hip] [--metric NAME] [--seed N] [--brief | --full]
 *
 * By default the short list runs. --brief runs a third of it on small pictures, --full all cases.
 */
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decoder.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#include "guard.h"
#include "machinery.h"
#include "metric/cases.h"
#include "picture/frame.h"
#include "pixels.h"
#include "session/state.h"
#include "surfaces.h"
#include "tap/tap.h"
#include "times.h"

static Tap tap;
static uint64_t seed;

static FvCaseExtent extent = FV_CASES_SHORT;
static int share = 1; /* compares one of `share` cases, chosen by the seed */
static int visited;

static void compare_one(void *opaque, const FvCase *one)
{
    FvGpu *gpu = opaque;
    char name[256], text[96], why[512];
    const bool float64 = gpu->info.float64;
    if (((uint64_t)visited++ + seed) % (uint64_t)share)
        return;
    gpu->info.float64 = float64 && !one->without_float64;
    guard_install(gpu);
    FvTestVerdict verdict =
        fv_gpu_compare(gpu, one->feature, one->options, &one->format, seed, one->fill, one->pairs, why, sizeof why);
    guard_remove(gpu);
    gpu->info.float64 = float64;
    if (verdict == FV_TEST_REFUSES && !*one->text)
        return;
    bool good = verdict == FV_TEST_SAME && !guard_damaged;
    if (verdict == FV_TEST_SAME && guard_damaged)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d %s %s fill %d %s%s", gpu->ops->kind, gpu->index, one->feature->name,
             fv_format_describe(&one->format, text, sizeof text), one->fill, one->text,
             one->without_float64 ? " without doubles" : "");
    tap_case(&tap, good, name, why);
}

/* CAMBI refuses a frame with a sample above its depth at any position, also if it removes dither or resamples. */
static void find_large_samples(const char *kind, int index, const char *only)
{
    static const char *const options[] = {"cambi", "cambi=enc_bitdepth=8", "cambi=enc_width=320:enc_height=220"};
    static const int places[][2] = {{0, 0}, {320, 240}, {320, 0}, {0, 240}, {127, 63}, {128, 64}};
    static const size_t counts[] = {6, 2, 2}; /* number of places, each with a session of its own */
    if (only && strcmp(only, "cambi"))
        return;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (i && extent == FV_CASES_BRIEF)
            continue;
        char name[128], device[32];
        FvError error = {0};
        FvSession *session = NULL;
        FvFormat format = {.width = 321, .height = 241, .chroma = FV_CHROMA_400, .depth = 10 + (int)i};
        snprintf(device, sizeof device, "%s:%d", kind, index);
        size_t found = 0;
        for (size_t k = 0; k < counts[i]; k++) {
            FvFrame *frame = NULL;
            FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1}, &error);
            if (!status)
                status = fv_session_add(session, options[i], &error);
            if (!status)
                status = fv_session_start(session, NULL, &format, &error);
            if (!status)
                status = fv_frame_alloc(&frame, &format, &error);
            if (!status) {
                memset(frame->data[0], 0, (size_t)frame->stride[0] * (size_t)format.height);
                uint8_t *row = frame->data[0] + places[k][1] * frame->stride[0];
                ((uint16_t *)row)[places[k][0]] = (uint16_t)(1 << format.depth);
                fv_frame_vouch(frame); /* marks the samples as checked, so only the device checks them */
                status = fv_session_push(session, 0, NULL, frame, &error);
            }
            if (!status)
                status = fv_session_finish(session, &error);
            found += status == FV_ERROR_INPUT && strstr(error.message, "above");
            fv_frame_unref(&frame);
            fv_session_close(&session);
        }
        snprintf(name, sizeof name, "%s %s %d-bit samples that are too large", device, options[i], format.depth);
        tap_case(&tap, found == counts[i], name, error.message);
    }
}

/* Every float sum, difference, product and negation of the shipped kernels is decorated NoContraction. */
static void check_decorations(const FvKernel *kernel)
{
    const uint32_t *words = kernel->spirv;
    size_t count = kernel->spirv_bytes / 4;
    char name[128], why[128] = "";
    int results = 0;
    bool *decorated = calloc(words[3], sizeof *decorated);
    for (size_t i = 5; i < count; i += words[i] >> 16)
        if ((words[i] & 0xffff) == 71 && words[i + 2] == 42)
            decorated[words[i + 1]] = true;
    for (size_t i = 5; i < count; i += words[i] >> 16) {
        uint32_t op = words[i] & 0xffff;
        if (op != 127 && op != 129 && op != 131 && op != 133)
            continue;
        results++;
        if (!decorated[words[i + 2]])
            snprintf(why, sizeof why, "result %u of instruction %u may be contracted", words[i + 2], op);
    }
    free(decorated);
    snprintf(name, sizeof name, "%s: %d float results are exact", kernel->name, results);
    tap_case(&tap, !*why, name, why);
}

static void check_kernels(void *opaque, const char *metric, const FvFeature *feature, const void *options)
{
    for (int k = 0; feature->gpu->kernels[k]; k++)
        if (feature->gpu->kernels[k]->spirv)
            check_decorations(feature->gpu->kernels[k]);
}

static void test_device(const FvGpuOps *ops, int index, const char *only)
{
    FvGpu *gpu = NULL;
    FvError error;
    char name[128], why[512] = "";
    snprintf(name, sizeof name, "%s:%d opens", ops->kind, index);
    FvStatus status = ops->open(&gpu, index, &error);
    tap_case(&tap, !status, name, error.message);
    if (status)
        return;
    printf("# %s:%d is %s, %s\n", ops->kind, index, gpu->info.title, gpu->info.driver);
    snprintf(name, sizeof name, "%s:%d words of the arithmetic", ops->kind, index);
    tap_case(&tap, fv_gpu_verify_primitives(gpu, why, sizeof why) == FV_TEST_SAME, name, why);
    if (!only || !strcmp(only, "scale")) {
        snprintf(name, sizeof name, "%s:%d scales", ops->kind, index);
        tap_case(&tap, fv_gpu_verify_skill(gpu, &fv_gpu_scaling, why, sizeof why) == FV_TEST_SAME, name, why);
    }
    test_times(&tap, gpu);
    test_machinery(&tap, gpu, seed);
    gpu->profile = true;
    status = fv_cases_visit(extent, only, true, gpu, compare_one, &error);
    snprintf(name, sizeof name, "%s:%d has visited every case", ops->kind, index);
    tap_case(&tap, !status, name, error.message);
    if (!only || !strcmp(only, "prores"))
        test_prores(&tap, gpu, (uint32_t)seed, extent == FV_CASES_FULL);
    if (!only || !strcmp(only, "surfaces"))
        test_surfaces(&tap, gpu, (uint32_t)seed);
    if (!only || !strcmp(only, "pixels"))
        test_pixels(&tap, gpu, (uint32_t)seed);
    for (int i = 0; i < gpu->time_count; i++)
        printf("# %s:%d ran %s %llu times\n", ops->kind, index, gpu->times[i].name,
               (unsigned long long)gpu->times[i].launches);
    ops->close(&gpu);
    find_large_samples(ops->kind, index, only);
}

#if FV_HAVE_VULKAN
/* Returns whether this machine has a Vulkan driver, so that finding no device is a failure. */
static bool vulkan_driver_installed(void)
{
    glob_t found = {0};
    bool any = getenv("VK_DRIVER_FILES") || getenv("VK_ICD_FILENAMES") ||
               !glob("/usr/share/vulkan/icd.d/lvp_icd*.json", 0, NULL, &found);
    globfree(&found);
    return any;
}
#endif

static void test_driver(const FvGpuOps *ops, const char *only_device, const char *only_metric, bool must)
{
    FvGpuInfo info;
    char absent[256] = "no device", name[64];
    int tested = 0;
    if (only_device && strcmp(only_device, ops->kind))
        return;
    for (int i = 0; ops->describe(i, &info, absent, sizeof absent); i++) {
        if (*info.lacks)
            printf("# %s:%d (%s) lacks %s\n", ops->kind, i, info.title, info.lacks);
        else
            test_device(ops, i, only_metric);
        tested += !*info.lacks;
    }
    snprintf(name, sizeof name, "%s devices were tested", ops->kind);
    if (tested || must || only_device)
        tap_case(&tap, tested, name, absent);
    else
        tap_skip(&tap, name, absent);
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *at)
{
    return remove(path);
}

int main(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"device", required_argument, NULL, 'd'},
        {"metric", required_argument, NULL, 'm'},
        {"seed", required_argument, NULL, 's'},
        {"full", no_argument, NULL, 'f'},
        {"brief", no_argument, NULL, 'b'},
        {"share", required_argument, NULL, 'n'},
        {0},
    };
    const char *device = NULL, *metric = NULL;
    seed = (uint64_t)time(NULL);
    for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (c == 'd')
            device = optarg;
        else if (c == 'm')
            metric = optarg;
        else if (c == 's')
            seed = strtoull(optarg, NULL, 0);
        else if (c == 'f')
            extent = FV_CASES_FULL;
        else if (c == 'b')
            extent = FV_CASES_BRIEF;
        else if (c == 'n' && atoi(optarg) > 0)
            share = atoi(optarg);
        else
            return 2;
    }
    char folder[] = "/tmp/fovea-XXXXXX";
    if (mkdtemp(folder))
        setenv("XDG_CACHE_HOME", folder, 1);
    printf("# seed %llu\n", (unsigned long long)seed);
    FvError error;
    fv_cases_features(NULL, true, NULL, check_kernels, &error);
#if FV_HAVE_VULKAN
    test_driver(&fv_gpu_vulkan, device, metric, vulkan_driver_installed());
#endif
#if FV_HAVE_CUDA
    test_driver(&fv_gpu_cuda, device, metric, false);
#endif
#if FV_HAVE_HIP
    test_driver(&fv_gpu_hip, device, metric, false);
#endif
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return tap_done(&tap);
}
