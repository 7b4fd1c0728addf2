/* Tests CAMBI: its refusals, its tables, and sizes beyond the usual ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arith/scalar.h"

#include "arith/cambi.h"
#include "feature/cambi_picture.h"
#include "unit.h"

static FvStatus start(const char *spec, int width, int height, int depth, FvSession **session, FvError *error)
{
    FvFormat format = {.width = width, .height = height, .chroma = FV_CHROMA_400, .depth = depth};
    assert_int_equal(fv_session_open(session, &(FvSessionParams){.threads = 1}, error), FV_OK);
    FvStatus status = fv_session_add(*session, spec, error);
    return status ? status : fv_session_start(*session, NULL, &format, error);
}

static void refused(const char *spec, int width, int height, FvStatus status, const char *word)
{
    FvSession *session = NULL;
    FvError error = {0};
    assert_int_equal(start(spec, width, height, 8, &session, &error), status);
    assert_non_null(strstr(error.message, word));
    fv_session_close(&session);
}

static void refusals(void **state)
{
    refused("cambi", 215, 215, FV_ERROR_INPUT, "too small");
    refused("cambi=enc_width=200:enc_height=200", 640, 360, FV_ERROR_INPUT, "too small");
    refused("cambi=enc_width=300:enc_height=300:src_width=400:src_height=250", 640, 360, FV_ERROR_USAGE, "src_width");
    refused("cambi=window_size=127", 32768, 4320, FV_ERROR_INPUT, "window_size");
    refused("cambi=window_size=14", 640, 360, FV_ERROR_USAGE, "window_size");
    refused("cambi=enc_width=0", 640, 360, FV_ERROR_USAGE, "enc_width");
    refused("cambi=eotf=hlg", 640, 360, FV_ERROR_USAGE, "bt1886");
    refused("cambi=heatmaps_path=/dev/null/x", 640, 360, FV_ERROR_OUTPUT, "/dev/null");
}

static void sample_too_large(void **state)
{
    FvSession *session = NULL;
    FvError error = {0};
    assert_int_equal(start("cambi", 320, 240, 10, &session, &error), FV_OK);
    FvFrame *frame;
    FvFormat format = {.width = 320, .height = 240, .chroma = FV_CHROMA_400, .depth = 10};
    assert_int_equal(fv_frame_alloc(&frame, &format, &error), FV_OK);
    memset(frame->data[0], 0, (size_t)frame->stride[0] * 240);
    ((uint16_t *)(frame->data[0] + 239 * frame->stride[0]))[319] = 1024;
    FvStatus status = fv_session_push(session, 0, NULL, frame, &error);
    if (!status)
        status = fv_session_finish(session, &error);
    assert_int_equal(status, FV_ERROR_INPUT);
    assert_non_null(strstr(error.message, "row 239 has sample 1024"));
    fv_frame_unref(&frame);
    fv_session_close(&session);
}

/* Each entry of the table is the float nearest to 1/n. For the n of the two lists it is one unit in the last place
 * lower or higher, since nine decimals define it. */
static void reciprocals(void **state)
{
    static const int lower[] = {504,  510,  528,  749,  760,  892,  2040, 2071, 2112, 2223, 2555, 2927, 3285, 3515,
                                3525, 3705, 3795, 3797, 3837, 3885, 4033, 4080, 4091, 4095, 4142, 4203, 4218, 4224};
    static const int upper[] = {82, 83, 244, 488, 564, 614, 664, 1419, 1699, 1906, 2443, 2740, 3812, 4130};
    static float table[FV_CAMBI_WINDOW * FV_CAMBI_WINDOW + 1];
    fv_cambi_reciprocals(table, FV_CAMBI_WINDOW * FV_CAMBI_WINDOW + 1);
    assert_true(table[0] == 0 && table[1] == 1);
    for (int n = 1; n <= 4225; n++) {
        float expected = 1.0f / (float)n;
        for (size_t i = 0; i < sizeof lower / sizeof *lower; i++)
            if (n == lower[i])
                expected = nextafterf(expected, 0);
        for (size_t i = 0; i < sizeof upper / sizeof *upper; i++)
            if (n == upper[i])
                expected = nextafterf(expected, 1);
        assert_true(table[n] == expected);
    }
    for (int n = 4226; n <= FV_CAMBI_WINDOW * FV_CAMBI_WINDOW; n++)
        assert_true(fabsf(table[n] * (float)n - 1) < 1e-6f);
}

/* The formulas that replace entries of the table equal them up to the stated bounds, and not beyond. */
static void quotients(void **state)
{
    static float table[FV_CAMBI_NEARLY_QUOTIENTS + 1];
    fv_cambi_reciprocals(table, FV_CAMBI_NEARLY_QUOTIENTS + 1);
    for (int n = 1; n < FV_CAMBI_QUOTIENTS; n++)
        assert_true(fv_cambi_quotient(n) == table[n]);
    for (int n = 1; n < FV_CAMBI_NEARLY_QUOTIENTS; n++)
        assert_true(fv_cambi_reciprocal(n) == table[n]);
    assert_true(fv_cambi_quotient(FV_CAMBI_QUOTIENTS) != table[FV_CAMBI_QUOTIENTS]);
    assert_true(fv_cambi_reciprocal(FV_CAMBI_NEARLY_QUOTIENTS) != table[FV_CAMBI_NEARLY_QUOTIENTS]);
}

static void large_pictures(void **state)
{
    FvSession *session = NULL;
    FvError error = {0};
    assert_int_equal(start("cambi", 4096, 2160, 8, &session, &error), FV_OK);
    fv_session_close(&session);
    assert_int_equal(start("cambi", 7680, 4320, 10, &session, &error), FV_OK);
    fv_session_close(&session);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(refusals),  cmocka_unit_test(sample_too_large), cmocka_unit_test(reciprocals),
        cmocka_unit_test(quotients), cmocka_unit_test(large_pictures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
