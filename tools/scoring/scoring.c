#include "scoring/scoring.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/message.h"
#include "scoring/choice.h"
#include "scoring/geometry.h"
#include "scoring/model.h"
#include "scoring/pairing.h"
#include "cli/stop.h"
#include "scoring/videos.h"

static bool is_usual(const Options *options)
{
    return !options->metrics.count && !options->models.count;
}

static FvStatus source_params(Opened *opened, const Options *options, const FvFormat *raw, const char *device)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && status == FV_OK; side++) {
        opened->source_params[side] =
            (FvSourceParams){.path = side ? options->distorted : options->reference,
                             .reader = options->reader_of[side] ? options->reader_of[side] : options->reader,
                             .raw = *raw,
                             .raw_layout = geometry_layout(options),
                             .threads = options_source_threads(options),
                             .decoder = options->decoder,
                             .scored_on = device,
                             .cancel = opened->cancel};
        status = pairing_tags(options, side, &opened->source_params[side]);
    }
    return status;
}

static FvStatus add_usual(const Opened *opened, bool allow_hdr)
{
    FvError error = {0};
    return complain_if(
        fv_score_add_usual(opened->session, opened->source[0], opened->source[1], &opened->params, allow_hdr, &error),
        &error);
}

static FvStatus choose_params(FvScoreParams *params, const Options *options)
{
    *params = (FvScoreParams){.shortest = options->shortest,
                              .ignore_rate = options->ignore_rate,
                              .ignore_range = options->ignore_range,
                              .ignore_colour = options->ignore_colour,
                              .ignore_fields = options->ignore_fields,
                              .fields = options->fields,
                              .strict = options->strict,
                              .subsample = (int)options->subsample,
                              .frames = options->frames,
                              .skip_reference = options->skip[0],
                              .skip_distorted = options->skip[1]};
    for (int i = 0; options->align && options_alignments[i]; i++)
        if (!strcmp(options->align, options_alignments[i]))
            params->align = (FvAlignMode)i;
    FvStatus status = pairing_params(options, params);
    if (status == FV_OK && params->align &&
        (params->skip_reference || params->skip_distorted || params->start || params->duration))
        return complain(FV_ERROR_USAGE,
                        "--align %s chooses the frames: leave out --frame-skip-ref, --frame-skip-dist, --start and "
                        "--duration, or pair by index",
                        options->align);
    return status;
}

static FvStatus add_metrics(FvSession *session, const Options *options, bool usual)
{
    if (usual && !options->reference)
        return complain(FV_ERROR_USAGE,
                        "the reference is missing: add -r FILE, or choose a metric that works without one with "
                        "--metric; 'fovea metrics' lists all");
    FvStatus status = choice_add(session, options);
    if (status == FV_OK)
        status = model_add(session, &options->models, options->allow_hdr);
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
        return complain_if(status, &error);
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
        fv_source_open(&opened->source[opening->side], &opened->source_params[opening->side], &opening->error);
    return NULL;
}

/* Anything but a regular file may block for long, while another file may be missing. */
static bool is_file(const char *path)
{
    struct stat status;
    return path && !stat(path, &status) && S_ISREG(status.st_mode);
}

static FvStatus open_sources(Opened *opened, const Options *options)
{
    SourceOpening opening[2] = {{.opened = opened, .side = 0}, {.opened = opened, .side = 1}};
    const bool own = options->reference && !opened->shared;
    const bool both = own && is_file(options->reference) && is_file(options->distorted);
    FvStatus status = FV_OK;
    pthread_t thread;
    for (int side = options->reference ? 0 : 1; side < 2 && !status; side++)
        status = pairing_find_bars(options, side, &opened->source_params[side], &opened->params.crop[side]);
    if (status)
        return status;
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
        if (complain_if(opening[side].status, &opening[side].error))
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

/* A GPU given by name takes a fifth of a second to open. "auto" opens one later, when the videos are known. */
static bool opens_slowly(const char *device)
{
    return device && strcmp(device, "cpu") && strcmp(device, "auto");
}

/* This thread opens the device: NVIDIA's Vulkan takes 12 ms to release a thread that opened one and then ends. */
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
        return complain_if(session, &error);
    FvStatus status = add_metrics(opened->session, options, is_usual(options));
    return status == FV_OK && !parallel ? open_sources(opened, options) : status;
}

FvStatus scoring_open(Opened *opened, const Options *options, const FvSessionParams *session)
{
    FvFormat raw;
    const bool usual = is_usual(options);
    FvStatus status = videos_check(options->reference, options->distorted);
    if (status == FV_OK)
        status = choose_params(&opened->params, options);
    if (status == FV_OK)
        status = geometry_parse(options, &raw);
    if (status == FV_OK && !(opened->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = source_params(opened, options, &raw, session->device ? session->device : "auto");
    if (status == FV_OK)
        status = try_metrics(options, session->device, usual);
    if (status != FV_OK)
        return status;
    FvSessionParams params = *session;
    params.cancel = opened->cancel;
    status = open_both(opened, options, &params);
    if (status == FV_OK)
        geometry_check(options, opened->source[0], opened->source[1]);
    return status == FV_OK && usual ? add_usual(opened, options->allow_hdr) : status;
}

/* `name`: of a device, or of a driver, which stands for its first one; NULL: the library may choose the device. */
static bool is_meant(const FvDeviceInfo *info, const char *name)
{
    const size_t length = name ? strlen(name) : 0;
    return name ? !strncmp(info->name, name, length) && (!info->name[length] || info->name[length] == ':')
                : !info->software && strcmp(info->name, "cpu");
}

uint64_t scoring_gpu_memory(const Options *options)
{
    const char *name = options->device && strcmp(options->device, "auto") ? options->device : NULL;
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
    FvFormat raw;
    FvStatus status = choose_params(&opened->params, options);
    if (!status)
        status = geometry_parse(options, &raw);
    if (!status)
        status = source_params(opened, options, &raw, device);
    return status ? status : open_sources(opened, options);
}

FvStatus scoring_open_reference(FvSource **reference, const Options *options, const char *device,
                                const FvCancel *cancel)
{
    FvFormat raw;
    FvError error = {0};
    Opened opened = {.cancel = cancel};
    FvStatus status = geometry_parse(options, &raw);
    if (!status)
        status = source_params(&opened, options, &raw, device);
    return status ? status : complain_if(fv_source_open(reference, &opened.source_params[0], &error), &error);
}

FvStatus scoring_align(Opened *opened, const Options *options)
{
    FvError error = {0};
    if (opened->params.align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    if (!options->reference)
        return complain(FV_ERROR_USAGE, "--align %s needs a reference: add -r FILE", options->align);
    for (int side = 0; side < 2; side++) {
        const char *path = opened->source_params[side].path;
        if (videos_come_once(path))
            return complain(
                FV_ERROR_INPUT,
                "%s can be read only once, and --align %s reads the videos twice: store it in a file first, "
                "or give --align time",
                strcmp(path, "-") ? path : "standard input", options->align);
    }
    FvStatus status = fv_align(&opened->alignment, &opened->source_params[0], &opened->source_params[1],
                               opened->params.align, &error);
    opened->params.alignment = opened->alignment;
    return complain_if(status, &error);
}

void scoring_close(Opened *opened)
{
    if (!opened->shared)
        fv_source_close(&opened->source[0]);
    fv_source_close(&opened->source[1]);
    fv_session_close(&opened->session);
    fv_alignment_close(&opened->alignment);
}
