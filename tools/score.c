/* fovea score: opens two videos and a session, scores, reports, and judges. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "choice.h"
#include "command.h"
#include "fovea/fovea.h"
#include "gate.h"
#include "exhibit.h"
#include "geometry.h"
#include "message.h"
#include "model.h"
#include "pairing.h"
#include "picture.h"
#include "progress.h"
#include "rows.h"
#include "stop.h"
#include "table.h"
#include "videos.h"

typedef struct Score {
    const char *reference, *distorted, *reader, *decoder;
    ArgList metrics, features, models;
    bool allow_hdr;
    const char *output, *format, *align;
    ArgList fail_below, fail_above;
    Geometry geometry;
    Pairing pairing;
    bool shortest, ignore_rate, ignore_range, ignore_colour;
    int64_t frames, subsample, skip_reference, skip_distorted;
    const char *device, *isa, *progress;
    int64_t threads, in_flight;
    bool no_prediction;
    const char *intervals;
    bool scenes;
} Score;

#define AT(field) offsetof(Score, field)

static const char *const alignments[] = {"index", "time", "auto", "map", NULL};
static const char *const formats[] = {"json", "csv", "xml", "ndjson", "libvmaf-json", "html", NULL};

static const ArgOption options[] = {
    {.section = "Videos",
     ROW_REFERENCE(AT(reference)),
     .help = "the video as it should look, for the metrics that compare; - is standard input"},
    {ROW_DISTORTED(AT(distorted)), .help = "the video to score; - is standard input"},
    {ROW_READER(AT(reader))},
    {ROW_DECODER(AT(decoder))},
    {ROW_WIDTH(AT(geometry.width))},
    {ROW_HEIGHT(AT(geometry.height))},
    {ROW_PIXEL_FORMAT(AT(geometry.pixel_format))},
    {ROW_BITDEPTH(AT(geometry.depth))},
    {.name = "stream-ref",
     .kind = ARG_INT,
     .offset = AT(pairing.stream[0]),
     .value = "N",
     .minimum = 1,
     .maximum = 256,
     .help = "which video stream of the reference, counted from 1, where its container has several"},
    {.name = "stream-dis",
     .kind = ARG_INT,
     .offset = AT(pairing.stream[1]),
     .value = "N",
     .minimum = 1,
     .maximum = 256,
     .help = "the same of the distorted video"},
    {.name = "range-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.range[0]),
     .value = "NAME",
     .choices = pairing_ranges,
     .help = "what the reference is in truth, limited or full, whatever it says of itself"},
    {.name = "range-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.range[1]),
     .value = "NAME",
     .choices = pairing_ranges,
     .help = "the same of the distorted video"},
    {.name = "matrix-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.matrix[0]),
     .value = "NAME",
     .help = "the matrix of the reference in truth: bt709, bt601, bt2020, or a code point of H.273"},
    {.name = "matrix-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.matrix[1]),
     .value = "NAME",
     .help = "the same of the distorted video"},
    {.name = "transfer-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.transfer[0]),
     .value = "NAME",
     .help = "its transfer characteristics: bt709, srgb, pq, hlg, or a code point"},
    {.name = "transfer-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.transfer[1]),
     .value = "NAME",
     .help = "the same of the distorted video"},
    {.name = "primaries-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.primaries[0]),
     .value = "NAME",
     .help = "its primaries: bt709, bt601, bt2020, or a code point"},
    {.name = "primaries-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.primaries[1]),
     .value = "NAME",
     .help = "the same of the distorted video"},
    {.name = "siting-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.siting[0]),
     .value = "NAME",
     .choices = pairing_sitings,
     .help = "where its chroma samples lie: left, center, topleft, top, bottomleft or bottom"},
    {.name = "siting-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.siting[1]),
     .value = "NAME",
     .choices = pairing_sitings,
     .help = "the same of the distorted video"},
    {.section = "Metrics",
     .name = "metric",
     .letter = 'm',
     .kind = ARG_LIST,
     .offset = AT(metrics),
     .value = "NAME[=OPTION=VALUE:...],...",
     .offer = OFFER_METRICS,
     .help = "what to compute (vmaf,psnr,psnr_hvs); may be repeated. 'fovea metrics' lists all"},
    {.name = "feature",
     .kind = ARG_LIST,
     .offset = AT(features),
     .value = "NAME[=OPTION=VALUE:...]",
     .offer = OFFER_METRICS,
     .help = "the same in libvmaf's spelling, name=psnr:enable_mse=true included; it is not split at commas"},
    {.name = "model",
     .kind = ARG_LIST,
     .offset = AT(models),
     .value = "auto|version=NAME|path=FILE[:...]",
     .help = "VMAF by this model, in libvmaf's spelling: name=NAME, disable_clip, enable_transform and "
             "METRIC.OPTION=VALUE may follow; may be repeated"},
    {.name = "allow-hdr",
     .kind = ARG_FLAG,
     .offset = AT(allow_hdr),
     .help = "score PQ and HLG videos with VMAF models, which are not made for them"},
    {.name = "no-prediction",
     .letter = 'n',
     .kind = ARG_FLAG,
     .offset = AT(no_prediction),
     .help = "accepted because libvmaf has it; it changes nothing, as only the metrics that are named are computed"},
    {.section = "Pairing",
     .name = "align",
     .kind = ARG_TEXT,
     .offset = AT(align),
     .value = "HOW",
     .choices = alignments,
     .help = "which frames belong together: index; time, by presentation time; auto, by one offset found by content; "
             "map, "
             "by content with drops and repeats (index)"},
    {.name = "shortest",
     .kind = ARG_FLAG,
     .offset = AT(shortest),
     .help = "stop at the end of the shorter video instead of refusing unequal lengths"},
    {.name = "ignore-rate",
     .kind = ARG_FLAG,
     .offset = AT(ignore_rate),
     .help = "pair frame by frame although the frame rates differ"},
    {.name = "ignore-range",
     .kind = ARG_FLAG,
     .offset = AT(ignore_range),
     .help = "compare the code values although one video says limited and the other full range"},
    {.name = "subsample",
     .kind = ARG_INT,
     .offset = AT(subsample),
     .value = "N",
     .minimum = 1,
     .maximum = INT32_MAX,
     .help = "score only every N-th frame"},
    {.name = "frame-cnt",
     .alias = "frames",
     .kind = ARG_INT,
     .offset = AT(frames),
     .value = "N",
     .minimum = 0,
     .maximum = INT64_MAX,
     .help = "stop after N frames; 0 is all of them (0)"},
    {.name = "frame-skip-ref",
     .kind = ARG_INT,
     .offset = AT(skip_reference),
     .value = "N",
     .minimum = 0,
     .maximum = INT64_MAX,
     .help = "drop N frames at the start of the reference"},
    {.name = "frame-skip-dist",
     .kind = ARG_INT,
     .offset = AT(skip_distorted),
     .value = "N",
     .minimum = 0,
     .maximum = INT64_MAX,
     .help = "drop N frames at the start of the distorted video"},
    {.name = "start",
     .kind = ARG_TEXT,
     .offset = AT(pairing.start),
     .value = "TIME",
     .help = "begin both videos at that time, in seconds or as [HOURS:]MINUTES:SECONDS; after skipped frames"},
    {.name = "duration",
     .kind = ARG_TEXT,
     .offset = AT(pairing.duration),
     .value = "TIME",
     .help = "stop after that time"},
    {.section = "Pictures",
     .name = "scale",
     .kind = ARG_TEXT,
     .offset = AT(pairing.scale),
     .value = "dis|ref|WxH|display",
     .help =
         "bring the distorted video to the reference's size (dis), the reference to the other's (ref), or both to a "
         "size, or to that of the reference with square samples (display)"},
    {.name = "kernel",
     .kind = ARG_TEXT,
     .offset = AT(pairing.kernel),
     .value = "NAME",
     .help = "what scales: bicubic, bicubic:B:C, lanczos, bilinear or spline36 (bicubic:0:0.6)"},
    {.name = "crop-ref",
     .kind = ARG_TEXT,
     .offset = AT(pairing.crop[0]),
     .value = "W:H:X:Y|auto",
     .help = "the part of the reference that counts: width, height, column and row; before scaling. auto: what lies "
             "within black bars that the whole clip has"},
    {.name = "crop-dis",
     .kind = ARG_TEXT,
     .offset = AT(pairing.crop[1]),
     .value = "W:H:X:Y|auto",
     .help = "the same of the distorted video"},
    {.name = "convert",
     .kind = ARG_LIST,
     .offset = AT(pairing.convert),
     .value = "WHAT,...",
     .help =
         "convert what differs: range and matrix of the distorted video, chroma to the richer format, depth of full "
         "range; rgb: RGB to Y'CbCr 4:4:4"},
    {.name = "ignore-colour",
     .alias = "ignore-color",
     .kind = ARG_FLAG,
     .offset = AT(ignore_colour),
     .help = "compare the code values although primaries, transfer or matrix differ"},
    {.section = "Results",
     .name = "output",
     .letter = 'o',
     .kind = ARG_TEXT,
     .offset = AT(output),
     .value = "FILE",
     .offer = OFFER_FILES,
     .help = "write a report; - is standard output, in place of the table"},
    {.name = "format",
     .kind = ARG_TEXT,
     .offset = AT(format),
     .value = "NAME",
     .choices = formats,
     .help =
         "the form of the report: json, csv, xml, ndjson, libvmaf-json, or html, a page with curves and the worst "
         "frames; without it the ending of FILE decides, "
         "or else it is json"},
    {.name = "json", .kind = ARG_TEXT, .offset = AT(format), .fixed = "json", .help = "--format json"},
    {.name = "csv", .kind = ARG_TEXT, .offset = AT(format), .fixed = "csv", .help = "--format csv"},
    {.name = "xml", .kind = ARG_TEXT, .offset = AT(format), .fixed = "xml", .help = "--format xml"},
    {.name = "fail-below",
     .kind = ARG_LIST,
     .offset = AT(fail_below),
     .value = "SCORE=VALUE[:POOL]",
     .offer = OFFER_OUTPUTS,
     .help = "exit with 1 if a pooled score is lower than this; POOL is mean (the default), min, max, harmonic_mean, "
             "stddev, p1, p5, p10, p25 or median; may be repeated"},
    {.name = "fail-above",
     .kind = ARG_LIST,
     .offset = AT(fail_above),
     .value = "SCORE=VALUE[:POOL]",
     .offer = OFFER_OUTPUTS,
     .help = "the same for scores that are better when they are lower; exits with 1 if one is higher"},
    {.name = "intervals",
     .kind = ARG_TEXT,
     .offset = AT(intervals),
     .value = "TIME",
     .help = "also pool the scores of every TIME, in seconds or as [HOURS:]MINUTES:SECONDS"},
    {.name = "scenes", .kind = ARG_FLAG, .offset = AT(scenes), .help = "also pool the scores of every scene"},
    {ROW_PROGRESS(AT(progress))},
    {ROW_QUIET(AT(progress))},
    {.section = "Processors", ROW_DEVICE(AT(device))},
    {ROW_ISA(AT(isa))},
    {ROW_THREADS(AT(threads), 1024)},
    {.name = "in-flight",
     .kind = ARG_INT,
     .offset = AT(in_flight),
     .value = "N",
     .minimum = 0,
     .maximum = 1024,
     .help = "frame pairs in flight at once, which bounds the memory; 0 chooses it from the threads (0)"},
};

/* Everything that lives during one scoring. */
typedef struct Job {
    const Score *score;
    FvSession *session;
    FvSource *reference, *distorted;
    const FvCancel *cancel;
    FvScoreParams params;
    FvAlignment *alignment;
    ProgressStyle style;
    Gates gates;
    bool gates_checked;
    FvStatus gate_status;
} Job;

static bool on_progress(void *opaque, const FvProgress *progress)
{
    Job *job = opaque;
    if (!job->gates_checked)
        job->gate_status = gates_check(&job->gates, job->session);
    job->gates_checked = true;
    progress_show(job->style, progress);
    return job->gate_status == FV_OK;
}

static void on_log(void *opaque, FvLogLevel level, const char *message)
{
    (void)opaque;
    if (level != FV_LOG_INFO)
        warn("%s", message);
}

static FvStatus source_params(const Job *job, int side, const FvFormat *raw, FvSourceParams *params)
{
    const Score *score = job->score;
    const char *path = side ? score->distorted : score->reference;
    *params = (FvSourceParams){.path = path,
                               .reader = score->reader,
                               .raw = *raw,
                               .raw_layout = geometry_layout(&score->geometry),
                               .threads = (int)score->threads,
                               .decoder = score->decoder,
                               .cancel = job->cancel};
    if (params->threads > 256)
        params->threads = 256;
    return pairing_tags(&score->pairing, side, params);
}

/* Reads both files through before they are read for the scores. */
static FvStatus align(Job *job, const FvFormat *raw, FvError *error)
{
    FvSourceParams params[2];
    if (job->params.align < FV_ALIGN_BY_OFFSET)
        return FV_OK;
    if (!job->score->reference)
        return complain(FV_ERROR_USAGE, "--align %s needs a reference: add -r FILE", job->score->align);
    for (int side = 0; side < 2; side++)
        if (source_params(job, side, raw, &params[side]))
            return FV_ERROR_USAGE;
    if (fv_align(&job->alignment, &params[0], &params[1], job->params.align, error))
        return complain(error->status, "%s", error->message);
    job->params.alignment = job->alignment;
    return FV_OK;
}

static FvStatus open_source(Job *job, int side, const FvFormat *raw, FvError *error)
{
    FvSourceParams params;
    FvStatus status = source_params(job, side, raw, &params);
    if (!status)
        status = pairing_find_bars(&job->score->pairing, side, &params, &job->params.crop[side]);
    if (status)
        return status;
    status = fv_source_open(side ? &job->distorted : &job->reference, &params, error);
    return status ? complain(status, "%s", error->message) : FV_OK;
}

/* The ending of the report's name, or NULL: what lies below /dev has none. */
static const char *report_ending(const Score *score)
{
    const char *slash = score->output ? strrchr(score->output, '/') : NULL;
    const char *name = slash ? slash + 1 : score->output, *dot = name ? strrchr(name, '.') : NULL;
    return dot && dot != name && strncmp(score->output, "/dev/", 5) ? dot + 1 : NULL;
}

static FvReportFormat report_format(const Score *score)
{
    const char *name = score->format ? score->format : report_ending(score);
    for (int i = 0; name && formats[i]; i++)
        if (!strcmp(name, formats[i]))
            return (FvReportFormat)i;
    return FV_REPORT_JSON;
}

static FvStatus check_ending(const Score *score)
{
    const char *ending = score->format ? NULL : report_ending(score);
    for (int i = 0; ending && formats[i]; i++)
        if (!strcmp(ending, formats[i]))
            return FV_OK;
    return !ending
               ? FV_OK
               : complain(FV_ERROR_USAGE,
                          "-o %s: no report ends with .%s; the endings are .json, .csv, .xml, .ndjson and .html, and "
                          "--format chooses whatever the ending is",
                          score->output, ending);
}

/* Where the report goes: -o, or standard output when only a format was asked for, or nowhere. */
static const char *report_path(const Score *score)
{
    return score->output ? score->output : score->format ? "-" : NULL;
}

/* Before hours are spent on what it is to hold. */
static FvStatus check_output(const Job *job, FvError *error)
{
    FvOutputParams params = {.path = report_path(job->score),
                             .sources = (const FvSource *const[]){job->reference, job->distorted},
                             .source_count = 2,
                             .session = job->session};
    FvStatus status = params.path ? fv_output_check(&params, error) : FV_OK;
    return status ? complain(status, "%s", error->message) : FV_OK;
}

static FvStatus add_usual(Job *job, FvError *error)
{
    FvFormat formats[2];
    if (fv_score_formats(job->reference, job->distorted, &job->params, formats, error))
        return complain(error->status, "%s", error->message);
    return choice_add_usual(job->session, &formats[0], &formats[1]);
}

static FvStatus choose_params(Job *job)
{
    const Score *score = job->score;
    job->params = (FvScoreParams){.shortest = score->shortest,
                                  .ignore_rate = score->ignore_rate,
                                  .ignore_range = score->ignore_range,
                                  .ignore_colour = score->ignore_colour,
                                  .subsample = (int)score->subsample,
                                  .frames = score->frames,
                                  .skip_reference = score->skip_reference,
                                  .skip_distorted = score->skip_distorted,
                                  .progress = on_progress,
                                  .opaque = job};
    for (int i = 0; score->align && alignments[i]; i++)
        if (!strcmp(score->align, alignments[i]))
            job->params.align = (FvAlignMode)i;
    FvStatus status = pairing_params(&score->pairing, &job->params);
    const FvScoreParams *params = &job->params;
    if (status == FV_OK && params->align &&
        (params->skip_reference || params->skip_distorted || params->start || params->duration))
        return complain(FV_ERROR_USAGE,
                        "--align %s chooses the frames itself: leave frames to skip, --start and "
                        "--duration away, or pair by index",
                        score->align);
    return status;
}

static FvStatus open_all(Job *job, FvError *error)
{
    const Score *score = job->score;
    FvFormat raw;
    if (!score->distorted)
        return complain(FV_ERROR_USAGE, "which video? fovea score -r REFERENCE -d DISTORTED");
    FvStatus status = videos_check(score->reference, score->distorted);
    if (status == FV_OK)
        status = check_ending(score);
    if (status == FV_OK)
        status = choose_params(job);
    if (status == FV_OK)
        status = geometry_parse(&score->geometry, score->reader, &raw);
    if (status == FV_OK)
        status = gates_parse(&job->gates, &score->fail_below, &score->fail_above);
    if (status == FV_OK && !(job->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (status != FV_OK)
        return status;
    FvSessionParams params = {.device = score->device,
                              .isa = score->isa,
                              .threads = (int)score->threads,
                              .in_flight = (int)score->in_flight,
                              .log = on_log,
                              .cancel = job->cancel,
                              .scenes = score->scenes};
    if (score->intervals && (!pairing_time(score->intervals, &params.interval) || !params.interval))
        return complain(FV_ERROR_USAGE, "--intervals takes seconds or [HOURS:]MINUTES:SECONDS, not '%s'",
                        score->intervals);
    status = fv_session_open(&job->session, &params, error);
    if (status != FV_OK)
        return complain(status, "%s", error->message);
    bool usual = !score->metrics.count && !score->features.count && !score->models.count;
    if (usual && !score->reference)
        return complain(FV_ERROR_USAGE,
                        "-r FILE is missing, with which the usual metrics compare; a metric that needs no "
                        "reference is chosen with --metric: 'fovea metrics' lists them");
    status = choice_add(job->session, &score->metrics, &score->features);
    if (status == FV_OK)
        status = model_add(job->session, &score->models, score->allow_hdr);
    if (status == FV_OK && !score->reference)
        status = choice_allows_no_reference(job->session);
    if (status == FV_OK && score->reference)
        status = open_source(job, 0, &raw, error);
    if (status == FV_OK)
        status = open_source(job, 1, &raw, error);
    if (status == FV_OK)
        geometry_check(&score->geometry, score->reader, job->reference, job->distorted);
    if (status == FV_OK && usual)
        status = add_usual(job, error);
    if (status == FV_OK)
        status = check_output(job, error);
    return status == FV_OK ? align(job, &raw, error) : status;
}

/* Whoever reads it may stop reading. */
static FvStatus print_table(const Job *job, FvError *error)
{
    FvOutput *output;
    FvStatus status = fv_output_open(&output, &(FvOutputParams){.path = "-", .cancel = job->cancel}, error);
    if (!status) {
        const FvFormat *format = &fv_source_info(job->distorted)->format;
        const double start = (double)job->params.start / 1e6;
        const double first = format->rate_den ? ceil(start * format->rate_num / format->rate_den - 1e-6) : 0;
        const TableVideo video = {*format, job->score->skip_distorted + (int64_t)first};
        table_print(fv_output_file(output), job->session, &video);
        status = fv_output_close(&output, error);
    }
    return status ? complain(status, "%s", error->message) : FV_OK;
}

/* For the page, which is good without them, too. Only running out of memory is a failure. */
static FvStatus add_pictures(const Job *job)
{
    ExhibitParams params = {.params = &job->params, .threads = (int)job->score->threads};
    FvFormat raw;
    FvError error = {0};
    if (fv_cancel_requested(job->cancel) || !picture_has_png())
        return FV_OK;
    params.threads = params.threads > 256 ? 256 : params.threads;
    FvStatus status = geometry_parse(&job->score->geometry, job->score->reader, &raw);
    for (int side = fv_session_needs_reference(job->session) ? 0 : 1; side < 2 && !status; side++)
        status = source_params(job, side, &raw, &params.file[side]);
    if (!status && exhibit_add(job->session, &params, &error)) {
        warn("the page lacks pictures: %s", error.message);
        status = error.status == FV_ERROR_MEMORY ? FV_ERROR_MEMORY : FV_OK;
    }
    return status;
}

static int score_all(Job *job, FvError *error)
{
    const Score *score = job->score;
    FvStatus status = fv_score(job->session, job->reference, job->distorted, &job->params, error);
    progress_finish(job->style);
    if (job->gate_status != FV_OK)
        return job->gate_status;
    const char *path = report_path(score);
    int64_t frames = fv_session_frames(job->session);
    if (status != FV_OK)
        complain(status, "%s", error->message);
    if (status != FV_OK && frames)
        warn("%" PRId64 " frame%s scored before that: %s", frames, frames == 1 ? " was" : "s were",
             path ? "the report holds them and says that it is partial" : "-o FILE keeps them in a report");
    if (path && frames) {
        FvError failure = {0};
        FvStatus shown = report_format(score) == FV_REPORT_HTML ? add_pictures(job) : FV_OK;
        if (fv_report_write(job->session, path, report_format(score), &failure) != FV_OK)
            return complain(failure.status, "%s", failure.message);
        status = status != FV_OK ? status : shown;
    }
    if (status != FV_OK)
        return status;
    if (!path || strcmp(path, "-"))
        status = print_table(job, error);
    return status != FV_OK ? (int)status : gates_pass(&job->gates, job->session) ? EXIT_OK : EXIT_GATE;
}

static int run(const void *values, const ArgList *words)
{
    (void)words;
    FvError error = {0};
    Job job = {.score = values, .gate_status = FV_OK};
    job.style = progress_style(job.score->progress);
    message_as_json(job.style == PROGRESS_JSON);
    int status = open_all(&job, &error);
    if (status == FV_OK)
        status = score_all(&job, &error);
    fv_source_close(&job.reference);
    fv_source_close(&job.distorted);
    fv_session_close(&job.session);
    fv_alignment_close(&job.alignment);
    gates_free(&job.gates);
    return status;
}

const Command command_score = {
    .name = "score",
    .summary = "score a video against its reference, or on its own",
    .synopsis = "-r REFERENCE -d DISTORTED [OPTION]...",
    .description =
        "Computes metrics of the distorted video, frame by frame, and prints a table with the worst frames. Frames "
        "pair "
        "by index.\n"
        "Scores are pooled over all frames: mean; harmonic_mean, n / sum(1 / (1 + x)) - 1; min, max; stddev, of the "
        "population; median and the percentiles p1 to p25, interpolated between the nearest ranks. A value that is "
        "not a "
        "number makes the pooled one so.\n"
        "Reads Y4M, raw planar video (its geometry must be given) and, if built with libav, every container and "
        "codec that libav opens. The words of an option's name may be joined by - or by _.",
    .example = "fovea score -r reference.mov -d distorted.mp4\n"
               "fovea score -r ref.y4m -d dis.y4m --metric psnr=enable_mse=true,psnr_hvs -o report.json\n"
               "fovea score -r ref.yuv -d dis.yuv -w 1920 -h 1080 -p 420 -b 10 --fail-below psnr_hvs=35:p5\n"
               "ffmpeg -i dis.mkv -f yuv4mpegpipe - | fovea score -r ref.y4m -d - --json",
    .refusal = "name the two files: fovea score -r REFERENCE -d DISTORTED",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .values_size = sizeof(Score),
    .run = run,
};
