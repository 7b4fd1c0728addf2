/*
 * Tests that every GPU of this machine passes the self-test of every feature, and then gives the CPU's bits of all
 * metrics in one session. The session has VMAF twice: an instance of VIF then reads another one's memory. The
 * self-test of a feature runs one small case here, and those of other options where an instance may read another
 * one's memory. Stored verdicts are neither read nor written.
 */
#include <string.h>

#include "clip/synth.h"
#include "device/compare.h"
#include "each.h"
#include "fovea/fovea.h"
#include "gpu/selftest/verdicts.h"

enum { FRAMES = 2, VALUES = 256 };

typedef struct Scores {
    FvStatus status;
    FvError error;
    char refusal[512]; /* the first sentence that a metric is computed on the CPU */
    int outputs;
    double value[FRAMES][VALUES];
} Scores;

static _Atomic int compared;       /* number of cases that ran */
static const char *passed[VALUES]; /* names of the subjects that passed */
static _Atomic int passed_count;
static _Atomic int differing; /* number of cases whose results differ from those of plain C */

bool __wrap_fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding);
bool __wrap_fv_gpu_find(const FvGpu *gpu, FvGpuSubject subject, FvGpuFinding *finding)
{
    *finding = (FvGpuFinding){.good = true};
    for (int i = 0; i < passed_count; i++)
        if (!strcmp(passed[i], subject.name))
            return true;
    return false;
}

void __wrap_fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding);
void __wrap_fv_gpu_keep(const FvGpu *gpu, FvGpuSubject subject, const FvGpuFinding *finding)
{
    if (finding->good && passed_count < VALUES)
        passed[passed_count++] = subject.name;
}

FvTestVerdict __real_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size);
FvTestVerdict __wrap_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size);
FvTestVerdict __wrap_fv_gpu_compare(FvGpu *gpu, const FvFeature *feature, const void *options, const FvFormat *format,
                                    uint64_t seed, int fill, int frames, char *why, size_t size)
{
    const bool usual = format->width == 67 && fill == FV_FILL_SLOPES && format->depth == 10;
    if (!usual && (!feature->computes_both || format->width != 130))
        return FV_TEST_SAME;
    compared++;
    const FvTestVerdict verdict = __real_fv_gpu_compare(gpu, feature, options, format, seed, fill, frames, why, size);
    differing += verdict == FV_TEST_DIFFERS;
    return verdict;
}

static void note_warning(void *opaque, FvLogLevel level, const char *message)
{
    Scores *scores = opaque;
    if (strstr(message, "is computed on the CPU") && !*scores->refusal)
        snprintf(scores->refusal, sizeof scores->refusal, "%s", message);
}

static void score(Scores *scores, const char *device)
{
    const SynthClip clips[2] = {{216, 178, FV_CHROMA_420, 10, 5, SYNTH_REF, {0}},
                                {216, 178, FV_CHROMA_420, 10, 5, SYNTH_MIX, {0}}};
    const FvSessionParams params = {.device = device, .threads = 2, .log = note_warning, .opaque = scores};
    FvError *error = &scores->error;
    FvSession *session = NULL;
    FvFormat format = synth_format(&clips[0]);
    format.rate_num = 25;
    format.rate_den = 1;
    FvStatus status = fv_session_open(&session, &params, error);
    for (int m = 0; m < fv_metric_count() && !status; m++)
        status = fv_session_add(session, fv_metric_info(m)->name, error);
    if (!status)
        status = fv_session_add(session, "vmaf=version=vmaf_v0.6.1neg", error);
    if (!status)
        status = fv_session_start(session, &format, &format, error);
    for (int i = 0; i < FRAMES && !status; i++) {
        FvFrame *pair[2] = {synth_frame(&clips[0], i), synth_frame(&clips[1], i)};
        status = fv_session_push(session, i, pair[0], pair[1], error);
        fv_frame_unref(&pair[0]);
        fv_frame_unref(&pair[1]);
    }
    if (!status)
        status = fv_session_finish(session, error);
    scores->status = status;
    scores->outputs = fv_session_outputs(session);
    for (int i = 0; i < FRAMES && !status; i++)
        for (int v = 0; v < VALUES && v < scores->outputs; v++)
            scores->value[i][v] = fv_session_value(session, i, v);
    fv_session_close(&session);
}

static void test(Tap *tap, const char *device, const char *paths[2])
{
    static Scores want, got;
    char name[128], why[1200];
    score(&want, "cpu");
    compared = differing = 0;
    passed_count = 0;
    score(&got, device);
    snprintf(name, sizeof name, "%s passes the self-tests of all metrics", device);
    tap_case(tap, !got.status && !*got.refusal && !differing && compared > fv_metric_count() / 2, name,
             got.status ? got.error.message : got.refusal);
    snprintf(name, sizeof name, "%s gives the scores of the CPU", device);
    snprintf(why, sizeof why, "status %d, %d outputs: %s", want.status, got.outputs, want.error.message);
    tap_case(tap,
             !want.status && want.outputs && want.outputs <= VALUES && got.outputs == want.outputs &&
                 !memcmp(got.value, want.value, sizeof got.value),
             name, why);
}

int main(void)
{
    return each_gpu(test);
}
