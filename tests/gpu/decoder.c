#include "decoder.h"

#include <string.h>

#include "gpu/selftest/prores.h"
#include "guard.h"

static void one_case(Tap *tap, FvGpu *gpu, const FvGpuProresCase *one, uint32_t seed)
{
    const FvProresShape *shape = &one->shape;
    char name[200], why[300] = "";
    int damaged;
    guard_install(gpu);
    const bool good = fv_gpu_verify_prores_case(gpu, one, seed, &damaged, why, sizeof why) == FV_TEST_SAME;
    guard_remove(gpu);
    if (guard_damaged && good)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d prores %dx%d %s %d-bit%s slices of %d%s, %d damaged", gpu->ops->kind,
             gpu->index, shape->width, shape->height, shape->chroma_444 ? "4:4:4" : "4:2:2", one->depth,
             shape->interlaced ? " interlaced" : "", 1 << shape->log2_slice, one->luma_only ? ", luma" : "", damaged);
    tap_case(tap, good && !guard_damaged, name, why);
}

void test_prores(Tap *tap, FvGpu *gpu, uint32_t seed, bool full)
{
    static const int sizes[][2] = {{1, 1}, {17, 33}, {130, 65}, {144, 48}, {200, 70}, {337, 211}, {720, 576}};
    for (const FvGpuProresCase *one = fv_gpu_prores_cases; one->shape.width; one++)
        one_case(tap, gpu, one, seed++);
    for (int i = 0; i < (full ? 28 : 7); i++) {
        const int *size = sizes[i % (full ? 7 : 6)];
        const FvGpuProresCase one = {{.width = size[0],
                                      .height = size[1],
                                      .chroma_444 = i & 1,
                                      .interlaced = i % 3 == 1,
                                      .bottom_first = i & 4,
                                      .matrices = i & 2,
                                      .alpha_bits = i % 5 == 4 ? 16 : 0,
                                      .log2_slice = 3 - i % 4,
                                      .coefficients = 2 + 3 * i % 20,
                                      .greatest = i % 4 ? 40 : 30000},
                                     i % 2 ? 12 : 10,
                                     false};
        one_case(tap, gpu, &one, seed++);
    }
}
