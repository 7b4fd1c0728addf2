/*
 * Tests the visual discrimination model at its limits: frames left out of a clip, tiny, flat and equal pictures, and
 * the bounds of every option. Every result is defined or refused, and the same in plain C as on the device that the
 * caller names.
 */
#include "unit.h"

#include <math.h>
#include <stdlib.h>

#define FRAMES 9
#define SCORES 10

static const char *device;
static const FvFormat small = {
    .width = 41, .height = 23, .chroma = FV_CHROMA_420, .depth = 8, .rate_num = 25, .rate_den = 1};

/* Returns a frame whose samples are luma(x, y, seed). */
static FvFrame *frame_of(const FvFormat *format, int (*luma)(int x, int y, uint32_t seed), uint32_t seed)
{
    FvFrame *frame;
    assert_works(fv_frame_alloc(&frame, format, error));
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height, most = (1 << format->depth) - 1;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                int value = plane ? (x * 7 + y) & most : luma(x, y, seed);
                value = value < 0 ? 0 : value > most ? most : value;
                if (format->depth == 8)
                    frame->data[plane][y * frame->stride[plane] + x] = (uint8_t)value;
                else
                    ((uint16_t *)(frame->data[plane] + y * frame->stride[plane]))[x] = (uint16_t)value;
            }
    }
    return frame;
}

static uint32_t mixed(int x, int y, uint32_t seed)
{
    uint32_t hash = (uint32_t)x * 2654435761u ^ (uint32_t)y * 2246822519u ^ seed * 3266489917u;
    return (hash ^ hash >> 15) * 2246822519u >> 8;
}

static int textured(int x, int y, uint32_t seed)
{
    return 60 + 3 * x + (int)(mixed(x, y, seed) % 40);
}

static int flat(int x, int y, uint32_t seed)
{
    return (int)seed;
}

static int noise(int x, int y, uint32_t seed)
{
    return (int)(mixed(x, y, seed) & 0xffff);
}

typedef struct Way {
    const char *device, *isa;
    int threads, in_flight;
} Way;

static FvStatus open_session(FvSession **session, const char *metric, const Way *way, const FvFormat *format,
                             FvError *error)
{
    FvSessionParams params = {
        .device = way->device, .isa = way->isa, .threads = way->threads, .in_flight = way->in_flight};
    FvStatus status = fv_session_open(session, &params, error);
    if (!status)
        status = fv_session_add(*session, metric, error);
    return status ? status : fv_session_start(*session, format, format, error);
}

/* Scores one pair. `values` may be NULL. */
static FvStatus score_pair(const char *metric, const Way *way, FvFrame *ref, FvFrame *dis, double *values,
                           FvError *error)
{
    FvSession *session = NULL;
    FvStatus status = open_session(&session, metric, way, &dis->format, error);
    if (!status)
        status = fv_session_push(session, 0, ref, dis, error);
    if (!status)
        status = fv_session_finish(session, error);
    for (int i = 0; !status && values && i < SCORES; i++)
        values[i] = fv_session_value(session, 0, i);
    fv_session_close(&session);
    return status;
}

/* Checks that plain C, the best instruction set with threads, and the device give the same numbers, in the range of
 * the outputs. */
static void check_pair(const char *metric, FvFrame *ref, FvFrame *dis, double *values)
{
    const Way ways[] = {{"cpu", "scalar", 1, 1}, {"cpu", "auto", 3, 2}, {device, "auto", 2, 2}};
    double others[SCORES];
    assert_works(score_pair(metric, &ways[0], ref, dis, values, error));
    for (int w = 1; w < (device ? 3 : 2); w++) {
        assert_works(score_pair(metric, &ways[w], ref, dis, others, error));
        if (memcmp(values, others, sizeof others))
            fail_msg("%s: %s differs from plain C", metric, ways[w].device);
    }
    for (int i = 0; i < SCORES; i++) {
        const FvMetricInfo *info = NULL;
        for (int m = 0; m < fv_metric_count(); m++)
            if (!strcmp(fv_metric_info(m)->name, "vdm"))
                info = fv_metric_info(m);
        const FvOutputInfo *output = &info->outputs[i];
        if (!(values[i] >= output->minimum && values[i] <= output->maximum) || isinf(values[i]))
            fail_msg("%s: %s is %g", metric, output->name, values[i]);
    }
}

static void check_made(const char *metric, const FvFormat *format, int (*luma)(int, int, uint32_t), uint32_t first,
                       uint32_t second, double *values)
{
    FvFrame *ref = frame_of(format, luma, first), *dis = frame_of(format, luma, second);
    check_pair(metric, ref, dis, values);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

/* ---- Time ----------------------------------------------------------------------------------------------------- */

static const int all[FRAMES] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, some[FRAMES] = {0, 0, 1, 0, 1, 1, 0, 0, 1};

static void score_clip(const Way *way, const int *chosen, double values[FRAMES][SCORES])
{
    FvSession *session = NULL;
    assert_works(open_session(&session, "vdm=temporal=true,psnr", way, &small, error));
    for (int t = 0; t < FRAMES; t++) {
        FvFrame *ref = frame_of(&small, textured, (uint32_t)t), *dis = frame_of(&small, textured, (uint32_t)t + 100);
        assert_works((chosen[t] ? fv_session_push : fv_session_skip)(session, t, ref, dis, error));
        fv_frame_unref(&ref);
        fv_frame_unref(&dis);
    }
    assert_works(fv_session_finish(session, error));
    int count = 0;
    for (int t = 0; t < FRAMES; t++)
        if (chosen[t]) {
            assert_int_equal(fv_session_frame_number(session, count), t);
            for (int i = 0; i < SCORES; i++)
                values[t][i] = fv_session_value(session, count, i);
            count++;
        }
    assert_int_equal(fv_session_frames(session), count);
    fv_session_close(&session);
}

/* Skipped frames affect the scores of later frames, with any number of frames in flight. */
static void test_time(void **state)
{
    double whole[FRAMES][SCORES], part[FRAMES][SCORES];
    const Way plain = {"cpu", "scalar", 1, 1};
    score_clip(&plain, all, whole);
    assert_true(whole[8][0] != whole[0][0] && whole[8][0] > 0);
    for (int threads = 1; threads < 8; threads += 2)
        for (int in_flight = 1; in_flight < 8; in_flight += 3) {
            const Way way = {device ? device : "cpu", "auto", threads, in_flight};
            score_clip(&way, threads == 5 ? all : some, part);
            for (int t = 0; t < FRAMES; t++)
                if ((threads == 5 || some[t]) && memcmp(whole[t], part[t], sizeof part[t]))
                    fail_msg("frame %d with %d threads and %d in flight differs", t, threads, in_flight);
        }
}

/* A clip of equal frames has the scores of one frame. */
static void test_still_clip(void **state)
{
    double once[SCORES];
    check_made("vdm", &small, textured, 1, 2, once);
    FvSession *session = NULL;
    const Way way = {device ? device : "cpu", "auto", 2, 3};
    assert_works(open_session(&session, "vdm=temporal=true", &way, &small, error));
    FvFrame *ref = frame_of(&small, textured, 1), *dis = frame_of(&small, textured, 2);
    for (int t = 0; t < 4; t++)
        assert_works(fv_session_push(session, t, ref, dis, error));
    assert_works(fv_session_finish(session, error));
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < SCORES; i++)
            assert_true(fv_session_value(session, t, i) == once[i]);
    fv_session_close(&session);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

static void test_time_refused(void **state)
{
    const Way way = {"cpu", "auto", 1, 1};
    FvFormat timeless = small;
    timeless.rate_num = timeless.rate_den = 0;
    FvFrame *frame = frame_of(&timeless, textured, 1);
    assert_fails(score_pair("vdm=temporal=true", &way, frame, frame, NULL, error), FV_ERROR_USAGE, "set fps");
    assert_fails(score_pair("vdm=temporal=true:levels=3", &way, frame, frame, NULL, error), FV_ERROR_USAGE,
                 "levels=4");
    assert_works(score_pair("vdm=temporal=true:fps=50", &way, frame, frame, NULL, error));
    FvStill *still = NULL;
    assert_works(fv_still_open(&still, &(FvStillParams){.device = "cpu"}, frame, frame, error));
    assert_fails(fv_still_map(still, "vdm=temporal=true:fps=50", "jnd", NULL, error), FV_ERROR_USAGE,
                 "needs earlier frames");
    fv_still_close(&still);
    fv_frame_unref(&frame);
}

/* ---- Pictures ------------------------------------------------------------------------------------------------- */

/* Pictures are smaller than every filter, so they are reflected several times. */
static void test_small(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 2}, {1, 97}, {97, 1}, {3, 5}, {5, 3}, {10, 11}};
    static const char *const metrics[] = {"vdm",
                                          "vdm=ppd=57",
                                          "vdm=ppd=480:max_ppd=40",
                                          "vdm=ppd=57:retinal_ppd=240",
                                          "vdm=ppd=480:retinal_ppd=5",
                                          "vdm=temporal=true:ppd=57"};
    double values[SCORES];
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
            FvFormat format = small;
            format.width = sizes[i][0];
            format.height = sizes[i][1];
            check_made(metrics[m], &format, textured, 1, 2, values);
        }
}

static void test_equal(void **state)
{
    double values[SCORES];
    static const char *const metrics[] = {"vdm",
                                          "vdm=ppd=200",
                                          "vdm=retinal_ppd=20:ppd=40",
                                          "vdm=temporal=true",
                                          "vdm=eotf=pq:lw=10000:lb=0",
                                          "vdm=preset=lubin95:q=8:pool=1"};
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        check_made(metrics[m], &small, noise, 5, 5, values);
        for (int i = 0; i < SCORES; i++)
            assert_true(values[i] == (i == SCORES - 1 ? 0.5 : 0)); /* a viewer of equal pictures can only guess */
    }
}

/* Two flat pictures do not differ in contrast, even if their luma differs. A flat and a textured picture do. */
static void test_flat(void **state)
{
    double values[SCORES];
    check_made("vdm", &small, flat, 126, 126, values);
    assert_true(values[2] == 0);
    check_made("vdm", &small, flat, 16, 235, values);
    assert_true(values[2] == 0);
    FvFrame *ref = frame_of(&small, flat, 126), *dis = frame_of(&small, textured, 1);
    check_pair("vdm", ref, dis, values);
    assert_true(values[1] > 0);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

/* Scores do not depend on chroma, nor on whether it exists. */
static void test_luma_only(void **state)
{
    double values[FV_CHROMA_444 + 1][SCORES];
    for (int chroma = FV_CHROMA_400; chroma <= FV_CHROMA_444; chroma++) {
        FvFormat format = small;
        format.chroma = (FvChroma)chroma;
        check_made("vdm", &format, textured, 1, 2, values[chroma]);
        assert_memory_equal(values[chroma], values[FV_CHROMA_400], sizeof *values);
    }
}

/* The display is the brightest that options allow, at every depth. */
static void test_bright(void **state)
{
    double values[SCORES];
    for (int depth = 8; depth <= 16; depth += 4) {
        FvFormat format = small;
        format.depth = depth;
        format.transfer = 16;
        check_made("vdm=lw=10000:lb=0", &format, noise, 1, 2, values);
        check_made("vdm=lw=10000:lb=5000:full_range=1", &format, noise, 1, 2, values);
        check_made("vdm=lw=10000:ambient_lux=10000:reflectance=1", &format, noise, 1, 2, values);
        assert_true(values[2] > 0);
    }
}

/* ---- Options -------------------------------------------------------------------------------------------------- */

/* Sets each option to the ends of its range, with the others at their defaults. A refusal states its reason. */
static void test_ends(void **state)
{
    FvFrame *ref = frame_of(&small, noise, 1), *dis = frame_of(&small, noise, 2);
    const Way way = {"cpu", "scalar", 1, 1};
    double values[SCORES];
    int scored = 0, refused = 0;
    for (int m = 0; m < fv_metric_count(); m++) {
        const FvMetricInfo *info = fv_metric_info(m);
        for (int i = 0; !strcmp(info->name, "vdm") && i < info->option_count; i++)
            for (int end = 0; end < 2; end++) {
                const FvOptionInfo *option = &info->options[i];
                char text[128];
                FvError error = {0};
                if (option->type == FV_OPTION_TEXT || option->type == FV_OPTION_PATH)
                    continue;
                double value = end ? option->maximum : option->minimum;
                const char *density =
                    strcmp(option->name, "ppd") && strcmp(option->name, "distance_h") ? "ppd=57:" : "";
                const char *time = strcmp(option->name, "temporal") ? "temporal=true:" : "";
                if (option->type == FV_OPTION_BOOL)
                    snprintf(text, sizeof text, "vdm=%s%s%s=%s", density, time, option->name, end ? "true" : "false");
                else
                    snprintf(text, sizeof text, "vdm=%s%s%s=%.17g", density, time, option->name, value);
                FvStatus status = score_pair(text, &way, ref, dis, values, &error);
                if (status) {
                    refused++;
                    assert_int_equal(status, FV_ERROR_USAGE);
                    if (!strstr(error.message, option->name) && strcmp(option->name, "ppd"))
                        fail_msg("%s: %s", text, error.message);
                } else {
                    scored++;
                    check_pair(text, ref, dis, values);
                }
            }
    }
    assert_true(scored > 40);
    assert_true(refused < 10);
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

/* Sets several options to ends of their ranges at once. */
static void test_corners(void **state)
{
    static const char *const metrics[] = {
        "vdm=n=4:w=0:kappa=0.1:csf_gain=4:q=8:pool=1",
        "vdm=n=4:w=1:kappa=20:csf_gain=4:q=8:psych_slope=5",
        "vdm=n=1:w=1:kappa=0.1:csf_gain=0.05:q=1:psych_slope=0.5",
        "vdm=n=1:w=0:kappa=20:csf_gain=4:q=1:optics=false:csf=barten03:csf_width=60",
        "vdm=ppd=480:max_ppd=240:csf_width=0.5:csf=barten03:lw=1:lb=0:csf_gain=4",
        "vdm=ppd=5:csf_gain=4:q=8:lw=10000:lb=0:eotf=linear:full_range=1",
        "vdm=ppd=5:csf_gain=4:lw=1:lb=0.5:eotf=srgb:full_range=1",
        "vdm=temporal=true:fps=1:tau_s=0.001:tau_f=10:transient_sens=10000:lw=10000:lb=0:eotf=linear",
        "vdm=temporal=true:fps=1000:tau_s=10:tau_f=0.001:transient_sens=10000:q=8:n=4:w=0",
    };
    double values[SCORES];
    for (size_t m = 0; m < sizeof metrics / sizeof *metrics; m++) {
        check_made(metrics[m], &small, noise, 1, 2, values);
        check_made(metrics[m], &small, textured, 1, 2, values);
        check_made(metrics[m], &small, noise, 3, 3, values);
        assert_true(values[2] == 0);
    }
}

int main(int argc, char **argv)
{
    device = argc > 1 ? argv[1] : NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_time),      cmocka_unit_test(test_still_clip), cmocka_unit_test(test_time_refused),
        cmocka_unit_test(test_small),     cmocka_unit_test(test_equal),      cmocka_unit_test(test_flat),
        cmocka_unit_test(test_luma_only), cmocka_unit_test(test_bright),     cmocka_unit_test(test_ends),
        cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
