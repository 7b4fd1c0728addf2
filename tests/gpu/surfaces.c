#include "surfaces.h"

#include <stdio.h>

#include "gpu/selftest/surface.h"
#include "guard.h"
#include "picture/frame.h"

static void one_picture(Tap *tap, FvGpu *gpu, const FvGpuPicture *shape, uint32_t seed)
{
    char name[200], why[300] = "";
    guard_install(gpu);
    const bool good = fv_gpu_verify_picture(gpu, shape, seed, why, sizeof why) == FV_TEST_SAME;
    guard_remove(gpu);
    if (guard_damaged && good)
        snprintf(why, sizeof why, "%d of %d blocks were written outside their bounds", guard_damaged, guard_checked);
    snprintf(name, sizeof name, "%s:%d picture of a decoder %dx%d %s %d-bit, %d and %d cut off, planes %u",
             gpu->ops->kind, gpu->index, shape->width, shape->height, fv_chroma_name(shape->chroma), shape->depth,
             shape->left, shape->top, shape->planes);
    tap_case(tap, good && !guard_damaged, name, why);
}

void test_surfaces(Tap *tap, FvGpu *gpu, uint32_t seed)
{
    for (const FvGpuPicture *shape = fv_gpu_pictures; shape->width; shape++)
        one_picture(tap, gpu, shape, seed++);
}
