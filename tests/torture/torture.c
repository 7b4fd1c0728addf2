/*
 * Fails the n-th allocation, thread or file that the library asks for, for every n, while the library scores two
 * files with every metric, writes a report in every format and pools all scores. Each failure must come back as an
 * error with a message, or have no effect. A report that is written must equal the report of an undisturbed run, byte
 * for byte. The library must not crash, leave files in the folder or (under AddressSanitizer) leak. The linker
 * redirects the calls of the library's own code.
 *
 *     test-torture [--stills] [--each N]
 *
 * With --stills the test scores with VDM's temporal model and with stills instead of every metric. With --each it
 * makes only every N-th failure, from a random one on.
 */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clip/synth.h"
#include "failing.h"
#include "tap/tap.h"

static const char *const forms[] = {"json", "csv", "ndjson", "html"}; /* in the order of FvReportFormat */
enum { FORMS = sizeof forms / sizeof *forms, MOST_POOLED = 64 };

typedef struct Files {
    char folder[64], ref[96], dis[96], report[FORMS][96];
} Files;

/* The result of a run. */
typedef struct Result {
    FvStatus status;
    FvError error;
    char *report[FORMS]; /* NULL: the report was not written */
    double pooled[MOST_POOLED][FV_POOL_COUNT];
    uint64_t maps;    /* checksum of the first map of every metric that has maps */
    bool looks_whole; /* a report of a failed session does not state that it is partial */
} Result;

static bool write_clip(const char *path, SynthKind kind)
{
    SynthClip clip = {216, 184, FV_CHROMA_420, 8, 41, kind, {0}};
    FILE *file = fopen(path, "wb");
    bool good = file && synth_write_y4m(&clip, 2, file);
    return file && !fclose(file) && good;
}

static bool make_files(Files *files)
{
    strcpy(files->folder, "/tmp/fovea-torture-XXXXXX");
    if (!mkdtemp(files->folder))
        return false;
    snprintf(files->ref, sizeof files->ref, "%s/ref.y4m", files->folder);
    snprintf(files->dis, sizeof files->dis, "%s/dis.y4m", files->folder);
    for (int f = 0; f < FORMS; f++)
        snprintf(files->report[f], sizeof files->report[f], "%s/report.%s", files->folder, forms[f]);
    return write_clip(files->ref, SYNTH_REF) && write_clip(files->dis, SYNTH_MIX);
}

/* Removes the folder, which must be empty. If the library left a file, rmdir() fails, and so does the last case. */
static bool remove_files(const Files *files)
{
    unlink(files->ref);
    unlink(files->dis);
    return !rmdir(files->folder);
}

static bool failed_in_report; /* scoring succeeded, so a failure can only come from stills or reports */

static FvStatus take_map(void *opaque, const FvMap *map, FvError *error)
{
    uint64_t *sum = opaque;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            uint32_t bits;
            memcpy(&bits, &map->data[y * map->stride + x], sizeof bits);
            *sum = *sum * 31 + bits;
        }
    return FV_OK;
}

static bool stills;

/* Computes maps of one pair that are copied to the host, and maps that stay on the device, with reused tables and
 * with new ones. */
static FvStatus show_stills(uint64_t *maps, FvError *error)
{
    FvFormat format = {.width = 41, .height = 24, .chroma = FV_CHROMA_400, .depth = 8};
    FvFrame *frames[2] = {NULL, NULL};
    FvStill *still = NULL;
    FvMap map;
    FvDeviceMap left;
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++)
        if (!(status = fv_frame_alloc(&frames[i], &format, error)))
            for (int y = 0; y < format.height; y++)
                for (int x = 0; x < format.width; x++)
                    frames[i]->data[0][y * frames[i]->stride[0] + x] = (uint8_t)(60 + x * y % (7 + i));
    if (!status)
        status = fv_still_open(&still, &(FvStillParams){.threads = 2}, frames[0], frames[1], error);
    if (!status)
        status = fv_still_map(still, "vdm=ppd=30", "jnd", &map, error);
    if (!status)
        status = fv_still_map_on_device(still, "vdm=ppd=30:n=3", "level2", &left, error);
    if (!status)
        status = fv_still_map(still, "vdm=ppd=30:retinal_ppd=20", "probability", &map, error);
    if (!status)
        status = take_map(maps, &map, error);
    fv_still_close(&still);
    fv_frame_unref(&frames[0]);
    fv_frame_unref(&frames[1]);
    return status;
}

static FvStatus score(FvSession *session, const Files *files, FvSource *ref, FvSource *dis, uint64_t *maps,
                      FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; !stills && i < fv_metric_count() && !status; i++)
        status = fv_session_add(session, fv_metric_info(i)->name, error);
    if (stills)
        status = fv_session_add(session, "vdm=temporal=true:ppd=30:retinal_ppd=20", error);
    if (!status) /* adds an option that changes a name, and has a decimal point */
        status = fv_session_add(session, "psnr=min_sse=0.5", error);
    for (int i = 0; i < fv_session_metrics(session) && !status; i++)
        if (fv_session_metric(session, i)->map_count)
            status = fv_session_want_map(
                session, &(FvMapRequest){.metric = i, .map = 0, .on_map = take_map, .opaque = maps}, error);
    if (!status)
        status = fv_score(session, ref, dis, &(FvScoreParams){0}, error);
    failed_in_report = !status;
    if (!status && stills)
        status = show_stills(maps, error);
    for (int f = 0; f < FORMS && !status; f++)
        status = fv_report_write(session, files->report[f], (FvReportFormat)f, error);
    return status ? status : fv_report_write(session, "/dev/null", FV_REPORT_JSON, error);
}

static void take_report(const Files *files, int f, Result *result)
{
    FILE *file = fopen(files->report[f], "rb");
    size_t size = 0;
    if (!file)
        return;
    if (!fseek(file, 0, SEEK_END) && (size = (size_t)ftell(file)) && (result->report[f] = calloc(1, size + 1))) {
        rewind(file);
        if (fread(result->report[f], 1, size, file) != size)
            result->report[f][0] = 0;
    }
    fclose(file);
    unlink(files->report[f]);
}

/* Returns whether a report written after a failed run does not state that it is partial. */
static bool hides_failure(FvSession *session, const Files *files)
{
    char path[128], text[400] = "";
    snprintf(path, sizeof path, "%s/failed.json", files->folder);
    if (fv_report_write(session, path, FV_REPORT_JSON, NULL))
        return false;
    FILE *file = fopen(path, "rb");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = 0;
        fclose(file);
    }
    unlink(path);
    return !strstr(text, "\"partial\": true");
}

static void run(const Files *files, int threads, long failing, Result *result)
{
    FvSource *ref = NULL, *dis = NULL;
    FvSession *session = NULL;
    FvError *error = &result->error;
    FvSessionParams params = {.device = "cpu", .threads = threads, .in_flight = 2};
    *result = (Result){0};
    calls = 0;
    countdown = failing;
    counting = true;
    FvStatus status = fv_source_open(&ref, &(FvSourceParams){.path = files->ref}, error);
    if (!status)
        status = fv_source_open(&dis, &(FvSourceParams){.path = files->dis}, error);
    if (!status)
        status = fv_session_open(&session, &params, error);
    if (!status)
        status = score(session, files, ref, dis, &result->maps, error);
    for (int i = 0; !status && i < fv_session_outputs(session) && i < MOST_POOLED; i++)
        for (FvPool pool = 0; pool < FV_POOL_COUNT; pool++)
            result->pooled[i][pool] = fv_session_pool(session, i, pool);
    counting = false;
    result->looks_whole = status && session && !failed_in_report && hides_failure(session, files);
    counting = true;
    fv_session_close(&session);
    fv_source_close(&dis);
    fv_source_close(&ref);
    counting = false;
    result->status = status;
    for (int f = 0; f < FORMS; f++)
        take_report(files, f, result);
}

static void free_result(Result *result)
{
    for (int f = 0; f < FORMS; f++)
        free(result->report[f]);
}

/* Returns whether every written report is complete, and all were written if nothing failed. */
static bool reports_are_whole(const Result *result, const Result *want)
{
    for (int f = 0; f < FORMS; f++)
        if (result->report[f] ? strcmp(result->report[f], want->report[f]) != 0 : !result->status)
            return false;
    return true;
}

/* Runs with failure n. Returns false if there were fewer than n calls. */
static bool fail_one(Tap *tap, const Files *files, int threads, long n, const Result *want)
{
    char name[64], why[1200];
    Result got;
    run(files, threads, n, &got);
    if (countdown > 0) {
        free_result(&got);
        return false;
    }
    bool harmless = !got.status && got.maps == want->maps && !memcmp(got.pooled, want->pooled, sizeof got.pooled);
    bool refused = got.status > FV_END && *got.error.message && got.error.status == got.status;
    bool whole = reports_are_whole(&got, want) && !got.looks_whole;
    snprintf(name, sizeof name, "%d threads, failure %ld%s", threads, n, only_threads ? " to start a thread" : "");
    snprintf(why, sizeof why, "status %d, %s, message '%s'", got.status,
             whole ? "other pooled values" : "a report is not the one expected", got.error.message);
    tap_case(tap, (harmless || refused) && whole, name, why);
    free_result(&got);
    return true;
}

int main(int argc, char **argv)
{
    Tap tap = {0};
    Files files;
    Result want;
    setvbuf(stdout, NULL, _IOLBF, 0);
    long each = 1;
    for (int i = 1; i < argc; i++) {
        stills |= !strcmp(argv[i], "--stills");
        if (!strcmp(argv[i], "--each") && i + 1 < argc)
            each = strtol(argv[++i], NULL, 10);
    }
    if (!make_files(&files)) {
        tap_case(&tap, false, "set-up", "the clips cannot be written");
        return tap_done(&tap);
    }
    const long first = 1 + time(NULL) % each;
    run(&files, 1, 0, &want);
    tap_case(&tap, !want.status && reports_are_whole(&want, &want), "set-up", want.error.message);
    for (long n = first; !want.status && fail_one(&tap, &files, 1, n, &want);)
        n += each;
    /* With two threads the calls are the same in another order, so a third of them suffices, and each thread. */
    for (long n = first; !want.status && fail_one(&tap, &files, 2, n, &want);)
        n += 3 * each;
    only_threads = true;
    for (long n = 1; !want.status && fail_one(&tap, &files, 2, n, &want);)
        n++;
    tap_case(&tap, remove_files(&files), "nothing is left in the folder", files.folder);
    free_result(&want);
    return tap_done(&tap);
}
