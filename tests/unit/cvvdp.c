/* Tests ColorVideoVDP: its choice between picture and clip, and its refusals. */
#include "unit.h"

#include <math.h>

#include "session/state.h"

static const FvFormat clip = {
    .width = 40, .height = 24, .chroma = FV_CHROMA_420, .depth = 8, .rate_num = 25, .rate_den = 1};

static FvFrame *frame_of(const FvFormat *format, unsigned seed)
{
    FvFrame *frame;
    assert_int_equal(fv_frame_alloc(&frame, format, NULL), FV_OK);
    for (int plane = 0; plane < fv_format_planes(format); plane++) {
        int width, height;
        fv_format_plane_size(format, plane, &width, &height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                seed = seed * 1664525u + 1013904223u;
                frame->data[plane][y * frame->stride[plane] + x] = (uint8_t)(seed >> 24);
            }
    }
    return frame;
}

static FvSession *open_session(const FvSessionParams *params, const char *metric, const FvFormat *format)
{
    FvSession *session = NULL;
    assert_works(fv_session_open(&session, params, error));
    assert_works(fv_session_add(session, metric, error));
    assert_works(fv_session_start(session, format, format, error));
    return session;
}

/* Pushes frames [0, frames) and skips all but every `step`-th of them. `equal`: the two videos are equal. */
static FvStatus push(FvSession *session, const FvFormat *format, int frames, int step, bool equal, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < frames && !status; i++) {
        FvFrame *ref = frame_of(format, (unsigned)i), *dis = frame_of(format, (unsigned)i + (equal ? 0 : 91));
        status = (i % step ? fv_session_skip : fv_session_push)(session, i, ref, dis, error);
        fv_frame_unref(&ref);
        fv_frame_unref(&dis);
    }
    return status ? status : fv_session_finish(session, error);
}

static double score(const char *metric, const FvFormat *format, int frames, int step, bool equal, int threads)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = threads}, metric, format);
    assert_works(push(session, format, frames, step, equal, error));
    int output = -1;
    for (int i = 0; i < fv_session_outputs(session); i++)
        if (fv_session_output(session, i)->sequence)
            output = i;
    double value = fv_session_value(session, 0, output);
    fv_session_close(&session);
    return value;
}

static void test_equal_is_ten(void **state)
{
    static const char *const metrics[] = {"cvvdp", "cvvdp=display=standard_hdr_pq:peak=10000",
                                          "cvvdp=display=standard_hdr_hlg:peak=10000:ambient=0"};
    for (int i = 0; i < 3; i++)
        for (int frames = 1; frames < 12; frames += 5)
            assert_true(score(metrics[i], &clip, frames, 1, true, 1) == 10);
}

/* One frame is a picture, whether its file states a rate or not. Two frames are a clip, even if some are skipped. */
static void test_pictures_and_clips(void **state)
{
    FvFormat still = clip;
    still.rate_num = still.rate_den = 0;
    double picture = score("cvvdp=still=true", &clip, 1, 1, false, 1);
    assert_true(picture < 10);
    assert_true(score("cvvdp", &clip, 1, 1, false, 1) == picture);
    assert_true(score("cvvdp", &still, 1, 1, false, 1) == picture);
    assert_true(score("cvvdp=fps=480", &still, 1, 1, false, 1) == picture);
    assert_true(score("cvvdp", &clip, 2, 2, false, 1) != picture);
    assert_true(score("cvvdp", &clip, 2, 1, false, 1) == score("cvvdp=fps=25", &still, 2, 1, false, 1));
    assert_true(isfinite(score("cvvdp=display=standard_hdr_pq:peak=10000:exposure=100", &clip, 3, 1, false, 1)));
}

static void test_threads_and_skipped_frames(void **state)
{
    double one = score("cvvdp", &clip, 23, 1, false, 1), part = score("cvvdp", &clip, 23, 3, false, 1);
    assert_true(one != part);
    assert_true(score("cvvdp", &clip, 23, 1, false, 4) == one);
    assert_true(score("cvvdp", &clip, 23, 3, false, 4) == part);
}

static void test_more_frames_than_a_picture(void **state)
{
    FvFormat still = clip;
    still.rate_num = still.rate_den = 0;
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "cvvdp=still=true", &clip);
    assert_fails(push(session, &clip, 2, 1, false, error), FV_ERROR_USAGE, "frame 1: still=true");
    fv_session_close(&session);
    session = open_session(&(FvSessionParams){.threads = 1}, "cvvdp", &still);
    assert_fails(push(session, &still, 2, 1, false, error), FV_ERROR_USAGE, "fps=");
    fv_session_close(&session);
}

static void test_refused(void **state)
{
    static const struct {
        const char *metric;
        int transfer, matrix, rate;
        FvSiting siting;
        const char *words; /* words of the refusal; NULL: no refusal */
    } cases[] = {
        {"cvvdp", 16, 9, 0, 0, NULL},
        {"cvvdp", 18, 9, 0, 0, NULL},
        {"cvvdp", 13, 6, 0, FV_SITING_TOPLEFT, NULL},
        {"cvvdp=display=standard_4k", 16, 0, 0, 0, "standard_4k shows srgb"},
        {"cvvdp=display=standard_4k:transfer=pq", 16, 0, 0, 0, NULL},
        {"cvvdp=display=standard_hdr_pq", 1, 0, 0, 0, "standard_hdr_pq shows pq"},
        {"cvvdp=display=standard_hdr_pq", 18, 0, 0, 0, "standard_hdr_pq shows pq"},
        {"cvvdp", 1, 8, 0, 0, "matrix coefficients ycgco"},
        {"cvvdp=matrix=bt709", 1, 8, 0, 0, NULL},
        {"cvvdp", 1, 1, 0, FV_SITING_BOTTOM, "chroma_location"},
        {"cvvdp", 0, 0, 500, 0, "500 frames a second"},
        {"cvvdp=fps=50", 0, 0, 500, 0, NULL},
        {"cvvdp=matrix=rgb", 0, 0, 0, 0, "4:4:4"},
        {"cvvdp=display=standard_hmd:distance=1", 0, 0, 0, 0, "give ppd instead"},
        {"cvvdp=distance=90", 0, 0, 0, 0, "pixels per degree"},
        {"cvvdp=distance=1:ppd=60", 0, 0, 0, 0, "give one of them"},
        {"cvvdp=black=150", 0, 0, 0, 0, "more than half"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvFormat format = clip;
        format.transfer = cases[i].transfer;
        format.matrix = cases[i].matrix;
        format.siting = cases[i].siting;
        format.rate_num = cases[i].rate ? cases[i].rate : 25;
        FvSession *session = NULL;
        assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
        assert_works(fv_session_add(session, cases[i].metric, error));
        if (cases[i].words) {
            FvError error = {0};
            assert_int_not_equal(fv_session_start(session, &format, &format, &error), FV_OK);
            if (!strstr(error.message, cases[i].words))
                fail_msg("%s: %s", cases[i].metric, error.message);
        } else
            assert_works(fv_session_start(session, &format, &format, error));
        fv_session_close(&session);
    }
    static const char *const options[][2] = {{"cvvdp=ppd=3", "ppd=3"},
                                             {"cvvdp=fps=0.5", "fps=0.5"},
                                             {"cvvdp=peak=0.5", "peak=0.5"},
                                             {"cvvdp=contrast=1", "contrast=1"},
                                             {"cvvdp=black=1:contrast=100", "one of them"}};
    for (int i = 0; i < 5; i++) {
        FvSession *session = NULL;
        assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 1}, error));
        assert_fails(fv_session_add(session, options[i][0], error), FV_ERROR_USAGE, options[i][1]);
        fv_session_close(&session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_is_ten),
        cmocka_unit_test(test_pictures_and_clips),
        cmocka_unit_test(test_threads_and_skipped_frames),
        cmocka_unit_test(test_more_frames_than_a_picture),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
