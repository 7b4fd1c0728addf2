#include "command/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/stop.h"
#include "clock.h"
#include "command/job.h"
#include "image/picture.h"
#include "result/exhibit.h"
#include "result/ladder_files.h"
#include "result/ladder_page.h"
#include "result/ladder_table.h"
#include "result/reports.h"
#include "result/table.h"
#include "scoring/encodes.h"
#include "scoring/resume.h"
#include "scoring/videos.h"

#define PATHS 2     /* of an encode and its reference */
#define FILES 15    /* encodes that one check compares an output with */
#define PICTURED 12 /* encodes of which the page has pictures */
#define GROUP 16    /* pairs that are scored side by side, which bounds the memory */
#define GPU_GROUP 8 /* of them on a GPU */

/* Bytes of a GPU's memory for each sample of luma of a pair: all metrics together take no more. */
#define GPU_BYTES 1024

/* One run. */
typedef struct Run {
    const Options *options;
    const ArgList *references, *encodes;
    Options *own;         /* of each pair */
    ArgList report;       /* of each pair, its file in the folder; or empty */
    LadderMerger *merger; /* makes the sessions, with `opaque`; NULL: the encodes are scored */
    void *opaque;
    char **path;    /* of each pair, what its shards call the encode and the reference; NULL: not known */
    FvPlan **plan;  /* of each pair that was scored in shards */
    char **details; /* of each pair, what --details prints of it; NULL: nothing */
    Ladder ladder;
    ProgressStyle style;
    const FvCancel *cancel;
    uint64_t gpu;            /* bytes of its memory; 0: the CPU scores */
    bool shares;             /* the pairs have one reference, which they read side by side */
    int64_t *frames, *total; /* of each pair: scored so far; -1: not known */
    double started;          /* seconds of the clock */
} Run;

/* A pair while it is scored. */
typedef struct Pair {
    Job job;
    Run *run;
    int number;
    FvStatus status;
} Pair;

/* ---- What cannot be asked for all ------------------------------------------------------------------------------ */

static bool names_heat_maps(const Options *options)
{
    for (int i = 0; i < options->metrics.count; i++)
        if (strstr(options->metrics.items[i], "heatmaps_path"))
            return true;
    return false;
}

static const char *name_stream(const char *path)
{
    return strcmp(path, "-") ? path : "standard input";
}

static const char *folder_of(const Options *options)
{
    for (int i = 0; i < options->outputs.count; i++)
        if (reports_is_folder(options->outputs.items[i]))
            return options->outputs.items[i];
    return NULL;
}

static FvStatus check_options(const Options *options, const ArgList *encodes)
{
    const char *one = options->pace ? "--pace" : names_heat_maps(options) ? "heatmaps_path" : NULL;
    if (one)
        return complain(FV_ERROR_USAGE, "%s is for one encode: score the encodes one by one, or leave it out", one);
    if (options->resume && !folder_of(options))
        return complain(FV_ERROR_USAGE,
                        "--resume keeps finished parts beside the report of each encode: name the folder of the "
                        "reports with -o FOLDER/");
    for (int i = 0; i < encodes->count; i++)
        if (videos_is_stream(encodes->items[i]))
            return complain(FV_ERROR_USAGE,
                            "%s is not a file, and several encodes are files: store it in one, or score "
                            "it alone",
                            name_stream(encodes->items[i]));
    return FV_OK;
}

/* A reference that can be read only once is for one group of pairs, which read it together. */
static FvStatus check_reference(const Run *run, int group)
{
    const char *reference = run->options->reference;
    if (!reference || !videos_is_stream(reference) || run->encodes->count <= group)
        return FV_OK;
    return complain(FV_ERROR_USAGE, "%s is read once, by at most %d encode%s%s: store it in a file%s",
                    name_stream(reference), group, group > 1 ? "s" : "", run->gpu ? " on this device" : "",
                    run->gpu ? ", or add --device cpu" : "");
}

/* How many pairs are scored side by side: on a GPU, as many as its memory has room for. */
static int choose_group(const Run *run, const FvSource *reference)
{
    if (!run->shares || !run->gpu || !reference)
        return !run->shares ? 1 : run->gpu ? GPU_GROUP : GROUP;
    const FvFormat *format = &fv_source_info(reference)->format;
    const uint64_t pairs = run->gpu / ((uint64_t)GPU_BYTES * (uint64_t)format->width * (uint64_t)format->height);
    return pairs < 1 ? 1 : pairs < GPU_GROUP ? (int)pairs : GPU_GROUP;
}

/* ---- Outputs --------------------------------------------------------------------------------------------------- */

/* Only an output "-" may be given without -o, by --format. */
static FvReportFormat format_of(const Options *options, const char *output)
{
    const char *dot = strrchr(output, '.'), *name = options->format ? options->format : dot ? dot + 1 : "json";
    return !strcmp(name, "csv") ? FV_REPORT_CSV : !strcmp(name, "html") ? FV_REPORT_HTML : FV_REPORT_JSON;
}

/* One file for all encodes: JSON, CSV or a page. */
static FvStatus check_common(const Options *options, const char *output)
{
    const char *dot = strrchr(output, '.');
    const char *name = options->format && !folder_of(options) ? options->format
                       : !strcmp(output, "-") || !dot         ? "json"
                                                              : dot + 1;
    if (!strcmp(name, "json") || !strcmp(name, "csv") || !strcmp(name, "html"))
        return FV_OK;
    return complain(FV_ERROR_USAGE,
                    "-o %s: one file for all encodes is .json, .csv or .html; -o FOLDER --format ndjson writes a "
                    "report for each",
                    output);
}

static FvStatus check_outputs(const Options *options)
{
    FvStatus status = FV_OK;
    const char *folder = folder_of(options);
    for (int i = 0; i < options->outputs.count && !status; i++) {
        const char *output = options->outputs.items[i];
        if (!reports_is_folder(output))
            status = check_common(options, output);
        else if (output != folder)
            status = complain(FV_ERROR_USAGE, "-o %s and -o %s are both folders: each encode has one report", folder,
                              output);
        for (int k = 0; k < i && !status; k++)
            if (!strcmp(output, options->outputs.items[k]))
                status = complain(FV_ERROR_USAGE, "-o %s is given twice: name two files, or leave one out", output);
    }
    if (!status && options->format && !options->outputs.count)
        status = check_common(options, "-");
    return status;
}

/* FOLDER/ENCODE.json */
static FvStatus name_reports(Run *run)
{
    const char *folder = folder_of(run->options);
    return folder ? encodes_name(&run->report, run->encodes, folder,
                                 run->options->format ? run->options->format : "json")
                  : FV_OK;
}

/* The file of a pair in the folder; NULL: there is no folder. */
static const char **report_of(const Run *run, int i)
{
    return i < run->report.count ? &run->report.items[i] : NULL;
}

static const char *reference_of(const Run *run, int i)
{
    return run->references->count ? run->references->items[i] : run->options->reference;
}

/* Whether the output can be written and is none of the videos; NULL: standard output. */
static FvStatus check_output(const Run *run, const char *output)
{
    FvError error = {0};
    FvStatus status = FV_OK;
    for (int first = 0; first < run->encodes->count && !status; first += FILES) {
        const char *files[2 * FILES];
        int count = 0;
        for (int i = first; i < run->encodes->count && i < first + FILES; i++) {
            files[count++] = run->encodes->items[i];
            if (reference_of(run, i))
                files[count++] = reference_of(run, i);
        }
        status = outputs_check(&(FvOutputParams){.path = output, .files = files, .file_count = count}, &error);
    }
    return complain_if(status, &error);
}

static FvStatus check_all_outputs(const Run *run)
{
    const ArgList *outputs = &run->options->outputs;
    FvStatus status = check_output(run, NULL);
    for (int i = 0; i < run->report.count && !status; i++)
        status = check_output(run, run->report.items[i]);
    for (int i = 0; i < outputs->count && !status; i++) {
        if (reports_is_folder(outputs->items[i]))
            continue;
        for (int k = 0; k < run->report.count && !status; k++)
            if (!strcmp(run->report.items[k], outputs->items[i]))
                status = complain(FV_ERROR_USAGE, "-o %s is also the report of %s: name another file",
                                  outputs->items[i], run->encodes->items[k]);
        if (!status)
            status = check_output(run, outputs->items[i]);
    }
    return status;
}

typedef void Writer(FILE *file, const Run *run);

static void write_json(FILE *file, const Run *run)
{
    ladder_write_json(file, &run->ladder);
}

static void write_csv(FILE *file, const Run *run)
{
    ladder_write_csv(file, &run->ladder);
}

static void write_page(FILE *file, const Run *run)
{
    ladder_write_page(file, &run->ladder);
}

static Writer *writer_of(const Options *options, const char *path)
{
    const FvReportFormat format = format_of(options, path);
    return format == FV_REPORT_CSV ? write_csv : format == FV_REPORT_HTML ? write_page : write_json;
}

static void write_table(FILE *file, const Run *run)
{
    ladder_print_table(file, &run->ladder);
    for (int i = 0; i < run->encodes->count; i++)
        if (run->details[i])
            fprintf(file, "\n%s", run->details[i]);
}

static void write_picks(FILE *file, const Run *run)
{
    ladder_print_picks(file, &run->ladder, &run->options->print);
}

static FvStatus write_output(const Run *run, const char *path, Writer *writer)
{
    FvOutput *output;
    FvError error = {0};
    FvStatus status = check_output(run, path);
    if (status)
        return status;
    status = fv_output_open(&output, &(FvOutputParams){.path = path, .cancel = run->cancel}, &error);
    if (!status) {
        writer(fv_output_file(output), run);
        status = fv_output_close(&output, &error);
    }
    return complain_if(status, &error);
}

/* ---- Scoring --------------------------------------------------------------------------------------------------- */

/* All pairs as one. */
static void show(void *opaque, Job *job, const FvProgress *progress)
{
    const Pair *pair = opaque;
    Run *run = pair->run;
    FvProgress all = {.seconds = fv_seconds() - run->started};
    message_lock();
    run->frames[pair->number] = progress->frames;
    run->total[pair->number] = progress->total;
    for (int i = 0; i < run->encodes->count; i++) {
        all.frames += run->frames[i];
        all.total = all.total < 0 || run->total[i] < 0 ? -1 : all.total + run->total[i];
    }
    progress_show(run->style, &all);
    message_unlock();
}

/* The first error of a pair, for the table and the file of all. */
static void keep_error(const Pair *pair, FvStatus status)
{
    Rung *rung = &pair->run->ladder.rungs[pair->number];
    rung->status = status ? (int)status : rung->failed ? EXIT_GATE : EXIT_OK;
    if (status && !*rung->error && message_first_error())
        snprintf(rung->error, sizeof rung->error, "%s", message_first_error());
}

/* Opens a pair. `threads` compute it; `shared`: its reference, or NULL. */
static void open_pair(Pair *pair, Run *run, int number, int threads, FvSource *shared)
{
    Options *own = &run->own[number];
    own->threads = threads;
    *pair = (Pair){
        .job = {.options = own, .show = show, .opaque = pair, .opened.shared = shared}, .run = run, .number = number};
    message_forget_error();
    message_about(own->distorted);
    pair->status = job_open(&pair->job);
    keep_error(pair, pair->status);
    if (pair->status)
        run->total[number] = 0;
    message_about(NULL);
}

static FvStatus take_details(const Run *run, const Pair *pair)
{
    char **text = &run->details[pair->number];
    size_t size;
    const Job *job = &pair->job;
    if (!run->options->details)
        return FV_OK;
    FILE *file = open_memstream(text, &size);
    if (file)
        table_print(
            file, job_scored(job),
            &(TableParams){.gates = &job->gates, .reports = job->options->outputs.count > 0, .details = true});
    if (file && !fclose(file))
        return FV_OK;
    return complain(FV_ERROR_MEMORY, "out of memory for the details");
}

/* Writes what belongs to a pair alone, and keeps what the table needs. */
static void end_pair(Pair *pair, FvStatus status, const FvError *error)
{
    Run *run = pair->run;
    Job *job = &pair->job;
    FvStatus shown;
    message_forget_error();
    message_about(job->options->distorted);
    if (job->gate_status)
        status = job->gate_status;
    else
        complain_if(status, error);
    if (fv_session_frames(job_scored(job)) && !job->gate_status) {
        const FvStatus written = job_report(job, !status, &shown);
        status = written ? written : status ? status : shown;
        const FvStatus taken =
            ladder_take(&run->ladder, &run->ladder.rungs[pair->number], job_scored(job), &job->gates);
        const FvStatus detailed = take_details(run, pair);
        status = status ? status : taken ? taken : detailed;
    }
    keep_error(pair, status);
    message_about(NULL);
    if (!status) {
        run->plan[pair->number] = job->plan;
        job->plan = NULL;
    }
}

static char *path_of(const FvSession *session, FvSide side)
{
    FvSourceInfo info;
    return fv_session_input(session, side, &info) ? strdup(info.path) : NULL;
}

/* Calls the pair by the paths that its plan has. */
static void take_paths(Run *run, int number, const FvSession *session)
{
    char **path = &run->path[PATHS * number];
    path[0] = path_of(session, FV_DISTORTED);
    path[1] = path_of(session, FV_REFERENCE);
    if (path[0])
        run->ladder.rungs[number].path = path[0];
    if (path[1] && !run->ladder.reference)
        run->ladder.reference = path[1];
}

/* No output may be a file that decided the scores. */
static FvStatus check_against(const Run *run, const Job *job)
{
    const ArgList *lists[] = {&job->options->outputs, &run->options->outputs};
    FvError error = {0};
    FvStatus status = outputs_check(&(FvOutputParams){.session = job->merged}, &error);
    for (int l = 0; l < 2; l++)
        for (int i = 0; i < lists[l]->count && !status; i++)
            if (!reports_is_folder(lists[l]->items[i]))
                status = outputs_check(&(FvOutputParams){.path = lists[l]->items[i], .session = job->merged}, &error);
    return complain_if(status, &error);
}

/* The same of a pair that was scored in shards. */
static FvStatus merge_next(Run *run, int *next)
{
    const int number = (*next)++;
    Pair pair = {.job = {.options = &run->own[number]}, .run = run, .number = number};
    Job *job = &pair.job;
    FvError error = {0};
    message_forget_error();
    message_about(job->options->distorted);
    FvStatus status = gates_parse(&job->gates, job->options);
    if (!status)
        status = run->merger(run->opaque, number, &job->merged, &error);
    if (job->merged) {
        take_paths(run, number, job->merged);
        job->gate_status = job_check_scores(job, job->merged);
        job->gate_status = job->gate_status ? job->gate_status : check_against(run, job);
    }
    if (status && !error.status)
        keep_error(&pair, status);
    else
        end_pair(&pair, status, &error);
    message_about(NULL);
    status = job->gate_status;
    job_close(job);
    return status;
}

/* Scores the pairs of a group that were opened: side by side with a shared reference, else one after the other. */
static void score_group(Run *run, Pair *pairs, int count, FvSource *shared)
{
    FvEncode encodes[GROUP];
    int place[GROUP], opened = 0;
    FvError error = {0};
    for (int i = 0; i < count; i++)
        if (!pairs[i].status) {
            const Opened *pair = &pairs[i].job.opened;
            place[opened] = i;
            encodes[opened++] =
                (FvEncode){.session = pair->session, .distorted = pair->source[1], .params = &pair->params};
        }
    if (shared && opened)
        fv_score_encodes(encodes, opened, shared, (int)run->options->threads, &error);
    for (int i = 0; i < opened; i++) {
        Pair *pair = &pairs[place[i]];
        if (!shared)
            encodes[i].status = job_score(&pair->job, &encodes[i].error);
        end_pair(pair, encodes[i].status, &encodes[i].error);
    }
}

/* The pairs divide the processors, but for a GPU, where each may need all of them to decode in time. */
static int choose_threads(const Run *run, int pairs)
{
    const int given = (int)run->options->threads, all = given ? given : fv_processors();
    return !run->shares || run->gpu ? given : all > pairs ? all / pairs : 1;
}

/*
 * Scores a group of pairs from *next on, and moves *next behind it. Wrong usage concerns all pairs and ends the run.
 * Otherwise each pair has its own status, and the run goes on.
 */
static FvStatus score_from(Run *run, int *next)
{
    const Options *options = run->options;
    const int first = *next, left = run->encodes->count - first;
    FvSource *shared = NULL;
    Pair pairs[GROUP];
    FvStatus status = FV_OK;
    if (run->shares)
        status = scoring_open_reference(&shared, options, options->device ? options->device : "auto", run->cancel);
    const int group = choose_group(run, shared), count = left < group ? left : group;
    if (!status && run->shares)
        status = check_reference(run, group);
    if (status) {
        fv_source_close(&shared);
        return status;
    }
    *next += count;
    for (int i = 0; i < count; i++)
        open_pair(&pairs[i], run, first + i, choose_threads(run, count), shared);
    for (int i = 0; i < count && !status; i++)
        status = pairs[i].status == FV_ERROR_USAGE ? FV_ERROR_USAGE : FV_OK;
    if (!status)
        score_group(run, pairs, count, shared);
    for (int i = 0; i < count; i++)
        job_close(&pairs[i].job);
    fv_source_close(&shared);
    return status;
}

/* ---- The page of all --------------------------------------------------------------------------------------------
 */

static bool wants_page(const Options *options)
{
    bool wants = options->format && !options->outputs.count && format_of(options, "-") == FV_REPORT_HTML;
    for (int i = 0; i < options->outputs.count; i++)
        wants |= !reports_is_folder(options->outputs.items[i]) &&
                 format_of(options, options->outputs.items[i]) == FV_REPORT_HTML;
    return wants;
}

/* Those that are missing. */
static void keep_pictures(LadderPicture *to, const FvReportPicture *from)
{
    for (int i = 0; i < LADDER_MOMENTS; i++)
        if (to[i].png)
            free((void *)from[i].png);
        else
            to[i] = (LadderPicture){(void *)from[i].png, from[i].bytes};
}

/* An encode that ends early leaves some to the others. */
static bool lacks_reference(const Ladder *ladder)
{
    for (int i = 0; i < ladder->moment_count; i++)
        if (!ladder->pictures[i].png)
            return true;
    return false;
}

/* The page is whole without them, so the failure of a picture is a warning; a lack of memory is told by the status.
 */
static FvStatus picture_encode_of(Run *run, int number)
{
    Ladder *ladder = &run->ladder;
    Job job = {.options = &run->own[number]};
    FvReportPicture distorted[LADDER_MOMENTS] = {{0}}, reference[LADDER_MOMENTS] = {{0}};
    FvError error = {0};
    const bool lacks = lacks_reference(ladder);
    message_about(run->own[number].distorted);
    FvStatus status = job_open(&job);
    if (!status) {
        ExhibitParams params = {.params = &job.opened.params, .threads = options_source_threads(job.options)};
        for (int side = fv_session_needs_reference(job.opened.session) ? 0 : 1; side < 2; side++)
            params.file[side] = job.opened.source_params[side];
        if (exhibit_frames(&params, ladder->moments, ladder->moment_count, distorted, lacks ? reference : NULL,
                           &error))
            warn("the page has no pictures of it: %s", error.message);
        else
            ladder->pictured = true;
        status = error.status == FV_ERROR_MEMORY ? FV_ERROR_MEMORY : FV_OK;
        keep_pictures(ladder->rungs[number].pictures, distorted);
        if (lacks)
            keep_pictures(ladder->pictures, reference);
    }
    job_close(&job);
    message_about(NULL);
    return status;
}

static FvStatus add_pictures(Run *run)
{
    int pictured = 0;
    FvStatus status = FV_OK;
    if (run->references->count || run->merger || !picture_has_png() ||
        (run->options->reference && videos_is_stream(run->options->reference)))
        return FV_OK;
    if (!run->options->align)
        ladder_choose_moments(&run->ladder);
    for (int r = 0; r < run->ladder.count && run->ladder.moment_count && pictured < PICTURED; r++)
        if (run->ladder.rungs[r].scored && !fv_cancel_requested(run->cancel)) {
            const FvStatus failed = picture_encode_of(run, r);
            status = status ? status : failed;
            pictured++;
        }
    return status;
}

/* ---- The run --------------------------------------------------------------------------------------------------- */

static FvStatus begin(Run *run)
{
    const Options *options = run->options;
    FvStatus status = check_options(options, run->encodes);
    Options common = *options;
    common.outputs = (ArgList){0};
    common.format = NULL;
    common.resume = false; /* it needs a report, which each pair has */
    if (!status)
        status = job_check(&common);
    if (!status)
        status = check_outputs(options);
    if (!status && options->print.count && reports_take_output(options))
        status = complain(FV_ERROR_USAGE, "--print and the report both go to standard output: name a file with -o");
    if (!status)
        status = name_reports(run);
    if (!status)
        status = check_all_outputs(run);
    if (!status && !(run->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    for (int i = 0; i < run->encodes->count; i++) {
        run->own[i] = common;
        run->own[i].resume = options->resume;
        run->own[i].reference = reference_of(run, i);
        if (run->references->count)
            run->own[i].encodes = (ArgList){0};
        run->own[i].distorted = run->encodes->items[i];
        run->own[i].format = run->report.count ? options->format : NULL;
        run->own[i].outputs = (ArgList){report_of(run, i), run->report.count > 0};
        run->ladder.rungs[i].path = run->encodes->items[i];
        run->ladder.rungs[i].reference = run->references->count ? reference_of(run, i) : NULL;
    }
    return status;
}

/* Failed gates, unless the table tells them on the same terminal; and warnings, each once. */
static int tell(const Run *run, bool table)
{
    int worst = EXIT_OK;
    for (int r = 0; r < run->ladder.count; r++) {
        const Rung *rung = &run->ladder.rungs[r];
        worst = rung->status > worst ? rung->status : worst;
        for (int i = 0; i < rung->failed && !(table && message_shares_terminal()); i++)
            complain(EXIT_GATE, "quality gate failed: %s: %s", rung->path, rung->gates[i]);
    }
    return worst;
}

static int end(Run *run)
{
    const Options *options = run->options;
    FvStatus status = FV_OK;
    bool any = false;
    for (int r = 0; r < run->ladder.count; r++)
        any |= run->ladder.rungs[r].scored;
    for (int i = 0; i < options->outputs.count && !status; i++) {
        const char *path = options->outputs.items[i];
        if (!reports_is_folder(path))
            status = write_output(run, path, writer_of(options, path));
    }
    if (!status && options->format && !options->outputs.count)
        status = write_output(run, "-", writer_of(options, "-"));
    const bool table = any && !options->print.count && !reports_take_output(options);
    if (!status && (table || options->print.count))
        status = write_output(run, "-", table ? write_table : write_picks);
    const int worst = tell(run, table);
    return status ? (int)status : worst;
}

/* The pairs from `first` on were not begun. */
static void stop_before(Run *run, int first)
{
    for (int i = first; i < run->encodes->count; i++)
        if (!run->ladder.rungs[i].status) {
            run->ladder.rungs[i].status = FV_ERROR_PARTIAL;
            snprintf(run->ladder.rungs[i].error, sizeof run->ladder.rungs[i].error, "stopped on request before it");
        }
}

/* Whoever stops a run finds the finished encodes again, too: their shards go with those of the last one. */
static void end_plans(const Run *run)
{
    for (int i = 0; i < run->encodes->count && run->plan; i++) {
        if (run->plan[i] && run->options->resume && !fv_cancel_requested(run->cancel))
            resume_finish(run->plan[i], run->report.items[i]);
        fv_plan_close(&run->plan[i]);
    }
    free(run->plan);
}

static void free_texts(char **texts, int count)
{
    for (int i = 0; i < count && texts; i++)
        free(texts[i]);
    free(texts);
}

static int score_or_merge(const Options *options, const ArgList *references, const ArgList *encodes,
                          LadderMerger *merger, void *opaque)
{
    const size_t count = (size_t)encodes->count;
    Run run = {.options = options,
               .references = references,
               .encodes = encodes,
               .merger = merger,
               .opaque = opaque,
               .path = calloc(PATHS * count, sizeof *run.path),
               .own = calloc(count, sizeof *run.own),
               .plan = calloc(count, sizeof *run.plan),
               .details = calloc(count, sizeof *run.details),
               .frames = calloc(2 * count, sizeof *run.frames),
               .ladder = {.reference = options->reference, .rungs = calloc(count, sizeof *run.ladder.rungs)},
               .style = progress_style(options->progress)};
    int status = run.path && run.own && run.plan && run.details && run.frames && run.ladder.rungs
                     ? EXIT_OK
                     : complain(FV_ERROR_MEMORY, "out of memory for %d encodes", encodes->count);
    if (!status) {
        run.ladder.count = encodes->count;
        run.ladder.curves = wants_page(options);
        run.total = run.frames + count;
        for (size_t i = 0; i < count; i++)
            run.total[i] = -1;
        run.started = fv_seconds();
        status = begin(&run);
    }
    message_common(references->count ? NULL : options->reference);
    if (!status && options->reference && !references->count) {
        run.shares = !job_in_shards(options);
        run.gpu = scoring_gpu_memory(options);
        status = check_reference(&run, choose_group(&run, NULL));
    }
    for (int next = 0; next < encodes->count && !status;) {
        if (next && fv_cancel_requested(run.cancel)) {
            stop_before(&run, next);
            break;
        }
        status = merger ? merge_next(&run, &next) : score_from(&run, &next);
    }
    progress_finish(run.style);
    message_common(NULL);
    const FvStatus shown = !status && run.ladder.curves ? add_pictures(&run) : FV_OK;
    if (!status)
        status = end(&run);
    status = status ? status : (int)shown;
    end_plans(&run);
    encodes_free(&run.report);
    free_texts(run.details, encodes->count);
    free_texts(run.path, PATHS * encodes->count);
    free(run.own);
    free(run.frames);
    ladder_free(&run.ladder);
    return status;
}

int ladder_score(const Options *options, const ArgList *references, const ArgList *encodes)
{
    return score_or_merge(options, references, encodes, NULL, NULL);
}

int ladder_merge(const Options *options, const ArgList *names, LadderMerger *merger, void *opaque)
{
    const ArgList none = {0};
    return score_or_merge(options, &none, names, merger, opaque);
}
