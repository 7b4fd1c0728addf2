/*
 * Tests that the floating-point mode of the calling thread changes no score and no report, whether that thread
 * scores, workers that it starts score, or several threads push frames. Also tests that every call restores the
 * mode. With an argument N, every N-th case runs, from a random one on.
 */
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fovea/fovea.h"
#include "tap/tap.h"

#define SIDE 216
#define FRAMES 2
#define FLUSH 0x8040u  /* bits of MXCSR: subnormal results and operands count as zero */
#define SIGNALS 0x1f80 /* bits of MXCSR: no exception raises a signal */

typedef struct Mode {
    const char *name;
    int rounding;
    unsigned set, cleared; /* bits of MXCSR */
} Mode;

static const Mode modes[] = {
    {"as a program begins", FE_TONEAREST, 0, 0},
#ifdef FE_UPWARD
    {"rounding up", FE_UPWARD, 0, 0},
    {"rounding down", FE_DOWNWARD, 0, 0},
    {"rounding to zero", FE_TOWARDZERO, 0, 0},
#endif
#ifdef __x86_64__
    {"subnormal numbers count as zero", FE_TONEAREST, FLUSH, 0},
    {"rounding up, subnormal numbers count as zero, every exception a signal", FE_UPWARD, FLUSH, SIGNALS},
#endif
};

static void enter(const Mode *mode)
{
    fesetround(mode->rounding);
#ifdef __x86_64__
    __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() | mode->set) & ~mode->cleared);
#endif
}

/* Returns whether the mode is still the entered one, and restores the usual mode. */
static bool leave(const Mode *mode)
{
    bool good = fegetround() == mode->rounding;
#ifdef __x86_64__
    const unsigned found = __builtin_ia32_stmxcsr();
    good &= (found & mode->set) == mode->set && !(found & mode->cleared);
#endif
    fesetenv(FE_DFL_ENV);
    return good;
}

static FvFrame *frames[FRAMES][2];

static FvStatus make_frames(FvError *error)
{
    const FvFormat format = {
        .width = SIDE, .height = SIDE, .chroma = FV_CHROMA_420, .depth = 8, .rate_num = 25, .rate_den = 1};
    for (int n = 0; n < FRAMES; n++)
        for (int side = 0; side < 2; side++) {
            const FvStatus status = fv_frame_alloc(&frames[n][side], &format, error);
            if (status)
                return status;
            FvFrame *frame = frames[n][side];
            for (int plane = 0; plane < 3; plane++)
                for (int y = 0; y < (plane ? SIDE / 2 : SIDE); y++)
                    for (int x = 0; x < (plane ? SIDE / 2 : SIDE); x++) {
                        const int wave = (x * (y + 3 * n) / 29 + y * y / 41 + 17 * plane) & 127;
                        frame->data[plane][y * frame->stride[plane] + x] =
                            (uint8_t)(60 + wave + side * ((x * 7 + y * 13 + n) % 9 - 4));
                    }
        }
    return FV_OK;
}

typedef struct Scores {
    double values[20000];
    int count;
    char *csv;
    size_t csv_bytes;
    bool mode_kept;
} Scores;

static void keep(Scores *scores, double value)
{
    if (scores->count < (int)(sizeof scores->values / sizeof *scores->values))
        scores->values[scores->count++] = value;
}

static FvStatus push_all(FvSession *session, FvError *error)
{
    FvStatus status = FV_OK;
    for (int n = 0; n < FRAMES && !status; n++)
        status = fv_session_push(session, n, frames[n][FV_REFERENCE], frames[n][FV_DISTORTED], error);
    return status ? status : fv_session_finish(session, error);
}

static FvStatus score(Scores *scores, int threads, FvError *error)
{
    FvSession *session;
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "cpu", .threads = threads}, error);
    for (int i = 0; i < fv_metric_count() && !status; i++) {
        const char *name = fv_metric_info(i)->name;
        const bool hdr = !strncmp(name, "pu_", 3);
        char text[200];
        snprintf(text, sizeof text, "%s%s", name,
                 hdr ? "=transfer=pq:primaries=bt2020:matrix=bt2020:range=limited" : "");
        status = fv_session_add(session, text, error);
    }
    if (!status)
        status = fv_session_start(session, &frames[0][0]->format, &frames[0][1]->format, error);
    if (!status)
        status = push_all(session, error);
    for (int i = 0; i < fv_session_outputs(session) && !status; i++) {
        for (int n = 0; n < FRAMES; n++)
            keep(scores, fv_session_value(session, n, i));
        for (int pool = 0; pool < FV_POOL_COUNT; pool++)
            keep(scores, fv_session_pool(session, i, (FvPool)pool));
    }
    FILE *file = tmpfile();
    if (!status && file)
        status = fv_report_print(session, file, FV_REPORT_CSV, error);
    if (!status && file) {
        scores->csv_bytes = (size_t)ftell(file);
        scores->csv = calloc(scores->csv_bytes + 1, 1);
        rewind(file);
        if (!scores->csv || fread(scores->csv, 1, scores->csv_bytes, file) != scores->csv_bytes)
            status = FV_ERROR_OUTPUT;
    }
    if (file)
        fclose(file);
    fv_session_close(&session);
    const FvBdPoint anchor[] = {{100.1, 70.3, 0}, {201.7, 80.9, 0}, {403.3, 90.1, 0}, {811.9, 95.7, 0}};
    const FvBdPoint test[] = {{90.7, 70.1, 0}, {190.3, 81.1, 0}, {377.7, 90.3, 0}, {780.1, 95.3, 0}};
    for (int method = 0; method < FV_BD_METHOD_COUNT && !status; method++) {
        FvBd *bd;
        status = fv_bd_open(&bd, anchor, 4, test, 4, &(FvBdParams){.method = (FvBdMethod)method}, error);
        if (!status) {
            keep(scores, fv_bd_result(bd)->bd_rate);
            keep(scores, fv_bd_result(bd)->bd_quality);
            keep(scores, fv_bd_difference(bd, 85.3));
        }
        fv_bd_close(&bd);
    }
    return status;
}

static void compare(Tap *tap, const Mode *mode, int threads, const Scores *usual)
{
    Scores *scores = calloc(1, sizeof *scores);
    FvError error = {0};
    char name[200], why[1100] = "";
    snprintf(name, sizeof name, "%s, %d threads", mode->name, threads);
    enter(mode);
    const FvStatus status = score(scores, threads, &error);
    const bool kept = leave(mode);
    if (status)
        snprintf(why, sizeof why, "%s", error.message);
    else if (!kept)
        snprintf(why, sizeof why, "the mode was not given back");
    else if (scores->count != usual->count || scores->count < 500)
        snprintf(why, sizeof why, "%d values, not %d", scores->count, usual->count);
    else if (memcmp(scores->values, usual->values, sizeof usual->values) != 0)
        for (int i = 0; i < usual->count && !*why; i++) {
            if (memcmp(&scores->values[i], &usual->values[i], sizeof(double)) != 0)
                snprintf(why, sizeof why, "value %d is %a, not %a", i, scores->values[i], usual->values[i]);
        }
    else if (scores->csv_bytes != usual->csv_bytes || memcmp(scores->csv, usual->csv, usual->csv_bytes) != 0)
        snprintf(why, sizeof why, "the report differs");
    tap_case(tap, !*why, name, why);
    free(scores->csv);
    free(scores);
}

int main(int argc, char **argv)
{
    const int share = argc > 1 ? atoi(argv[1]) : 1;
    Tap tap = {0};
    FvError error = {0};
    Scores *usual = calloc(1, sizeof *usual);
    FvStatus status = make_frames(&error);
    if (!status)
        status = score(usual, 1, &error);
    if (status) {
        tap_case(&tap, false, "scores", error.message);
        return tap_done(&tap);
    }
    int turn = (int)(time(NULL) % share);
    for (int i = 0; i < (int)(sizeof modes / sizeof *modes); i++)
        for (int threads = 1; threads <= 3; threads += 2)
            if ((i || threads > 1) && turn++ % share == 0)
                compare(&tap, &modes[i], threads, usual);
    for (int n = 0; n < FRAMES; n++)
        for (int side = 0; side < 2; side++)
            fv_frame_unref(&frames[n][side]);
    free(usual->csv);
    free(usual);
    return tap_done(&tap);
}
