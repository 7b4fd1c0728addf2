#include "command/score_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/progress.h"
#include "command/job.h"
#include "metric_text.h"
#include "path_names.h"
#include "report/recheck.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "scoring/videos.h"
#include "table/lines.h"

/* One stored report, and the run that is compared with it. */
typedef struct Again {
    Stored old;
    Options options;
    ArgList metrics; /* the metrics of the old report; owns its texts */
    char raw[2][64], scale[64];
    bool partial; /* the old report is partial */
} Again;

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

/* Sets a parameter that the command line does not set. On failure, prints a message and returns its status. */
static FvStatus set(Again *again, const char *name, const char *value)
{
    FvError error = {0};
    const char *bare = strchr(name, '.');
    if (!value || fv_run_given(&again->options.run, bare ? bare + 1 : name))
        return FV_OK;
    return report_error_if(fv_run_set(&again->options.run, name, value, &error), &error);
}

/*
 * Sets parameters from the members of the report's "scoring", which have the parameters' names. A value that is off
 * or 0 is the default.
 */
static FvStatus take_scoring(Again *again, const FvNode *scoring)
{
    FvRunParams *const run = &again->options.run;
    /* A copy, because parameters that the loop sets must not count as given on the command line. */
    const FvRunParams given = *run;
    FvStatus status = FV_OK;
    for (uint32_t i = 0; fv_node_is(scoring, FV_NODE_OBJECT) && i < scoring->count && !status; i++) {
        const FvNode *member = &scoring->items[i];
        const char *name = !strcmp(member->key, "skip_reference")   ? "reference.frame_skip"
                           : !strcmp(member->key, "skip_distorted") ? "distorted.frame_skip"
                                                                    : member->key;
        const char *value = fv_node_is(member, FV_NODE_TRUE) ? "true" : fv_node_text(member);
        const char *bare = strchr(name, '.');
        FvError error = {0};
        if (value && strcmp(value, "0") && strcmp(value, "index") && !fv_run_given(&given, bare ? bare + 1 : name))
            status = report_error_if(fv_run_set(run, name, value, &error), &error);
    }
    return status;
}

static bool same_size(const FvNode *a, const FvNode *b)
{
    static const char *const sides[] = {"width", "height"};
    bool same = true;
    for (int i = 0; i < 2; i++)
        same &= fv_member_text(a, sides[i]) && fv_member_text(b, sides[i]) &&
                !strcmp(fv_member_text(a, sides[i]), fv_member_text(b, sides[i]));
    return same;
}

/*
 * Guesses the scaling, which reports of version 1.0 do not name, from the sizes of the frames, unless something else
 * may have changed them.
 */
static FvStatus guess_scale(Again *again)
{
    const FvNode *root = &again->old.document.root, *scoring = fv_node_member(root, "scoring");
    const FvNode *inputs = fv_node_member(root, "inputs"), *scored = fv_node_member(root, "scored");
    const FvNode *ref = fv_node_member(inputs, "reference"), *dis = fv_node_member(inputs, "distorted");
    const FvNode *made = fv_node_member(scored, "distorted");
    const char *turned[2] = {fv_member_text(ref, "rotation"), fv_member_text(dis, "rotation")};
    const bool plain = turned[0] && turned[1] && !strcmp(turned[0], "0") && !strcmp(turned[1], "0");
    for (uint32_t i = 0; fv_node_is(scoring, FV_NODE_OBJECT) && i < scoring->count; i++)
        if (!strcmp(scoring->items[i].key, "fields") || strstr(scoring->items[i].key, "crop") ||
            !strcmp(scoring->items[i].key, "scale"))
            return FV_OK;
    if (!plain || (same_size(ref, made) && same_size(dis, made)))
        return FV_OK;
    snprintf(again->scale, sizeof again->scale, "%sx%s", fv_member_text(made, "width"),
             fv_member_text(made, "height"));
    return set(again, "scale", same_size(ref, made) ? "dis" : same_size(dis, made) ? "ref" : again->scale);
}

/* Sets the geometry of raw video, which its file does not state. */
static FvStatus take_geometry(Again *again, const char *side)
{
    const FvNode *input = fv_node_member(fv_node_member(&again->old.document.root, "inputs"), side);
    const char *chroma = fv_member_text(input, "chroma"), *depth = fv_member_text(input, "depth");
    if (!fv_member_text(input, "reader") || strcmp(fv_member_text(input, "reader"), "raw"))
        return FV_OK;
    const bool gray = chroma && !strcmp(chroma, "4:0:0");
    if (chroma && strlen(chroma) == 5)
        snprintf(again->raw[0], sizeof again->raw[0], "%c%c%c", chroma[0], chroma[2], chroma[4]);
    const char *const values[][2] = {{"width", fv_member_text(input, "width")},
                                     {"height", fv_member_text(input, "height")},
                                     {"pixel_format", gray ? "400" : again->raw[0]},
                                     {"bitdepth", depth},
                                     {"rate", fv_member_text(input, "rate")},
                                     {*side == 'r' ? "reference.reader" : "distorted.reader", "raw"}};
    FvStatus status = FV_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values && !status; i++)
        status = set(again, values[i][0], values[i][1]);
    return status;
}

static FvStatus take_metrics(Again *again)
{
    const FvNode *metrics = fv_node_member(&again->old.document.root, "metrics");
    char text[8192];
    FvStatus status = FV_OK;
    if (again->options.metrics.count || again->options.run.model_count)
        return FV_OK;
    for (size_t i = 0; i < fv_node_items(metrics) && !status; i++) {
        if (!fv_metric_text(fv_node_item(metrics, i), text, sizeof text))
            status = report_error(FV_FAIL_DAMAGED, "%s is damaged: its metric %zu has no name or options",
                                  again->old.path, i + 1);
        else
            status = encodes_take(&again->metrics, strdup(text));
    }
    if (!status && !again->metrics.count)
        status = report_error(FV_FAIL_DAMAGED, "%s is damaged: it names no metric", again->old.path);
    again->options.metrics = again->metrics;
    return status;
}

static FvStatus prepare_again(Again *again)
{
    const FvNode *root = &again->old.document.root;
    again->partial = fv_node_is(fv_node_member(root, "partial"), FV_NODE_TRUE);
    if (again->old.numerics != fv_numerics_version())
        warn("%s has numerics version %" PRId64 " and this fovea %d: scores of some metrics differ by definition",
             again->old.path, again->old.numerics, fv_numerics_version());
    FvStatus status = take_metrics(again);
    if (!status)
        status = take_scoring(again, fv_node_member(root, "scoring"));
    if (!status)
        status = guess_scale(again);
    if (!status)
        status = take_geometry(again, "reference");
    if (!status)
        status = take_geometry(again, "distorted");
    return status;
}

/* ---- Today's numbers ------------------------------------------------------------------------------------------- */

/* Returns the index of the scored frame with this number; -1: it was not scored. */
static int64_t find_frame(const FvSession *session, int64_t number)
{
    int64_t low = 0, high = fv_session_frames(session);
    while (low < high) {
        const int64_t middle = low + (high - low) / 2;
        if (fv_session_frame_number(session, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < fv_session_frames(session) && fv_session_frame_number(session, low) == number ? low : -1;
}

static void compare_number(Recheck *recheck, const Again *again, const FvSession *session, const StoredNumber *number)
{
    const int output = fv_session_find_output(session, number->name);
    const int64_t last = find_frame(session, again->old.last), frame = find_frame(session, number->frame);
    const bool clip = number->pool && !strcmp(number->pool, "clip");
    if (number->pool && !strcmp(number->pool, "part"))
        recheck_leave(recheck, number->name, "they follow from the frames");
    else if (output < 0)
        recheck_leave(recheck, number->name, "nothing that was scored today has this score");
    else if (number->pool ? last < 0 : frame < 0)
        recheck_leave(recheck, number->name, "the videos end before the report does");
    else if (clip && again->partial)
        recheck_leave(recheck, number->name, "it is of the clip, and the report is partial");
    else if (!number->pool || clip)
        recheck_take(recheck, number, fv_session_value(session, frame, output));
    else {
        int pool = 0;
        while (pool < FV_POOL_COUNT && strcmp(number->pool, fv_pool_name((FvPool)pool)))
            pool++;
        if (pool == FV_POOL_COUNT)
            recheck_leave(recheck, number->name, "it is pooled in a way that this fovea does not have");
        else /* pool only the frames of the old report, since a partial report has fewer frames than the videos */
            recheck_take(recheck, number,
                         fv_session_pool_part(session, output, (FvPool)pool, &(FvPart){0, last + 1, 0}));
    }
}

/* Prints the sentences on which the reports disagree: they explain why numbers differ. */
static void print_decisions(const Again *again, const FvSession *session)
{
    const FvNode *decisions = fv_node_member(&again->old.document.root, "decisions");
    const Style style = style_of_output();
    const int count = fv_session_decisions(session), old = (int)fv_node_items(decisions);
    for (int i = 0; i < old + count; i++) {
        const char *text =
            i < old ? fv_node_text(fv_node_item(decisions, (size_t)i)) : fv_session_decision(session, i - old);
        bool both = !text;
        for (int k = 0; k < count && i < old && text; k++)
            both |= !strcmp(text, fv_session_decision(session, k));
        for (int k = 0; k < old && i >= old; k++) {
            const char *other = fv_node_text(fv_node_item(decisions, (size_t)k));
            both |= other && !strcmp(text, other);
        }
        if (!both)
            line_wrap(stdout, &style, 4, i < old ? "  only then:" : "  only today:", text);
    }
}

static int compare_numbers(const Again *again, const FvSession *session)
{
    Recheck recheck = recheck_open(&again->old, 0);
    for (size_t i = 0; i < again->old.count; i++)
        compare_number(&recheck, again, session, &again->old.number[i]);
    const int status = recheck_print(&recheck, "");
    if (fv_session_frames(session) && find_frame(session, again->old.last) + 1 < fv_session_frames(session))
        printf("  the videos go on behind frame %" PRId64 ", the last one of the report%s\n", again->old.last,
               again->partial ? ", which is partial" : "");
    if (status == EXIT_GATE)
        print_decisions(again, session);
    recheck_close(&recheck);
    return status;
}

/* ---- Reports --------------------------------------------------------------------------------------------------- */

/*
 * Finds the encode of a report: if there is only one report and one encode, that encode, else the one with the path
 * in the report, or with its file name.
 */
static const char *find_encode(const ArgList *encodes, const char *path, bool single)
{
    if (single && encodes->count == 1)
        return encodes->items[0];
    for (int names = 0; names < 2 && path; names++)
        for (int i = 0; i < encodes->count; i++)
            if (names ? !strcmp(fv_base_name(path), fv_base_name(encodes->items[i]))
                      : !strcmp(path, encodes->items[i]))
                return encodes->items[i];
    return NULL;
}

static FvStatus find_videos(Again *again, const ArgList *encodes, bool single)
{
    const FvNode *inputs = fv_node_member(&again->old.document.root, "inputs");
    const char *reference = fv_member_text(fv_node_member(inputs, "reference"), "path");
    const char *distorted = fv_member_text(fv_node_member(inputs, "distorted"), "path");
    Options *options = &again->options;
    options->distorted = encodes->count ? find_encode(encodes, distorted, single) : distorted;
    if (!encodes->count)
        options->reference = options->reference ? options->reference : reference;
    options->encodes = (ArgList){0};
    return options->distorted
               ? FV_OK
               : report_error(FV_ERROR_USAGE, "%s is a report of %s, which is not among the videos; add it",
                              again->old.path, distorted ? distorted : "pushed frames");
}

static int check_one(const Options *options, const char *path, const ArgList *encodes, bool single)
{
    Again again = {.options = *options};
    ProgressStyle style = progress_style(options->progress, options->quiet);
    Job job = {.options = &again.options, .log = message_log, .show = job_show, .opaque = &style};
    FvError error = {0};
    int status = stored_open(&again.old, path);
    if (!status)
        status = report_error_if(outputs_check(&(FvOutputParams){.files = &path, .file_count = 1}, &error), &error);
    if (!status && again.old.kind != STORED_FOVEA)
        status = report_error(
            FV_ERROR_USAGE, "%s is a report of libvmaf; 'fovea vmaf --check %s -r REF -d DIS' checks it", path, path);
    if (!status)
        status = find_videos(&again, encodes, single);
    if (!status)
        status = prepare_again(&again);
    if (!status)
        status = job_check(&again.options);
    if (!status)
        status = job_open(&job);
    if (!status) {
        status = job_score(&job, &error);
        progress_finish(style);
        report_error_if((FvStatus)status, &error);
        if (status == FV_ERROR_PARTIAL && again.partial && !fv_cancel_requested(job.opened.cancel))
            status = FV_OK; /* the frames of a partial report may all be scored */
    }
    if (!status)
        status = compare_numbers(&again, job_scored(&job));
    job_close(&job);
    encodes_free(&again.metrics);
    stored_close(&again.old);
    return status;
}

/* Returns the more important of two exit codes, in the order below: numbers that differ come first. */
static int worse(int a, int b)
{
    static const int order[] = {EXIT_GATE, FV_ERROR_PARTIAL, FV_ERROR_MEMORY, FV_ERROR_DEVICE, FV_ERROR_INPUT};
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (a == order[i] || b == order[i])
            return order[i];
    return a ? a : b;
}

int score_check(const Options *options, const ArgList *encodes)
{
    ArgList files = {0};
    const bool folder = folders_is_one(options->check);
    const char *other = options->outputs.count                                   ? "-o"
                        : options->print.count                                   ? "--print"
                        : options->format                                        ? "--format"
                        : options->fail_below.count || options->fail_above.count ? "--fail-below and --fail-above"
                        : options->run.resume                                    ? "--resume"
                                                                                 : NULL;
    if (other)
        return report_error(FV_ERROR_USAGE, "--check answers whether numbers differ; leave out %s", other);
    FvStatus status = folder ? folders_list(&files, options->check, ".json") : FV_OK;
    if (!status && folder && !files.count)
        status = report_error(FV_ERROR_INPUT, "%s has no report in JSON", options->check);
    int result = status;
    for (int i = 0; i < (folder ? files.count : 1) && !status; i++) {
        const char *path = folder ? files.items[i] : options->check;
        const int one = check_one(options, path, encodes, !folder || files.count == 1);
        result = i ? worse(result, one) : one;
        if (one == FV_ERROR_PARTIAL || one == FV_ERROR_MEMORY)
            break;
    }
    encodes_free(&files);
    return result;
}
