/*
 * Tests a session's use of a GPU: whether "auto" chooses it by the known speeds, and what the session requests from
 * it.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device_select/devices.h"
#include "feature/butteraugli.h"
#include "session/state.h"

/* The linker redirects calls of the library to this fake GPU, on which features run only if `carries` is set. */
static char folder[] = "/tmp/fovea-auto-XXXXXX";
static FvKnown before, opened;
static int opens, closes, expected;
static bool carries;
enum { SMALL = 8, LARGE = 64 }; /* numbers of pairs that the GPU requests in flight */
static FvDevice gpu;

static void expect(FvDevice *device, const FvFeatureInstance *runs, int count, const FvWaitObserver *observer)
{
    expected = count;
}

static bool supports(FvDevice *device, const FvFeatureInstance *run, char *why, size_t size)
{
    assert_true(expected > 0); /* the library must have called expect() for all features before */
    snprintf(why, size, carries ? "" : "it is the test's");
    return carries;
}

static FvStatus start(FvDevice *device, FvFeatureInstance *runs, const FvPlacement *placement, int count,
                      int *in_flight, FvError *error)
{
    return FV_OK;
}

static int in_flight(FvDevice *device, const FvFeatureInstance *runs, int count, FvArrival arrival)
{
    return arrival == FV_ARRIVES_RAW ? SMALL : LARGE;
}

static void close_gpu(FvDevice **device)
{
    closes++;
    *device = NULL;
}

static const FvDeviceOps ops = {.kind = "unit",
                                .in_flight = in_flight,
                                .expect = expect,
                                .supports = supports,
                                .start = start,
                                .close = close_gpu};

FvStatus __real_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error);
FvStatus __wrap_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error);
FvStatus __wrap_fv_device_open(FvDevice **device, const FvDeviceParams *params, FvError *error)
{
    if (strcmp(params->name, "auto"))
        return __real_fv_device_open(device, params, error);
    opens++;
    gpu = (FvDevice){.ops = &ops, .title = "test's"};
    *device = &gpu;
    return FV_OK;
}

bool __wrap_fv_devices_may_have_gpu(void);
bool __wrap_fv_devices_may_have_gpu(void)
{
    return true;
}

FvKnown __wrap_fv_devices_known(FvDevice *device, const FvFeature *feature);
FvKnown __wrap_fv_devices_known(FvDevice *device, const FvFeature *feature)
{
    return device ? opened : before;
}

static void test_auto(void **state)
{
    const FvKnown untested = {.tested = false}, fast = {.tested = true, .good = true, .speed = 100};
    const FvKnown slow = {.tested = true, .good = true, .speed = 1.5}, failed = {.tested = true};
    const FvKnown unmeasured = {.tested = true, .good = true};
    const FvFormat format = {.width = 1920, .height = 1080, .chroma = FV_CHROMA_420, .depth = 10};
    const struct {
        FvKnown before, opened;
        int64_t pairs;
        bool opens, stays; /* whether the GPU is opened, and whether it is kept */
    } cases[] = {
        {untested, untested, 3, false, false},
        {untested, untested, 30, false, false}, /* four processors take 1.5 s, and the self-test takes 4 s */
        {untested, untested, 1000, true, true},
        {untested, fast, 30, false, false}, /* the unopened GPU's speed is unknown */
        {fast, fast, 30, true, true},
        {fast, untested, 30, true, false}, /* the device or its driver has changed since the last run */
        {fast, slow, 30, true, false},
        {fast, failed, 1000, true, false},
        {unmeasured, unmeasured, 30, true, true},
        {slow, slow, 1000, false, false},
        {failed, failed, 1000, false, false},
        {untested, untested, -1, true, true}, /* the number of pairs is unknown */
    };
    if (!fv_feature_butteraugli.gpu)
        LEAVE_OUT("this build has no kernels");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvSession *session;
        before = cases[i].before;
        opened = cases[i].opened;
        opens = closes = expected = 0;
        assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 4}, error));
        assert_works(fv_session_add(session, "butteraugli", error));
        session->workload.pairs = cases[i].pairs;
        assert_works(fv_session_start(session, &format, &format, error));
        if (opens != cases[i].opens || closes != (cases[i].opens && !cases[i].stays))
            fail_msg("case %zu: opened %d times, closed %d times", i, opens, closes);
        assert_string_equal(session->devices.opened[0]->ops->kind, cases[i].stays ? "unit" : "cpu");
        /* The last decision is about the device. The metric's decision precedes it. */
        const char *decision = fv_session_decision(session, fv_session_decisions(session) - 1);
        assert_int_equal(strstr(decision, "estimated to take") != NULL, !cases[i].stays);
        fv_session_close(&session);
        assert_int_equal(closes, opens);
    }
}

/* Opens a session of as many pairs as `timing` states, records its seconds, and checks the decision. Returns whether
 * the session uses the GPU. */
static bool takes_gpu(const char *metric, const FvRunTiming *timing, const char *decision)
{
    const FvFormat format = {.width = 1920, .height = 1080, .chroma = FV_CHROMA_420, .depth = 10};
    FvSession *session;
    bool decided = false;
    assert_works(fv_session_open(&session, &(FvSessionParams){.threads = 4}, error));
    assert_works(fv_session_add(session, metric, error));
    session->workload.pairs = timing->pairs;
    assert_works(fv_session_start(session, &format, &format, error));
    for (int i = 0; i < fv_session_decisions(session); i++)
        decided |= strstr(fv_session_decision(session, i), decision) != NULL;
    assert_true(decided);
    const bool taken = session->devices.opened[0] == &gpu;
    if (!taken)
        atomic_store(&session->devices.opened[0]->worked, (long long)(timing->seconds * 4e9));
    if (timing->seconds > 0)
        fv_session_show_speeds(session, timing);
    fv_session_close(&session);
    return taken;
}

/* Speeds that earlier runs measured override the constants and the self-test's speed. */
static void test_shown(void **state)
{
    const FvRunTiming few = {.pairs = 30}, slow = {.pairs = 30, .seconds = 60},
                      quick = {.pairs = 30, .seconds = 0.021};
    char path[80];
    if (!fv_feature_butteraugli.gpu)
        LEAVE_OUT("this build has no kernels");
    carries = true;
    before = opened = (FvKnown){.tested = true, .good = true, .speed = 100};
    assert_true(takes_gpu("butteraugli", &few, "the device is unit: 30 pairs are estimated to take"));
    assert_true(takes_gpu("butteraugli", &slow, "the device is unit"));
    assert_false(takes_gpu("butteraugli", &few, "the device is cpu: 30 pairs are estimated to take"));
    assert_works(fv_speeds_clear(error));
    assert_true(takes_gpu("butteraugli", &few, "the device is unit"));
    opened = before = (FvKnown){.tested = true, .good = true, .speed = 1.5};
    assert_false(takes_gpu("butteraugli", &slow, "the device is cpu"));
    assert_true(takes_gpu("butteraugli", &quick, "the device is unit"));
    assert_true(takes_gpu("butteraugli", &few, "the device is unit"));
    assert_works(fv_speeds_clear(error));
    /* If a metric keeps all threads busy, reading waits for them; a cheap metric does not delay reading. */
    FvRunTiming busy = slow;
    busy.waits = true;
    assert_false(takes_gpu("butteraugli", &busy, "the device is cpu"));
    assert_false(takes_gpu("psnr", &few, "the device is cpu"));
    snprintf(path, sizeof path, "%s/fovea/speeds", folder);
    FILE *file = fopen(path, "a");
    fputs("x", file);
    fclose(file);
    assert_false(takes_gpu("butteraugli", &few, "damaged"));
    assert_works(fv_speeds_clear(error));
    carries = false;
}

/*
 * A GPU keeps up with files of whole frames with few pairs in flight. Frames from elsewhere arrive faster, and need
 * more.
 */
static void test_in_flight(void **state)
{
    const FvFormat format = {.width = 1920, .height = 1080, .chroma = FV_CHROMA_420, .depth = 10};
    const FvWorkload none = {.pairs = -1}, raw = {.arrival = FV_ARRIVES_RAW, .pairs = 1000},
                     coded = {.arrival = FV_ARRIVES_CODED, .pairs = 1000, .decoded = 1};
    const FvWorkload endless = {.arrival = FV_ARRIVES_RAW, .pairs = -1},
                     few = {.arrival = FV_ARRIVES_CODED, .pairs = 3, .decoded = 2};
    const struct {
        const FvWorkload *workload; /* NULL: fv_session_set_workload() is not called, as if a program pushed frames */
        int most;
    } cases[] = {{NULL, LARGE}, {&none, LARGE}, {&raw, SMALL}, {&endless, SMALL}, {&coded, LARGE}, {&few, 3}};
    if (!fv_feature_butteraugli.gpu)
        LEAVE_OUT("this build has no kernels");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        FvSession *session;
        assert_works(fv_session_open(&session, &(FvSessionParams){.device = "auto", .threads = 2}, error));
        assert_works(fv_session_add(session, "butteraugli", error));
        assert_works(fv_session_choose_auto(session, error));
        if (cases[i].workload)
            fv_session_set_workload(session, cases[i].workload);
        assert_works(fv_session_start(session, &format, &format, error));
        if (session->flight.most != cases[i].most)
            fail_msg("case %zu: %d pairs in flight", i, session->flight.most);
        fv_session_close(&session);
    }
}

static int set_up(void **state)
{
    return !mkdtemp(folder) || setenv("XDG_CACHE_HOME", folder, 1) ? -1 : 0;
}

static int tear_down(void **state)
{
    char path[80];
    snprintf(path, sizeof path, "%s/fovea", folder);
    rmdir(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_auto), cmocka_unit_test(test_shown),
                                       cmocka_unit_test(test_in_flight)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
