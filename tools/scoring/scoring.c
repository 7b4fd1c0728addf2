#include "scoring/scoring.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "cli/stop.h"
#include "scoring/choice.h"
#include "scoring/videos.h"

static bool is_usual(const Options *options)
{
    return !options->metrics.count && !options->run.model_count;
}

static bool are_pictures(const Options *options)
{
    bool good = fv_is_picture(options->reference) && (options->encodes.count || fv_is_picture(options->distorted));
    for (int i = 0; i < options->encodes.count; i++)
        good = good && fv_is_picture(options->encodes.items[i]);
    return good;
}

/* Sets the run's parameters from the options and the two files. */
static FvStatus settle(Opened *opened, const Options *options, const char *device)
{
    FvError error = {0};
    FvRunParams *run = &opened->run;
    int metrics, taking;
    *run = options->run;
    for (int side = 0; side < 2; side++) {
        run->source[side].path = side ? options->distorted : options->reference;
        run->source[side].scored_on = device;
        run->source[side].cancel = opened->cancel;
    }
    const bool pictures = are_pictures(options);
    choice_count(options, pictures, &metrics, &taking);
    FvStatus status = report_error_if(fv_run_settle(run, metrics, taking, pictures, &error), &error);
    for (int side = 0; side < 2 && options->draws_ycbcr; side++)
        if (run->source[side].rgb == FV_RGB_KEEP)
            run->source[side].rgb = FV_RGB_BOTH;
    return status;
}

static FvStatus add_usual(const Opened *opened, bool allow_hdr)
{
    FvError error = {0};
    return report_error_if(fv_score_add_default(opened->session, opened->source[0], opened->source[1],
                                                &opened->run.score, allow_hdr, &error),
                           &error);
}

static FvStatus add_metrics(FvSession *session, const Options *options, bool usual)
{
    if (usual && !options->reference)
        return report_error(FV_FAIL_MISSING_VIDEO,
                            "the reference is missing: add -r FILE, or choose a metric that works without one with "
                            "--metric; 'fovea metrics' lists all");
    FvStatus status = choice_add(session, options);
    if (status == FV_OK && !options->reference)
        status = choice_allows_no_reference(session);
    return status;
}

/* Finds mistakes in the metrics before a driver is loaded and a device opened. */
static FvStatus try_metrics(const Options *options, const char *device, bool usual)
{
    FvSession *trial = NULL;
    FvError error = {0};
    if (device && !strcmp(device, "cpu"))
        return FV_OK;
    FvStatus status = fv_session_open(&trial, &(FvSessionParams){.device = "cpu", .threads = 1}, &error);
    if (status != FV_OK)
        return report_error_if(status, &error);
    status = add_metrics(trial, options, usual);
    fv_session_close(&trial);
    return status;
}

/* ---- The videos at once -------------------------------------------------------------------------------------- */

typedef struct SourceOpening {
    Opened *opened;
    int side;
    FvStatus status;
    FvError error;
} SourceOpening;

static void *open_source(void *argument)
{
    SourceOpening *opening = argument;
    Opened *opened = opening->opened;
    opening->status =
        fv_source_open(&opened->source[opening->side], &opened->run.source[opening->side], &opening->error);
    return NULL;
}

/* Anything but a regular file may block for long, while another file may be missing. */
static bool is_file(const char *path)
{
    struct stat status;
    return path && !stat(path, &status) && S_ISREG(status.st_mode);
}

/* Finds black bars: reads each file for which --crop is auto to its end. */
static FvStatus find_bars(Opened *opened)
{
    FvRunParams *run = &opened->run;
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int side = run->source[0].path ? 0 : 1; side < 2 && !status; side++)
        if (run->bars[side])
            status = fv_find_bars(&run->score.crop[side], &run->source[side], &error);
    return report_error_if(status, &error);
}

static FvStatus open_sources(Opened *opened, const Options *options)
{
    SourceOpening opening[2] = {{.opened = opened, .side = 0}, {.opened = opened, .side = 1}};
    const bool own = options->reference && !opened->shared;
    const bool both = own && is_file(options->reference) && is_file(options->distorted);
    pthread_t thread;
    if (find_bars(opened))
        return FV_ERROR_INPUT;
    const bool parallel = both && !pthread_create(&thread, NULL, open_source, &opening[1]);
    if (own)
        open_source(&opening[0]);
    else
        opened->source[0] = opened->shared;
    if (parallel)
        pthread_join(thread, NULL);
    else if (!opening[0].status)
        open_source(&opening[1]);
    for (int side = 0; side < 2; side++)
        if (report_error_if(opening[side].status, &opening[side].error))
            return opening[side].status;
    return FV_OK;
}

/* ---- The device and the videos at once ----------------------------------------------------------------------- */

typedef struct VideosOpening {
    Opened *opened;
    const Options *options;
    FvStatus status;
} VideosOpening;

static void *open_videos(void *argument)
{
    VideosOpening *opening = argument;
    opening->status = open_sources(opening->opened, opening->options);
    return NULL;
}

/*
 * Returns whether opening the device takes long: a GPU given by name takes a fifth of a second. "auto" opens its
 * device later, when the videos are known.
 */
static bool opens_slowly(const char *device)
{
    return device && strcmp(device, "cpu") && strcmp(device, "auto");
}

/*
 * Opens the device and the videos at once. This thread opens the device, because NVIDIA's Vulkan takes 12 ms to end a
 * thread that has opened one.
 */
static FvStatus open_both(Opened *opened, const Options *options, const FvSessionParams *params)
{
    VideosOpening videos = {.opened = opened, .options = options};
    FvError error = {0};
    pthread_t thread;
    const bool parallel = opens_slowly(params->device) && !pthread_create(&thread, NULL, open_videos, &videos);
    const FvStatus session = fv_session_open(&opened->session, params, &error);
    if (parallel)
        pthread_join(thread, NULL);
    if (videos.status != FV_OK)
        return videos.status;
    if (session)
        return report_error_if(session, &error);
    FvStatus status = add_metrics(opened->session, options, is_usual(options));
    return status == FV_OK && !parallel ? open_sources(opened, options) : status;
}

/* Warns if the user gives the geometry of raw video but neither video is raw. */
static void check_geometry(const Opened *opened)
{
    const FvRunParams *run = &opened->run;
    const bool any = fv_run_given(run, "width") || fv_run_given(run, "height") || fv_run_given(run, "pixel_format") ||
                     fv_run_given(run, "bitdepth");
    bool takes = run->source[1].reader != NULL;
    for (int side = 0; side < 2; side++) {
        const FvSourceInfo *info = fv_source_info(opened->source[side]);
        takes |= info && (!strcmp(info->reader, "raw") || !strcmp(info->reader, "icpf"));
    }
    if (any && !takes)
        warn("the geometry given is ignored: %s has its own", fv_source_info(opened->source[1])->path);
}

/* Returns the devices that score: those of the option, since shards score on them while the session uses the CPU. */
static const char *scored_on(const Options *options, const FvSessionParams *session)
{
    const char *device = options->run.session.device ? options->run.session.device : session->device;
    return device ? device : "auto";
}

FvStatus scoring_open(Opened *opened, const Options *options, const FvSessionParams *session)
{
    const bool usual = is_usual(options);
    FvStatus status = videos_check(options->reference, options->distorted);
    if (status == FV_OK && !(opened->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = settle(opened, options, scored_on(options, session));
    if (status == FV_OK)
        status = try_metrics(options, session->device, usual);
    if (status != FV_OK)
        return status;
    FvSessionParams params = *session;
    params.cancel = opened->cancel;
    status = open_both(opened, options, &params);
    if (status == FV_OK)
        check_geometry(opened);
    return status == FV_OK && usual ? add_usual(opened, options->run.allow_hdr) : status;
}

/*
 * Returns whether the session may use this device. `name`: a device, or a driver, which stands for its first device;
 * NULL: the library may choose any.
 */
static bool is_meant(const FvDeviceInfo *info, const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return name ? !strncmp(info->name, name, length) && (!info->name[length] || info->name[length] == ':')
                : !info->software && strcmp(info->name, "cpu");
}

int64_t scoring_expects(const Opened *opened)
{
    const FvScoreParams *params = &opened->run.score;
    double seconds = -1, rate = 0;
    for (int side = 0; side < 2; side++) {
        const FvSourceInfo *info = fv_source_info(opened->source[side]);
        if (!info || info->seconds <= 0 || !info->format.rate_den)
            continue;
        rate = (double)info->format.rate_num / info->format.rate_den;
        seconds = seconds < 0 || info->seconds < seconds ? info->seconds : seconds;
    }
    seconds -= seconds < 0 ? 0 : (double)params->start / 1e6;
    return seconds > 0 && rate > 0 && seconds * rate < INT32_MAX ? (int64_t)(seconds * rate + 0.5) : -1;
}

uint64_t scoring_gpu_memory(const Options *options)
{
    const char *name = options->run.session.device && strcmp(options->run.session.device, "auto")
                           ? options->run.session.device
                           : NULL;
    uint64_t memory = 0;
    FvDeviceList *devices;
    if ((name && !strcmp(name, "cpu")) || fv_devices_list(&devices, NULL))
        return 0;
    for (int i = 0; i < fv_devices_count(devices); i++) {
        const FvDeviceInfo *info = fv_devices_info(devices, i);
        if (info->usable && is_meant(info, name) && (!memory || info->memory < memory))
            memory = info->memory;
    }
    fv_devices_close(&devices);
    return memory;
}

FvStatus scoring_open_videos(Opened *opened, const Options *options, const char *device)
{
    FvStatus status = settle(opened, options, device);
    return status ? status : open_sources(opened, options);
}

FvStatus scoring_open_reference(FvSource **reference, const Options *options, const char *device,
                                const FvCancel *cancel)
{
    FvError error = {0};
    Opened opened = {.cancel = cancel};
    FvStatus status = settle(&opened, options, device);
    return status ? status : report_error_if(fv_source_open(reference, &opened.run.source[0], &error), &error);
}

FvStatus scoring_align(Opened *opened, const Options *options)
{
    FvError error = {0};
    FvRunParams *run = &opened->run;
    char how[16];
    if (run->score.align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    fv_run_text(run, "align", how, sizeof how);
    if (!options->reference)
        return report_error(FV_FAIL_MISSING_VIDEO, "--align %s needs a reference: add -r FILE", how);
    for (int side = 0; side < 2; side++) {
        const char *path = run->source[side].path;
        if (videos_come_once(path))
            return report_error(
                FV_FAIL_READ_ONCE,
                "%s can be read only once, and --align %s reads the videos twice: store it in a file first, "
                "or give --align time",
                strcmp(path, "-") ? path : "standard input", how);
    }
    FvStatus status = fv_align(&opened->alignment, &run->source[0], &run->source[1], run->score.align, &error);
    run->score.alignment = opened->alignment;
    return report_error_if(status, &error);
}

void scoring_close(Opened *opened)
{
    if (!opened->shared)
        fv_source_close(&opened->source[0]);
    fv_source_close(&opened->source[1]);
    fv_session_close(&opened->session);
    fv_alignment_close(&opened->alignment);
}
