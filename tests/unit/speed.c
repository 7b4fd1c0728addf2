/* Tests SpEED: its refusals, degenerate pictures, and the assumptions of its arithmetic. */
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "arith/scalar.h"

#include "arith/fmath64.h"
#include "arith/log2.h"
#include "feature/speed.h"
#include "metric/metric.h"

static void test_refused(void **state)
{
    assert_fails(start_and_close("speed_chroma", 256, 144, FV_CHROMA_420, 8, error), FV_ERROR_INPUT, "128x72");
    assert_fails(start_and_close("speed_chroma", 160, 159, FV_CHROMA_420, 8, error), FV_ERROR_INPUT, "at least 80");
    assert_fails(start_and_close("speed_chroma", 320, 240, FV_CHROMA_400, 8, error), FV_ERROR_INPUT, "monochrome");
    assert_fails(start_and_close("speed_chroma", 320, 240, FV_CHROMA_420, 9, error), FV_ERROR_INPUT, "9 bits");
    assert_fails(start_and_close("speed_temporal", 79, 80, FV_CHROMA_400, 8, error), FV_ERROR_INPUT, "79x80");
    assert_fails(start_and_close("speed_temporal=speed_prescale=0.2", 320, 320, FV_CHROMA_420, 8, error),
                 FV_ERROR_INPUT, "64x64");
    assert_fails(start_and_close("speed_temporal=speed_kernelscale=0.9", 320, 320, FV_CHROMA_420, 8, error),
                 FV_ERROR_USAGE, "0.9");
    assert_fails(start_and_close("speed_temporal=speed_prescale=1.0009", 15987, 80, FV_CHROMA_420, 8, error),
                 FV_ERROR_USAGE, "beyond the picture");
    assert_fails(start_and_close("speed_temporal=speed_prescale_method=area", 320, 320, FV_CHROMA_420, 8, error),
                 FV_ERROR_USAGE, "area");
    assert_fails(start_and_close("speed_temporal=speed_weight_var_mode=1", 320, 320, FV_CHROMA_420, 8, error),
                 FV_ERROR_USAGE, "speed_weight_var_mode");
    assert_works(start_and_close("speed_chroma", 160, 160, FV_CHROMA_420, 8, error));
    assert_works(start_and_close("speed_chroma", 160, 80, FV_CHROMA_422, 16, error));
    assert_works(start_and_close("speed_temporal", 80, 80, FV_CHROMA_400, 12, error));
}

typedef FvStatus Init(FvFeatureInstance *run, bool temporal, FvError *error);

/* Returns whether `init` accepts exactly the planes that contain a block, and gives them windows of at least one
 * position. */
static bool sizes_are_sound(Init *init)
{
    FvSpeedOptions options = {.kernelscale = 1, .prescale = 1, .prescale_method = "nearest", .sigma_nn = 0.29};
    for (int width = 1; width <= 100; width++)
        for (int height = 78; height <= 82; height++) {
            FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_420, .depth = 8};
            FvSpeed speed = {.planes = 0};
            FvFeatureInstance run = {.feature = &fv_feature_speed_temporal,
                                     .state = &speed,
                                     .options = &options,
                                     .ref = format,
                                     .dis = format,
                                     .has_reference = true,
                                     .threads = 1};
            bool taken = !init(&run, true, NULL);
            bool sound = taken == (width >= 80 && height >= 80) &&
                         (!taken || (speed.shape.window_width >= 1 && speed.shape.window_height >= 1 &&
                                     run.frame_bytes < 1 << 20));
            fv_feature_speed_temporal.close(&run);
            if (!sound)
                return false;
        }
    return true;
}

/* Accepts small planes, which fv_speed_init() refuses. */
static FvStatus careless_init(FvFeatureInstance *run, bool temporal, FvError *error)
{
    fv_speed_init(run, temporal, error);
    return FV_OK;
}

static void test_small_planes(void **state)
{
    assert_true(sizes_are_sound(fv_speed_init));
    assert_false(sizes_are_sound(careless_init));
}

/* Scores two frames. With `speckle` 0 their planes are flat. */
static void score(const char *metric, int width, int height, int speckle, double *values, int count)
{
    FvError error = {0};
    FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_444, .depth = 8};
    FvSession *session;
    assert_int_equal(fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, &error), FV_OK);
    assert_int_equal(fv_session_add(session, metric, &error), FV_OK);
    assert_int_equal(fv_session_start(session, &format, &format, &error), FV_OK);
    uint32_t random = 1;
    for (int number = 0; number < 2; number++) {
        FvFrame *frame[2];
        for (int i = 0; i < 2; i++) {
            assert_int_equal(fv_frame_alloc(&frame[i], &format, &error), FV_OK);
            for (int plane = 0; plane < 3; plane++)
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++) {
                        random = random * 1664525 + 1013904223;
                        frame[i]->data[plane][y * frame[i]->stride[plane] + x] =
                            (uint8_t)(90 + 30 * i + (speckle ? (random >> 20) % speckle : 0));
                    }
        }
        assert_int_equal(fv_session_push(session, number, frame[0], frame[1], &error), FV_OK);
        fv_frame_unref(&frame[0]);
        fv_frame_unref(&frame[1]);
    }
    assert_int_equal(fv_session_finish(session, &error), FV_OK);
    for (int i = 0; i < count; i++)
        values[i] = fv_session_value(session, 1, i);
    fv_session_close(&session);
}

static void test_degenerate(void **state)
{
    static const int sizes[][2] = {{80, 80}, {81, 95}, {240, 135}, {320, 240}};
    for (int i = 0; i < 4; i++) {
        double values[3];
        score("speed_chroma", sizes[i][0], sizes[i][1], 0, values, 3);
        assert_true(values[0] == 0 && values[1] == 0 && values[2] == 0);
        score("speed_temporal", sizes[i][0], sizes[i][1], 0, values, 1);
        assert_true(values[0] == 0);
        score("speed_chroma", sizes[i][0], sizes[i][1], 60, values, 3);
        assert_true(values[0] >= 0 && values[1] >= 0 && values[2] >= 0 && values[2] < 1000);
    }
}

/* A nearly singular matrix can give a variance below -1. The frame then has no score, rather than NaN. */
static void test_negative_variance(void **state)
{
    float value[4][64], ref[64], dis[64];
    for (int b = 0; b < 64; b++) {
        value[0][b] = b == 17 ? -2 : 1;
        value[1][b] = value[2][b] = value[3][b] = 1;
    }
    for (int isa = 0; isa < FV_ISA_COUNT; isa++)
        if (fv_isa_usable(isa)) {
            FvSpeedShape shape = {.blocks = 64};
            fv_speed_kernels(isa)->information(&shape, (const float *const[]){value[0], value[1]},
                                               (const float *const[]){value[2], value[3]},
                                               (float *const[]){ref, dis});
            for (int b = 0; b < 64; b++)
                assert_true(isnan(ref[b]) == (b == 17) && !isnan(dis[b]));
        }
    for (int temporal = 0; temporal < 2; temporal++) {
        const FvMetric *metric = fv_metric_find(temporal ? "speed_temporal" : "speed_chroma");
        FvTerm terms[2 * FV_SPEED_PLANES] = {{.real = NAN}, {.integer = 0}, {.real = NAN}, {.integer = 0}};
        int64_t number = 0;
        bool skipped = false;
        FvRowTable table = {
            .width = 2 * FV_SPEED_PLANES, .count = 1, .terms = terms, .number = &number, .skipped = &skipped};
        FvRows rows = {&table, (int[]){0}, 0, 0};
        FvSpeedOptions options = {.max_val = 1000};
        FvMetricInstance run = {.metric = metric, .options = &options};
        double values[3] = {0};
        assert_int_equal(metric->score(&run, &rows, 0, values, NULL), FV_OK);
        for (int i = 0; i < metric->info.output_count; i++)
            assert_true(values[i] == 1000);
    }
}

/* Returns the greatest error, in units in the last place of a double, compared with long double. */
static double worst_log2(uint32_t first, uint32_t count)
{
    double worst = 0;
    for (uint32_t i = 0; i < count; i++) {
        double x = fv_f32_from_bits(first + i);
        long double exact = log2l(x);
        double unit = ldexp(DBL_EPSILON, ilogb((double)exact));
        if (exact != 0)
            worst = fmax(worst, fabs((double)((fv_log2(x) - exact) / unit)));
        else
            assert_true(fv_log2(x) == 0);
    }
    return worst;
}

static void test_log2(void **state)
{
#if LDBL_MANT_DIG < 64
    LEAVE_OUT("long double is no wider than double");
#endif
    assert_true(worst_log2(0x3f7f0000u, 0x20000) < 1.2); /* arguments around 1 */
    assert_true(isnan(fv_log2(-1)) && isnan(fv_log2(0)) && isnan(fv_log2(-0.0)) && isnan(fv_log2(INFINITY)));
    assert_true(isnan(fv_log2(NAN)) && isnan(fv_log2(-INFINITY)) && fv_log2(DBL_MIN) == -1022);
    for (uint32_t at = 0x3e000000u; at < 0x46000000u; at += 0x00fedcbau)
        assert_true(worst_log2(at, 20000) < 1.2);
}

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static int wrong_inverse_roots(float (*inverse_sqrt)(float))
{
    int wrong = 0;
    for (uint32_t bits = 0x3f800000u; bits <= 0x40000000u; bits++)
        wrong += inverse_sqrt(fv_f32_from_bits(bits)) != fv_inverse_sqrt(fv_f32_from_bits(bits));
    return wrong;
}

static float exact_inverse_sqrt(float x)
{
    return fv_inverse_sqrt_exact(x);
}

static float careless_inverse_sqrt(float x)
{
    return 1 / sqrtf(x);
}

/* Checks the functions that GPUs use in place of conversions, quotients and roots of doubles. */
static void test_doubles_of_kernels(void **state)
{
    assert_int_equal(wrong_inverse_roots(exact_inverse_sqrt), 0);
    assert_int_not_equal(wrong_inverse_roots(careless_inverse_sqrt), 0);
    uint64_t random = 88172645463325252u;
    for (int i = 0; i < 3000000; i++) {
        uint64_t fraction = next_random(&random) >> 12, where = next_random(&random);
        double x = ldexp(1 + (double)fraction * 0x1p-52, (int)(where % 100) - 50) * (where & 1024 ? -1 : 1);
        if (i % 3 == 0) /* close to the middle between two floats */
            x = (double)(float)x * (1 + 0x1p-24 + (double)(int)(where >> 20 & 7) * 0x1p-52 - 0x1p-51);
        double n = (double)(1 + (next_random(&random) >> (38 + i % 26)));
        assert_true(fv_narrow_exact(x) == (float)x);
        assert_true(fv_quotient_exact(x, n) == x / n);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_small_planes),
        cmocka_unit_test(test_degenerate),        cmocka_unit_test(test_log2),
        cmocka_unit_test(test_negative_variance), cmocka_unit_test(test_doubles_of_kernels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
