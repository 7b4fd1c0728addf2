#include "machinery.h"

#include <limits.h>
#include <string.h>

#include "base/error.h"
#include "bench/frame.h"
#include "clip/synth.h"
#include "feature/psnr.h"
#include "gpu/device.h"
#include "gpu/selftest/compare.h"
#include "gpu/selftest/selftest.h"
#include "guard.h"
#include "picture/frame.h"
#include "session/state.h"

/* PSNR with a kernel that reads 16-bit samples as 8-bit ones. The self-test must notice and report this. */
static FvFeature wrong_feature;
static FvGpuFeature wrong_gpu;

static void record_wrong(const FvFeatureInstance *run, const FvGpuBatch *batch)
{
    FvFeatureInstance lie = *run;
    lie.dis.depth = 8;
    fv_feature_psnr.gpu->record(&lie, batch);
}

static void reject_wrong_kernel(Tap *tap, FvGpu *gpu)
{
    char name[128], why[512] = "";
    wrong_feature = fv_feature_psnr;
    wrong_gpu = *wrong_feature.gpu;
    wrong_gpu.record = record_wrong;
    wrong_feature.gpu = &wrong_gpu;
    FvTestVerdict verdict = fv_gpu_verify_feature(gpu, &wrong_feature, why, sizeof why);
    snprintf(name, sizeof name, "%s:%d a wrong kernel is refused", gpu->ops->kind, gpu->index);
    tap_case(tap, verdict == FV_TEST_DIFFERS && strstr(why, "sse_y of frame 0"), name, why);
}

/* Scores one pair of frames in a session of its own. *on_cpu: whether the CPU had to score. */
static FvStatus score_pair(const char *device, double *value, bool *on_cpu, FvError *error)
{
    const SynthClip ref = {320, 180, FV_CHROMA_420, 8, 7, SYNTH_REF, {0}},
                    dis = {320, 180, FV_CHROMA_420, 8, 7, SYNTH_MIX, {0}};
    FvFrame *frames[2] = {synth_frame(&ref, 0), synth_frame(&dis, 0)};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = device, .threads = 1}, error);
    if (!status)
        status = fv_session_add(session, "psnr", error);
    if (!status)
        status = fv_session_start(session, &frames[0]->format, &frames[1]->format, error);
    if (!status)
        status = fv_session_push(session, 0, frames[0], frames[1], error);
    if (!status)
        status = fv_session_finish(session, error);
    if (!status) {
        *value = fv_session_value(session, 0, 0);
        *on_cpu = session->facts.decision_count == 1 && strstr(session->facts.decisions[0], "failed the self-test");
    }
    fv_session_close(&session);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return status;
}

/* After a failed self-test, the CPU scores and the report says so. After a successful one, the GPU scores again. */
static void fall_back(Tap *tap, FvGpu *gpu)
{
    char name[128], device[32], why[512] = "";
    FvError error = {0};
    double want = 0, refused = 1, trusted = 2;
    bool cpu[3] = {false, false, false};
    snprintf(device, sizeof device, "%s:%d", gpu->ops->kind, gpu->index);
    FvStatus status = score_pair("cpu", &want, &cpu[0], &error);
    fv_gpu_retest(gpu, &(FvGpuSkill){.feature = &wrong_feature}, why, sizeof why);
    if (!status)
        status = score_pair(device, &refused, &cpu[1], &error);
    bool good = fv_gpu_retest(gpu, &(FvGpuSkill){.feature = &fv_feature_psnr}, why, sizeof why);
    if (!status)
        status = score_pair(device, &trusted, &cpu[2], &error);
    snprintf(name, sizeof name, "%s the CPU scores what a GPU may not", device);
    tap_case(tap, !status && good && want == refused && want == trusted && !cpu[0] && cpu[1] && !cpu[2], name,
             status ? error.message : why);
}

static int released;

static void count_release(void *opaque)
{
    released++;
}

/* A frame that the session allocated, and one that wraps such memory by its addresses, give the CPU's score. A
 * session on the CPU refuses both. */
static void score_device_frames(Tap *tap, FvGpu *gpu)
{
    const SynthClip ref = {321, 181, FV_CHROMA_420, 10, 7, SYNTH_REF, {0}},
                    dis = {321, 181, FV_CHROMA_420, 10, 7, SYNTH_MIX, {0}};
    FvFrame *host[2] = {synth_frame(&ref, 0), synth_frame(&dis, 0)}, *local[2] = {NULL, NULL}, *wrapped = NULL;
    FvSession *sessions[2] = {NULL, NULL};
    char name[128], device[32];
    FvError error = {0};
    snprintf(device, sizeof device, "%s:%d", gpu->ops->kind, gpu->index);
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++) {
        status =
            fv_session_open(&sessions[i], &(FvSessionParams){.device = i ? device : "cpu", .threads = 1}, &error);
        if (!status)
            status = fv_session_add(sessions[i], "psnr", &error);
        if (!status)
            status = fv_session_start(sessions[i], &host[0]->format, &host[1]->format, &error);
    }
    for (int i = 0; i < 2 && !status; i++)
        status = bench_frame(sessions[1], &local[i], host[i], RESIDENT, &error);
    FvDeviceFrame where = {0};
    if (!status && !fv_frame_device(local[1], &where))
        status = fv_fail(&error, FV_ERROR_DEVICE, "a device frame does not say where it is");
    where.release = count_release;
    released = 0;
    if (!status)
        status = fv_session_wrap(sessions[1], &wrapped, &host[1]->format, &where, &error);
    if (!status)
        status = fv_session_push(sessions[0], 0, host[0], host[1], &error);
    bool refused = !status && fv_session_push(sessions[0], 1, local[0], wrapped, NULL) == FV_ERROR_USAGE;
    if (!status)
        status = fv_session_push(sessions[1], 0, local[0], wrapped, &error);
    fv_frame_unref(&local[0]);
    fv_frame_unref(&wrapped);
    for (int i = 0; i < 2 && !status; i++)
        status = fv_session_finish(sessions[i], &error);
    bool equal = !status;
    for (int output = 0; output < 3 && equal; output++)
        equal = fv_session_value(sessions[0], 0, output) == fv_session_value(sessions[1], 0, output);
    fv_frame_unref(&local[1]);
    fv_session_close(&sessions[0]);
    fv_session_close(&sessions[1]);
    fv_frame_unref(&host[0]);
    fv_frame_unref(&host[1]);
    snprintf(name, sizeof name, "%s scores frames in its own memory", device);
    tap_case(tap, equal && refused && released == 1, name, error.message);
}

static FvTestVerdict compare_in(FvGpu *gpu, uint64_t seed, size_t room, int waits, char *why, size_t size)
{
    const FvFormat format = {.width = 320, .height = 180, .chroma = FV_CHROMA_420, .depth = 8};
    const FvPsnrOptions options = {.chroma = true};
    guard_install(gpu);
    guard_room = room;
    guard_waits = waits;
    FvTestVerdict verdict = fv_gpu_compare(gpu, &fv_feature_psnr, &options, &format, seed, 0, 8, why, size);
    guard_remove(gpu);
    return verdict;
}

/* When memory shrinks, fewer frames are in flight. If not even one pair fits, the message says so. */
static void run_out_of_memory(Tap *tap, FvGpu *gpu, uint64_t seed)
{
    char name[128], why[512] = "";
    const FvFormat format = {.width = 320, .height = 180, .chroma = FV_CHROMA_420, .depth = 8};
    size_t frame = fv_format_plane_bytes(&format);
    FvTestVerdict verdict = compare_in(gpu, seed, SIZE_MAX, INT_MAX, why, sizeof why);
    size_t all = guard_peak, pair = all - 14 * frame;
    for (size_t room = all - 1; verdict == FV_TEST_SAME && room >= pair; room -= frame)
        verdict = compare_in(gpu, seed, room, INT_MAX, why, sizeof why);
    snprintf(name, sizeof name, "%s:%d the same scores with less memory", gpu->ops->kind, gpu->index);
    tap_case(tap, verdict == FV_TEST_SAME && all > 14 * frame, name, why);
    verdict = compare_in(gpu, seed, pair - frame, INT_MAX, why, sizeof why);
    snprintf(name, sizeof name, "%s:%d too little memory is an error", gpu->ops->kind, gpu->index);
    tap_case(tap, verdict == FV_TEST_UNTESTED && strstr(why, "no room"), name, why);
}

static void lose_device(Tap *tap, FvGpu *gpu, uint64_t seed)
{
    char name[128], why[512] = "";
    bool good = true;
    for (int waits = 0; waits < 3; waits++)
        good &= compare_in(gpu, seed, SIZE_MAX, waits, why, sizeof why) == FV_TEST_UNTESTED && strstr(why, "lost");
    snprintf(name, sizeof name, "%s:%d a lost device is an error", gpu->ops->kind, gpu->index);
    tap_case(tap, good, name, why);
}

void test_machinery(Tap *tap, FvGpu *gpu, uint64_t seed)
{
    reject_wrong_kernel(tap, gpu);
    fall_back(tap, gpu);
    score_device_frames(tap, gpu);
    run_out_of_memory(tap, gpu, seed);
    lose_device(tap, gpu, seed);
}
