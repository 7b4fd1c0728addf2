/*
 * Parity of the GPUs: every kernel of every metric gives the bits of scalar C on every device of this machine,
 * software Vulkan included. Sizes around tiles, depths, chroma formats and fills vary; memory is guarded and full of
 * garbage.
 *
 *     test-gpu [--device vulkan|cuda] [--metric NAME] [--seed N] [--brief | --full]
 *
 * The short list runs by default; --brief runs a third of it on small pictures, --full all cases.
 */
#include <ftw.h>
#include <getopt.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decoder.h"
#include "device/runs.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#include "guard.h"
#include "machinery.h"
#include "metric/metric.h"
#include "picture/frame.h"
#include "session/state.h"
#include "surfaces.h"
#include "tap/tap.h"
#include "times.h"

static Tap tap;
static uint64_t seed;

/* Which cases run: those of the brief list, those that the short list adds, those that the full list adds. */
typedef enum Extent { BRIEF, SHORT, FULL } Extent;
static bool runs[] = {[BRIEF] = true, [SHORT] = true, [FULL] = false};

typedef struct Size {
    int width, height;
} Size;

/* One by one, odd, tiles of 7, 8, 16, 64 and 128 give or take one, several workgroups. */
static const Size quick_sizes[] = {{1, 1}, {9, 7}, {16, 16}, {65, 33}, {127, 67}, {352, 288}};
static const Size full_sizes[] = {{2, 2},   {7, 7},     {8, 8},     {15, 15},   {31, 9},    {64, 64},
                                  {71, 72}, {129, 127}, {257, 130}, {640, 361}, {1023, 65}, {1920, 1080}};

/* Thousands of operations a sample, in plain C and on software devices. */
static bool is_heavy(const FvFeature *feature)
{
    static const char *const names[] = {"butteraugli", "cvvdp", "ssimulacra2", "vdm"};
    bool heavy = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        heavy |= !strcmp(feature->name, names[i]);
    return heavy;
}

static void compare_one(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format, int fill)
{
    char name[256], text[96], why[512];
    guard_install(gpu);
    const int pairs = format->width > 1023 ? 1 : 3;
    FvGpuVerdict verdict = fv_gpu_compare(gpu, feature, options, format, seed, fill, pairs, why, sizeof why);
    guard_remove(gpu);
    if (verdict == FV_GPU_REFUSES)
        return;
    bool good = verdict == FV_GPU_SAME && !guard_damaged;
    if (verdict == FV_GPU_SAME && guard_damaged)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d %s %s fill %d", gpu->ops->kind, gpu->index, feature->name,
             fv_format_describe(format, text, sizeof text), fill);
    tap_case(&tap, good, name, why);
}

/* A feature that a metric wants, with the options it wants it with. */
typedef struct Wanted {
    FvMetricRun metric;
    FvWants wants;
} Wanted;

static FvStatus open_wanted(Wanted *wanted, const char *metric, FvError *error)
{
    wanted->wants.count = 0;
    wanted->wants.failed = false;
    FvStatus status = fv_metric_open(&wanted->metric, metric, error);
    if (!status)
        fv_metric_want(&wanted->metric, &wanted->wants);
    return status;
}

static void close_wanted(Wanted *wanted)
{
    fv_wants_free(&wanted->wants);
    fv_metric_close(&wanted->metric);
}

/*
 * Every depth meets every chroma format in pictures up to 257x130. In larger ones they take turns, and heavy features
 * do so earlier, with one of them a size. cvvdp, which makes light of samples as ssimulacra2 does, has small
 * pictures.
 */
static bool left_out(const FvFeature *feature, Size size, int d, int chroma)
{
    const int64_t samples = (int64_t)size.width * size.height;
    const bool small = !strcmp(feature->name, "cvvdp");
    if (small && samples > 100000)
        return true;
    if (samples > 1000000)
        return !strcmp(feature->name, "butteraugli") || !strcmp(feature->name, "vdm") || d != 1 ||
               chroma != FV_CHROMA_420;
    if (is_heavy(feature) && samples > (small ? 400 : 16000))
        return (size.width + 4 * d + chroma) % 16 != 0;
    return samples > 50000 && (d + chroma) % 4;
}

static void compare_feature(FvGpu *gpu, const FvFeature *feature, const void *options)
{
    const Size *sizes[2] = {quick_sizes, full_sizes};
    const size_t counts[2] = {sizeof quick_sizes / sizeof *quick_sizes, sizeof full_sizes / sizeof *full_sizes};
    static const int depths[] = {8, 10, 12, 16};
    int turn = 0;
    for (int list = 0; list < 2; list++)
        for (size_t s = 0; s < counts[list]; s++)
            for (int d = 0; d < 4; d++)
                for (int chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
                    Extent extent = FULL;
                    if (!list && (turn++ + s) % 3 == 0)
                        extent = turn % 9 ? SHORT : BRIEF;
                    if (!runs[extent] || left_out(feature, sizes[list][s], d, chroma))
                        continue;
                    FvFormat format = {.width = sizes[list][s].width,
                                       .height = sizes[list][s].height,
                                       .chroma = (FvChroma)chroma,
                                       .depth = depths[d]};
                    compare_one(gpu, feature, options, &format, (int)(s + (size_t)d + (size_t)chroma) % FV_GPU_FILLS);
                }
}

/* Options that take other paths through the kernels, and a device without doubles, which leaves a part to the host.
 */
static const struct {
    const char *metric, *options;
    bool without_float64;
    Size size;
    int fill, depth;
} special[] = {
    {"speed_chroma", "", true, {333, 291}, FV_GPU_NOISE, 10},
    {"speed_temporal", "", true, {333, 291}, FV_GPU_EXTREMES, 10},
    {"speed_temporal", "speed_use_ref_diff=true:speed_kernelscale=3.71134", false, {333, 291}, FV_GPU_SLOPES, 10},
    {"speed_chroma",
     "speed_kernelscale=0.5:speed_weight_var_mode=5:speed_sigma_nn=0.5",
     false,
     {333, 291},
     FV_GPU_BANDS,
     10},
    {"speed_chroma", "speed_prescale=1.3:speed_prescale_method=lanczos4", false, {333, 291}, FV_GPU_SQUARES, 10},
    {"speed_temporal", "speed_prescale=0.75:speed_prescale_method=bicubic", false, {333, 291}, FV_GPU_NOISE, 10},
    {"speed_temporal", "speed_prescale=1.25:speed_prescale_method=bilinear", true, {333, 291}, FV_GPU_EXTREMES, 10},
    {"speed_chroma",
     "speed_prescale=0.6:speed_kernelscale=2:speed_weight_var_mode=3",
     false,
     {333, 291},
     FV_GPU_SLOPES,
     10},
    /*
     * Windows of 65, 73 and 135 columns: what threads read of a row at once, more, and much more. Strips with more
     * values than are counted at once, and with many more.
     */
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {2940, 137}, FV_GPU_CELLS, 10},
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {3320, 137}, FV_GPU_CELLS, 10},
    {"cambi", "window_size=127:tvi_threshold=0.001", false, {6201, 137}, FV_GPU_BANDS, 10},
    {"cambi", "tvi_threshold=0.001", false, {640, 361}, FV_GPU_CELLS, 10},
    {"cambi", "max_log_contrast=4:tvi_threshold=0.001", false, {640, 361}, FV_GPU_CELLS, 10},
    /* Workgroups of twice as many rows. */
    {"cambi", "", false, {3840, 2160}, FV_GPU_BANDS, 10},
    /* Contrasts in groups of 2, 4 and 8. */
    {"cambi", "max_log_contrast=3:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_GPU_BANDS, 10},
    {"cambi", "max_log_contrast=4:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_GPU_BANDS, 10},
    {"cambi", "max_log_contrast=5:tvi_threshold=0.001:window_size=127", false, {333, 291}, FV_GPU_BANDS, 10},
    {"cambi", "max_log_contrast=0:tvi_threshold=0.001", false, {333, 291}, FV_GPU_BANDS, 10},
    /* Light with a gamma of its own, many bands, pictures too thin for the blur of masks, the longest filters. */
    {"cvvdp", "fps=8:display=standard_hdr_hlg:peak=2000", false, {129, 67}, FV_GPU_SLOPES, 10},
    {"cvvdp", "fps=480:display=standard_hdr_pq", false, {97, 71}, FV_GPU_EXTREMES, 12},
    {"cvvdp", "fps=8:ppd=480", false, {300, 141}, FV_GPU_NOISE, 8},
    {"cvvdp", "fps=8:ppd=5", false, {9, 77}, FV_GPU_SQUARES, 16},
    /* Another retina: halved, halved more often than there are samples, resampled to fewer and to more; few levels.
     */
    {"vdm", "ppd=200", false, {333, 91}, FV_GPU_NOISE, 10},
    {"vdm", "ppd=480:max_ppd=40:levels=2:psych_slope=3", false, {9, 77}, FV_GPU_SLOPES, 10},
    {"vdm", "ppd=57:retinal_ppd=40", false, {333, 91}, FV_GPU_SLOPES, 10},
    {"vdm", "ppd=480:retinal_ppd=5:levels=1", false, {301, 3}, FV_GPU_NOISE, 10},
    {"vdm", "ppd=23:retinal_ppd=51.3:n=1.5:pool=1", false, {77, 33}, FV_GPU_NOISE, 10},
    {"vdm", "temporal=true:fps=30", false, {333, 91}, FV_GPU_NOISE, 10},
    {"vdm", "temporal=true:fps=30:ppd=200:pool=1", false, {77, 91}, FV_GPU_SQUARES, 10},
    {"vdm", "optics=false:q=7.5:csf=barten03", false, {129, 40}, FV_GPU_EXTREMES, 10},
    /* The depths on both sides of the one up to which two products share a word, which opposite samples fill. */
    {"vif", "", false, {129, 67}, FV_GPU_SQUARES, 14},
    {"vif", "", false, {129, 67}, FV_GPU_OPPOSITES, 14},
    {"vif", "", false, {129, 67}, FV_GPU_OPPOSITES, 15},
    /* Limits that are fractions, and sensitivities with which maskers wrap. */
    {"adm", "adm_enhn_gain_limit=1.2", false, {333, 91}, FV_GPU_NOISE, 8},
    {"adm", "adm_enhn_gain_limit=1.2", false, {129, 67}, FV_GPU_SLOPES, 16},
    {"adm", "adm_csf_mode=1", false, {333, 91}, FV_GPU_EXTREMES, 10},
    {"adm", "adm_csf_mode=1:adm_enhn_gain_limit=1.5", false, {129, 67}, FV_GPU_EXTREMES, 8},
    /* Point spreads of the radii 1 to 3. */
    {"vdm", "ppd=60", false, {97, 71}, FV_GPU_NOISE, 10},
    {"vdm", "ppd=120", false, {97, 71}, FV_GPU_NOISE, 10},
    {"vdm", "ppd=160", false, {97, 71}, FV_GPU_NOISE, 10},
};

static void compare_special(FvGpu *gpu, const char *only)
{
    bool float64 = gpu->info.float64;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (only && strcmp(only, special[i].metric))
            continue;
        if (!runs[special[i].size.width < 400 ? BRIEF : SHORT])
            continue;
        char text[256], name[256], why[512] = "";
        FvError error = {0};
        Wanted wanted;
        snprintf(text, sizeof text, "%s%s%s", special[i].metric, *special[i].options ? "=" : "", special[i].options);
        FvStatus status = open_wanted(&wanted, text, &error);
        FvFormat format = {.width = special[i].size.width,
                           .height = special[i].size.height,
                           .chroma = i % 2 ? FV_CHROMA_420 : FV_CHROMA_444,
                           .depth = special[i].depth};
        int pairs = format.width * format.height > 1 << 22 ? 1 : 3; /* software devices take seconds for each */
        gpu->info.float64 = float64 && !special[i].without_float64;
        guard_install(gpu);
        bool good = !status && fv_gpu_compare(gpu, wanted.wants.item[0].feature, wanted.wants.item[0].options,
                                              &format, seed, special[i].fill, pairs, why, sizeof why) == FV_GPU_SAME;
        guard_remove(gpu);
        gpu->info.float64 = float64;
        if (good && guard_damaged) {
            snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged,
                     guard_checked);
            good = false;
        }
        snprintf(name, sizeof name, "%s:%d %s %s%s", gpu->ops->kind, gpu->index, special[i].metric,
                 special[i].options, special[i].without_float64 ? " without doubles" : "");
        tap_case(&tap, good, name, *why ? why : error.message);
        if (!status)
            close_wanted(&wanted);
    }
}

/* CAMBI refuses a frame for any sample above its depth: wherever it is, with dither removed, and resampled. */
static void find_large_samples(FvGpu *gpu, const char *only)
{
    static const char *const options[] = {"cambi", "cambi=enc_bitdepth=8", "cambi=enc_width=320:enc_height=220"};
    static const int places[][2] = {{0, 0}, {320, 240}, {320, 0}, {0, 240}, {127, 63}, {128, 64}};
    static const size_t counts[] = {6, 2, 2}; /* a session a place */
    if (only && strcmp(only, "cambi"))
        return;
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!runs[i ? SHORT : BRIEF])
            continue;
        char name[128], device[32];
        FvError error = {0};
        FvSession *session = NULL;
        FvFormat format = {.width = 321, .height = 241, .chroma = FV_CHROMA_400, .depth = 10 + (int)i};
        snprintf(device, sizeof device, "%s:%d", gpu->ops->kind, gpu->index);
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
                fv_frame_vouch(frame); /* as frames on the device, which the session cannot look at */
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

/* Every float sum, difference, product and negation of the kernels that are shipped is decorated NoContraction. */
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

/* Calls `visit` for the features with kernels of every metric, or of the one called `only`, each once. */
static void visit_features(const char *only, void *opaque,
                           void (*visit)(void *opaque, const FvFeature *feature, const void *options))
{
    const FvFeature *seen[FV_MAX_RUNS];
    int count = 0;
    for (int m = 0; m < fv_metric_count(); m++) {
        Wanted wanted;
        FvError error;
        const char *name = fv_metric_info(m)->name;
        /* The frames have no rate. At 8 a second, the filters cover three frames. */
        if ((only && strcmp(only, name)) ||
            open_wanted(&wanted, strcmp(name, "cvvdp") ? name : "cvvdp=fps=8", &error))
            continue;
        for (int w = 0; w < wanted.wants.count; w++) {
            const FvFeature *feature = wanted.wants.item[w].feature;
            int i = 0;
            while (i < count && seen[i] != feature)
                i++;
            if (i < count || count == FV_MAX_RUNS || !feature->gpu)
                continue;
            seen[count++] = feature;
            visit(opaque, feature, wanted.wants.item[w].options);
        }
        close_wanted(&wanted);
    }
}

static void check_kernels(void *opaque, const FvFeature *feature, const void *options)
{
    for (int k = 0; feature->gpu->kernels[k]; k++)
        if (feature->gpu->kernels[k]->spirv)
            check_decorations(feature->gpu->kernels[k]);
}

static void compare_on(void *opaque, const FvFeature *feature, const void *options)
{
    compare_feature(opaque, feature, options);
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
    tap_case(&tap, fv_gpu_verify_primitives(gpu, why, sizeof why) == FV_GPU_SAME, name, why);
    test_times(&tap, gpu);
    test_machinery(&tap, gpu, seed);
    gpu->profile = true;
    visit_features(only, gpu, compare_on);
    compare_special(gpu, only);
    find_large_samples(gpu, only);
    if (!only || !strcmp(only, "prores"))
        test_prores(&tap, gpu, (uint32_t)seed, runs[FULL]);
    if (!only || !strcmp(only, "surfaces"))
        test_surfaces(&tap, gpu, (uint32_t)seed);
    for (int i = 0; i < gpu->time_count; i++)
        printf("# %s:%d ran %s %llu times\n", ops->kind, index, gpu->times[i].name,
               (unsigned long long)gpu->times[i].launches);
    ops->close(&gpu);
}

#if FV_HAVE_VULKAN
/* Whether this machine has a Vulkan driver, so that finding no device is a failure. */
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
        {"device", required_argument, NULL, 'd'}, {"metric", required_argument, NULL, 'm'},
        {"seed", required_argument, NULL, 's'},   {"full", no_argument, NULL, 'f'},
        {"brief", no_argument, NULL, 'b'},        {0},
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
            runs[FULL] = true;
        else if (c == 'b')
            runs[SHORT] = false;
        else
            return 2;
    }
    char folder[] = "/tmp/fovea-XXXXXX";
    if (mkdtemp(folder))
        setenv("XDG_CACHE_HOME", folder, 1);
    printf("# seed %llu\n", (unsigned long long)seed);
    visit_features(NULL, NULL, check_kernels);
#if FV_HAVE_VULKAN
    test_driver(&fv_gpu_vulkan, device, metric, vulkan_driver_installed());
#endif
#if FV_HAVE_CUDA
    test_driver(&fv_gpu_cuda, device, metric, false);
#endif
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return tap_done(&tap);
}
