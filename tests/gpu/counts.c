/*
 * Counts the work of each metric on a GPU for a clip, with a driver that computes nothing: kernel launches, command
 * lists, bytes over the bus in each direction, and allocations, for every origin of frames. A count that grows by
 * more than 2 % fails. On any machine, this reveals batches that shrink, frames that are uploaded twice, and memory
 * that is allocated again.
 *
 *     test-gpu-counts LIST [--renew]
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clip/synth.h"
#include "codec/prores/maker.h"
#include "fail/counts.h"
#include "fail/driver.h"
#include "fail/fault.h"
#include "fovea/fovea.h"
#include "tap/tap.h"

enum { WIDTH = 352, HEIGHT = 288, FRAMES = 48 };

/* The format of resident frames, which fill batches by their size. Nothing reads their samples. */
static const FvFormat large = {
    .width = 3840, .height = 2160, .chroma = FV_CHROMA_420, .depth = 10, .rate_num = 25, .rate_den = 1};

typedef enum Way { PUSHED, RESIDENT, RAW, DECODED, PACKETS, WAYS } Way;

static const char *const way_names[WAYS] = {"pushed", "resident", "raw", "decoded", "packets"};

static const SynthClip clip = {WIDTH, HEIGHT, FV_CHROMA_420, 8, 5, SYNTH_MIX, {0}};
static FvFrame *frames[FRAMES][2]; /* the clip, in frames of each side's own */
static char folder[] = "/tmp/fovea-counts-XXXXXX", raw[64], packets[64];

/* ---- Clips ----------------------------------------------------------------------------------------------------- */

static bool write_packets(void)
{
    const FvProresShape shape = {.width = WIDTH, .height = HEIGHT, .log2_slice = 3, .coefficients = 2, .greatest = 9};
    FvProresMaker maker = {.random = 5};
    fv_prores_maker_frame(&maker, &shape);
    FILE *file = fopen(packets, "wb");
    bool good = file != NULL;
    for (int i = 0; i < FRAMES && good; i++)
        good = fwrite(maker.bytes, 1, maker.used, file) == maker.used;
    fv_prores_maker_free(&maker);
    return file && !fclose(file) && good;
}

static bool set_up(void)
{
    if (!mkdtemp(folder))
        return false;
    setenv("XDG_CACHE_HOME", folder, 1);
    snprintf(raw, sizeof raw, "%s/clip.y4m", folder);
    snprintf(packets, sizeof packets, "%s/clip.icpf", folder);
    FILE *file = fopen(raw, "wb");
    bool good = file && synth_write_y4m(&clip, FRAMES, file);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < 2; k++)
            good &= (frames[i][k] = synth_frame(&clip, i)) != NULL;
    return file && !fclose(file) && good && write_packets();
}

static void tear_down(void)
{
    unlink(raw);
    unlink(packets);
    rmdir(folder);
    for (int i = 0; i < FRAMES; i++)
        for (int k = 0; k < 2; k++)
            fv_frame_unref(&frames[i][k]);
}

/* ---- Runs ------------------------------------------------------------------------------------------------------ */

static FvStatus push_all(FvSession *session, bool resident, FvError *error)
{
    const FvFormat format = resident ? large : synth_format(&clip);
    FvStatus status = fv_session_start(session, &format, &format, error);
    for (int i = 0; i < FRAMES && !status; i++) {
        FvFrame *pair[2] = {NULL, NULL};
        for (int k = 0; k < 2 && resident && !status; k++)
            status = fv_session_frame(session, &pair[k], &format, FV_MEMORY_DEVICE, error);
        FvFrame *const *pushed = resident ? pair : frames[i];
        if (!status)
            status = fv_session_push(session, i, pushed[0], pushed[1], error);
        fv_frame_unref(&pair[0]);
        fv_frame_unref(&pair[1]);
    }
    return status ? status : fv_session_finish(session, error);
}

/* Scores files. libav's reader counts as decoding for every codec, even raw video. */
static FvStatus score_files(FvSession *session, Way way, FvError *error)
{
    const FvSourceParams params = {
        .path = way == PACKETS ? packets : raw, .reader = way == DECODED ? "libav" : NULL, .threads = 1};
    FvSource *source[2] = {NULL, NULL};
    FvStatus status = FV_OK;
    for (int i = 0; i < 2 && !status; i++)
        status = fv_source_open(&source[i], &params, error);
    if (!status)
        status = fv_score(session, source[0], source[1], &(FvScoreParams){0}, error);
    fv_source_close(&source[0]);
    fv_source_close(&source[1]);
    return status;
}

/* Counts the launches, copied bytes and allocations of one run, from opening its session to closing it. */
static FvStatus count(const char *metric, Way way, FakeCounts *counts, FvError *error)
{
    FvSession *session = NULL;
    failing_fake.reset(true);
    fault_arm(FAULT_MEMORY, 0);
    fake_counts = (FakeCounts){0};
    FvStatus status = fv_session_open(&session, &(FvSessionParams){.device = "fake", .threads = 1}, error);
    if (!status)
        status = fv_session_add(session, metric, error);
    if (!status)
        status = way == PUSHED || way == RESIDENT ? push_all(session, way == RESIDENT, error)
                                                  : score_files(session, way, error);
    fv_session_close(&session);
    *counts = fake_counts;
    return status;
}

/* ---- The list -------------------------------------------------------------------------------------------------- */

static bool is_more(int64_t count, int64_t listed)
{
    return count * 50 > listed * 51;
}

static bool any_more(const FakeCounts *a, const FakeCounts *b)
{
    return is_more(a->launches, b->launches) || is_more(a->lists, b->lists) || is_more(a->uploaded, b->uploaded) ||
           is_more(a->read, b->read) || is_more(a->allocations, b->allocations);
}

static int print_counts(char *text, size_t size, const FakeCounts *counts)
{
    return snprintf(text, size, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64, counts->launches,
                    counts->lists, counts->uploaded, counts->read, counts->allocations);
}

static void check(Tap *tap, const char *name, const FakeCounts *listed, const FakeCounts *got)
{
    char now[128], before[128], why[400];
    print_counts(now, sizeof now, got);
    print_counts(before, sizeof before, listed);
    snprintf(why, sizeof why, "launches, lists, bytes up, bytes down, allocations: %s, listed %s", now, before);
    tap_case(tap, !any_more(got, listed), name, why);
    if (any_more(listed, got))
        printf("# %s takes less, %s: commit the new list (--renew)\n", name, now);
}

#define MOST 256

typedef struct Entry {
    char name[96]; /* metric and origin of frames, such as "psnr raw" */
    FakeCounts counts;
    bool used;
} Entry;

typedef struct List {
    Entry entry[MOST];
    int count;
} List;

static bool read_list(List *list, FILE *file)
{
    char line[256], metric[64], way[16];
    while (fgets(line, sizeof line, file)) {
        Entry *entry = &list->entry[list->count];
        FakeCounts *counts = &entry->counts;
        if (*line == '#')
            continue;
        if (sscanf(line, "%63s %15s %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, metric, way,
                   &counts->launches, &counts->lists, &counts->uploaded, &counts->read, &counts->allocations) != 7 ||
            ++list->count == MOST)
            return false;
        snprintf(entry->name, sizeof entry->name, "%s %s", metric, way);
    }
    return true;
}

static Entry *find(List *list, const char *name)
{
    for (int i = 0; i < list->count; i++)
        if (!strcmp(list->entry[i].name, name))
            return &list->entry[i];
    return NULL;
}

/* Compares the counts of a metric with the list, which lacks metrics that do not accept frames of this origin. */
static void compare_one(Tap *tap, List *list, const char *metric, Way way)
{
    char name[96];
    FvError error = {0};
    FakeCounts got;
    snprintf(name, sizeof name, "%s %s", metric, way_names[way]);
    Entry *entry = find(list, name);
    const FvStatus status = count(metric, way, &got, &error);
    if (entry)
        entry->used = true;
    if (status && way == DECODED && strstr(error.message, "this build"))
        tap_skip(tap, name, error.message);
    else if (status && entry)
        tap_case(tap, false, name, error.message);
    else if (!status && got.launches && !entry)
        tap_case(tap, false, name, "the list lacks it (--renew)");
    else if (entry)
        check(tap, name, &entry->counts, &got);
}

static bool renew_one(FILE *list, const char *metric, Way way)
{
    FakeCounts counts;
    FvError error = {0};
    char text[128];
    if (count(metric, way, &counts, &error))
        return printf("# %s %s: %s\n", metric, way_names[way], error.message) > 0;
    print_counts(text, sizeof text, &counts);
    return !counts.launches || fprintf(list, "%s %s %s\n", metric, way_names[way], text) > 0;
}

/* Returns the i-th metric with its defaults, then VMAF with its other model, then NULL. */
static const char *metric_at(int i)
{
    const FvMetricInfo *info = fv_metric_info(i);
    return info ? info->name : i == fv_metric_count() ? "vmaf=version=vmaf_v0.6.1" : NULL;
}

static bool compare(Tap *tap, FILE *file)
{
    static List list;
    if (!read_list(&list, file))
        return false;
    for (int i = 0; metric_at(i); i++)
        for (Way way = 0; way < WAYS; way++)
            compare_one(tap, &list, metric_at(i), way);
    for (int i = 0; i < list.count; i++)
        if (!list.entry[i].used)
            tap_case(tap, false, list.entry[i].name, "no metric and way has this name");
    return true;
}

static bool renew(FILE *list)
{
    bool good = fputs("# For 48 frames of 352x288 (resident: 3840x2160, 10 bits): launches, command lists, bytes up, "
                      "bytes down,\n# allocations. tests/gpu/counts.c\n",
                      list) >= 0;
    for (int i = 0; metric_at(i); i++)
        for (Way way = 0; way < WAYS; way++)
            good &= renew_one(list, metric_at(i), way);
    return good;
}

int main(int argc, char **argv)
{
    Tap tap = {0};
    const bool writes = argc == 3 && !strcmp(argv[2], "--renew");
    if (argc != 2 && !writes)
        return 2;
    FILE *list = fopen(argv[1], writes ? "w" : "r");
    const bool good = list && set_up() && (writes ? renew(list) : compare(&tap, list));
    if (!list || fclose(list) || !good)
        tap_case(&tap, false, argv[1], "the list cannot be read or written");
    tear_down();
    return writes ? !good : tap_done(&tap);
}
