/*
 * Scores golden cases through the public interface and compares bits. By default, every case that is not slow runs
 * once, with alternating instruction sets and numbers of threads. With --every-isa, each case runs on every
 * instruction set, but on plain C only one of sixteen does. With --full, slow cases run, too. With --share N, every
 * N-th case runs, from a random one on. With --device, the device computes every case, and a case that it leaves to
 * the CPU fails unless --cpu names it.
 */
#include <getopt.h>
#include <inttypes.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/isa.h"
#include "golden.h"
#include "session/state.h"
#include "tap/tap.h"

static const int thread_counts[] = {1, 2, 3, 8};
#define THREAD_COUNTS (int)(sizeof thread_counts / sizeof *thread_counts)

typedef struct Settings {
    const char *device; /* NULL: the CPU, with every instruction set */
    const char *isa;    /* NULL: all instruction sets */
    const char *data;   /* folder of test video, or NULL */
    bool full, every_isa;
    int share, left; /* compares one of `share` cases; `left` precede the next one */
    regex_t filter, cpu;
    bool filtered;
    bool some_on_cpu; /* `cpu` names the cases that the device leaves to the CPU */
} Settings;

/* Frames of a case, which are read once for all runs. */
typedef struct Clip {
    FvFrame **frames;
    int count;
} Clip;

static void clip_free(Clip *clip)
{
    for (int i = 0; i < clip->count; i++)
        fv_frame_unref(&clip->frames[i]);
    free(clip->frames);
    *clip = (Clip){0};
}

static FvStatus clip_read(Clip *clip, const GoldenClip *golden, const char *folder, FvError *error)
{
    GoldenReader reader;
    *clip = (Clip){.frames = calloc(golden->frames, sizeof(FvFrame *))};
    FvStatus status = golden_reader_open(&reader, golden, folder, error);
    while (!status && clip->count < golden->frames) {
        status = golden_reader_next(&reader, &clip->frames[clip->count], error);
        clip->count += !status;
    }
    golden_reader_close(&reader);
    return status;
}

/* Returns the output of this name or, if only one output has this name before a suffix of options, that output; -1:
 * none. */
static int find_output(const FvSession *session, const char *name)
{
    int found = -1;
    size_t length = strlen(name);
    for (int i = 0; i < fv_session_outputs(session); i++) {
        const char *candidate = fv_session_output(session, i)->name;
        if (!strcmp(candidate, name))
            return i;
        if (!strncmp(candidate, name, length) && candidate[length] == '_')
            found = found == -1 ? i : -2;
    }
    return found;
}

static bool compare(const GoldenCase *golden, const FvSession *session, int frame, const GoldenValues *expected,
                    char *why, size_t size)
{
    for (int i = 0; i < expected->count; i++) {
        const GoldenValue *want = &expected->value[i];
        int output = find_output(session, want->output);
        if (output < 0) {
            snprintf(why, size, "there is no output %s", want->output);
            return false;
        }
        double value = fv_session_value(session, frame, output);
        if (!golden_equal(golden, want->value, value)) {
            snprintf(why, size, "frame %d: %s is %a (%.17g), expected %a (%.17g)", frame, want->output, value, value,
                     want->value, want->value);
            return false;
        }
    }
    return true;
}

/* The map of a case, whose hashes come in frame order. */
typedef struct Hashes {
    int64_t last; /* number of the last frame */
    GoldenMap map;
} Hashes;

/* Adds the hash of a map, as golden.h defines it. */
static FvStatus hash_map(void *opaque, const FvMap *map, FvError *error)
{
    uint64_t hash = 0xcbf29ce484222325;
    for (int y = 0; y < map->height; y++)
        for (int x = 0; x < map->width; x++) {
            float value = map->data[y * map->stride + x] + 0.0f;
            uint32_t bits;
            memcpy(&bits, &value, sizeof bits);
            for (int i = 0; i < 32; i += 8)
                hash = (hash ^ (bits >> i & 0xff)) * 0x100000001b3;
        }
    Hashes *hashes = opaque;
    hashes->map.hash[hashes->map.count++] = hash;
    return FV_OK;
}

static bool is_compared(void *opaque, int64_t number)
{
    const Hashes *hashes = opaque;
    return number == 0 || number == hashes->last;
}

static FvStatus want_map(FvSession *session, Hashes *hashes, FvError *error)
{
    const FvMetricInfo *info = fv_session_metric(session, 0);
    FvMapRequest request = {.filter = is_compared, .on_map = hash_map, .opaque = hashes};
    while (request.map < info->map_count && strcmp(info->maps[request.map].name, hashes->map.name))
        request.map++;
    return fv_session_want_map(session, &request, error);
}

/* Scores a case. hashes: receives the hashes of the case's map; NULL if the case has none. */
static FvStatus score(FvSession *session, const GoldenCase *golden, const Clip *ref, const Clip *dis, Hashes *hashes,
                      FvError *error)
{
    FvStatus status = fv_session_add(session, golden->metric, error);
    if (!status && hashes)
        status = want_map(session, hashes, error);
    if (!status)
        status =
            fv_session_start(session, ref->count ? &ref->frames[0]->format : NULL, &dis->frames[0]->format, error);
    for (int i = 0; i < dis->count && !status; i++)
        status = fv_session_push(session, i, i < ref->count ? ref->frames[i] : NULL, dis->frames[i], error);
    return status ? status : fv_session_finish(session, error);
}

/* Returns whether the device computed the case, or the CPU did if --cpu names the case. */
static bool computed_there(const GoldenCase *golden, const FvSession *session, const Settings *settings, char *why,
                           size_t size)
{
    char by[64];
    bool leaves = settings->some_on_cpu && !regexec(&settings->cpu, golden->name, 0, NULL, 0);
    const char *want = leaves ? "cpu" : session->devices.opened[0]->ops->kind;
    fv_session_metric_devices(session, 0, by, sizeof by);
    snprintf(why, size, "computed by %s instead of %s: %s", by, want,
             fv_session_decisions(session) ? fv_session_decision(session, 0) : "nobody says why");
    return !strcmp(by, want);
}

static bool judge(const GoldenCase *golden, const FvSession *session, FvStatus status, const FvError *error,
                  const Settings *settings, char *why, size_t size)
{
    if (golden->refuse) {
        bool refused = status == FV_ERROR_USAGE || status == FV_ERROR_INPUT;
        snprintf(why, size, "must be refused with a message and without a score: status %d, %d frames, message '%s'",
                 status, (int)fv_session_frames(session), error->message);
        return refused && *error->message && !fv_session_frames(session);
    }
    if (status) {
        snprintf(why, size, "%s", error->message);
        return false;
    }
    if (settings->device && !computed_there(golden, session, settings, why, size))
        return false;
    if (fv_session_frames(session) != golden->dis.frames) {
        snprintf(why, size, "%d frames were scored instead of %d", (int)fv_session_frames(session),
                 golden->dis.frames);
        return false;
    }
    for (int i = 0; i < golden->dis.frames && golden->frames; i++)
        if (!compare(golden, session, i, &golden->frames[i], why, size))
            return false;
    return compare(golden, session, 0, &golden->clip, why, size);
}

static bool judge_maps(const GoldenMap *want, const GoldenMap *map, char *why, size_t size)
{
    for (int i = 0; i < want->count; i++)
        if (i >= map->count || map->hash[i] != want->hash[i]) {
            snprintf(why, size, "map %s of the %s frame has the hash %016" PRIx64 ", expected %016" PRIx64,
                     want->name, i ? "last" : "first", i < map->count ? map->hash[i] : 0, want->hash[i]);
            return false;
        }
    return true;
}

static void run_once(Tap *tap, const GoldenCase *golden, const Clip *ref, const Clip *dis, const Settings *settings,
                     const FvSessionParams *params)
{
    char name[256], why[1400] = "";
    snprintf(name, sizeof name, "%s %s %d threads", golden->name, params->isa ? params->isa : params->device,
             params->threads);
    FvError error = {0};
    FvSession *session = NULL;
    FvStatus status = fv_session_open(&session, params, &error);
    /* test-gpu compares maps that a GPU computes. */
    bool mapped = *golden->map.name && !settings->device;
    Hashes hashes = {golden->map.count > 1 ? golden->dis.frames - 1 : 0, golden->map};
    hashes.map.count = 0;
    if (!status)
        status = score(session, golden, ref, dis, mapped ? &hashes : NULL, &error);
    bool good = judge(golden, session, status, &error, settings, why, sizeof why);
    good = good && (!mapped || judge_maps(&golden->map, &hashes.map, why, sizeof why));
    tap_case(tap, good, name, why);
    fv_session_close(&session);
}

/* Lists the usable instruction sets that the settings allow. Returns their number. */
static int list_isas(const Settings *settings, const char *isas[])
{
    int count = 0;
    for (int isa = 0; isa < FV_ISA_COUNT; isa++)
        if (settings->isa ? !strcmp(settings->isa, fv_isa_name(isa)) : fv_isa_usable(isa))
            isas[count++] = fv_isa_name(isa);
    return count;
}

/*
 * Returns whether a case does not run on an instruction set. Plain C, the first set, takes five times as long as all
 * others together, and test-parity compares it with them, so it runs one case of sixteen. Slow cases run only on the
 * last set, the widest. Unless each case runs on every set, the other sets take turns.
 */
static bool is_left_out(const Settings *settings, bool slow, int isa, int count, int turn)
{
    if (settings->isa)
        return false;
    if (settings->full || settings->every_isa)
        return isa < count - 1 && (slow || (!isa && turn % 16));
    return isa != (turn % 16 && count > 1 ? 1 + turn % (count - 1) : 0);
}

static void run_all(Tap *tap, const GoldenCase *golden, const Clip *ref, const Clip *dis, const Settings *settings,
                    int turn)
{
    const char *isas[FV_ISA_COUNT];
    if (settings->device) {
        run_once(tap, golden, ref, dis, settings, &(FvSessionParams){.device = settings->device, .threads = 2});
        return;
    }
    int count = list_isas(settings, isas);
    for (int isa = 0; isa < count; isa++) {
        if (is_left_out(settings, golden_slow(golden), isa, count, turn))
            continue;
        run_once(tap, golden, ref, dis, settings,
                 &(FvSessionParams){
                     .device = "cpu", .isa = isas[isa], .threads = thread_counts[(turn + isa) % THREAD_COUNTS]});
    }
}

static void run_case(Tap *tap, const GoldenCase *golden, const Settings *settings, int turn)
{
    if (golden_slow(golden) && !settings->full)
        return;
    if ((*golden->dis.file || *golden->ref.file) && !settings->data) {
        tap_skip(tap, golden->name, "it needs a file of ../shared/data");
        return;
    }
    FvError error = {0};
    Clip ref = {0}, dis = {0};
    FvStatus status = clip_read(&dis, &golden->dis, settings->data, &error);
    if (!status && golden->ref.present)
        status = clip_read(&ref, &golden->ref, settings->data, &error);
    if (status)
        tap_case(tap, false, golden->name, error.message);
    else
        run_all(tap, golden, &ref, &dis, settings, turn);
    clip_free(&ref);
    clip_free(&dis);
}

static void run_file(Tap *tap, const char *path, Settings *settings)
{
    GoldenFile golden = {0};
    if (!golden_read(&golden, path))
        tap_case(tap, false, path, "cannot be read");
    for (int i = 0; i < golden.count; i++) {
        if (settings->filtered && regexec(&settings->filter, golden.cases[i].name, 0, NULL, 0))
            continue;
        if (!settings->left)
            run_case(tap, &golden.cases[i], settings, i);
        settings->left = (settings->left + settings->share - 1) % settings->share;
    }
    golden_free(&golden);
}

static int usage(void)
{
    fputs("usage: test-golden [--every-isa | --full] [--isa NAME] [--device NAME [--cpu REGEX]] [--data FOLDER] "
          "[--filter REGEX] [--share NUMBER] FILE.vec...\n",
          stderr);
    return 2;
}

int main(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"every-isa", no_argument, NULL, 'e'},
        {"full", no_argument, NULL, 'f'},
        {"isa", required_argument, NULL, 'i'},
        {"device", required_argument, NULL, 'd'},
        {"data", required_argument, NULL, 'D'},
        {"filter", required_argument, NULL, 'r'},
        {"cpu", required_argument, NULL, 'c'},
        {"share", required_argument, NULL, 'n'},
        {0},
    };
    Settings settings = {.share = 1};
    for (int c; (c = getopt_long(argc, argv, "", long_options, NULL)) != -1;) {
        if (c == 'e')
            settings.every_isa = true;
        else if (c == 'f')
            settings.full = true;
        else if (c == 'i')
            settings.isa = optarg;
        else if (c == 'd')
            settings.device = optarg;
        else if (c == 'D')
            settings.data = access(optarg, R_OK) ? NULL : optarg;
        else if (c == 'r' && !regcomp(&settings.filter, optarg, REG_EXTENDED | REG_NOSUB))
            settings.filtered = true;
        else if (c == 'c' && !regcomp(&settings.cpu, optarg, REG_EXTENDED | REG_NOSUB))
            settings.some_on_cpu = true;
        else if (c == 'n' && atoi(optarg) > 0)
            settings.share = atoi(optarg);
        else
            return usage();
    }
    if (optind == argc)
        return usage();
    settings.left = (int)(time(NULL) % settings.share);
    Tap tap = {0};
    setvbuf(stdout, NULL, _IOLBF, 0); /* keeps the output before a crash */
    for (; optind < argc; optind++)
        run_file(&tap, argv[optind], &settings);
    if (settings.filtered)
        regfree(&settings.filter);
    if (settings.some_on_cpu)
        regfree(&settings.cpu);
    return tap_done(&tap);
}
