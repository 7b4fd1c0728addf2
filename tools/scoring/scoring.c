#include "scoring/scoring.h"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "scoring/choice.h"
#include "cli/message.h"
#include "scoring/model.h"
#include "cli/stop.h"
#include "scoring/videos.h"

const char *const scoring_alignments[] = {"index", "time", "auto", "map", NULL};

static bool is_usual(const Scoring *scoring)
{
    return !scoring->metrics.count && !scoring->features.count && !scoring->models.count;
}

static FvStatus source_params(Opened *opened, const Scoring *scoring, const FvFormat *raw, int threads,
                              const char *device)
{
    FvStatus status = FV_OK;
    for (int side = 0; side < 2 && status == FV_OK; side++) {
        opened->source_params[side] = (FvSourceParams){.path = side ? scoring->distorted : scoring->reference,
                                                       .reader = scoring->reader,
                                                       .raw = *raw,
                                                       .raw_layout = geometry_layout(&scoring->geometry),
                                                       .threads = threads < 256 ? threads : 256,
                                                       .decoder = scoring->decoder,
                                                       .scored_on = device,
                                                       .cancel = opened->cancel};
        status = pairing_tags(&scoring->pairing, side, &opened->source_params[side]);
    }
    return status;
}

static FvStatus add_usual(const Opened *opened)
{
    FvError error = {0};
    FvFormat formats[2];
    if (fv_score_formats(opened->source[0], opened->source[1], &opened->params, formats, &error))
        return complain(error.status, "%s", error.message);
    return choice_add_usual(opened->session, &formats[0], &formats[1]);
}

static FvStatus choose_params(FvScoreParams *params, const Scoring *scoring)
{
    *params = (FvScoreParams){.shortest = scoring->shortest,
                              .ignore_rate = scoring->ignore_rate,
                              .ignore_range = scoring->ignore_range,
                              .ignore_colour = scoring->ignore_colour,
                              .subsample = (int)scoring->subsample,
                              .frames = scoring->frames,
                              .skip_reference = scoring->skip_reference,
                              .skip_distorted = scoring->skip_distorted};
    for (int i = 0; scoring->align && scoring_alignments[i]; i++)
        if (!strcmp(scoring->align, scoring_alignments[i]))
            params->align = (FvAlignMode)i;
    FvStatus status = pairing_params(&scoring->pairing, params);
    if (status == FV_OK && params->align &&
        (params->skip_reference || params->skip_distorted || params->start || params->duration))
        return complain(FV_ERROR_USAGE,
                        "--align %s chooses the frames itself: leave frames to skip, --start and "
                        "--duration away, or pair by index",
                        scoring->align);
    return status;
}

static FvStatus add_metrics(FvSession *session, const Scoring *scoring, bool usual)
{
    if (usual && !scoring->reference)
        return complain(FV_ERROR_USAGE,
                        "-r FILE is missing, with which the usual metrics compare; a metric that needs no "
                        "reference is chosen with --metric: 'fovea metrics' lists them");
    FvStatus status = choice_add(session, &scoring->metrics, &scoring->features);
    if (status == FV_OK)
        status = model_add(session, &scoring->models, scoring->allow_hdr);
    if (status == FV_OK && !scoring->reference)
        status = choice_allows_no_reference(session);
    return status;
}

/* What is wrong with the metrics shows before a driver is loaded and a device opened. */
static FvStatus try_metrics(const Scoring *scoring, const char *device, bool usual)
{
    FvSession *trial = NULL;
    FvError error = {0};
    if (device && !strcmp(device, "cpu"))
        return FV_OK;
    FvStatus status = fv_session_open(&trial, &(FvSessionParams){.device = "cpu", .threads = 1}, &error);
    if (status != FV_OK)
        return complain(status, "%s", error.message);
    status = add_metrics(trial, scoring, usual);
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

/* What is no ordinary file can be waited for long, and another file may be missing. */
static bool is_file(const char *path)
{
    struct stat status;
    return path && !stat(path, &status) && S_ISREG(status.st_mode);
}

static FvStatus open_sources(Opened *opened, const Scoring *scoring)
{
    SourceOpening opening[2] = {{.opened = opened, .side = 0}, {.opened = opened, .side = 1}};
    const bool both = is_file(scoring->reference) && is_file(scoring->distorted);
    FvStatus status = FV_OK;
    pthread_t thread;
    for (int side = scoring->reference ? 0 : 1; side < 2 && !status; side++)
        status = pairing_find_bars(&scoring->pairing, side, &opened->source_params[side], &opened->params.crop[side]);
    if (status)
        return status;
    const bool beside = both && !pthread_create(&thread, NULL, open_source, &opening[1]);
    if (scoring->reference)
        open_source(&opening[0]);
    if (beside)
        pthread_join(thread, NULL);
    else if (!opening[0].status)
        open_source(&opening[1]);
    for (int side = 0; side < 2; side++)
        if (opening[side].status)
            return complain(opening[side].status, "%s", opening[side].error.message);
    return FV_OK;
}

/* ---- The device and the videos at once ----------------------------------------------------------------------- */

typedef struct VideosOpening {
    Opened *opened;
    const Scoring *scoring;
    FvStatus status;
} VideosOpening;

static void *open_videos(void *argument)
{
    VideosOpening *opening = argument;
    opening->status = open_sources(opening->opened, opening->scoring);
    return NULL;
}

/* A GPU that is named takes a fifth of a second to open. "auto" opens one later, once the videos are known. */
static bool opens_slowly(const char *device)
{
    return device && strcmp(device, "cpu") && strcmp(device, "auto");
}

/* The device by this thread: NVIDIA's Vulkan takes 12 ms to let go of one that ends after it opened a device. */
static FvStatus open_both(Opened *opened, const Scoring *scoring, const FvSessionParams *params)
{
    VideosOpening videos = {.opened = opened, .scoring = scoring};
    FvError error = {0};
    pthread_t thread;
    const bool beside = opens_slowly(params->device) && !pthread_create(&thread, NULL, open_videos, &videos);
    const FvStatus session = fv_session_open(&opened->session, params, &error);
    if (beside)
        pthread_join(thread, NULL);
    if (videos.status != FV_OK)
        return videos.status;
    if (session)
        return complain(session, "%s", error.message);
    FvStatus status = add_metrics(opened->session, scoring, is_usual(scoring));
    return status == FV_OK && !beside ? open_sources(opened, scoring) : status;
}

FvStatus scoring_open(Opened *opened, const Scoring *scoring, const FvSessionParams *session)
{
    FvFormat raw;
    const bool usual = is_usual(scoring);
    FvStatus status = videos_check(scoring->reference, scoring->distorted);
    if (status == FV_OK)
        status = choose_params(&opened->params, scoring);
    if (status == FV_OK)
        status = geometry_parse(&scoring->geometry, scoring->reader, &raw);
    if (status == FV_OK && !(opened->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (status == FV_OK)
        status = source_params(opened, scoring, &raw, session->threads, session->device ? session->device : "auto");
    if (status == FV_OK)
        status = try_metrics(scoring, session->device, usual);
    if (status != FV_OK)
        return status;
    FvSessionParams params = *session;
    params.cancel = opened->cancel;
    status = open_both(opened, scoring, &params);
    if (status == FV_OK)
        geometry_check(&scoring->geometry, scoring->reader, opened->source[0], opened->source[1]);
    return status == FV_OK && usual ? add_usual(opened) : status;
}

FvStatus scoring_align(Opened *opened, const Scoring *scoring)
{
    FvError error = {0};
    if (opened->params.align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    if (!scoring->reference)
        return complain(FV_ERROR_USAGE, "--align %s needs a reference: add -r FILE", scoring->align);
    if (fv_align(&opened->alignment, &opened->source_params[0], &opened->source_params[1], opened->params.align,
                 &error))
        return complain(error.status, "%s", error.message);
    opened->params.alignment = opened->alignment;
    return FV_OK;
}

void scoring_close(Opened *opened)
{
    fv_source_close(&opened->source[0]);
    fv_source_close(&opened->source[1]);
    fv_session_close(&opened->session);
    fv_alignment_close(&opened->alignment);
}
