#include "gpu/selftest/selftest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "gpu/decode/prores.h"
#include "gpu/device.h"
#include "gpu/pixels.h"
#include "gpu/prepare.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/pixels.h"
#include "gpu/selftest/prores.h"
#include "gpu/selftest/scale.h"
#include "gpu/selftest/surface.h"
#include "gpu/surface.h"
#include "kernel/primitives.h"
#include "os/memory.h"
#include "os/workers.h"
#include "picture/colour.h"

/* ---- The words of the arithmetic ---------------------------------------------------------------------------- */

#define OPERANDS 8192 /* number of operand pairs of each arithmetic operation */

extern const FvKernel fv_kernel_primitives;

static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00800000, 0x00800001, 0x00ffffff, 0x3effffff, 0x3f000000, 0x3f000001, 0x3f7fffff,
    0x3f800000, 0x3f800001, 0x3fffffff, 0x40000000, 0x40400000, 0x41200000, 0x42c80000, 0x4b000000, 0x4b7fffff,
    0x4b800000, 0x4b800001, 0x4effffff, 0x7e7fffff, 0x7f7fffff, 0xbf800000, 0xbf800001, 0xc0490fdb, 0xcb7fffff,
};
#define EDGES (sizeof edges / sizeof *edges)

static void make_operands(uint32_t *operands)
{
    uint64_t state = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < OPERANDS; i++)
        for (size_t j = 0; j < 2; j++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            uint32_t random = (uint32_t)(state >> 20);
            if (i < EDGES * EDGES)
                random = edges[j ? i % EDGES : i / EDGES];
            else if (i % 3 == 0)
                random =
                    (random & 0x80ffffff) | 0x3f000000; /* near 1, where sums cancel and quotients are near ties */
            else if (i % 7 == 0)
                random = (random & 0xff800000) | (j ? 0x7fffff - (random & 15) : random & 15);
            operands[2 * i + j] = random;
        }
}

/*
 * Returns whether a result is zero or normal. Vulkan does not define subnormal numbers, infinities and NaN, and the
 * formulas avoid them.
 */
static bool defined(uint32_t bits)
{
    uint32_t exponent = bits >> 23 & 0xff;
    return !(bits & 0x7fffffff) || (exponent && exponent < 0xff);
}

static uint32_t expected(int primitive, uint32_t x, uint32_t y, bool *counts)
{
    float a = fv_f32_from_bits(x), b = fv_f32_from_bits(y);
    float product = a * b;
    bool normal = defined(x) && defined(y);
    uint32_t bits;
    switch (primitive) {
    case FV_PRIMITIVE_ADD:
        bits = fv_bits(a + b);
        break;
    case FV_PRIMITIVE_SUB:
        bits = fv_bits(a - b);
        break;
    case FV_PRIMITIVE_MUL:
        bits = fv_bits(product);
        break;
    case FV_PRIMITIVE_MUL_ADD:
        bits = fv_bits(product + a);
        normal &= defined(fv_bits(product));
        break;
    case FV_PRIMITIVE_DIV:
        bits = fv_bits(a / b);
        normal &= (y & 0x7fffffff) != 0 && (!(x & 0x7fffffff) || (bits & 0x7fffffff));
        break;
    case FV_PRIMITIVE_SQRT:
        bits = fv_bits(sqrtf(fv_abs_f32(a)));
        break;
    case FV_PRIMITIVE_ABS:
        bits = x & 0x7fffffff;
        break;
    case FV_PRIMITIVE_MAX:
        bits = fv_bits(fv_max_f32(a, b));
        normal &= a != b; /* zeros may differ in their sign */
        break;
    case FV_PRIMITIVE_LESS:
        *counts = normal;
        return a < b;
    case FV_PRIMITIVE_FROM_INT:
        *counts = true;
        return fv_bits((float)(int32_t)x);
    case FV_PRIMITIVE_TO_INT: {
        uint32_t exponent = x >> 23 & 0xff;
        *counts = true;
        return (uint32_t)(int32_t)fv_f32_from_bits((x & 0x807fffff) | (exponent > 156 ? 156 : exponent) << 23);
    }
    case FV_PRIMITIVE_MULHRS:
        *counts = true;
        return (uint32_t)(((int32_t)(int16_t)x * (int16_t)y + 16384) >> 15);
    case FV_PRIMITIVE_SHIFT:
        *counts = true;
        return (uint32_t)((int32_t)x >> (y & 31));
    default:
        *counts = true;
        return x * y;
    }
    /* Near the subnormal range, devices may flush a result before or after rounding it. */
    *counts = normal && defined(bits) && (bits >> 23 & 0xff) != 1;
    return bits;
}

static const char *const primitive_names[FV_PRIMITIVES] = {
    "a + b",
    "a - b",
    "a * b",
    "a * b + a",
    "a / b",
    "sqrt(|a|)",
    "|a|",
    "max(a, b)",
    "a < b",
    "integer to float",
    "float to integer",
    "16-bit product",
    "integer shift",
    "integer product",
};

static FvStatus run_primitives(FvGpu *gpu, const FvGpuMemory *host, const FvGpuMemory *local, size_t operand_bytes,
                               size_t result_bytes, FvError *error)
{
    const FvGpuOps *ops = gpu->ops;
    FvPrimitivesArgs args = {local->address, local->address + operand_bytes, OPERANDS};
    uint64_t ticket;
    FvStatus status = ops->begin(gpu, FV_GPU_COMPUTE, error);
    if (status)
        return status;
    ops->copy(gpu, FV_GPU_COMPUTE, local, 0, host, 0, operand_bytes);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->launch(gpu, FV_GPU_COMPUTE, &fv_kernel_primitives, &args, OPERANDS / 64, 1, 1);
    ops->barrier(gpu, FV_GPU_COMPUTE);
    ops->copy(gpu, FV_GPU_COMPUTE, host, operand_bytes, local, operand_bytes, result_bytes);
    status = ops->submit(gpu, FV_GPU_COMPUTE, &ticket, error);
    return status ? status : ops->wait(gpu, FV_GPU_COMPUTE, ticket, error);
}

const char *fv_gpu_primitive(int primitive)
{
    return primitive_names[primitive];
}

FvTestVerdict fv_gpu_verify_primitives(FvGpu *gpu, char *why, size_t size)
{
    bool same[FV_PRIMITIVES];
    return fv_gpu_test_primitives(gpu, same, why, size);
}

FvTestVerdict fv_gpu_test_primitives(FvGpu *gpu, bool same[FV_PRIMITIVES], char *why, size_t size)
{
    const size_t operand_bytes = OPERANDS * 2 * sizeof(uint32_t);
    const size_t result_bytes = (size_t)OPERANDS * FV_PRIMITIVES * sizeof(uint32_t);
    FvGpuMemory host = {0}, local = {0};
    FvError error = {0};
    fv_gpu_test_begin();
    FvStatus status = gpu->ops->alloc(gpu, &host, operand_bytes + result_bytes, FV_GPU_HOST, &error);
    if (!status)
        status = gpu->ops->alloc(gpu, &local, operand_bytes + result_bytes, FV_GPU_LOCAL, &error);
    if (!status) {
        make_operands((uint32_t *)host.host);
        status = run_primitives(gpu, &host, &local, operand_bytes, result_bytes, &error);
    }
    FvTestVerdict verdict = status ? FV_TEST_UNTESTED : FV_TEST_SAME;
    if (status)
        snprintf(why, size, "%s", error.message);
    const uint32_t *operands = (const uint32_t *)host.host;
    for (int p = 0; p < FV_PRIMITIVES; p++)
        same[p] = !status;
    for (size_t i = 0; i < OPERANDS && !status; i++)
        for (int p = 0; p < FV_PRIMITIVES; p++) {
            bool counts;
            uint32_t x = operands[2 * i], y = operands[2 * i + 1];
            uint32_t want = expected(p, x, y, &counts), got = operands[2 * OPERANDS + i * FV_PRIMITIVES + (size_t)p];
            if (!counts || got == want)
                continue;
            same[p] = false;
            if (verdict == FV_TEST_DIFFERS)
                continue;
            verdict = FV_TEST_DIFFERS;
            snprintf(why, size, "its arithmetic differs: %s of a = 0x%08x, b = 0x%08x gives 0x%08x instead of 0x%08x",
                     primitive_names[p], x, y, got, want);
        }
    gpu->ops->free(gpu, &host);
    gpu->ops->free(gpu, &local);
    fv_gpu_test_end();
    return verdict;
}

/* ---- Features ----------------------------------------------------------------------------------------------- */

static FvTestVerdict verify_sizes(FvGpu *gpu, const FvFeature *feature, void *options, char *why, size_t size)
{
    static const struct {
        int width, height;
    } sizes[] = {{67, 45}, {352, 288}};
    bool compared = false;
    fv_options_default(options, &feature->options);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int depth = 8; depth <= 10; depth += 2)
            for (int fill = 0; fill < FV_FILLS; fill++) {
                if (s && (fill == FV_FILL_EXTREMES || depth == 8) && compared)
                    continue;
                FvFormat format = {
                    .width = sizes[s].width, .height = sizes[s].height, .chroma = FV_CHROMA_420, .depth = depth};
                FvTestVerdict verdict =
                    fv_gpu_compare(gpu, feature, options, &format, (uint64_t)fill + 1, fill, 2, why, size);
                if (verdict != FV_TEST_SAME && verdict != FV_TEST_REFUSES)
                    return verdict;
                compared |= verdict == FV_TEST_SAME;
            }
    if (!compared)
        snprintf(why, size, "the self-test has no frames that it takes");
    return compared ? FV_TEST_SAME : FV_TEST_REFUSES;
}

static FvTestVerdict verify_trials(FvGpu *gpu, const FvFeature *feature, void *options, char *why, size_t size)
{
    FvTestVerdict verdict = FV_TEST_SAME;
    for (const FvGpuTrial *trial = feature->gpu->trials; trial && trial->options && !verdict; trial++) {
        char text[256];
        FvError error = {0};
        FvFormat format = {.width = trial->width,
                           .height = trial->height,
                           .chroma = FV_CHROMA_420,
                           .depth = trial->depth ? trial->depth : 10,
                           .transfer = trial->transfer,
                           .primaries = trial->transfer ? FV_H273_BT2020 : 0};
        snprintf(text, sizeof text, "%s", trial->options);
        fv_options_default(options, &feature->options);
        if (!fv_options_parse(options, &feature->options, feature->name, text, &error)) {
            verdict = fv_gpu_compare(gpu, feature, options, &format, 1, trial->fill, 2, why, size);
        } else {
            snprintf(why, size, "%s", error.message);
            verdict = FV_TEST_UNTESTED;
        }
    }
    return verdict;
}

FvTestVerdict fv_gpu_verify_feature(FvGpu *gpu, const FvFeature *feature, char *why, size_t size)
{
    void *options = fv_alloc_zero(feature->options_size);
    if (!options) {
        snprintf(why, size, "out of memory");
        return FV_TEST_UNTESTED;
    }
    FvTestVerdict verdict = verify_sizes(gpu, feature, options, why, size);
    if (verdict == FV_TEST_SAME)
        verdict = verify_trials(gpu, feature, options, why, size);
    fv_free(options);
    return verdict;
}

/* ---- Verdicts ----------------------------------------------------------------------------------------------- */

const FvGpuSkill fv_gpu_scaling = {.subject = {"scaling", fv_gpu_prepare_kernels}, .verify = fv_gpu_verify_scaling};
const FvGpuSkill fv_gpu_decoding = {.subject = {"decoding", fv_gpu_surface_kernels},
                                    .verify = fv_gpu_verify_pictures};
const FvGpuSkill fv_gpu_prores = {.subject = {"ProRes", fv_gpu_prores_kernels}, .verify = fv_gpu_verify_prores};
const FvGpuSkill fv_gpu_pixels = {.subject = {"pixels", fv_gpu_pixels_kernels}, .verify = fv_gpu_verify_pixels};

const FvGpuSkill *const fv_gpu_skills[] = {&fv_gpu_scaling, &fv_gpu_decoding, &fv_gpu_prores, &fv_gpu_pixels, NULL};

static FvGpuSubject subject_of(const FvGpuSkill *skill)
{
    return skill->feature ? fv_gpu_subject(skill->feature) : skill->subject;
}

FvTestVerdict fv_gpu_verify_skill(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size)
{
    FvTestVerdict verdict = FV_TEST_SAME;
    for (int number = 0; verdict == FV_TEST_SAME; number++)
        verdict = skill->verify(gpu, number, why, size);
    return verdict == FV_TEST_REFUSES ? FV_TEST_SAME : verdict;
}

static FvTestVerdict test(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size)
{
    *why = '\0';
    FvTestVerdict verdict = fv_gpu_verify_primitives(gpu, why, size);
    if (verdict == FV_TEST_SAME)
        verdict = skill->feature ? fv_gpu_verify_feature(gpu, skill->feature, why, size)
                                 : fv_gpu_verify_skill(gpu, skill, why, size);
    FvGpuFinding finding = {.good = verdict == FV_TEST_SAME};
    snprintf(finding.why, sizeof finding.why, "%s", why);
    if (finding.good && skill->feature && !gpu->info.software)
        finding.speed = fv_gpu_speed(gpu, skill->feature);
    if (finding.good || verdict == FV_TEST_DIFFERS)
        fv_gpu_keep(gpu, subject_of(skill), &finding);
    return verdict;
}

bool fv_gpu_retest(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size)
{
    return test(gpu, skill, why, size) == FV_TEST_SAME;
}

bool fv_gpu_trusts(FvGpu *gpu, const FvGpuSkill *skill, char *why, size_t size)
{
    FvGpuFinding finding;
    FvTestVerdict verdict;
    if (fv_gpu_find(gpu, subject_of(skill), &finding))
        verdict = finding.good ? FV_TEST_SAME : FV_TEST_DIFFERS;
    else
        verdict = test(gpu, skill, finding.why, sizeof finding.why);
    if (verdict != FV_TEST_SAME)
        snprintf(why, size, "%s:%d %s: %s", gpu->ops->kind, gpu->index,
                 verdict == FV_TEST_DIFFERS ? "failed the self-test" : "could not be tested", finding.why);
    return verdict == FV_TEST_SAME;
}

typedef struct Untested {
    FvGpu *gpu;
    const FvFeature *feature[FV_MAX_INSTANCES];
    int count;
} Untested;

/* Tests one subject and stores the verdict, which fv_gpu_trusts() finds later. */
static void test_one(void *opaque, int i, int worker)
{
    const Untested *untested = opaque;
    char why[512];
    test(untested->gpu, &(FvGpuSkill){.feature = untested->feature[i]}, why, sizeof why);
}

static void test_all(Untested *untested, int threads)
{
    FvWorkers *workers;
    FvError ignored;
    if (untested->count < 2 || threads < 2 || fv_workers_open(&workers, untested->count, &ignored))
        return;
    fv_workers_run(workers, untested->count, test_one, untested);
    fv_workers_close(&workers);
}

/* Returns whether the feature of an instance must be tested and is not yet in the list `among`. */
static bool is_untested(FvDevice *device, const FvFeatureInstance *run, const Untested *among)
{
    FvGpuFinding ignored;
    char why[256];
    for (int i = 0; i < among->count; i++)
        if (among->feature[i] == run->feature)
            return false;
    return fv_gpu_device_supports(device, run, why, sizeof why) &&
           !fv_gpu_find(among->gpu, fv_gpu_subject(run->feature), &ignored);
}

/* Loads the kernels. A kernel that cannot be loaded is reported when it is launched. */
void fv_gpu_device_expect(FvDevice *device, const FvFeatureInstance *runs, int count, const FvWaitObserver *observer)
{
    FvGpu *gpu = fv_gpu_of_device(device);
    const FvKernel *kernels[FV_GPU_MAX_KERNELS];
    Untested untested = {.gpu = gpu};
    int taken = 0;
    for (int r = 0; r < count; r++) {
        if (!is_untested(device, &runs[r], &untested))
            continue;
        untested.feature[untested.count++] = runs[r].feature;
        for (const FvKernel *const *kernel = runs[r].feature->gpu->kernels; *kernel; kernel++)
            if (taken < FV_GPU_MAX_KERNELS && (!(*kernel)->float64 || gpu->info.float64))
                kernels[taken++] = *kernel;
    }
    FvError ignored;
    device->tested = untested.count;
    if (!untested.count)
        return;
    if (observer->notify) {
        char text[96];
        snprintf(text, sizeof text, "the first test of %d feature%s on %s:%d", untested.count,
                 untested.count == 1 ? "" : "s", gpu->ops->kind, gpu->index);
        observer->notify(observer->opaque, text);
    }
    gpu->ops->load(gpu, kernels, taken, runs[0].threads, &ignored);
    test_all(&untested, runs[0].threads);
}

bool fv_gpu_device_trusted(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size)
{
    return fv_gpu_device_supports(device, run, why, size) &&
           fv_gpu_trusts(fv_gpu_of_device(device), &(FvGpuSkill){.feature = run->feature}, why, size);
}

bool fv_gpu_device_prepares(FvDevice *device, const FvPreparation *preparation, char *why, size_t size)
{
    FvGpu *gpu = fv_gpu_of_device(device);
    return fv_gpu_prepare_supports(gpu, preparation, why, size) && fv_gpu_trusts(gpu, &fv_gpu_scaling, why, size);
}

bool fv_gpu_device_decodes(FvDevice *device, char *why, size_t size)
{
    return fv_gpu_trusts(fv_gpu_of_device(device), &fv_gpu_prores, why, size);
}

FvStatus fv_gpu_device_pixels(FvDevice *device, FvFrame **frame, const FvFormat *format, const FvPixels *pixels,
                              int matrix, FvError *error)
{
    char why[640] = "";
    if (!fv_gpu_trusts(fv_gpu_of_device(device), &fv_gpu_pixels, why, sizeof why))
        return fv_fail(error, FV_ERROR_DEVICE,
                       "pixels cannot become frames on this device, which %s; copy them to "
                       "host memory",
                       why);
    return fv_gpu_device_make_pixels(device, frame, format, pixels, matrix, error);
}
