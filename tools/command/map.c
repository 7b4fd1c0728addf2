/* fovea map: writes the maps of metrics for chosen frames, as pictures or as a video. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/ranges.h"
#include "cli/stop.h"
#include "fovea/fovea.h"
#include "image/map_writer.h"
#include "image/picture.h"
#include "remedy.h"
#include "scoring/scoring.h"
#include "scoring/videos.h"
#include "table/delimited.h"
#include "table/worst.h"

typedef struct Job {
    const Options *options;
    FvSession *session;
    Opened opened; /* the videos and their parameters */
    const FvCancel *cancel;
    Ranges frames;
    MapWriter writer;
} Job;

static bool chosen(void *opaque, int64_t frame)
{
    const Job *job = opaque;
    return ranges_have(&job->frames, frame);
}

/* ---- Which maps --------------------------------------------------------------------------------------------- */

/*
 * Returns the first metric with maps that compares if there is a reference (`compares`), or that needs none if there
 * is not; else the first metric with maps.
 */
static const char *usual_metric(bool compares)
{
    const char *name = NULL;
    for (int i = fv_metric_count() - 1; i >= 0; i--)
        if (fv_metric_info(i)->map_count && fv_metric_info(i)->needs_reference == compares)
            name = fv_metric_info(i)->name;
    for (int i = 0; i < fv_metric_count() && !name; i++)
        if (fv_metric_info(i)->map_count)
            name = fv_metric_info(i)->name;
    return name;
}

static bool asked_for(const Job *job, const FvMapInfo *map)
{
    for (int i = 0; i < job->options->maps.count; i++)
        if (!strcmp(job->options->maps.items[i], map->name))
            return true;
    return !job->options->maps.count && !map->on_request;
}

static FvStatus no_maps(const Job *job)
{
    char with[512] = "", maps[512] = "";
    for (int i = 0; i < fv_metric_count(); i++)
        if (fv_metric_info(i)->map_count)
            snprintf(with + strlen(with), sizeof with - strlen(with), "%s%s", *with ? ", " : "",
                     fv_metric_info(i)->name);
    for (int i = 0; i < fv_session_metrics(job->session); i++)
        for (int m = 0; m < fv_session_metric(job->session, i)->map_count; m++)
            snprintf(maps + strlen(maps), sizeof maps - strlen(maps), "%s%s", *maps ? ", " : "",
                     fv_session_metric(job->session, i)->maps[m].name);
    return *maps ? report_error(FV_ERROR_USAGE, "--map: unknown name; the maps are %s", maps)
                 : report_error(FV_ERROR_USAGE, "'%.40s' has no maps; the metrics with maps are %s",
                                job->options->metrics.items[0], with);
}

static FvStatus want_maps(Job *job, FvError *error)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < fv_session_metrics(job->session); i++) {
        const FvMetricInfo *info = fv_session_metric(job->session, i);
        for (int m = 0; m < info->map_count && !status; m++)
            if (asked_for(job, &info->maps[m])) {
                FvMapRequest request = {.metric = i, .map = m, .on_map = map_writer_take, .opaque = &job->writer};
                status = fv_session_want_map(job->session, &request, error);
                job->writer.wanted++;
            }
    }
    if (report_error_if(status, error))
        return status;
    if (!job->writer.wanted)
        return no_maps(job);
    if (map_writer_is(&job->writer, "y4m") && job->writer.wanted > 1)
        return report_error(FV_ERROR_USAGE, "a video shows one map: choose one of the %d with --map",
                            job->writer.wanted);
    return FV_OK;
}

static FvStatus open_session(const Job *job, FvSession **session)
{
    const Options *options = job->options;
    FvError error = {0};
    FvSessionParams params = options->run.session;
    params.cancel = job->cancel;
    FvStatus status = fv_session_open(session, &params, &error);
    if (!status && !options->metrics.count)
        status = fv_run_add(*session, &options->run, usual_metric(options->reference != NULL), &error);
    for (int i = 0; i < options->metrics.count && !status; i++)
        status = fv_run_add(*session, &options->run, options->metrics.items[i], &error);
    return report_error_if(status, &error);
}

static FvStatus choose_metrics(Job *job)
{
    FvError error = {0};
    FvStatus status = open_session(job, &job->session);
    if (!status)
        status = want_maps(job, &error);
    if (!status && !job->options->reference && fv_session_needs_reference(job->session))
        status = report_error(FV_FAIL_MISSING_VIDEO, "the metric needs the reference: add -r FILE");
    return status;
}

/* ---- All together ------------------------------------------------------------------------------------------- */

static FvStatus open_sources(Job *job)
{
    Opened *opened = &job->opened;
    opened->cancel = job->cancel;
    FvStatus status = scoring_open_videos(opened, job->options, job->options->run.session.device);
    if (!status && opened->run.score.align && !job->options->reference)
        status = report_error(FV_FAIL_MISSING_VIDEO, "--align needs a reference: add -r FILE");
    return status ? status : scoring_align(opened, job->options);
}

static void close_sources(Job *job)
{
    scoring_close(&job->opened);
}

/* Scores the complete clip and chooses its worst frames. */
static FvStatus find_worst(Job *job)
{
    FvError error = {0};
    FvSession *session = NULL;
    FvStatus status = open_session(job, &session);
    if (!status)
        status = open_sources(job);
    FvScoreParams params = job->opened.run.score;
    params.shortest = true;
    if (!status)
        status =
            report_error_if(fv_score(session, job->opened.source[0], job->opened.source[1], &params, &error), &error);
    int64_t count = 0, *worst = status ? NULL : worst_frames(session, job->options->worst, &count);
    if (!status && !worst)
        status = report_error(FV_ERROR_MEMORY, "out of memory for the scores");
    for (int64_t i = 0; i < count && !status; i++) {
        char text[32];
        snprintf(text, sizeof text, "%" PRId64, worst[i]);
        if (ranges_add(&job->frames, text))
            status = report_error(FV_ERROR_MEMORY, "out of memory for the frames");
    }
    free(worst);
    close_sources(job);
    fv_session_close(&session);
    return status;
}

/* Prints the first score of every frame, and where its maps were written. */
static FvStatus print_frames(const Job *job)
{
    char text[2048];
    bool video = map_writer_is(&job->writer, "y4m"), piped = video && !strcmp(job->writer.output, "-");
    FvOutput *output = NULL;
    FvError error = {0};
    FvStatus status =
        piped ? FV_OK : fv_output_open(&output, &(FvOutputParams){.path = "-", .cancel = job->cancel}, &error);
    FILE *file = piped ? message_file() : fv_output_file(output);
    for (int64_t i = 0; i < fv_session_frames(job->session) && !status; i++) {
        int64_t number = fv_session_frame_number(job->session, i);
        fprintf(file, "frame %" PRId64 "  %s %.6f  %s", number, fv_session_output(job->session, 0)->name,
                fv_session_value(job->session, i, 0), job->writer.output);
        if (!video)
            fprintf(file, "/frame_%" PRId64, number);
        fputc('\n', file);
    }
    for (int i = 0; i < fv_session_decisions(job->session) && !status; i++)
        fprintf(file, "Note: %s\n", fv_remedy_spell(text, sizeof text, fv_session_decision(job->session, i)));
    message_flush();
    if (!status)
        status = fv_output_close(&output, &error);
    return report_error_if(status, &error);
}

static FvStatus score_frames(Job *job)
{
    FvError error = {0};
    int64_t last = ranges_last(&job->frames);
    FvScoreParams params = job->opened.run.score;
    params.select = chosen;
    params.opaque = job;
    params.shortest = true;
    params.frames = last + 1;
    FvStatus status = fv_score(job->session, job->opened.source[0], job->opened.source[1], &params, &error);
    int64_t rows = fv_session_rows(job->session);
    if (job->writer.failure.status)
        status = report_error_if(job->writer.failure.status, &job->writer.failure);
    else if ((!status || (status == FV_ERROR_INPUT && rows)) && last >= rows)
        status = report_error(FV_ERROR_INPUT, "%s has %" PRId64 " frames, so there is no frame %" PRId64,
                              job->options->distorted, rows, last);
    else
        report_error_if(status, &error);
    return status;
}

static FvStatus parse_maximum(Job *job)
{
    job->writer.maximum = NAN;
    return !job->options->maximum || delimited_number(job->options->maximum, &job->writer.maximum)
               ? FV_OK
               : report_error(FV_FAIL_VALUE, "--maximum takes a decimal number, not '%s'", job->options->maximum);
}

/* Chooses the format and path of the output from the options. */
static FvStatus choose_output(Job *job)
{
    const Options *options = job->options;
    job->writer.output = options->output ? options->output : "fovea-map";
    size_t length = strlen(job->writer.output);
    bool video = !strcmp(job->writer.output, "-") || (length > 4 && !strcmp(job->writer.output + length - 4, ".y4m"));
    job->writer.format = options->format ? options->format : video ? "y4m" : "png";
    if (!picture_has_png() && (map_writer_is(&job->writer, "png") || map_writer_is(&job->writer, "png8"))) {
        warn("this build has no libpng: maps are written as PFM, without overlay or frames");
        job->writer.format = "pfm";
    }
    static const char *const pictures[] = {".png", ".pfm", ".jpg", ".mp4", ".mkv", ".mov", ".gif"};
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++)
        if (length > 4 && !strcmp(job->writer.output + length - 4, pictures[i]))
            return report_error(
                FV_ERROR_USAGE,
                "-o %s is neither a folder nor a video that ends with .y4m, which fovea map writes; name "
                "one of these",
                job->writer.output);
    if (!map_writer_is(&job->writer, "y4m") && !strcmp(job->writer.output, "-"))
        return report_error(FV_ERROR_USAGE, "pictures need a folder: name it with -o FOLDER");
    if (!map_writer_is(&job->writer, "y4m") && length > 2048)
        return report_error(FV_ERROR_USAGE, "--output: the name of the folder is too long");
    return FV_OK;
}

/* Chooses the frames: without --frame, the first one for pictures, and all for a video. */
static FvStatus choose_frames(Job *job)
{
    FvStatus status = FV_OK;
    const ArgList *lists = &job->options->map_frames;
    for (int i = 0; i < lists->count && !status; i++)
        if ((status = ranges_add(&job->frames, lists->items[i])) == FV_ERROR_USAGE)
            return report_error(status, "--frame takes numbers and ranges such as 3,7,10-20, not '%s'",
                                lists->items[i]);
    if (!status && !lists->count && !job->options->worst && !map_writer_is(&job->writer, "y4m"))
        status = ranges_add(&job->frames, "0");
    return status ? (FvStatus)report_error(status, "out of memory for the frames") : FV_OK;
}

/*
 * Checks --worst, which reads the videos twice, and creates the folder before the first reading, so that a mistake is
 * found early.
 */
static FvStatus check_worst(Job *job)
{
    const Options *options = job->options;
    FvError error = {0};
    if (options->map_frames.count)
        return report_error(FV_ERROR_USAGE, "--worst chooses the frames: leave out --frame");
    if (map_writer_is(&job->writer, "y4m"))
        return report_error(FV_ERROR_USAGE, "--worst writes pictures: name a folder with -o FOLDER");
    if (!strcmp(options->distorted, "-") || (options->reference && !strcmp(options->reference, "-")))
        return report_error(FV_ERROR_USAGE,
                            "--worst reads the videos twice, but standard input can be read only once: name files");
    FvStatus status = map_writer_open(&job->writer, &error);
    return report_error_if(status, &error);
}

static FvStatus prepare_maps(Job *job)
{
    if (!job->options->distorted)
        return report_error(FV_FAIL_MISSING_VIDEO, "the video is missing: fovea map -d VIDEO");
    FvStatus status = videos_check(job->options->reference, job->options->distorted);
    if (!status)
        status = choose_output(job);
    if (!status && job->options->worst)
        status = check_worst(job);
    if (!status)
        status = choose_frames(job);
    if (!status)
        status = parse_maximum(job);
    if (!status && !(job->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (!status)
        status = choose_metrics(job);
    if (!status && job->options->worst)
        status = find_worst(job);
    if (!status)
        status = open_sources(job);
    if (status)
        return status;
    FvError error = {0};
    job->writer.session = job->session;
    job->writer.sources = job->opened.source;
    job->writer.cancel = job->cancel;
    job->writer.frames = job->options->worst > 0;
    job->writer.overwrite = job->options->run.session.overwrite;
    const FvOutputParams params = {
        .sources = (const FvSource *const *)job->opened.source, .source_count = 2, .session = job->session};
    status = outputs_check(&params, &error);
    if (!status)
        status = map_writer_open(&job->writer, &error);
    return report_error_if(status, &error);
}

static FvStatus end_output(Job *job, FvStatus status)
{
    FvError error = {0};
    char kept[4096];
    FvStatus ended = map_writer_end(&job->writer, status, kept, sizeof kept, &error);
    if (*kept)
        warn("the maps before that are kept in %s", kept);
    report_error_if(ended, &error);
    return status ? status : ended;
}

static int run(const void *values, const ArgList *words)
{
    Job job = {.options = values};
    FvStatus status = prepare_maps(&job);
    if (!status)
        status = score_frames(&job);
    status = end_output(&job, status);
    if (job.session && (!status || status == FV_ERROR_PARTIAL)) {
        FvStatus printed = print_frames(&job);
        status = status ? status : printed;
    }
    fv_session_close(&job.session);
    close_sources(&job);
    map_writer_close(&job.writer);
    ranges_free(&job.frames);
    return status;
}

const Command command_map = {
    .name = "map",
    .summary = "write maps that show where in the picture metrics find errors",
    .synopsis = "[REFERENCE] VIDEO [--metric NAME] [--frame N]... [-o FOLDER] [OPTION]...",
    .description =
        "Writes the maps of chosen frames, each frame into a folder of its own: as PNG with 16 or 8 bits, where "
        "white "
        "is the greatest value that the metric's options allow, or as PFM, which holds the values themselves. "
        "overlay.png is the picture in gray, coloured evenly from blue to yellow by the greatest value at each place "
        "in the chosen maps that have the unit of the first one, with a legend below. A map without an upper limit "
        "has 1024 "
        "steps a unit in 16 bits and 32 in 8 bits, and is coloured up to 8.\n"
        "With --worst N, the whole clip is scored first, and the worst frames are written next to their maps.\n"
        "With -o FILE.y4m, one map becomes a video of all frames, or of those chosen.",
    .example = "fovea map -d encode.mp4 --frame 0,100-103 -o maps\n"
               "fovea map -r source.mov -d encode.mp4 --metric vdm --worst 5 -o worst\n"
               "fovea map -d encode.mp4 --map cambi_0 -o banding.y4m",
    .refusal = "name the videos: fovea map REFERENCE VIDEO, or fovea map VIDEO",
    OPTIONS_OF(FOR_MAP),
    .run = run,
};
