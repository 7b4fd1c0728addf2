#include "command/ladder.h"

#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/stop.h"
#include "clock.h"
#include "command/ladder_outputs.h"
#include "command/ladder_pair.h"
#include "command/ladder_pictures.h"
#include "scoring/encodes.h"
#include "scoring/videos.h"

#define GROUP 16    /* maximum number of pairs that are scored side by side, to limit the memory */
#define GPU_GROUP 8 /* maximum number of pairs that are scored together on a GPU */

/* Bytes of GPU memory that a pair takes per luma sample, at most, with all metrics together. */
#define GPU_BYTES 1024

/* ---- Options that several pairs cannot have -------------------------------------------------------------------- */

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

static FvStatus check_options(const Options *options, const ArgList *encodes)
{
    const char *one = options->run.score.timing  ? "--timing"
                      : options->embed           ? "--embed"
                      : names_heat_maps(options) ? "heatmaps_path"
                                                 : NULL;
    if (one)
        return report_error(FV_ERROR_USAGE, "%s is for one encode: score the encodes one by one, or leave it out",
                            one);
    if (options->run.resume && !ladder_folder(options))
        return report_error(FV_ERROR_USAGE,
                            "--resume keeps finished parts beside the report of each encode: name the folder of the "
                            "reports with -o FOLDER/");
    for (int i = 0; i < encodes->count; i++)
        if (videos_is_stream(encodes->items[i]))
            return report_error(FV_ERROR_USAGE,
                                "%s is not a file, and several encodes are files: store it in one, or score "
                                "it alone",
                                name_stream(encodes->items[i]));
    return FV_OK;
}

/* Checks a reference that can be read only once: it serves one group of pairs only, which read it together. */
static FvStatus check_reference(const Run *run, int group)
{
    const char *reference = run->options->reference;
    if (!reference || !videos_is_stream(reference) || run->encodes->count <= group)
        return FV_OK;
    return report_error(FV_ERROR_USAGE, "%s is read once, by at most %d encode%s%s: store it in a file%s",
                        name_stream(reference), group, group > 1 ? "s" : "", run->gpu ? " on this device" : "",
                        run->gpu ? ", or add --device cpu" : "");
}

/* ---- Groups ---------------------------------------------------------------------------------------------------- */

/* Returns the number of pairs to score side by side; on a GPU, as many as its memory has room for. */
static int choose_group(const Run *run, const FvSource *reference)
{
    if (!run->shares || !run->gpu || !reference)
        return !run->shares ? 1 : run->gpu ? GPU_GROUP : GROUP;
    const FvFormat *format = &fv_source_info(reference)->format;
    const uint64_t pairs = run->gpu / ((uint64_t)GPU_BYTES * (uint64_t)format->width * (uint64_t)format->height);
    return pairs < 1 ? 1 : pairs < GPU_GROUP ? (int)pairs : GPU_GROUP;
}

/*
 * Returns the number of threads per pair. The pairs share the processors equally, except on a GPU, where each pair
 * may need all processors to decode in time.
 */
static int choose_threads(const Run *run, int pairs)
{
    const int given = run->options->run.session.threads, all = given ? given : fv_processors();
    return !run->shares || run->gpu ? given : all > pairs ? all / pairs : 1;
}

/* Scores the opened pairs of a group: side by side if they share a reference, else one after the other. */
static void score_group(const Run *run, Pair *pairs, int count, FvSource *shared)
{
    FvEncode encodes[GROUP];
    int place[GROUP], opened = 0;
    FvError error = {0};
    for (int i = 0; i < count; i++)
        if (!pairs[i].status) {
            const Opened *pair = &pairs[i].job.opened;
            place[opened] = i;
            encodes[opened++] =
                (FvEncode){.session = pair->session, .distorted = pair->source[1], .params = &pair->run.score};
        }
    if (shared && opened)
        fv_score_encodes(encodes, opened, shared, run->options->run.session.threads, &error);
    for (int i = 0; i < opened; i++) {
        Pair *pair = &pairs[place[i]];
        if (!shared)
            encodes[i].status = job_score(&pair->job, &encodes[i].error);
        pair_end(pair, encodes[i].status, &encodes[i].error);
    }
}

/*
 * Scores a group of pairs from *next on, and advances *next past it. Wrong usage concerns all pairs and ends the run.
 * Otherwise each pair has its own status, and the run continues.
 */
static FvStatus score_from(const Run *run, int *next)
{
    const Options *options = run->options;
    const int left = run->encodes->count - *next;
    FvSource *shared = NULL;
    Pair *pairs = &run->pairs[*next];
    FvStatus status = FV_OK;
    if (run->shares)
        status = scoring_open_reference(
            &shared, options, options->run.session.device ? options->run.session.device : "auto", run->cancel);
    const int group = choose_group(run, shared), count = left < group ? left : group;
    if (!status && run->shares)
        status = check_reference(run, group);
    if (status) {
        fv_source_close(&shared);
        return status;
    }
    *next += count;
    for (int i = 0; i < count; i++)
        pair_open(&pairs[i], choose_threads(run, count), shared);
    for (int i = 0; i < count && !status; i++)
        status = pairs[i].status == FV_ERROR_USAGE ? FV_ERROR_USAGE : FV_OK;
    if (!status)
        score_group(run, pairs, count, shared);
    for (int i = 0; i < count; i++)
        job_close(&pairs[i].job);
    fv_source_close(&shared);
    return status;
}

/* ---- The run --------------------------------------------------------------------------------------------------- */

static FvStatus begin_encodes(Run *run)
{
    const Options *options = run->options;
    FvStatus status = check_options(options, run->encodes);
    Options common = *options;
    common.outputs = (ArgList){0};
    common.format = NULL;
    /* --resume is checked per pair, because it needs a report, and each pair has its own. */
    common.run.resume = false;
    if (!status)
        status = job_check(&common);
    if (!status)
        status = gates_parse(&run->ladder.gates, options);
    if (!status)
        status = ladder_take_groups(&run->ladder, &options->groups);
    common.run.resume = options->run.resume;
    for (int i = 0; i < run->encodes->count; i++) {
        Pair *pair = &run->pairs[i];
        *pair = (Pair){.run = run, .options = common, .result = &run->ladder.results[i], .total = -1, .about = -1};
        pair->result->path = pair->options.distorted = run->encodes->items[i];
        if (run->references->count) {
            pair->result->reference = pair->options.reference = run->references->items[i];
            pair->options.encodes = (ArgList){0};
        }
    }
    if (!status)
        status = ladder_check_outputs(run);
    for (int i = 0; i < run->reports.count; i++) {
        run->pairs[i].options.outputs = (ArgList){.items = &run->reports.items[i], .count = 1};
        run->pairs[i].options.format = options->format;
    }
    if (!status && !(run->cancel = stop_on_signals()))
        status = FV_ERROR_MEMORY;
    if (!status && options->reference && !run->references->count) {
        run->shares = !job_in_shards(options);
        run->gpu = scoring_gpu_memory(options);
        status = check_reference(run, choose_group(run, NULL));
    }
    return status;
}

static FvStatus score_encodes(Run *run)
{
    FvStatus status = FV_OK;
    for (int next = 0; next < run->encodes->count && !status;)
        if (next && fv_cancel_requested(run->cancel)) {
            EncodeResult *result = run->pairs[next++].result;
            result->status = FV_ERROR_PARTIAL;
            snprintf(result->error, sizeof result->error, "stopped on request before it");
        } else
            status = run->merger ? pair_merge(&run->pairs[next++]) : score_from(run, &next);
    progress_finish(run->style);
    return status;
}

static int end(const Run *run)
{
    bool table;
    const FvStatus status = ladder_write_outputs(run, &table);
    int worst = EXIT_OK;
    for (int r = 0; r < run->ladder.count; r++) {
        const EncodeResult *result = &run->ladder.results[r];
        worst = result->status > worst ? result->status : worst;
        for (int i = 0; i < result->failed && !(table && message_shares_terminal()); i++)
            report_error(EXIT_GATE, "quality gate failed: %s: %s", result->path, result->gates[i]);
    }
    return status ? (int)status : worst;
}

/*
 * Closes the pairs and deletes their shards, together at the end, so that a stopped run can resume also with its
 * finished encodes.
 */
static void close_pairs(const Run *run)
{
    for (int i = 0; i < run->encodes->count; i++) {
        Pair *pair = &run->pairs[i];
        if (!fv_cancel_requested(run->cancel))
            resume_finish(&pair->shards);
        resume_close(&pair->shards);
        free(pair->path[0]);
        free(pair->path[1]);
    }
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
               .pairs = calloc(count, sizeof *run.pairs),
               .ladder = {.numerics = fv_numerics_version(),
                          .reference = options->reference,
                          .results = calloc(count, sizeof *run.ladder.results),
                          .picks = &options->print,
                          .curves = ladder_wants_page(options)},
               .style = progress_style(options->progress, options->quiet),
               .started = fv_seconds()};
    int status = run.pairs && run.ladder.results
                     ? EXIT_OK
                     : report_error(FV_ERROR_MEMORY, "out of memory for %d encodes", encodes->count);
    if (!status) {
        run.ladder.count = encodes->count;
        status = begin_encodes(&run);
        message_common(references->count ? NULL : options->reference);
        if (!status)
            status = score_encodes(&run);
        message_common(NULL);
        if (!status)
            status = ladder_rank(&run.ladder);
        const FvStatus shown = !status && run.ladder.curves ? ladder_add_pictures(&run) : FV_OK;
        if (!status)
            status = end(&run);
        status = status ? status : (int)shown;
        close_pairs(&run);
    }
    encodes_free(&run.reports);
    free(run.pairs);
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
