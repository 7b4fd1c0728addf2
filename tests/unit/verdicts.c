/*
 * Tests the file of self-test results: stored results are found. Damaged lines and those of other versions are
 * ignored.
 */
#include "unit.h"

#include "cache.h"
#include "feature/psnr.h"
#include "feature/psnr_hvs.h"
#include "gpu/selftest/verdicts.h"

static const FvGpuOps ops = {.kind = "unit"};
static FvGpu one = {.ops = &ops, .info = {.title = "one", .driver = "1.0"}};
static FvGpu other = {.ops = &ops, .info = {.title = "one", .driver = "1.1"}};

static void expect(const FvGpu *gpu, FvGpuSubject subject, bool good, double speed, const char *why)
{
    FvGpuFinding finding;
    assert_true(fv_gpu_find(gpu, subject, &finding));
    assert_int_equal(finding.good, good);
    assert_true(finding.speed == speed);
    assert_string_equal(finding.why, why);
}

static void append(const char *text)
{
    FILE *file = fopen(cache_path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void test_kept(void **state)
{
    const FvGpuSubject psnr = fv_gpu_subject(&fv_feature_psnr), hvs = fv_gpu_subject(&fv_feature_psnr_hvs);
    const FvGpuSubject other_name = {"scaling", psnr.kernels};
    FvGpuFinding finding;
    assert_false(fv_gpu_find(&one, psnr, &finding));
    assert_false(fv_gpu_find(NULL, psnr, &finding));
    /* Lines of an older version are ignored. */
    append("0123456789abcdef ok\n0123456789abcdef psnr_y of frame 0 is 1 instead of 2\n");
    append("fovea-2 \nfovea-2 12 34\n\nfovea-3 1 2 3 ok\nfovea-2 zz zz zz ok\nfovea-2 1 2 99999999999999999999 ok\n");
    assert_false(fv_gpu_find(NULL, psnr, &finding));
    fv_gpu_keep(&one, psnr, &(FvGpuFinding){.good = true, .speed = 81.25});
    expect(&one, psnr, true, 81.25, "");
    expect(NULL, psnr, true, 81.25, "");
    assert_false(fv_gpu_find(&other, psnr, &finding)); /* `other` has another driver */
    assert_false(fv_gpu_find(&one, hvs, &finding));
    assert_false(fv_gpu_find(&one, other_name, &finding));
    fv_gpu_keep(&other, psnr, &(FvGpuFinding){.why = "psnr_y of frame 0 is 1 instead of 2"});
    expect(&one, psnr, true, 81.25, "");
    expect(&other, psnr, false, 0, "psnr_y of frame 0 is 1 instead of 2");
    expect(NULL, psnr, false, 0,
           "psnr_y of frame 0 is 1 instead of 2"); /* NULL means the device of the last session */
    fv_gpu_keep(&one, other_name, &(FvGpuFinding){.good = true});
    expect(&one, other_name, true, 0, "");
    fv_gpu_keep(&one, psnr, &(FvGpuFinding){.good = true, .speed = 1e12});
    expect(&one, psnr, true, 1e6, "");
    fv_gpu_keep(&other, hvs, &(FvGpuFinding){.good = true}); /* software devices have no measured speed */
    expect(&other, hvs, true, 0, "");
    assert_false(fv_gpu_find(NULL, hvs, &finding));
    append("fovea-2 00"); /* the line is cut */
    expect(&one, psnr, true, 1e6, "");
}

static int set_up(void **state)
{
    return cache_open("selftest");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kept)};
    return cmocka_run_group_tests(tests, set_up, cache_close);
}
