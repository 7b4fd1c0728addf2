/*
 * Fails the n-th allocation, thread or file that the library asks for, for every n, while it scores the fields of two
 * files and two encodes of one reference, and compares two curves. Each failure must come back as an error with a
 * message, or have no effect. An encode has the scores of an undisturbed run, or a failing status. The library must
 * not crash or (under a leak checker) leak.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clip/synth.h"
#include "failing.h"
#include "tap/tap.h"

enum { ENCODES = 2, NUMBERS = 8 };

static char folder[] = "/tmp/fovea-several-XXXXXX", path[1 + ENCODES][64];

/* The result of a run: the values of each pair if `status` is FV_OK, else the failure. */
typedef struct Result {
    FvStatus status;
    FvError error;
    bool begun; /* the run began, so each encode has a failure of its own in `each` and `why` */
    FvStatus each[ENCODES];
    FvError why[ENCODES];
    double value[ENCODES][NUMBERS];
} Result;

static bool make_files(void)
{
    bool good = mkdtemp(folder);
    for (int i = 0; i <= ENCODES && good; i++) {
        SynthClip clip = {96, 64, FV_CHROMA_420, 8, 41 + i, i ? SYNTH_MIX : SYNTH_REF, {0}};
        snprintf(path[i], sizeof path[i], "%s/%d.y4m", folder, i);
        FILE *file = fopen(path[i], "wb");
        good = file && synth_write_y4m(&clip, 3, file);
        good = file && !fclose(file) && good;
    }
    return good;
}

static void remove_files(void)
{
    for (int i = 0; i <= ENCODES; i++)
        unlink(path[i]);
    rmdir(folder);
}

static FvStatus open_session(FvSession **session, int threads, FvError *error)
{
    FvStatus status =
        fv_session_open(session, &(FvSessionParams){.device = "cpu", .threads = threads, .in_flight = 2}, error);
    if (!status)
        status = fv_session_add(*session, "psnr", error);
    return status ? status : fv_session_add(*session, "ssimulacra2", error);
}

static void take_values(const FvSession *session, double value[NUMBERS])
{
    for (int i = 0; i < NUMBERS && i < fv_session_outputs(session); i++)
        value[i] = fv_session_pool(session, i, FV_POOL_MEAN);
}

static void score_fields(int threads, Result *result)
{
    FvError *error = &result->error;
    FvSource *source[2] = {NULL, NULL};
    FvSession *session = NULL;
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && !status; side++)
        status = fv_source_open(&source[side], &(FvSourceParams){.path = path[side], .fields = FV_FIELDS_TOP_FIRST},
                                error);
    if (!status)
        status = open_session(&session, threads, error);
    if (!status)
        status = fv_score(session, source[0], source[1], &(FvScoreParams){.fields = true}, error);
    if (!status)
        status = fv_report_write(session, "/dev/null", FV_REPORT_JSON, error);
    if (!status)
        take_values(session, result->value[0]);
    fv_session_close(&session);
    for (int side = 0; side < 2; side++)
        fv_source_close(&source[side]);
    result->status = status;
}

static void score_encodes(int threads, Result *result)
{
    const FvScoreParams params = {0};
    FvError *error = &result->error;
    FvSource *reference = NULL, *distorted[ENCODES] = {NULL};
    FvSession *session[ENCODES] = {NULL};
    FvEncode encodes[ENCODES] = {{0}};
    FvStatus status = fv_source_open(&reference, &(FvSourceParams){.path = path[0]}, error);
    for (int i = 0; i < ENCODES && !status; i++) {
        status = fv_source_open(&distorted[i], &(FvSourceParams){.path = path[1 + i]}, error);
        if (!status)
            status = open_session(&session[i], threads, error);
        encodes[i] = (FvEncode){.session = session[i], .distorted = distorted[i], .params = &params};
    }
    result->begun = !status;
    if (result->begun)
        status = fv_score_encodes(encodes, ENCODES, reference, threads, error);
    for (int i = 0; i < ENCODES; i++) {
        result->each[i] = encodes[i].status;
        result->why[i] = encodes[i].error;
        if (result->begun && !encodes[i].status)
            take_values(session[i], result->value[i]);
        fv_session_close(&session[i]);
        fv_source_close(&distorted[i]);
    }
    fv_source_close(&reference);
    result->status = status;
}

static void compare_curves(int threads, Result *result)
{
    FvBdPoint anchor[] = {{.rate = 100, .quality = 40},
                          {.rate = 200, .quality = 55},
                          {.rate = 400, .quality = 70},
                          {.rate = 800, .quality = 85},
                          {.rate = 1600, .quality = 93}};
    FvBdPoint test[] = {{.rate = 90, .quality = 41},
                        {.rate = 180, .quality = 56},
                        {.rate = 360, .quality = 71},
                        {.rate = 700, .quality = 86},
                        {.rate = 1500, .quality = 94}};
    FvBd *bd = NULL;
    result->status =
        fv_bd_open(&bd, anchor, 5, test, 5,
                   &(FvBdParams){.method = (FvBdMethod)threads, .better = FV_HIGHER_IS_BETTER}, &result->error);
    if (!result->status) {
        result->value[0][0] = fv_bd_result(bd)->bd_rate;
        result->value[0][1] = fv_bd_result(bd)->bd_quality;
    }
    fv_bd_close(&bd);
}

static const struct {
    const char *name;
    void (*run)(int threads, Result *result);
} works[] = {{"fields", score_fields}, {"encodes", score_encodes}, {"curves", compare_curves}};

static void run(int work, int threads, long failing, Result *result)
{
    memset(result, 0, sizeof *result);
    calls = 0;
    countdown = failing;
    counting = true;
    works[work].run(threads, result);
    counting = false;
}

static bool tells(FvStatus status, const FvError *error)
{
    return status > FV_END && *error->message && error->status == status;
}

static bool is_good(const Result *got, const Result *want)
{
    for (int i = 0; i < ENCODES; i++) {
        const bool same = !memcmp(got->value[i], want->value[i], sizeof got->value[i]);
        if (got->begun && got->each[i] ? !tells(got->each[i], &got->why[i]) : !same && (got->begun || !got->status))
            return false;
    }
    return !got->status || tells(got->status, &got->error);
}

int main(void)
{
    Tap tap = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (!make_files())
        tap_case(&tap, false, "set-up", "the clips cannot be written");
    for (int work = 0; work < (int)(sizeof works / sizeof *works); work++)
        for (int threads = 1; threads <= 2; threads++) {
            Result want, got;
            char name[64], why[1200];
            run(work, threads, 0, &want);
            snprintf(name, sizeof name, "%s, %d threads", works[work].name, threads);
            tap_case(&tap, !want.status && want.value[0][0] != 0, name, want.error.message);
            countdown = 0;
            for (long n = 1; countdown <= 0; n++) {
                run(work, threads, n, &got);
                snprintf(name, sizeof name, "%s, %d threads, failure %ld", works[work].name, threads, n);
                snprintf(why, sizeof why, "status %d, message '%s'", got.status, got.error.message);
                tap_case(&tap, is_good(&got, &want), name, why);
            }
        }
    remove_files();
    return tap_done(&tap);
}
