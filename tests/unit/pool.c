/* Tests pooling: every statistic on values whose result is known. */
#include "unit.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "metric/missing.h"
#include "order.h"
#include "session/state.h"

/* malloc(), which the linker redirects here. */
static bool no_memory;
void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return no_memory ? NULL : __real_malloc(size);
}

/* Pools values. Tests that the value is the same without memory, and among all pools at once. */
static double pool(const double *values, int count, FvPool how)
{
    FvColumn column = {0};
    FvSession session = {
        .scores = {.columns = &column, .column_count = 1, .values = (double *)values, .frames = count}};
    double all[FV_POOL_COUNT], value = fv_session_pool(&session, 0, how);
    no_memory = true;
    const double slow = fv_session_pool(&session, 0, how);
    no_memory = false;
    fv_session_pools(&session, 0, &(FvPart){0, count, 0}, all);
    assert_memory_equal(&slow, &value, sizeof value);
    assert_memory_equal(&all[how], &value, sizeof value);
    return value;
}

static void test_known(void **state)
{
    const double values[] = {4, 1, 3, 2, 5};
    assert_true(pool(values, 5, FV_POOL_MEAN) == 3);
    assert_true(pool(values, 5, FV_POOL_MIN) == 1);
    assert_true(pool(values, 5, FV_POOL_MAX) == 5);
    assert_true(pool(values, 5, FV_POOL_MEDIAN) == 3);
    assert_true(pool(values, 5, FV_POOL_P25) == 2);
    assert_true(pool(values, 5, FV_POOL_P10) == 1.4);
    assert_true(pool(values, 5, FV_POOL_P5) == 1.2);
    assert_true(fabs(pool(values, 5, FV_POOL_P1) - 1.04) < 1e-15);
    assert_true(pool(values, 5, FV_POOL_STDDEV) == sqrt(2));
    assert_true(fabs(pool(values, 5, FV_POOL_HARMONIC_MEAN) -
                     (5 / (1. / 5 + 1. / 2 + 1. / 4 + 1. / 3 + 1. / 6) - 1)) < 1e-14);
}

static void test_single_and_none(void **state)
{
    const double value = 7;
    for (int how = 0; how < FV_POOL_COUNT; how++) {
        if (how != FV_POOL_STDDEV && how != FV_POOL_HARMONIC_MEAN)
            assert_true(pool(&value, 1, how) == 7);
        assert_true(isnan(pool(&value, 0, how)));
    }
    assert_true(pool(&value, 1, FV_POOL_STDDEV) == 0);
}

static void test_not_finite(void **state)
{
    const double infinite[] = {1, INFINITY, 2}, broken[] = {1, NAN, 2};
    const double whole = -10 * log10((pow(10, -0.1) + pow(10, -0.2)) / 3); /* 3.23 dB, above the best finite frame */
    assert_true(fabs(pool(infinite, 3, FV_POOL_MEAN) - (3 + whole) / 3) < 1e-14);
    assert_true(fabs(pool(infinite, 3, FV_POOL_MAX) - whole) < 1e-14);
    assert_true(pool(infinite, 3, FV_POOL_MEDIAN) == 2);
    assert_true(pool(infinite, 3, FV_POOL_P1) > 1 && pool(infinite, 3, FV_POOL_P1) < 1.1);
    const double seldom[] = {20, INFINITY, 50, 30}; /* the best finite frame is better than the clip */
    assert_true(pool(seldom, 4, FV_POOL_MEAN) == 37.5 && pool(seldom, 4, FV_POOL_MAX) == 50);
    for (int how = 0; how < FV_POOL_COUNT; how++)
        assert_true(isfinite(pool(seldom, 4, how)) && isfinite(pool(infinite, 3, how)));
    const double equal[] = {INFINITY, INFINITY};
    assert_true(pool(equal, 2, FV_POOL_P10) == INFINITY);
    for (int how = 0; how < FV_POOL_COUNT; how++)
        assert_true(isnan(pool(broken, 3, how)));
}

/* Pooling leaves out missing values at any position. */
static void test_missing(void **state)
{
    const double known[] = {4, 1, 3, 2, 5}, none[] = {fv_missing(), fv_missing()};
    for (int at = 0; at <= 5; at++)
        for (int how = 0; how < FV_POOL_COUNT; how++) {
            double values[6];
            for (int i = 0; i < 6; i++)
                values[i] = i == at ? fv_missing() : known[i - (i > at)];
            assert_true(pool(values, 6, how) == pool(known, 5, how));
            assert_true(isnan(pool(none, 2, how)));
        }
}

/* The harmonic mean would divide by 1 + x: -3 and 1 would cancel out, and -1 would decide alone. */
static void test_negative(void **state)
{
    const double values[][3] = {{-3, 1, 2}, {5, -1, 2}, {5, 2, -0.25}};
    for (int i = 0; i < 3; i++)
        for (int how = 0; how < FV_POOL_COUNT; how++)
            assert_true(isnan(pool(values[i], 3, how)) == (how == FV_POOL_HARMONIC_MEAN));
    const double least[] = {0, -0.0, 3};
    assert_true(fabs(pool(least, 3, FV_POOL_HARMONIC_MEAN) - (3 / 2.25 - 1)) < 1e-15);
}

/* Every percentile equals the one found by sorting, for values of all magnitudes and signs, many of them equal. */
static void test_percentiles_are_those_of_sorting(void **state)
{
    static const FvPool pools[] = {FV_POOL_P1, FV_POOL_P5, FV_POOL_P10, FV_POOL_P25, FV_POOL_MEDIAN};
    static const double percents[] = {1, 5, 10, 25, 50};
    static double values[1000], sorted[1000];
    uint32_t seed = 1;
    for (int count = 1; count <= 1000; count += count < 20 ? 1 : 95)
        for (int kind = 0; kind < 4; kind++) {
            for (int i = 0; i < count; i++) {
                seed = seed * 1664525u + 1013904223u;
                values[i] = kind == 0   ? (double)(seed >> 28) - 8
                            : kind == 1 ? ldexp((double)(int32_t)seed, (int)(seed >> 8 & 1023) - 512)
                            : kind == 2 ? 40 + (double)(seed >> 8) * 1e-9
                                        : 1 + (double)(seed >> 29) * DBL_EPSILON;
                if (kind == 1 && seed >> 30 == 3)
                    values[i] = -INFINITY;
            }
            memcpy(sorted, values, sizeof sorted);
            qsort(sorted, (size_t)count, sizeof *sorted, fv_compare_reals);
            for (size_t p = 0; p < sizeof pools / sizeof *pools; p++) {
                double rank = percents[p] / 100 * (count - 1), part = rank - (int)rank, low = sorted[(int)rank];
                double high = part > 0 ? sorted[(int)rank + 1] : low;
                double want = high != low ? low + part * (high - low) : low, got = pool(values, count, pools[p]);
                assert_true(isnan(want) ? isnan(got) : got == want);
            }
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known),      cmocka_unit_test(test_single_and_none),
        cmocka_unit_test(test_not_finite), cmocka_unit_test(test_missing),
        cmocka_unit_test(test_negative),   cmocka_unit_test(test_percentiles_are_those_of_sorting)};
    return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
