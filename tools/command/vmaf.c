/*
 * fovea vmaf: scores with the options and reports of libvmaf's command, for scripts that were written for that
 * command. docs/libvmaf.md
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/options.h"
#include "cli/stop.h"
#include "command/vmaf_choice.h"
#include "command/vmaf_guess.h"
#include "fovea/fovea.h"
#include "libvmaf/numbers.h"
#include "report/recheck.h"
#include "scoring/videos.h"

typedef struct Vmaf {
    const char *progress; /* --progress; process_start() acts on it before this table is parsed */
    const char *reference, *distorted, *pixel_format, *output, *format, *cpumask, *gpumask, *aom_ctc, *nflx_ctc;
    unsigned width, height, depth, threads, subsample, frames, skip_reference, skip_distorted;
    ArgList models, features;
    bool no_prediction, quiet, version;
    const char *check;
    int64_t tolerance;
} Vmaf;

#define AT(field) offsetof(Vmaf, field)

static const char *const pixel_formats[] = {"420", "422", "444", NULL};
static const char *const aom_versions[] = {"v1.0", "v2.0", "v3.0", "v4.0", "v5.0", "v6.0", "v7.0", NULL};
static const char *const nflx_versions[] = {"v1.0", NULL};

#define REPORT(word, form)                                                                                           \
    {                                                                                                                \
        FIXED(word, AT(format), word), .help = "write the report as " form                                           \
    }

static const ArgOption options[] = {
    {ROW_REFERENCE(AT(reference)), .section = "Videos", .help = "the original video"},
    {ROW_DISTORTED(AT(distorted)), .help = "the video to score"},
    {UNSIGNED("width", AT(width)), .letter = 'w', .help = "raw video: luma columns"},
    {UNSIGNED("height", AT(height)), .letter = 'h', .help = "raw video: luma rows"},
    {TEXT("pixel-format", AT(pixel_format), "NAME"), .letter = 'p', .choices = pixel_formats,
     .help = "raw video: 420, 422 or 444"},
    {UNSIGNED("bitdepth", AT(depth)), .letter = 'b', .help = "raw video: 8, 10, 12 or 16 bits per sample"},
    {UNSIGNED("frame-cnt", AT(frames)), .help = "stop after N frames; 0 means all (0)"},
    {UNSIGNED("frame-skip-ref", AT(skip_reference)), .help = "skip the first N frames of the reference"},
    {UNSIGNED("frame-skip-dist", AT(skip_distorted)), .help = "skip the first N frames of the distorted video"},
    {UNSIGNED("subsample", AT(subsample)), .help = "score only every N-th frame"},
    {LIST("model", AT(models), "TEXT"), .section = "Scores", .letter = 'm',
     .help =
         "version=NAME or path=FILE; name=NAME, disable_clip, enable_transform and feature.option=value may follow "
         "after colons (version=vmaf_v0.6.1)"},
    {LIST("feature", AT(features), "TEXT"), .help = "name, or name=option=value:option=value"},
    {TEXT("aom-ctc", AT(aom_ctc), "VERSION"), .choices = aom_versions,
     .help = "the models and features of AOM's common test conditions: v1.0 to v7.0"},
    {TEXT("nflx-ctc", AT(nflx_ctc), "VERSION"), .choices = nflx_versions,
     .help = "the models and features of Netflix's test conditions: v1.0"},
    {FLAG("no-prediction", AT(no_prediction)), .letter = 'n', .help = "features only, no model's score"},
    {TEXT("output", AT(output), "FILE"), .section = "Results", .letter = 'o', .offer = OFFER_FILES,
     .help = "write a report"},
    REPORT("xml", "XML (the default)"),
    REPORT("json", "JSON"),
    REPORT("csv", "CSV"),
    REPORT("sub", "subtitles"),
    {TEXT("check", AT(check), "REPORT"), .whole = true, .offer = OFFER_FILES,
     .help = "score again and compare with this report of libvmaf 1 to 3, in JSON, XML or CSV. Without --model and "
             "--feature its columns say what to score. Exit codes: 0 no number differs, 1 some do, 2 nothing could "
             "be compared, 3 a file cannot be read"},
    {NUMBER("tolerance", AT(tolerance), 0, 1000000), .whole = true,
     .help = "with --check: differences of up to N units of the last printed digit do not count (0)"},
    {FLAG("quiet", AT(quiet)), .letter = 'q',
     .help = "no frame counter on a terminal, and no scores if there is a report"},
    {FLAG("version", AT(version)), .letter = 'v', .help = "print the version of libvmaf replaced, and fovea's"},
    {UNSIGNED("threads", AT(threads)), .section = "Processors", .help = "threads to use; 0 means one (0)"},
    {TEXT("cpumask", AT(cpumask), "BITS"), .letter = 'c', .help = "accepted; scores do not depend on instructions"},
    {TEXT("gpumask", AT(gpumask), "BITS"), .help = "accepted; the environment variable FOVEA_DEVICE chooses a GPU"},
    {ROW_PROGRESS(offsetof(Vmaf, progress)), .whole = true},
    {.name = NULL},
};

/* ---- Videos ---------------------------------------------------------------------------------------------------- */

typedef struct Job {
    const Vmaf *vmaf;
    const FvCancel *cancel;
    FvSource *source[2];
    FvFormat format; /* format of the frames */
    VmafContext *context;
    VmafChoice choice;
    unsigned frames;
    bool terminal, reading; /* reading: a picture was refused */
    Stored old;             /* the stored report of --check */
    Guess guess;
    bool more; /* the videos have frames after the last one of the old report */
} Job;

static int open_source(Job *job, int i, const char *path)
{
    static const FvChroma chromas[] = {FV_CHROMA_420, FV_CHROMA_422, FV_CHROMA_444};
    const Vmaf *vmaf = job->vmaf;
    FvSourceParams params = {.path = path, .cancel = job->cancel};
    FvError error;
    if (vmaf->width) {
        params.reader = "raw";
        params.raw = (FvFormat){.width = (int)vmaf->width, .height = (int)vmaf->height, .depth = (int)vmaf->depth};
        for (int k = 0; pixel_formats[k]; k++)
            if (!strcmp(vmaf->pixel_format, pixel_formats[k]))
                params.raw.chroma = chromas[k];
    }
    return report_error_if(fv_source_open(&job->source[i], &params, &error), &error);
}

static int compare_videos(Job *job)
{
    const FvFormat *ref = &fv_source_info(job->source[0])->format, *dis = &fv_source_info(job->source[1])->format;
    if (ref->width != dis->width || ref->height != dis->height)
        return report_error(FV_ERROR_INPUT, "dimensions do not match: %dx%d, %dx%d", ref->width, ref->height,
                            dis->width, dis->height);
    if (ref->chroma != dis->chroma)
        return report_error(FV_ERROR_INPUT, "pixel formats do not match; 'fovea score --convert chroma' converts");
    if (ref->chroma > FV_CHROMA_444)
        return report_error(FV_ERROR_INPUT,
                            "libvmaf has no such pixel format; 'fovea score --convert chroma' converts");
    if (ref->depth != dis->depth && !job->choice.any_depth)
        return report_error(FV_ERROR_INPUT, "bitdepths do not match: %d, %d; 'fovea score' converts", ref->depth,
                            dis->depth);
    if (job->old.width && (job->old.width != ref->width || job->old.height != ref->height))
        return report_error(
            FV_ERROR_USAGE,
            "%s is of pictures of %dx%d, and the videos have %dx%d: a scaler in front of libvmaf made "
            "them, such as FFmpeg's, which fovea does not repeat",
            job->old.path, job->old.width, job->old.height, ref->width, ref->height);
    job->format = *ref;
    if (dis->depth > ref->depth)
        job->format.depth = dis->depth;
    return FV_OK;
}

static unsigned sample(const uint8_t *row, int x, int depth)
{
    return depth > 8 ? ((const uint16_t *)row)[x] : row[x];
}

/*
 * Copies a frame into a picture. Odd chroma sizes are rounded down, as in libvmaf. Samples of lower bit depth are
 * shifted up.
 */
static void fill_picture(const FvFrame *frame, VmafPicture *picture)
{
    int shift = (int)picture->bpc - frame->format.depth;
    for (int plane = 0; plane < fv_format_planes(&frame->format); plane++)
        for (unsigned y = 0; y < picture->h[plane]; y++) {
            const uint8_t *from = frame->data[plane] + (ptrdiff_t)y * frame->stride[plane];
            uint8_t *to = (uint8_t *)picture->data[plane] + (ptrdiff_t)y * picture->stride[plane];
            if (!shift)
                memcpy(to, from, (size_t)picture->w[plane] * (picture->bpc > 8 ? 2 : 1));
            for (unsigned x = 0; shift && x < picture->w[plane]; x++)
                ((uint16_t *)to)[x] = (uint16_t)(sample(from, (int)x, frame->format.depth) << shift);
        }
}

/* Reads the next picture of video i. FV_END after the last frame. */
static FvStatus read_picture(Job *job, int i, VmafPicture *picture, FvError *error)
{
    FvFrame *frame = NULL;
    FvStatus status = fv_source_read(job->source[i], &frame, error);
    if (!status && vmaf_fetch_preallocated_picture(job->context, picture)) {
        *error = (FvError){.status = FV_ERROR_MEMORY, .message = "out of memory for a picture"};
        status = FV_ERROR_MEMORY;
    }
    if (!status)
        fill_picture(frame, picture);
    fv_frame_unref(&frame);
    return status;
}

static FvStatus skip(Job *job, int i, int64_t count, FvError *error)
{
    FvStatus status = FV_OK;
    for (int64_t n = 0; n < count && !status; n++) {
        FvFrame *frame = NULL;
        status = fv_source_read(job->source[i], &frame, error);
        fv_frame_unref(&frame);
    }
    return status;
}

/* ---- Scoring --------------------------------------------------------------------------------------------------- */

static void show_progress(const Job *job, clock_t begin)
{
    unsigned frames = job->frames + 1;
    if (job->terminal && !job->vmaf->quiet)
        fprintf(stderr, "\r%u frame%s %.2f FPS\033[K", frames, frames == 1 ? "" : "s",
                frames / ((double)(clock() - begin + 1) / CLOCKS_PER_SEC));
}

/* Scores the next pair. Returns FV_END after the last one, and also, after a message, if one video is shorter. */
static FvStatus score_pair(Job *job, FvError *error)
{
    const Vmaf *vmaf = job->vmaf;
    VmafPicture picture[2] = {{.ref = NULL}, {.ref = NULL}};
    FvStatus status[2] = {read_picture(job, 0, &picture[0], error), FV_OK};
    if (status[0] == FV_OK || status[0] == FV_END)
        status[1] = read_picture(job, 1, &picture[1], error);
    FvStatus result = status[status[0] <= FV_END];
    if (result == FV_END)
        result = FV_OK;
    if (!result && (status[0] || status[1])) {
        if (status[0] != status[1])
            fprintf(stderr, "\n\"%s\" ended before \"%s\".\n", status[0] ? vmaf->reference : vmaf->distorted,
                    status[0] ? vmaf->distorted : vmaf->reference);
        result = FV_END;
    }
    if (!result && vmaf_read_pictures(job->context, &picture[0], &picture[1], job->frames)) {
        snprintf(error->message, sizeof error->message, "problem reading pictures");
        job->reading = true;
        result = FV_ERROR_INPUT;
    }
    vmaf_picture_unref(&picture[0]);
    vmaf_picture_unref(&picture[1]);
    return result;
}

static int score_pairs(Job *job)
{
    const Vmaf *vmaf = job->vmaf;
    FvError error = {0};
    clock_t begin = clock();
    FvStatus status = skip(job, 0, vmaf->skip_reference, &error);
    if (!status)
        status = skip(job, 1, vmaf->skip_distorted, &error);
    while (!status && (!vmaf->frames || job->frames < vmaf->frames) && job->frames < UINT32_MAX - 1) {
        status = score_pair(job, &error);
        if (!status) {
            show_progress(job, begin);
            job->frames++;
        }
    }
    if (job->terminal && !vmaf->quiet)
        fputc('\n', stderr);
    if (vmaf->check && !status) {
        FvError none;
        job->more = !skip(job, 0, 1, &none) && !skip(job, 1, 1, &none);
    }
    status = status == FV_END ? FV_OK : status;
    report_error_if(status, &error);
    if (vmaf_read_pictures(job->context, NULL, NULL, 0)) {
        job->reading = true;
        return status ? (int)status : report_error(FV_ERROR_INPUT, "problem flushing context");
    }
    return status == FV_ERROR_INPUT && job->frames ? FV_ERROR_PARTIAL : status;
}

static int show_scores(Job *job)
{
    const Vmaf *vmaf = job->vmaf;
    bool shown = job->terminal && !vmaf->check && (!vmaf->quiet || !vmaf->output);
    unsigned last = job->frames - 1;
    for (int i = 0; i < job->choice.model_count; i++) {
        const VmafChosen *chosen = &job->choice.model[i];
        double score;
        if (vmaf_score_pooled(job->context, chosen->model, VMAF_POOL_METHOD_MEAN, &score, 0, last))
            return report_error(FV_ERROR_INPUT, "problem generating pooled VMAF score");
        if (shown)
            fprintf(stderr, "%s: %f\n", chosen->label, score);
    }
    for (int i = 0; i < job->choice.model_count; i++) {
        const VmafChosen *chosen = &job->choice.model[i];
        VmafModelCollectionScore score;
        if (!chosen->collection)
            continue;
        if (vmaf_score_pooled_model_collection(job->context, chosen->collection, VMAF_POOL_METHOD_MEAN, &score, 0,
                                               last))
            return report_error(FV_ERROR_INPUT, "problem generating pooled VMAF score");
        if (shown)
            fprintf(stderr, "%s: %f, ci.p95: [%f, %f], stddev: %f\n", chosen->label, score.bootstrap.bagging_score,
                    score.bootstrap.ci.p95.lo, score.bootstrap.ci.p95.hi, score.bootstrap.stddev);
    }
    return FV_OK;
}

static int check_output(const Job *job)
{
    const char *files[VMAF_MOST + 1];
    FvError error = {0};
    for (int i = 0; i < job->choice.model_count; i++)
        files[i] = job->choice.model[i].path;
    files[job->choice.model_count] = job->vmaf->check;
    const FvOutputParams params = {.path = job->vmaf->output,
                                   .sources = (const FvSource *const *)job->source,
                                   .source_count = 2,
                                   .files = files,
                                   .file_count = job->choice.model_count + 1};
    if (job->vmaf->check) /* --check answers on standard output */
        return report_error_if(outputs_check(&params, &error), &error);
    return params.path ? (int)report_error_if(fv_output_check(&params, &error), &error) : FV_OK;
}

static int write_report(const Job *job)
{
    static const char *const names[] = {"xml", "json", "csv", "sub"};
    enum VmafOutputFormat format = VMAF_OUTPUT_FORMAT_XML;
    for (int i = 0; i < 4 && job->vmaf->format; i++)
        if (!strcmp(job->vmaf->format, names[i]))
            format = (enum VmafOutputFormat)(VMAF_OUTPUT_FORMAT_XML + i);
    if (!job->vmaf->output)
        return FV_OK;
    if (fv_cancel_requested(job->cancel)) /* the formats of libvmaf's reports cannot say that a report is partial */
        return report_error(FV_FAIL_STOPPED, "%s was not written: the scoring was stopped on request",
                            job->vmaf->output);
    int refused = check_output(job);
    if (refused)
        return refused;
    return vmaf_write_output(job->context, job->vmaf->output, format) ? FV_ERROR_OUTPUT : FV_OK;
}

static int score_job(Job *job)
{
    const Vmaf *vmaf = job->vmaf;
    VmafConfiguration cfg = {
        .log_level = VMAF_LOG_LEVEL_INFO, .n_threads = vmaf->threads, .n_subsample = vmaf->subsample};
    if (vmaf_init(&job->context, cfg))
        return report_error(FV_ERROR_MEMORY, "problem initializing VMAF context");
    int status = vmaf_choose(job->context, &vmaf->models, &vmaf->features, vmaf->aom_ctc, vmaf->nflx_ctc,
                             vmaf->no_prediction, &job->choice);
    if (!status)
        status = check_output(job);
    if (!status)
        status = compare_videos(job);
    if (status)
        return status;
    static const enum VmafPixelFormat formats[] = {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P,
                                                   VMAF_PIX_FMT_YUV444P};
    VmafPictureConfiguration pictures = {{(unsigned)job->format.width, (unsigned)job->format.height,
                                          (unsigned)job->format.depth, formats[job->format.chroma]},
                                         2};
    if (vmaf_preallocate_pictures(job->context, pictures))
        return report_error(FV_ERROR_MEMORY, "problem during vmaf_preallocate_pictures");
    status = score_pairs(job);
    bool some = !status || status == FV_ERROR_PARTIAL;
    int scored = some && !vmaf->no_prediction ? show_scores(job) : FV_OK;
    int written = some && (job->frames || !scored) ? write_report(job) : FV_OK;
    return status ? status : scored ? scored : written;
}

/* ---- --check --------------------------------------------------------------------------------------------------- */

/* Reads the old report, and takes from it what the options leave open. */
static int prepare_check(Job *job, Vmaf *vmaf)
{
    const bool chosen = vmaf->models.count || vmaf->features.count || vmaf->aom_ctc || vmaf->nflx_ctc;
    int status = stored_open(&job->old, vmaf->check);
    if (status)
        return status;
    if (job->old.kind == STORED_FOVEA)
        return report_error(FV_ERROR_USAGE, "%s is a report of fovea; 'fovea score --check %s' checks it",
                            vmaf->check, vmaf->check);
    if (!chosen && !vmaf->no_prediction && vmaf->output)
        return report_error(
            FV_ERROR_USAGE,
            "--check without --model and --feature tries several models, which %s would have; name them, "
            "or leave out --output",
            vmaf->output);
    if (!chosen && !vmaf->no_prediction) {
        status = guess_open(&job->guess, &job->old);
        vmaf->models = job->guess.model_list;
        vmaf->features = job->guess.feature_list;
        vmaf->no_prediction = !job->guess.models;
    }
    if (!vmaf->subsample)
        vmaf->subsample = (unsigned)job->old.step;
    if (!vmaf->frames)
        vmaf->frames = (unsigned)(job->old.last + job->old.step);
    return status;
}

static bool today(void *opaque, const char *name, int64_t frame, double *value)
{
    const Job *job = opaque;
    return lv_report_number(job->context, name, NULL, (unsigned)frame, value);
}

static void compare_number(Job *job, Recheck *recheck, const StoredNumber *number)
{
    char text[512];
    double now;
    const bool run = number->pool && !strcmp(number->pool, "run");
    if (run)
        recheck_leave(recheck, number->name, "it is of that run, such as its speed");
    else if (job->old.last >= job->frames && (number->pool || number->frame >= job->frames) && job->frames)
        recheck_leave(recheck, number->name, "the videos end before the report does");
    else if (job->context && (lv_report_number(job->context, guess_name(&job->guess, number->name, text, sizeof text),
                                               number->pool, (unsigned)number->frame, &now) ||
                              lv_report_number(job->context, guess_motion(number->name, text, sizeof text),
                                               number->pool, (unsigned)number->frame, &now)))
        recheck_take(recheck, number, now);
    else
        recheck_leave(recheck, number->name, guess_reason(&job->old, number->name));
}

/*
 * Prints which scores are known to differ between libvmaf's SIMD code and its C code, whose numbers fovea computes.
 */
static void explain(const Job *job, const Recheck *recheck)
{
    bool adm = false, ciede = false, motion = false, psnr = false, ssim = false;
    for (int i = 0; i < recheck->scores; i++)
        if (recheck->score[i].gap >= 0) {
            adm |= strstr(recheck->score[i].name, "adm") || strstr(recheck->score[i].name, "aim");
            ciede |= !strcmp(recheck->score[i].name, "ciede2000");
            motion |= !strncmp(recheck->score[i].name, "integer_motion", 14);
            psnr |= !strncmp(recheck->score[i].name, "psnr_y", 6);
            ssim |= !strcmp(recheck->score[i].name, "ssim") || !strcmp(recheck->score[i].name, "ms_ssim");
        }
    if (motion && !(job->old.version && strtod(job->old.version, NULL) >= 3.2))
        puts("libvmaf before 3.2 mirrored pictures differently at their right and lower border in motion;\n"
             "  its integer_motion, and scores of models with it, differ from today's (docs/recheck.md)");
    if (adm && job->format.width < 533)
        puts("libvmaf's code for AVX2 and AVX-512 reads past the rows of adm in some pictures narrower than 533 "
             "samples;\n  'vmaf --cpumask 63' takes its C code, whose scores fovea has (docs/libvmaf.md)");
    else if (adm)
        puts("libvmaf's code for AVX2 and AVX-512 differs from its C code in adm of isolated detail, such as noise;\n"
             "  'vmaf --cpumask 63' takes its C code, whose scores fovea has (docs/libvmaf.md)");
    if (ciede)
        puts("ciede2000 of libvmaf follows the functions of its C library, by about 1e-6 (docs/metrics/ciede.md)");
    if (ssim)
        puts("ssim and ms_ssim of libvmaf 1 differ from float_ssim and float_ms_ssim of libvmaf 2 and 3, by about "
             "1e-4\n"
             "  and 1e-5");
    if (psnr && job->format.depth > 8 && job->guess.features)
        puts("psnr_y, psnr_cb and psnr_cr lie 0.025 to 0.034 lower if the old call had --aom_ctc or "
             "reduced_hbd_peak;\n"
             "  give that option again, since a report has no trace of it");
}

/* Compares every number of the old report. Returns an exit code. */
static int compare_with_old(Job *job)
{
    char how[4096];
    const bool guessed = job->guess.models || job->guess.features;
    if (guessed) {
        /*
         * If the videos are shorter than the report, motion of their last two frames differs, because the next frames
         * are missing.
         */
        int status =
            guess_models(&job->guess, job->old.last < job->frames ? INT64_MAX : (int64_t)job->frames - 2, today, job);
        if (status)
            return status;
    }
    Recheck recheck = recheck_open(&job->old, job->vmaf->tolerance);
    for (size_t i = 0; i < job->old.count; i++)
        compare_number(job, &recheck, &job->old.number[i]);
    if (job->old.lost)
        recheck_leave_many(&recheck, "rows of CSV", "the row lacks values, so their columns are not known",
                           (int64_t)job->old.lost);
    const int status = recheck_print(&recheck, guessed ? guess_describe(&job->guess, how, sizeof how) : "");
    if (job->more)
        printf("the videos go on behind frame %" PRId64 ", the last one of the report\n", job->old.last);
    if (status == EXIT_GATE)
        explain(job, &recheck);
    recheck_close(&recheck);
    return status;
}

/* ---- The command ----------------------------------------------------------------------------------------------- */

static int check_options(const Vmaf *vmaf)
{
    const char *masks[] = {vmaf->cpumask, vmaf->gpumask};
    bool raw = vmaf->width || vmaf->height || vmaf->pixel_format || vmaf->depth;
    bool depth = vmaf->depth == 8 || vmaf->depth == 10 || vmaf->depth == 12 || vmaf->depth == 16;
    for (int i = 0; i < 2; i++) {
        char *end = NULL;
        if (masks[i] && (strtoull(masks[i], &end, 0), *end || end == masks[i]))
            return report_error(FV_FAIL_VALUE, "--%s takes a number, not '%s'", i ? "gpumask" : "cpumask", masks[i]);
    }
    if (!vmaf->reference || !vmaf->distorted)
        return report_error(FV_FAIL_MISSING_VIDEO, "%s",
                            !vmaf->reference ? "the reference is missing: -r FILE, --reference FILE"
                                             : "the distorted video is missing: -d FILE, --distorted FILE");
    if (raw && !(vmaf->width && vmaf->height && vmaf->pixel_format && vmaf->depth))
        return report_error(FV_ERROR_USAGE,
                            "raw video needs all of --width, --height, --pixel-format and --bitdepth");
    if (raw && (vmaf->width > FV_MAX_SIDE || vmaf->height > FV_MAX_SIDE))
        return report_error(FV_ERROR_INPUT, "--width and --height take 1 to 32768, not %u and %u", vmaf->width,
                            vmaf->height);
    if (raw && !depth)
        return report_error(FV_ERROR_USAGE, "--bitdepth takes 8, 10, 12 or 16, not %u", vmaf->depth);
    return videos_check(vmaf->reference, vmaf->distorted);
}

/* Returns the exit code that libvmaf's command has for a failure, if it has its own. */
static int code_of(const Job *job, int status)
{
    enum { WRONG_OPTIONS = 1, REFUSED = 255, PICTURES_REFUSED = 234 };
    if (job->vmaf->check)
        return status;
    if (status == FV_ERROR_USAGE)
        return WRONG_OPTIONS;
    return status != FV_ERROR_INPUT ? status : job->reading ? PICTURES_REFUSED : REFUSED;
}

static int run(const void *values, const ArgList *words)
{
    Vmaf vmaf = *(const Vmaf *)values;
    Job job = {.vmaf = &vmaf, .terminal = isatty(STDERR_FILENO)};
    if (vmaf.version) {
        fprintf(stderr, "%s\n", vmaf_version());
        return EXIT_OK;
    }
    int status = check_options(&vmaf);
    if (!status && vmaf.check)
        status = prepare_check(&job, &vmaf);
    const bool idle =
        vmaf.check && vmaf.no_prediction && !vmaf.features.count; /* fovea computes no score with these options */
    if (!status && !(job.cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (!status)
        status = open_source(&job, 0, vmaf.reference);
    if (!status)
        status = open_source(&job, 1, vmaf.distorted);
    if (!status && !idle)
        status = score_job(&job);
    if (!status && vmaf.check)
        status = compare_with_old(&job);
    vmaf_choice_free(&job.choice);
    if (job.context)
        vmaf_close(job.context);
    fv_source_close(&job.source[0]);
    fv_source_close(&job.source[1]);
    guess_close(&job.guess);
    stored_close(&job.old);
    return code_of(&job, status);
}

const Command command_vmaf = {
    .name = "vmaf",
    .summary = "libvmaf's command line, for scripts that call it",
    .synopsis = "-r FILE -d FILE [-m MODEL] [-o FILE] [OPTION]...",
    .description =
        "Takes the options of libvmaf 3.2's command vmaf and writes the same reports, so that a script only has to "
        "call 'fovea vmaf' instead of 'vmaf'. Scores appear on a terminal and in the report.\n"
        "Besides Y4M and raw video it reads every file that 'fovea score' reads. 'fovea score' reports more and "
        "refuses videos that do not fit each other.",
    .example =
        "fovea vmaf -r reference.y4m -d distorted.y4m -m version=vmaf_v0.6.1 --json -o scores.json --threads 4\n"
        "fovea vmaf -r reference.y4m -d distorted.y4m --check scores.json",
    .refusal = "name the videos with -r FILE and -d FILE",
    .options = options,
    .values_size = sizeof(Vmaf),
    .run = run,
    .wrong = 1,
    .except = "--check",
};
