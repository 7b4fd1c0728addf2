/*
 * Tests sessions: the order of calls, refusals, and scores that do not depend on threads, instruction sets or frames
 * in flight.
 */
#include "unit.h"

#include <dirent.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "session/state.h"

static const FvFormat small = {.width = 67, .height = 35, .chroma = FV_CHROMA_420, .depth = 10};

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
                unsigned value = (seed >> 16) & ((1u << format->depth) - 1);
                uint8_t *row = frame->data[plane] + y * frame->stride[plane];
                if (format->depth > 8)
                    ((uint16_t *)row)[x] = (uint16_t)value;
                else
                    row[x] = (uint8_t)value;
            }
    }
    return frame;
}

static FvSession *open_session(const FvSessionParams *params, const char *metric)
{
    FvSession *session = NULL;
    assert_works(fv_session_open(&session, params, error));
    if (metric)
        assert_works(fv_session_add(session, metric, error));
    return session;
}

static void push_frame(FvSession *session, const FvFormat *format, int number, bool skip)
{
    FvFrame *ref = frame_of(format, (unsigned)number), *dis = frame_of(format, (unsigned)number + 77);
    assert_works((skip ? fv_session_skip : fv_session_push)(session, number, ref, dis, error));
    fv_frame_unref(&ref);
    fv_frame_unref(&dis);
}

static void keep_log(void *opaque, FvLogLevel level, const char *message)
{
    snprintf(opaque, 256, "%d %s", (int)level, message);
}

static void test_usual(void **state)
{
    char said[256] = "";
    const FvSessionParams params = {.threads = 1, .log = keep_log, .opaque = said};
    FvFormat video = {.width = 320, .height = 180, .chroma = FV_CHROMA_420, .depth = 8, .transfer = 1};
    FvSession *session = open_session(&params, NULL);
    assert_works(fv_session_add_default(session, &video, &video, false, error));
    assert_int_equal(fv_session_metrics(session), 3);
    assert_string_equal(fv_session_metric(session, 0)->name, "vmaf");
    assert_string_equal(said, "");
    fv_session_close(&session);
    video.transfer = 16; /* PQ */
    for (int allow_hdr = 0; allow_hdr < 2; allow_hdr++) {
        session = open_session(&params, NULL);
        assert_works(fv_session_add_default(session, &video, &video, allow_hdr, error));
        assert_int_equal(fv_session_metrics(session), 4 + allow_hdr);
        assert_string_equal(fv_session_metric(session, 0)->name, "cvvdp");
        assert_string_equal(fv_session_metric(session, 1)->name, "pu_psnr");
        assert_string_equal(fv_session_metric(session, 2)->name, allow_hdr ? "vmaf" : "psnr");
        assert_non_null(strstr(said, "vmaf is left out: "));
        assert_int_equal(said[0] - '0', FV_LOG_INFO);
        fv_session_close(&session);
    }
}

static void test_refusals(void **state)
{
    FvSession *session = NULL;
    assert_fails(fv_session_open(&session, &(FvSessionParams){.threads = -1}, error), FV_ERROR_USAGE, "threads");
    assert_fails(fv_session_open(&session, &(FvSessionParams){.isa = "mmx"}, error), FV_ERROR_USAGE, "mmx");
    assert_fails(fv_session_open(&session, &(FvSessionParams){.device = "abacus"}, error), FV_ERROR_USAGE, "abacus");
    assert_null(session);
    session = open_session(&(FvSessionParams){.threads = 1}, NULL);
    assert_fails(fv_session_start(session, &small, &small, error), FV_ERROR_USAGE, "no metric");
    assert_fails(fv_session_add(session, "pnsr", error), FV_ERROR_USAGE, "did you mean 'psnr'?");
    assert_fails(fv_session_add(session, "psnr=enable_mes=true", error), FV_ERROR_USAGE,
                 "did you mean 'enable_mse'?");
    assert_fails(fv_session_push(session, 0, NULL, NULL, error), FV_ERROR_USAGE, "started");
    assert_fails(fv_session_finish(session, error), FV_ERROR_USAGE, "not running");
    fv_session_close(&session);
    assert_null(session);
    fv_session_close(&session);
}

static void test_pairs_that_do_not_fit(void **state)
{
    FvFormat other = small;
    other.width++;
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    assert_fails(fv_session_start(session, &small, &other, error), FV_ERROR_INPUT, "67x35");
    fv_session_close(&session);
    other = small;
    other.chroma = FV_CHROMA_444;
    session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    assert_fails(fv_session_start(session, &small, &other, error), FV_ERROR_INPUT, "4:4:4");
    fv_session_close(&session);
    session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    assert_fails(fv_session_start(session, NULL, &small, error), FV_ERROR_USAGE, "`reference`");
    fv_session_close(&session);
    session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    other = small;
    other.height = 0;
    assert_fails(fv_session_start(session, &other, &other, error), FV_ERROR_USAGE, "67x0");
    fv_session_close(&session);
    session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    other = small;
    other.depth = 9;
    assert_fails(fv_session_start(session, &other, &other, error), FV_ERROR_INPUT, "9 bits");
    fv_session_close(&session);
}

static void test_frame_of_another_size(void **state)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    assert_works(fv_session_start(session, &small, &small, error));
    FvFormat other = small;
    other.height--;
    FvFrame *good = frame_of(&small, 1), *bad = frame_of(&other, 1);
    assert_fails(fv_session_push(session, 5, good, bad, error), FV_ERROR_INPUT, "frame 5 of the distorted");
    assert_fails(fv_session_push(session, 5, NULL, good, error), FV_ERROR_USAGE, "reference frame is missing");
    assert_works(fv_session_push(session, 5, good, good, error));
    assert_works(fv_session_finish(session, error));
    assert_int_equal(fv_session_frames(session), 1);
    assert_int_equal(fv_session_frame_number(session, 0), 5);
    fv_frame_unref(&good);
    fv_frame_unref(&bad);
    fv_session_close(&session);
}

enum { FRAMES = 9 };

static void scores_of(const FvSessionParams *params, const FvFormat *format, double *values, int *count)
{
    FvSession *session = open_session(params, "psnr=enable_mse=true:enable_apsnr=true");
    assert_works(fv_session_start(session, format, format, error));
    assert_true(fv_session_memory(session) > 0);
    for (int i = 0; i < FRAMES; i++)
        push_frame(session, format, i, i == 4);
    assert_works(fv_session_finish(session, error));
    assert_int_equal(fv_session_frames(session), FRAMES - 1);
    *count = 0;
    for (int f = 0; f < FRAMES - 1; f++)
        for (int o = 0; o < fv_session_outputs(session); o++)
            values[(*count)++] = fv_session_value(session, f, o);
    fv_session_close(&session);
}

static void test_independence(void **state)
{
    static const char *const isas[] = {"scalar", "sse2", "avx2", "avx512", "neon", "simd128"};
    for (int depth = 8; depth <= 16; depth += 4) {
        FvFormat format = small;
        format.depth = depth;
        format.height = 300;
        double want[FRAMES * 11], got[FRAMES * 11];
        int wanted, count;
        scores_of(&(FvSessionParams){.threads = 1, .isa = "scalar"}, &format, want, &wanted);
        for (int isa = 0; isa < 6; isa++)
            for (int threads = 1; threads <= 4; threads += 3)
                for (int in_flight = 0; in_flight <= 3; in_flight += 3) {
                    FvSessionParams params = {.threads = threads, .isa = isas[isa], .in_flight = in_flight};
                    FvSession *probe = NULL;
                    if (fv_session_open(&probe, &params, NULL))
                        continue;
                    fv_session_close(&probe);
                    scores_of(&params, &format, got, &count);
                    assert_int_equal(count, wanted);
                    assert_memory_equal(got, want, (size_t)count * sizeof *want);
                }
    }
}

static void test_same_metric_twice(void **state)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = 2}, "psnr=enable_chroma=false");
    assert_works(fv_session_add(session, "psnr=enable_chroma=false:min_sse=2", error));
    assert_works(fv_session_add(session, "psnr=enable_chroma=false", error));
    assert_works(fv_session_start(session, &small, &small, error));
    assert_int_equal(fv_session_outputs(session), 3);
    static const char *const names[] = {"psnr_y_chroma_false", "psnr_y_chroma_false_msse_2", "psnr_y_chroma_false_3"};
    for (int i = 0; i < 3; i++)
        assert_string_equal(fv_session_output(session, i)->name, names[i]);
    fv_session_close(&session);
}

/* The outputs of a metric are found by their origin, even if they were renamed. */
static void test_origins(void **state)
{
    FvSession *session =
        open_session(&(FvSessionParams){.threads = 1}, "psnr=enable_chroma=false,vmaf,psnr=min_sse=2");
    assert_works(fv_session_start(session, &(FvFormat){.width = 320, .height = 200, .chroma = 1, .depth = 8},
                                  &(FvFormat){.width = 320, .height = 200, .chroma = 1, .depth = 8}, error));
    static const char *const names[] = {"psnr_y", "psnr_cb", "psnr_cr", "psnr_yuv"};
    int found[3] = {0}, metric;
    for (int i = 0; i < fv_session_outputs(session); i++) {
        const FvOutputInfo *origin = fv_session_output_origin(session, i, &metric);
        assert_int_equal(metric != 1, origin != NULL);
        if (origin)
            assert_string_equal(origin->name, names[found[metric]]);
        found[metric]++;
    }
    assert_int_equal(found[0], 1);
    assert_true(found[1] > 1);
    assert_int_equal(found[2], 4);
    fv_session_close(&session);
}

/* After fv_session_wait(), all frames have scores, except those of metrics that need later frames. */
static void test_waiting(void **state)
{
    static const struct {
        const char *metric;
        int late;
    } cases[] = {{"psnr", 0}, {"motion=motion_change_only=true", 0}, {"motion", 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int threads = 1; threads < 4; threads += 2) {
            FvSession *session = open_session(&(FvSessionParams){.threads = threads}, cases[c].metric);
            assert_fails(fv_session_wait(session, error), FV_ERROR_USAGE, "not running");
            assert_works(fv_session_start(session, &small, &small, error));
            assert_works(fv_session_wait(session, error));
            for (int n = 0; n < 7; n++) {
                push_frame(session, &small, n, false);
                if (n % 3)
                    continue;
                assert_works(fv_session_wait(session, error));
                assert_int_equal(fv_session_frames(session), n + 1 - cases[c].late);
            }
            assert_works(fv_session_finish(session, error));
            assert_int_equal(fv_session_frames(session), 7);
            assert_fails(fv_session_wait(session, error), FV_ERROR_USAGE, "not running");
            fv_session_close(&session);
        }
}

/*
 * With motion_change_only, the metric reports the change alone, with the value that it has beside the scores of
 * windows.
 */
static void test_motion_change(void **state)
{
    FvSession *session =
        open_session(&(FvSessionParams){.threads = 2}, "motion=debug=true,motion=motion_change_only=true");
    assert_works(fv_session_start(session, &small, &small, error));
    for (int n = 0; n < 4; n++)
        push_frame(session, &small, n, false);
    assert_works(fv_session_finish(session, error));
    assert_int_equal(fv_session_outputs(session), 4);
    for (int n = 0; n < 4; n++) {
        assert_true(fv_session_value(session, n, 2) == fv_session_value(session, n, 3));
        assert_int_equal(fv_session_value(session, n, 3) > 0, n > 0);
    }
    fv_session_close(&session);
}

/* Lists of metrics are added completely or not at all, and commas inside quotes do not separate. */
static void test_lists(void **state)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr=enable_mse=true,psnr_hvs");
    assert_int_equal(fv_session_metrics(session), 2);
    assert_string_equal(fv_session_metric(session, 1)->name, "psnr_hvs");
    assert_null(fv_session_metric(session, 2));
    assert_fails(fv_session_add(session, "psnr,,psnr_hvs", error), FV_ERROR_USAGE, "name is missing");
    assert_fails(fv_session_add(session, "psnr,psnr_hsv", error), FV_ERROR_USAGE, "did you mean 'psnr_hvs'?");
    assert_fails(fv_session_add(session, "", error), FV_ERROR_USAGE, "missing");
    assert_int_equal(fv_session_metrics(session), 2);
    assert_works(fv_session_add(session, "cambi=heatmaps_path='/nowhere,at all',psnr", error));
    assert_int_equal(fv_session_metrics(session), 4);
    fv_session_close(&session);
}

static FvStatus take_nothing(void *opaque, const FvMap *map, FvError *error)
{
    return FV_OK;
}

static void test_maps_that_do_not_exist(void **state)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr,cambi");
    assert_fails(fv_session_want_map(session, &(FvMapRequest){0, 0, NULL, take_nothing, NULL}, error), FV_ERROR_USAGE,
                 "map 0 of metric 0 does not exist");
    assert_fails(fv_session_want_map(session, &(FvMapRequest){1, 5, NULL, take_nothing, NULL}, error), FV_ERROR_USAGE,
                 "map 5");
    assert_fails(fv_session_want_map(session, &(FvMapRequest){1, 0, NULL, NULL, NULL}, error), FV_ERROR_USAGE,
                 "take is NULL");
    assert_works(fv_session_want_map(session, &(FvMapRequest){1, 4, NULL, take_nothing, NULL}, error));
    fv_session_close(&session);
}

static void test_closed_while_working(void **state)
{
    FvFormat format = small;
    format.height = 2000;
    FvSession *session = open_session(&(FvSessionParams){.threads = 3}, "psnr");
    assert_works(fv_session_start(session, &format, &format, error));
    for (int i = 0; i < 4; i++)
        push_frame(session, &format, i, false);
    fv_session_close(&session);
}

/* A sample above the depth is named in the message, at any position of the frame, and the session continues with the
 * next valid frame. */
static void test_samples_beyond_the_depth(void **state)
{
    static const struct {
        int plane, x, y;
        const char *words;
    } places[] = {{0, 0, 0, "plane 0, column 0, row 0"},
                  {0, 66, 34, "column 66, row 34"},
                  {2, 33, 17, "plane 2, column 33, row 17"}};
    for (int depth = 10; depth <= 12; depth += 2)
        for (int p = 0; p < 3; p++)
            for (int skip = 0; skip < 2; skip++) {
                FvFormat format = small;
                format.depth = depth;
                FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
                assert_works(fv_session_start(session, &format, &format, error));
                FvFrame *good = frame_of(&format, 1), *bad = frame_of(&format, 1);
                uint16_t *row = (uint16_t *)(bad->data[places[p].plane] + places[p].y * bad->stride[places[p].plane]);
                row[places[p].x] = (uint16_t)(1 << depth);
                FvStatus (*push)(FvSession *, int64_t, FvFrame *, FvFrame *, FvError *) =
                    skip ? fv_session_skip : fv_session_push;
                assert_fails(push(session, 7, good, bad, error), FV_ERROR_INPUT, places[p].words);
                assert_fails(push(session, 7, bad, good, error), FV_ERROR_INPUT, "frame 7 of the reference video");
                row[places[p].x] = (uint16_t)((1 << depth) - 1);
                assert_works(push(session, 7, good, bad, error));
                assert_works(fv_session_finish(session, error));
                assert_int_equal(fv_session_frames(session), !skip);
                fv_frame_unref(&good);
                fv_frame_unref(&bad);
                fv_session_close(&session);
            }
}

/* The bytes after the last sample of a row are not read. */
static void test_padding_is_not_looked_at(void **state)
{
    FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "psnr");
    assert_works(fv_session_start(session, &small, &small, error));
    FvFrame *frame = frame_of(&small, 1);
    for (int y = 0; y < small.height; y++)
        ((uint16_t *)(frame->data[0] + y * frame->stride[0]))[small.width] = UINT16_MAX;
    assert_works(fv_session_push(session, 0, frame, frame, error));
    assert_works(fv_session_finish(session, error));
    fv_frame_unref(&frame);
    fv_session_close(&session);
}

static void *session_with_a_number(void *result)
{
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = 1}, NULL);
    for (int i = 0; i < 2 && !status; i++)
        status = fv_session_add(session, i ? "psnr=min_sse=0.5" : "psnr", NULL);
    if (!status)
        status = fv_session_start(session, &small, &small, NULL);
    *(bool *)result = !status && !strcmp(fv_session_output(session, 4)->name, "psnr_y_msse_0.5");
    fv_session_close(&session);
    return NULL;
}

/* Sessions in several threads do not affect each other. ThreadSanitizer finds races that this test cannot see. */
static void test_sessions_side_by_side(void **state)
{
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    bool good[THREADS] = {false};
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, session_with_a_number, &good[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        assert_true(good[i]);
}

typedef struct Taker {
    FvSession *session;
    FvFrame *frame;
    FvStatus answer, pushed, finished;
} Taker;

static FvStatus take_badly(void *opaque, const FvMap *map, FvError *error)
{
    Taker *taker = opaque;
    error->message[0] = '\0';
    taker->pushed = fv_session_push(taker->session, map->number + 1, taker->frame, taker->frame, NULL);
    taker->finished = fv_session_finish(taker->session, NULL);
    return taker->answer;
}

/* A map callback may return any value, and cannot call the session meanwhile. */
static void test_takers_of_maps(void **state)
{
    static const struct {
        FvStatus answer, expected;
        const char *words;
    } cases[] = {
        {FV_OK, FV_OK, ""},
        {FV_END, FV_ERROR_USAGE, "not an error status"},
        {(FvStatus)99, FV_ERROR_USAGE, "returned 99"},
        {(FvStatus)-1, FV_ERROR_USAGE, "not an error status"},
        {FV_ERROR_OUTPUT, FV_ERROR_OUTPUT, "map error of frame 3: the map callback failed without a message"}};
    FvFrame *frame = frame_of(&small, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvSession *session = open_session(&(FvSessionParams){.threads = 1}, "ssimulacra2");
        Taker taker = {.session = session, .frame = frame, .answer = cases[i].answer};
        FvMapRequest request = {.on_map = take_badly, .opaque = &taker};
        assert_works(fv_session_want_map(session, &request, error));
        assert_works(fv_session_start(session, &small, &small, error));
        FvError error = {0};
        FvStatus status = fv_session_push(session, 3, frame, frame, &error);
        status = status ? status : fv_session_finish(session, &error);
        assert_int_equal(status, cases[i].expected);
        assert_non_null(strstr(error.message, cases[i].words));
        assert_int_equal(taker.pushed, FV_ERROR_USAGE);
        assert_int_equal(taker.finished, FV_ERROR_USAGE);
        assert_int_equal(fv_session_frames(session), status == FV_OK);
        fv_session_close(&session);
    }
    fv_frame_unref(&frame);
}

static void count_release(void *opaque)
{
    ++*(int *)opaque;
}

/* With one thread, a push releases its frames before it returns. With more, the next push releases the frames that
 * are scored. */
static void test_frames_go_back(void **state)
{
    for (int threads = 1; threads <= 3; threads += 2) {
        FvSession *session =
            open_session(&(FvSessionParams){.device = "cpu", .threads = threads, .in_flight = 8}, "psnr");
        FvFrame *memory = frame_of(&small, 5), *borrowed = NULL;
        int released = 0;
        assert_works(fv_session_start(session, &small, &small, error));
        assert_works(fv_frame_borrow(&borrowed, &small, (void *const *)memory->data, memory->stride, count_release,
                                     &released, error));
        assert_works(fv_session_push(session, 0, borrowed, borrowed, error));
        assert_int_equal(released, 0);
        fv_frame_unref(&borrowed);
        assert_int_equal(released, threads == 1);
        FvDevice *device = session->devices.opened[0];
        assert_works(device->ops->wait(device, &session->flight.tasks[0], error));
        push_frame(session, &small, 1, false);
        assert_int_equal(released, 1);
        assert_works(fv_session_finish(session, error));
        assert_int_equal(fv_session_frames(session), 2);
        fv_session_close(&session);
        fv_frame_unref(&memory);
    }
}

/* With an auto_pending device, as on a machine with a GPU, a short clip stays on the CPU, and the report says so. */
static void test_auto(void **state)
{
    const int64_t lengths[] = {1, INT64_C(1) << 40, -1};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        FvSession *session = open_session(&(FvSessionParams){.device = "auto", .threads = 2}, "psnr");
        session->devices.auto_pending = true;
        session->workload.pairs = lengths[i];
        assert_works(fv_session_start(session, &small, &small, error));
        assert_false(session->devices.auto_pending);
        const char *decision = fv_session_decision(session, 0);
        /* Without GPU support no feature has kernels. */
        const bool stays = lengths[i] == 1 || (lengths[i] > 0 && !FV_HAVE_GPU);
        assert_int_equal(decision && strstr(decision, "estimated to take"), stays);
        push_frame(session, &small, 0, false);
        assert_works(fv_session_finish(session, error));
        fv_session_close(&session);
    }
    /* A request for device memory before the start opens the device. */
    FvSession *session = open_session(&(FvSessionParams){.device = "auto", .threads = 2}, "psnr");
    FvFrame *frame = NULL;
    session->devices.auto_pending = true;
    assert_works(fv_session_frame(session, &frame, &small, FV_MEMORY_PINNED, error));
    assert_false(session->devices.auto_pending);
    fv_frame_unref(&frame);
    fv_session_close(&session);
    /* A session whose scores come from other sessions, such as those of two fields, never chooses a device. */
    session = open_session(&(FvSessionParams){.device = "auto", .threads = 2}, "psnr");
    session->devices.auto_pending = true;
    fv_session_stop(session);
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    assert_null(handles.kind);
    fv_session_close(&session);
}

static int threads_of_this_process(void)
{
    DIR *folder = opendir("/proc/self/task");
    int count = 0;
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

static char *report_of(FvSession *session, FvReportFormat format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    assert_works(fv_report_print(session, file, format, error));
    fclose(file);
    return text;
}

/* After the session released its device and its threads, reports have the same bytes. */
static void test_let_go(void **state)
{
    const int before = threads_of_this_process();
    FvSession *session = open_session(&(FvSessionParams){.device = "cpu", .threads = 3}, "psnr,psnr_hvs");
    assert_works(fv_session_start(session, &small, &small, error));
    for (int i = 0; i < 5; i++)
        push_frame(session, &small, i, false);
    assert_int_equal(threads_of_this_process(), before + 3);
    assert_fails(fv_session_release(session, error), FV_ERROR_USAGE, "not ended");
    assert_works(fv_session_finish(session, error));
    char *reports[FV_REPORT_HTML + 1];
    for (int f = 0; f <= FV_REPORT_HTML; f++)
        reports[f] = report_of(session, (FvReportFormat)f);
    for (int again = 0; again < 2; again++)
        assert_works(fv_session_release(session, error));
    assert_int_equal(threads_of_this_process(), before);
    assert_int_equal(fv_session_memory(session), 0);
    assert_int_equal(fv_session_frames(session), 5);
    for (int f = 0; f <= FV_REPORT_HTML; f++) {
        char *text = report_of(session, (FvReportFormat)f);
        assert_string_equal(text, reports[f]);
        free(text);
        free(reports[f]);
    }
    FvDeviceHandles handles;
    fv_session_device(session, &handles);
    assert_null(handles.kind);
    FvFrame *frame;
    assert_works(fv_session_frame(session, &frame, &small, FV_MEMORY_DEVICE, error));
    fv_frame_unref(&frame);
    assert_fails(fv_session_push(session, 5, NULL, NULL, error), FV_ERROR_USAGE, "ended");
    fv_session_close(&session);
}

/* A stopped session keeps the scored frames. Frames in flight may be missing. */
static void test_stopped(void **state)
{
    for (int ends = 0; ends < 3; ends++) {
        FvCancel *cancel = NULL;
        assert_works(fv_cancel_open(&cancel, error));
        FvSession *session = open_session(&(FvSessionParams){.threads = 2, .in_flight = 4, .cancel = cancel}, "psnr");
        assert_works(fv_session_start(session, &small, &small, error));
        push_frame(session, &small, 0, false);
        assert_works(fv_session_wait(session, error));
        for (int i = 1; i < 4; i++)
            push_frame(session, &small, i, false);
        fv_cancel_request(cancel);
        FvFrame *frame = frame_of(&small, 1);
        if (!ends)
            assert_fails(fv_session_push(session, 4, frame, frame, error), FV_ERROR_PARTIAL, "stopped on request");
        else
            assert_fails((ends == 1 ? fv_session_wait : fv_session_finish)(session, error), FV_ERROR_PARTIAL,
                         "stopped on request");
        fv_frame_unref(&frame);
        assert_true(fv_session_frames(session) >= 1 && fv_session_frames(session) <= 4);
        assert_non_null(strstr(fv_session_partial(session), "stopped on request"));
        assert_works(fv_session_release(session, error));
        char *text = report_of(session, FV_REPORT_JSON);
        assert_non_null(strstr(text, "\"partial\": true"));
        free(text);
        fv_session_close(&session);
        fv_cancel_close(&cancel);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_usual),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_pairs_that_do_not_fit),
        cmocka_unit_test(test_frame_of_another_size),
        cmocka_unit_test(test_independence),
        cmocka_unit_test(test_same_metric_twice),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_waiting),
        cmocka_unit_test(test_frames_go_back),
        cmocka_unit_test(test_auto),
        cmocka_unit_test(test_motion_change),
        cmocka_unit_test(test_maps_that_do_not_exist),
        cmocka_unit_test(test_takers_of_maps),
        cmocka_unit_test(test_closed_while_working),
        cmocka_unit_test(test_samples_beyond_the_depth),
        cmocka_unit_test(test_padding_is_not_looked_at),
        cmocka_unit_test(test_sessions_side_by_side),
        cmocka_unit_test(test_let_go),
        cmocka_unit_test(test_stopped),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
