/* Reports about a device: verdicts of tests, hashes of computed terms, and speeds. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "device/instances.h"
#include "device_select/devices.h"
#include "json.h"
#include "metric/cases.h"
#include "metric/metric.h"
#include "order.h"
#include "os/cancel.h"
#include "os/memory.h"
#if FV_HAVE_GPU
#include "gpu/cache.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#endif

#define SEED 1
#define ROUNDS 5
#define SPEED_SECONDS 2.0 /* time limit for a metric at one size */

/* The outcome of all test cases of a feature. */
typedef struct Tally {
    const FvFeature *feature;
    int cases, differ, refused, untested;
    FvSha256 words;
    char first[512], untested_why[512]; /* the first difference; why a case was not tested; "" if none */
    FvCase first_case;
    char first_text[256];
} Tally;

typedef struct Report {
    FvTestDevice device;
    struct FvGpu *gpu; /* NULL: the CPU */
    Tally tally[FV_MAX_INSTANCES];
    int count;
    const FvDeviceReportParams *params;
    const FvFeature *announced;
} Report;

static Tally *tally_of(Report *report, const FvFeature *feature)
{
    for (int i = 0; i < report->count; i++)
        if (report->tally[i].feature == feature)
            return &report->tally[i];
    if (report->count == FV_MAX_INSTANCES)
        return NULL;
    Tally *tally = &report->tally[report->count++];
    *tally = (Tally){.feature = feature};
    fv_sha256_begin(&tally->words);
    return tally;
}

static void test_case(void *opaque, const FvCase *one)
{
    Report *report = opaque;
    const FvDeviceReportParams *params = report->params;
    Tally *tally = tally_of(report, one->feature);
    if (!tally || fv_cancel_requested(params->cancel))
        return;
    if (params->on_test && report->announced != one->feature) {
        char text[96];
        snprintf(text, sizeof text, "%s%s%s", one->feature->name, report->gpu ? "" : " on ",
                 report->gpu ? "" : fv_isa_name(report->device.isa));
        params->on_test(params->opaque, text);
    }
    report->announced = one->feature;
    char why[512] = "";
#if FV_HAVE_GPU
    const bool float64 = report->gpu && report->gpu->info.float64;
    if (report->gpu)
        report->gpu->info.float64 = float64 && !one->without_float64;
#endif
    FvTestVerdict verdict = fv_test_compare(&report->device, one->feature, one->options, &one->format, SEED,
                                            one->fill, one->pairs, &tally->words, why, sizeof why);
#if FV_HAVE_GPU
    if (report->gpu)
        report->gpu->info.float64 = float64;
#endif
    tally->cases++;
    tally->refused += verdict == FV_TEST_REFUSES;
    tally->untested += verdict == FV_TEST_UNTESTED;
    if (verdict == FV_TEST_UNTESTED && !*tally->untested_why)
        snprintf(tally->untested_why, sizeof tally->untested_why, "%s", why);
    if (verdict != FV_TEST_DIFFERS || tally->differ++)
        return;
    snprintf(tally->first, sizeof tally->first, "%s", why);
    snprintf(tally->first_text, sizeof tally->first_text, "%s", one->text);
    tally->first_case = *one;
}

static void list_feature(void *opaque, const char *metric, const FvFeature *feature, const void *options)
{
    tally_of(opaque, feature);
}

/* Tests every case on the report's device. */
static FvStatus test_all(Report *report, FvError *error)
{
    const FvCaseExtent extent = report->params->brief ? FV_CASES_BRIEF : FV_CASES_FULL;
    const bool with_kernels = report->gpu;
    FvStatus status = fv_cases_features(NULL, with_kernels, report, list_feature, error);
    if (!status)
        status = fv_cases_visit(extent, NULL, with_kernels, report, test_case, error);
    if (!status && fv_cancel_requested(report->params->cancel))
        status = fv_fail_cancelled(error, "the tests");
    return status;
}

/* Returns "same", "differs", "cpu" or "not tested". */
static const char *verdict_of(const Tally *tally)
{
    if (tally->differ)
        return "differs";
    if (tally->untested)
        return "not tested";
    return tally->refused == tally->cases ? "cpu" : "same";
}

static const char *worse(const char *a, const char *b)
{
    static const char *const order[] = {"differs", "not tested", "cpu", "same"};
    for (int i = 0; i < 4; i++)
        if (!strcmp(a, order[i]) || !strcmp(b, order[i]))
            return order[i];
    return a;
}

static void write_first(FvJson *json, const Tally *tally)
{
    static const char *const chroma[] = {"4:0:0", "4:2:0", "4:2:2", "4:4:4"};
    const FvFormat *format = &tally->first_case.format;
    char size[32];
    snprintf(size, sizeof size, "%dx%d", format->width, format->height);
    fv_json_open_line(json, "first", '{');
    fv_json_text(json, "feature", tally->feature->name);
    fv_json_text(json, "options", tally->first_text);
    fv_json_text(json, "size", size);
    fv_json_text(json, "chroma", chroma[format->chroma]);
    fv_json_int(json, "depth", format->depth);
    fv_json_int(json, "fill", tally->first_case.fill);
    fv_json_text(json, "what", tally->first);
    fv_json_close(json);
}

/* Writes the first half of the hash over the hashes of all features of the metric, in hexadecimal digits. */
static void hash_of(const FvWants *wants, const Report *report, char hash[17])
{
    char digits[65];
    FvSha256 whole;
    fv_sha256_begin(&whole);
    for (int w = 0; w < wants->count; w++)
        for (int i = 0; i < report->count; i++)
            if (report->tally[i].feature == wants->item[w].feature) {
                fv_sha256_end(&report->tally[i].words, digits);
                fv_sha256_add(&whole, digits, 64);
            }
    fv_sha256_end(&whole, digits);
    snprintf(hash, 17, "%.16s", digits);
}

/* Writes one metric. reports: those of the CPU's instruction sets, the fastest one last, or that of one GPU. */
static FvStatus write_metric(FvJson *json, int m, const Report *reports, int count, int *differing, FvError *error)
{
    FvWants wants = {.count = 0};
    FvStatus status = fv_metric_default_features(fv_metric_at(m), &wants, error);
    if (status)
        return status;
    int cases = 0, differ = 0;
    const char *verdict = "same", *each[FV_ISA_COUNT];
    const Tally *first = NULL, *untested = NULL;
    bool without_kernels = false;
    for (int r = 0; r < count; r++) {
        each[r] = "same";
        for (int w = 0; w < wants.count; w++) {
            const Tally *tally = NULL;
            for (int i = 0; i < reports[r].count && !tally; i++)
                if (reports[r].tally[i].feature == wants.item[w].feature)
                    tally = &reports[r].tally[i];
            without_kernels |= !tally;
            each[r] = worse(each[r], tally ? verdict_of(tally) : "cpu");
            cases += tally ? tally->cases : 0;
            differ += tally ? tally->differ : 0;
            first = !first && tally && tally->differ ? tally : first;
            untested = !untested && tally && tally->untested ? tally : untested;
        }
        verdict = worse(verdict, each[r]);
    }
    char hash[17];
    hash_of(&wants, &reports[count - 1], hash);
    fv_json_open(json, NULL, '{');
    fv_json_text(json, "metric", fv_metric_info(m)->name);
    fv_json_text(json, "verdict", verdict);
    if (!strcmp(verdict, "cpu"))
        fv_json_text(json, "reason", without_kernels ? "it has no kernels" : "the device takes none of the frames");
    if (!strcmp(verdict, "not tested"))
        fv_json_text(json, "reason", untested->untested_why);
    fv_json_int(json, "cases", cases);
    fv_json_int(json, "differ", differ);
    if (without_kernels || untested)
        fv_json_null(json, "hash");
    else
        fv_json_text(json, "hash", hash);
    if (!reports->gpu) {
        fv_json_open_line(json, "isas", '{');
        for (int r = 0; r < count; r++)
            fv_json_text(json, fv_isa_name(reports[r].device.isa), each[r]);
        fv_json_close(json);
    }
    if (first)
        write_first(json, first);
    fv_json_close(json);
    *differing += differ > 0;
    fv_wants_free(&wants);
    return FV_OK;
}

/* ---- Speeds ------------------------------------------------------------------------------------------------- */

/*
 * Measures the seconds per pair in each round, computing the metric's features one after the other. Returns the
 * number of rounds.
 */
static int time_metric(const Report *report, const char *metric, const FvFormat *format, double seconds[ROUNDS])
{
    FvMetricInstance run;
    FvWants wants = {.count = 0};
    FvError error;
    int rounds = ROUNDS;
    if (fv_metric_open(&run, metric, &error))
        return 0;
    fv_metric_want(&run, &wants);
    memset(seconds, 0, ROUNDS * sizeof *seconds);
    for (int w = 0; w < wants.count && rounds; w++) {
        double own[ROUNDS];
        int timed = 0;
        if (!report->gpu || wants.item[w].feature->gpu)
            timed = fv_test_time(&report->device, wants.item[w].feature, wants.item[w].options, format, rounds,
                                 SPEED_SECONDS / wants.count, own, NULL);
        rounds = timed < rounds ? timed : rounds;
        for (int i = 0; i < rounds; i++)
            seconds[i] += own[i];
    }
    fv_wants_free(&wants);
    fv_metric_close(&run);
    qsort(seconds, (size_t)rounds, sizeof *seconds, fv_compare_reals);
    return rounds;
}

static FvStatus write_speeds(FvJson *json, const Report *report, FvError *error)
{
    static const struct {
        const char *name, *metric;
    } list[] = {{"psnr", "psnr"},
                {"psnr_hvs", "psnr_hvs"},
                {"vmaf_v0.6.1", "vmaf=version=vmaf_v0.6.1"},
                {"vmaf_v1.0.16_3d0h", "vmaf=version=vmaf_v1.0.16_3d0h"},
                {"cambi", "cambi"},
                {"ssimulacra2", "ssimulacra2"},
                {"butteraugli", "butteraugli"},
                {"cvvdp", "cvvdp=fps=25"},
                {"xpsnr", "xpsnr=rate=25"}};
    static const int sizes[2][2] = {{1920, 1080}, {3840, 2160}};
    const FvDeviceReportParams *params = report->params;
    bool timed = !params->brief;
#if FV_HAVE_GPU
    timed &= !report->gpu || !report->gpu->info.software; /* a software device has the speed of the processor */
#endif
    fv_json_open(json, "speeds", '[');
    for (size_t i = 0; i < sizeof list / sizeof *list && timed; i++)
        for (int s = 0; s < 2; s++) {
            if (fv_cancel_requested(params->cancel))
                return fv_fail_cancelled(error, "the tests");
            char size[32], text[96];
            double seconds[ROUNDS];
            FvFormat format = {.width = sizes[s][0], .height = sizes[s][1], .chroma = FV_CHROMA_420, .depth = 10};
            snprintf(size, sizeof size, "%dx%d", format.width, format.height);
            snprintf(text, sizeof text, "the speed of %s, %s", list[i].name, size);
            if (params->on_test)
                params->on_test(params->opaque, text);
            const int rounds = time_metric(report, list[i].metric, &format, seconds);
            fv_json_open_line(json, NULL, '{');
            fv_json_text(json, "metric", list[i].name);
            fv_json_text(json, "size", size);
            fv_json_int(json, "depth", format.depth);
            const double median = rounds ? seconds[rounds / 2] : NAN;
            fv_json_number(json, "pairs_per_second", 1 / median);
            fv_json_number(json, "spread", rounds ? (seconds[rounds - 1] - seconds[0]) / median : NAN);
            fv_json_close(json);
        }
    fv_json_close(json);
    return FV_OK;
}

/* ---- The report --------------------------------------------------------------------------------------------- */

static const char *architecture(void)
{
#if defined __x86_64__
    return "x86_64";
#elif defined __aarch64__
    return "aarch64";
#elif defined __riscv
    return "riscv";
#else
    return "other";
#endif
}

/* Returns the entry of `fovea devices` for a device, or NULL. */
static const FvDeviceInfo *find_info(const FvDeviceList *list, const char *name)
{
    for (int i = 0; list && i < fv_devices_count(list); i++)
        if (!strcmp(fv_devices_info(list, i)->name, name))
            return fv_devices_info(list, i);
    return NULL;
}

static void write_head(FvJson *json, const char *name, const FvDeviceList *list, const Report *report)
{
    const FvDeviceInfo *info = find_info(list, name), *cpu = find_info(list, "cpu");
    const time_t now = time(NULL);
    const int64_t days = (int64_t)now / 86400 + 719468; /* the calendar below counts days from 1 March of year 0 */
    const int64_t era = days / 146097, of_era = days % 146097;
    const int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    const int64_t of_year = of_era - (365 * year + year / 4 - year / 100), month = (5 * of_year + 2) / 153;
    char date[64];
    snprintf(date, sizeof date, "%04d-%02d-%02d", (int)(era * 400 + year + (month >= 10)),
             (int)(month < 10 ? month + 3 : month - 9), (int)(of_year - (153 * month + 2) / 5 + 1));
    fv_json_text(json, "report", "fovea-device");
    fv_json_int(json, "schema_version", 1);
    fv_json_text(json, "list", report->params->brief ? "brief" : "full");
    fv_json_text(json, "fovea_version", fv_version());
    fv_json_int(json, "numerics_version", fv_numerics_version());
    fv_json_open_line(json, "build", '{');
#if FV_HAVE_GPU
    uint64_t hash = FV_GPU_HASH;
    for (int i = 0; i < report->count && report->gpu; i++)
        for (const FvKernel *const *kernel = report->tally[i].feature->gpu->kernels; *kernel; kernel++)
            hash = !strcmp(report->gpu->ops->kind, "vulkan")
                       ? fv_gpu_hash(hash, (*kernel)->spirv, (*kernel)->spirv_bytes)
                       : fv_gpu_hash(hash, (*kernel)->cuda, (*kernel)->cuda_bytes);
    char kernels[17];
    snprintf(kernels, sizeof kernels, "%016llx", (unsigned long long)hash);
    fv_json_text(json, "kernels", report->gpu ? kernels : NULL);
#else
    fv_json_null(json, "kernels");
#endif
    fv_json_text(json, "compiler", __VERSION__);
    fv_json_close(json);
    fv_json_text(json, "date", date);
    fv_json_open(json, "device", '{');
    fv_json_text(json, "name", name);
    fv_json_text(json, "title", info ? info->title : NULL);
    fv_json_text(json, "driver", info ? info->driver : NULL);
    fv_json_text(json, "limits", info ? info->limits : NULL);
    fv_json_int(json, "memory", info ? (int64_t)info->memory : 0);
#if FV_HAVE_GPU
    fv_json_bool(json, "float64", !report->gpu || report->gpu->info.float64);
#else
    fv_json_bool(json, "float64", true);
#endif
    fv_json_bool(json, "software", info && info->software);
    fv_json_close(json);
    fv_json_open_line(json, "host", '{');
#if defined _WIN32
    fv_json_text(json, "system", "Windows");
#else
    fv_json_text(json, "system", "Linux");
#endif
    fv_json_text(json, "architecture", architecture());
    fv_json_text(json, "processor", cpu ? cpu->title : NULL);
    fv_json_int(json, "processors", fv_processors());
    fv_json_text(json, "isa", fv_isa_name(fv_isa_best()));
    fv_json_close(json);
}

/* Writes the results of the test of each arithmetic operation, and of all other tests that belong to no metric. */
static void write_arithmetic(FvJson *json, const Report *report)
{
    fv_json_open(json, "arithmetic", '[');
#if FV_HAVE_GPU
    bool same[FV_PRIMITIVES];
    char why[512] = "";
    FvTestVerdict verdict = report->gpu ? fv_gpu_test_primitives(report->gpu, same, why, sizeof why) : FV_TEST_SAME;
    for (int p = 0; p < FV_PRIMITIVES && report->gpu; p++) {
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "operation", fv_gpu_primitive(p));
        fv_json_text(json, "verdict", verdict == FV_TEST_UNTESTED ? "not tested" : same[p] ? "same" : "differs");
        fv_json_close(json);
    }
#endif
    fv_json_close(json);
    fv_json_open(json, "skills", '[');
#if FV_HAVE_GPU
    for (const FvGpuSkill *const *skill = fv_gpu_skills; *skill && report->gpu; skill++) {
        verdict = fv_gpu_verify_skill(report->gpu, *skill, why, sizeof why);
        fv_json_open_line(json, NULL, '{');
        fv_json_text(json, "skill", (*skill)->subject.name);
        fv_json_text(json, "verdict",
                     verdict == FV_TEST_SAME      ? "same"
                     : verdict == FV_TEST_DIFFERS ? "differs"
                                                  : "not tested");
        if (verdict != FV_TEST_SAME)
            fv_json_text(json, "what", why);
        fv_json_close(json);
    }
#endif
    fv_json_close(json);
}

/*
 * Prepares the report of a GPU, or one report for each instruction set of the CPU, the fastest one last. Returns
 * their number.
 */
static int prepare_reports(Report *reports, FvDeviceParams *cpu, const FvDeviceReportParams *params)
{
    int count = 0;
    for (int isa = 0; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable((FvIsa)isa) && ((FvIsa)isa != FV_ISA_SCALAR || fv_isa_best() == FV_ISA_SCALAR)) {
            cpu[count] = (FvDeviceParams){.name = "cpu", .isa = (FvIsa)isa, .threads = fv_processors()};
            reports[count] = (Report){.device = fv_test_cpu(&cpu[count]), .params = params};
            count++;
        }
    return count;
}

FvStatus fv_device_report(const char *device, const FvDeviceReportParams *params, FILE *file, int *differing,
                          FvError *error)
{
    FV_FLOAT_MODE;
    FV_REQUIRE(error, device);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, file);
    FV_REQUIRE(error, differing);
    FvDeviceParams cpu[FV_ISA_COUNT];
    FvDeviceList *list = NULL;
    FvStatus status = FV_OK;
    *differing = 0;
    Report *reports = fv_alloc_zero(FV_ISA_COUNT * sizeof *reports);
    if (!reports)
        return fv_fail_memory(error, FV_ISA_COUNT * sizeof *reports);
    int count = prepare_reports(reports, cpu, params);
    if (strcmp(device, "cpu") != 0) {
        count = 1;
#if FV_HAVE_GPU
        status = fv_devices_open_gpu(&reports->gpu, device, error);
        if (!status)
            reports->device = fv_gpu_test_device(reports->gpu);
#else
        status = fv_fail(error, FV_ERROR_DEVICE, "%s is not in this build; `device=cpu` is", device);
#endif
    }
    const time_t begun = time(NULL);
    for (int r = 0; r < count && !status; r++)
        status = test_all(&reports[r], error);
    if (!status)
        status = fv_devices_list(&list, error);
    FvJson json = {.file = file, .line = 2};
    if (!status) {
        fv_json_open(&json, NULL, '{');
        write_head(&json, device, list, &reports[count - 1]);
        write_arithmetic(&json, reports);
        fv_json_open(&json, "metrics", '[');
    }
    for (int m = 0; m < fv_metric_count() && !status; m++)
        status = write_metric(&json, m, reports, count, differing, error);
    if (!status) {
        fv_json_close(&json);
        fv_json_null(&json, "vectors");
        status = write_speeds(&json, &reports[count - 1], error);
    }
    if (!status) {
        fv_json_int(&json, "seconds", (int64_t)(time(NULL) - begun));
        fv_json_text(&json, "credit", params->credit);
        fv_json_close(&json);
        putc('\n', file);
    }
#if FV_HAVE_GPU
    if (reports->gpu)
        reports->gpu->ops->close(&reports->gpu);
#endif
    fv_devices_close(&list);
    fv_free(reports);
    return status;
}
