/* fovea merge: makes the report of one run from shards that many machines computed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/message.h"
#include "cli/stop.h"
#include "command/ladder.h"
#include "report/reports.h"
#include "scoring/encodes.h"
#include "scoring/folders.h"
#include "scoring/plans.h"
#include "scoring/videos.h"
#include "table/gate.h"
#include "table/table.h"

/* Lists the shards to merge: the files named, then all files of the folders named. */
static FvStatus list_files(ArgList *files, const ArgList *words)
{
    FvStatus status = FV_OK;
    for (int i = 0; i < words->count && !status; i++)
        if (!folders_is_one(words->items[i]))
            status = encodes_take(files, strdup(words->items[i]));
    for (int i = 0; i < words->count && !status; i++)
        if (folders_is_one(words->items[i]))
            status = folders_list(files, words->items[i], ".shard");
    return status;
}

static int report(const Options *options, FvSession *session, const Gates *gates, FvStatus status)
{
    FvError error = {0};
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    for (int i = 0; i < (count ? count : 1); i++)
        if (report_error_if(
                outputs_check(&(FvOutputParams){.path = count ? reports[i].path : NULL, .session = session}, &error),
                &error))
            return error.status;
    for (int i = 0; i < count; i++)
        if (report_error_if(reports_write(options, &reports[i], session, gates, &error), &error))
            return error.status;
    const bool table = !reports_take_output(options);
    const TableParams params = {.gates = gates,
                                .reports = count > 0,
                                .details = options->details,
                                .quiet = options->quiet && !options->details};
    const FvStatus printed = table ? table_print(stdout, session, &params) : FV_OK;
    if (status == FV_OK)
        status = printed;
    return status != FV_OK ? (int)status : gates_pass(gates, session, table) ? EXIT_OK : EXIT_GATE;
}

/* Merges as fv_plan_merge() does, or prints a message and leaves *error unchanged. */
static FvStatus merge_files(const Options *options, const char *path, const ArgList *files, FvSession **session,
                            FvError *error)
{
    FvPlan *plan = NULL;
    const FvCancel *cancel = stop_on_signals();
    if (!cancel)
        return FV_ERROR_MEMORY;
    FvStatus status = fv_plan_read(&plan, path, error);
    if (!status)
        status = fv_plan_merge(session, plan,
                               &(FvMergeParams){.paths = files->items,
                                                .count = files->count,
                                                .interval = options->run.session.interval,
                                                .allow_missing = options->allow_missing,
                                                .strict = options->run.score.strict,
                                                .cancel = cancel},
                               error);
    fv_plan_close(&plan);
    return status;
}

static int merge_one(const Options *options, const char *path, const ArgList *words, const Gates *gates)
{
    FvError error = {0};
    FvSession *session = NULL;
    ArgList files = {0};
    FvStatus status = list_files(&files, words);
    if (!status) {
        status = merge_files(options, path, &files, &session, &error);
        report_error_if(error.status, &error);
    }
    int code = status;
    if (session) {
        const FvStatus gated = gates_check(gates, session);
        code = gated ? (int)gated : report(options, session, gates, status);
    }
    fv_session_close(&session);
    encodes_free(&files);
    return code;
}

/* ---- Several encodes ------------------------------------------------------------------------------------------- */

typedef struct Encodes {
    const Options *options;
    ArgList plans, names;
    const ArgList *folders; /* folders, each of which has a folder of shards for each encode */
} Encodes;

/* Merges the shards of an encode, which are in FOLDER/ENCODE. */
static FvStatus merge_encode(void *opaque, int number, FvSession **session, FvError *error)
{
    const Encodes *encodes = opaque;
    ArgList folders = {0}, files = {0};
    FvStatus status = FV_OK;
    for (int i = 0; i < encodes->folders->count && !status; i++) {
        char *folder = plans_name(encodes->plans.items[number], encodes->folders->items[i]);
        if (!folder || folders_is_one(folder))
            status = encodes_take(&folders, folder);
        else
            free(folder);
    }
    if (!status)
        status = list_files(&files, &folders);
    if (!status)
        status = merge_files(encodes->options, encodes->plans.items[number], &files, session, error);
    encodes_free(&files);
    encodes_free(&folders);
    return status;
}

static int merge_several(const Options *options, const char *path, const ArgList *folders)
{
    Encodes encodes = {.options = options, .folders = folders};
    int status = plans_list(&encodes.plans, path);
    for (int i = 0; i < encodes.plans.count && !status; i++)
        status = encodes_take(&encodes.names, plans_name(encodes.plans.items[i], NULL));
    for (int i = 0; i < folders->count && !status; i++)
        if (!folders_is_one(folders->items[i]))
            status = report_error(FV_ERROR_USAGE,
                                  "%s is not a folder: the plans are several, so name the folder that "
                                  "'fovea run' wrote",
                                  folders->items[i]);
    if (!status)
        status = ladder_merge(options, &encodes.names, merge_encode, &encodes);
    encodes_free(&encodes.plans);
    encodes_free(&encodes.names);
    return status;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    const char *path = options->plan ? options->plan : "plan.json";
    Gates gates = {.count = 0};
    if (!words->count)
        return report_error(FV_ERROR_USAGE,
                            "the shards are missing: fovea merge --plan plan.json -o report.json shards/*");
    if (folders_is_one(path))
        return merge_several(options, path, words);
    int status = reports_check(options);
    if (status == FV_OK)
        status = gates_parse(&gates, options);
    if (status == FV_OK)
        status = merge_one(options, path, words, &gates);
    gates_free(&gates);
    return status;
}

const Command command_merge = {
    .name = "merge",
    .summary = "make the report of a plan from its shards",
    .synopsis = "[--plan FILE|FOLDER] [-o REPORT] [OPTION]... SHARD|FOLDER...",
    .description =
        "Reads the shards that 'fovea run' wrote, as files or folders, and makes the same report as one run of "
        "'fovea score', byte for byte. The videos are not needed. With a folder of "
        "plans and a folder of shards of several encodes, makes the same table and reports as 'fovea score' of these "
        "encodes.\n"
        "A shard that is missing, cut off, or of another plan or numerics version is refused. A shard may be given "
        "twice if both are equal.",
    .example = "fovea merge --plan plan.json -o report.json shards/*\n"
               "fovea merge --plan plan.json --fail-below psnr_hvs=35:p5 shards",
    OPTIONS_OF(FOR_MERGE),
    .run = run,
};
