/* Tests PSNR-HVS: the assumptions of its fast kernels, for every possible value, and the metric's refusals. */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/psnr_hvs.h"
#include "kernel/psnr_hvs_inverse.h"

#define PLANES_AND_COEFFICIENTS 192

/* The masks and their inverses follow from the weights, and the weights are symmetric. */
static void test_mask_table(void **state)
{
    for (int i = 0; i < PLANES_AND_COEFFICIENTS; i++) {
        double u = fv_hvs_weight[i] * 0.3885746225901003;
        assert_true(fv_hvs_mask[i] == (float)(u * u));
        assert_true(fv_hvs_mask_inverse[i] == 1 / fv_hvs_mask[i]);
        assert_true(fv_hvs_weight[i] == fv_hvs_weight[i / 64 * 64 + i % 8 * 8 + i / 8 % 8]);
    }
}

/*
 * Checks that fma(x, f(1/c), f(x * f(1/c - f(1/c)))) is x / c rounded, for every divisor c of the mask table and
 * every significand of x. The exponent does not matter, as nothing is subnormal.
 */
#if defined(__x86_64__)
__attribute__((target("avx2,fma")))
#endif
static int
wrong_quotients(float divisor, float inverse, float rest)
{
    int wrong = 0;
    for (uint32_t significand = 0; significand < 1u << 23; significand++) {
        float x = fv_f32_from_bits(0x3f800000u | significand);
        wrong += __builtin_fmaf(x, inverse, x * rest) != x / divisor;
    }
    return wrong;
}

static void test_division(void **state)
{
#if defined(__x86_64__)
    if (!__builtin_cpu_supports("fma") || !__builtin_cpu_supports("avx2"))
        LEAVE_OUT("the processor has no AVX2");
#endif
    for (int i = 0; i < PLANES_AND_COEFFICIENTS; i++) {
        bool tried = false;
        for (int earlier = 0; earlier < i; earlier++)
            tried |= fv_hvs_mask[earlier] == fv_hvs_mask[i];
        if (tried)
            continue;
        double exact = 1.0 / fv_hvs_mask[i];
        float inverse = (float)exact;
        assert_int_equal(wrong_quotients(fv_hvs_mask[i], inverse, (float)(exact - inverse)), 0);
    }
    double exact = 1.0 / fv_hvs_mask[1];
    assert_int_not_equal(wrong_quotients(fv_hvs_mask[1], (float)exact, 0), 0);
}

static void test_half(void **state)
{
    for (int a = -32767; a <= 32767; a++) {
        assert_int_equal(fv_hvs_half((fv_i16)a, 0), a / 2);
        if (abs(a) < 1 << 14)
            assert_int_equal(fv_hvs_half((fv_i16)a, 1), a / 2);
    }
    assert_int_not_equal(fv_hvs_half(-(1 << 14), 1), -(1 << 13));
}

static void test_refused(void **state)
{
    assert_fails(start_and_close("psnr_hvs", 64, 64, FV_CHROMA_420, 16, error), FV_ERROR_INPUT,
                 "not defined for 16 bits");
    assert_fails(start_and_close("psnr_hvs", 64, 64, FV_CHROMA_420, 13, error), FV_ERROR_INPUT, "to 12 bits first");
    assert_fails(start_and_close("psnr_hvs", 64, 64, FV_CHROMA_400, 8, error), FV_ERROR_INPUT, "needs chroma");
    assert_works(start_and_close("psnr_hvs", 64, 64, FV_CHROMA_422, 12, error));
    assert_works(start_and_close("psnr_hvs", 16, 17, FV_CHROMA_420, 8, error));
    assert_fails(start_and_close("psnr_hvs", 15, 16, FV_CHROMA_420, 8, error), FV_ERROR_INPUT, "planes of 7x8");
    assert_fails(start_and_close("psnr_hvs", 64, 7, FV_CHROMA_444, 8, error), FV_ERROR_INPUT, "planes from 8x8");
    assert_fails(start_and_close("psnr_hvs", 1, 1, FV_CHROMA_420, 8, error), FV_ERROR_INPUT, "planes of 0x0");
}

/* Scores one frame of two constant pictures. `values` get the four outputs. */
static void score(int width, int height, int ref, int dis, double values[4])
{
    FvError error = {0};
    FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_420, .depth = 8};
    FvSession *session;
    FvFrame *frame[2];
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fv_frame_alloc(&frame[i], &format, &error), FV_OK);
        for (int plane = 0; plane < 3; plane++) {
            int w, h;
            fv_format_plane_size(&format, plane, &w, &h);
            for (int y = 0; y < h; y++)
                memset(frame[i]->data[plane] + y * frame[i]->stride[plane], plane ? 128 : i ? dis : ref, w);
        }
    }
    assert_int_equal(fv_session_open(&session, &(FvSessionParams){.threads = 1}, &error), FV_OK);
    assert_int_equal(fv_session_add(session, "psnr_hvs", &error), FV_OK);
    assert_int_equal(fv_session_start(session, &format, &format, &error), FV_OK);
    assert_int_equal(fv_session_push(session, 0, frame[0], frame[1], &error), FV_OK);
    assert_int_equal(fv_session_finish(session, &error), FV_OK);
    for (int i = 0; i < 4; i++)
        values[i] = fv_session_value(session, 0, i);
    fv_session_close(&session);
    fv_frame_unref(&frame[0]);
    fv_frame_unref(&frame[1]);
}

static void test_special_values(void **state)
{
    double values[4];
    score(64, 64, 100, 100, values);
    for (int i = 0; i < 4; i++)
        assert_true(values[i] == INFINITY);
    score(64, 64, 100, 101, values);
    assert_true(isfinite(values[0]) && values[1] == INFINITY && values[2] == INFINITY && isfinite(values[3]));
}

/*
 * With several threads, each row guesses the binades of its sums from earlier frames. The strength of the noise
 * changes, so that some guesses are wrong. One thread and several must give the same bits.
 */
#define FRAMES 12

static void score_noise(int threads, double values[FRAMES][4])
{
    FvError error = {0};
    FvFormat format = {.width = 240, .height = 136, .chroma = FV_CHROMA_420, .depth = 8};
    FvSession *session;
    FvSessionParams params = {.threads = threads, .in_flight = 1};
    assert_int_equal(fv_session_open(&session, &params, &error), FV_OK);
    assert_int_equal(fv_session_add(session, "psnr_hvs", &error), FV_OK);
    assert_int_equal(fv_session_start(session, &format, &format, &error), FV_OK);
    uint32_t random = 1;
    for (int i = 0; i < FRAMES; i++) {
        static const uint32_t strength[FRAMES] = {9, 9, 9, 10, 11, 60, 60, 3, 3, 200, 9, 9};
        FvFrame *frame[2];
        for (int picture = 0; picture < 2; picture++) {
            assert_int_equal(fv_frame_alloc(&frame[picture], &format, &error), FV_OK);
            for (int plane = 0; plane < 3; plane++) {
                int w, h;
                fv_format_plane_size(&format, plane, &w, &h);
                for (int y = 0; y < h; y++)
                    for (int x = 0; x < w; x++) {
                        random = random * 1664525u + 1013904223u;
                        frame[picture]->data[plane][y * frame[picture]->stride[plane] + x] =
                            (uint8_t)(20 + x / 4 + (random >> 16) % strength[i]);
                    }
            }
        }
        assert_int_equal(fv_session_push(session, i, frame[0], frame[1], &error), FV_OK);
        fv_frame_unref(&frame[0]);
        fv_frame_unref(&frame[1]);
    }
    assert_int_equal(fv_session_finish(session, &error), FV_OK);
    for (int i = 0; i < FRAMES; i++)
        for (int output = 0; output < 4; output++)
            values[i][output] = fv_session_value(session, i, output);
    fv_session_close(&session);
}

static void test_threads(void **state)
{
    double one[FRAMES][4], several[FRAMES][4];
    score_noise(1, one);
    score_noise(3, several);
    assert_memory_equal(one, several, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mask_table),     cmocka_unit_test(test_division),
                                       cmocka_unit_test(test_half),           cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_special_values), cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
