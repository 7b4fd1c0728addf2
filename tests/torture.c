/*
 * Fails the n-th allocation, thread or file that the library asks for, for every n, while two files are scored with
 * every metric and a report is written. Each failure must come back as an error with a message, or not matter; it
 * must not crash, and (under AddressSanitizer) not leak. The linker redirects the calls of the library's own code.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth.h"
#include "tap.h"

static atomic_long countdown; /* 1: the next call fails; not positive: none does */
static atomic_long calls;
static atomic_bool counting;

static bool fails(void)
{
    if (!counting)
        return false;
    calls++;
    return atomic_fetch_sub(&countdown, 1) == 1;
}

#define WRAP(type, name, parameters, arguments, failure)                                                             \
    type __real_##name parameters;                                                                                   \
    type __wrap_##name parameters;                                                                                   \
    type __wrap_##name parameters                                                                                    \
    {                                                                                                                \
        if (!fails())                                                                                                \
            return __real_##name arguments;                                                                          \
        errno = ENOMEM;                                                                                              \
        return failure;                                                                                              \
    }

WRAP(void *, malloc, (size_t size), (size), NULL)
WRAP(void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP(void *, realloc, (void *block, size_t size), (block, size), NULL)
WRAP(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), NULL)
WRAP(int, posix_memalign, (void **block, size_t alignment, size_t size), (block, alignment, size), ENOMEM)
WRAP(char *, strdup, (const char *text), (text), NULL)
WRAP(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
WRAP(FILE *, fdopen, (int file, const char *mode), (file, mode), NULL)
WRAP(int, pthread_create,
     (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument),
     (thread, attributes, start, argument), EAGAIN)

typedef struct Clips {
    char folder[64], ref[96], dis[96], report[96];
} Clips;

static bool write_clip(const char *path, SynthKind kind)
{
    SynthClip clip = {320, 192, FV_CHROMA_420, 8, 41, kind};
    FILE *file = fopen(path, "wb");
    bool good = file && synth_write_y4m(&clip, 2, file);
    return file && !fclose(file) && good;
}

static bool make_clips(Clips *clips)
{
    strcpy(clips->folder, "/tmp/fovea-torture-XXXXXX");
    if (!mkdtemp(clips->folder))
        return false;
    snprintf(clips->ref, sizeof clips->ref, "%s/ref.y4m", clips->folder);
    snprintf(clips->dis, sizeof clips->dis, "%s/dis.y4m", clips->folder);
    snprintf(clips->report, sizeof clips->report, "%s/report.json", clips->folder);
    return write_clip(clips->ref, SYNTH_REF) && write_clip(clips->dis, SYNTH_MIX);
}

static void remove_clips(const Clips *clips)
{
    unlink(clips->ref);
    unlink(clips->dis);
    unlink(clips->report);
    rmdir(clips->folder);
}

static FvStatus score(const Clips *clips, int threads, double *sum, FvError *error)
{
    FvSource *ref = NULL, *dis = NULL;
    FvSession *session = NULL;
    FvSessionParams params = {.device = "cpu", .threads = threads, .in_flight = 2};
    FvStatus status = fv_source_open(&ref, &(FvSourceParams){.path = clips->ref}, error);
    if (!status)
        status = fv_source_open(&dis, &(FvSourceParams){.path = clips->dis}, error);
    if (!status)
        status = fv_session_open(&session, &params, error);
    for (int i = 0; i < fv_metric_count() && !status; i++)
        status = fv_session_add(session, fv_metric_info(i)->name, error);
    if (!status)
        status = fv_score(session, ref, dis, &(FvScoreParams){0}, error);
    if (!status)
        status = fv_report_write(session, clips->report, FV_REPORT_JSON, error);
    *sum = 0;
    for (int i = 0; !status && i < fv_session_outputs(session); i++)
        *sum += fv_session_pool(session, i, FV_POOL_MEAN);
    fv_session_close(&session);
    fv_source_close(&dis);
    fv_source_close(&ref);
    return status;
}

/* Runs with failure n; false when there were not so many calls. */
static bool fail_one(Tap *tap, const Clips *clips, int threads, long n, double expected)
{
    char name[64], why[1200];
    FvError error = {0};
    double sum;
    calls = 0;
    countdown = n;
    counting = true;
    FvStatus status = score(clips, threads, &sum, &error);
    counting = false;
    if (countdown > 0)
        return false;
    bool harmless = !status && !memcmp(&sum, &expected, sizeof sum);
    bool refused = status > FV_END && *error.message && error.status == status;
    snprintf(name, sizeof name, "%d threads, failure %ld", threads, n);
    snprintf(why, sizeof why, "status %d, sum %g instead of %g, message '%s'", status, sum, expected, error.message);
    tap_case(tap, harmless || refused, name, why);
    return true;
}

int main(void)
{
    Tap tap = {0};
    Clips clips;
    FvError error = {0};
    double expected;
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!make_clips(&clips) || score(&clips, 1, &expected, &error)) {
        tap_case(&tap, false, "set-up", error.message);
        return tap_done(&tap);
    }
    for (int threads = 1; threads <= 2; threads++)
        for (long n = 1; fail_one(&tap, &clips, threads, n, expected);)
            n++;
    remove_clips(&clips);
    return tap_done(&tap);
}
