/* fovea merge: the report of one run from the shards of many. */
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/commands.h"
#include "result/gate.h"
#include "cli/message.h"
#include "result/reports.h"
#include "cli/stop.h"
#include "result/table.h"
#include "scoring/pairing.h"
#include "scoring/videos.h"

/* The shards to merge. Names found in folders follow those given, and are owned. */
typedef struct Files {
    ArgList list;
    int first_own;
} Files;

static FvStatus add_folder(Files *files, const char *folder)
{
    DIR *open = opendir(folder);
    if (!open)
        return complain(errno == ENOMEM ? FV_ERROR_MEMORY : FV_ERROR_INPUT, "%s: the folder cannot be read: %s",
                        folder, strerror(errno));
    FvStatus status = FV_OK;
    for (struct dirent *entry; status == FV_OK && (entry = readdir(open));) {
        const char *dot = strrchr(entry->d_name, '.');
        if (!dot || strcmp(dot, ".shard"))
            continue;
        const size_t size = strlen(folder) + strlen(entry->d_name) + 2;
        char *path = malloc(size);
        if (!path) {
            status = complain(FV_ERROR_MEMORY, "out of memory while reading %s", folder);
            break;
        }
        snprintf(path, size, "%s/%s", folder, entry->d_name);
        arg_list_add(&files->list, path);
    }
    closedir(open);
    return status;
}

/* The files named, then all shards of the folders named. */
static FvStatus list_files(Files *files, const ArgList *words)
{
    struct stat info;
    FvStatus status = FV_OK;
    for (int i = 0; i < words->count; i++)
        if (stat(words->items[i], &info) || !S_ISDIR(info.st_mode))
            arg_list_add(&files->list, words->items[i]);
    files->first_own = files->list.count;
    for (int i = 0; i < words->count && status == FV_OK; i++)
        if (!stat(words->items[i], &info) && S_ISDIR(info.st_mode))
            status = add_folder(files, words->items[i]);
    return status;
}

static void free_files(Files *files)
{
    for (int i = files->first_own; i < files->list.count; i++)
        free((char *)files->list.items[i]);
    free(files->list.items);
}

static int report(const Options *options, FvSession *session, const Gates *gates, FvStatus status)
{
    FvError error = {0};
    Report reports[REPORTS];
    const int count = reports_list(options, reports);
    for (int i = 0; i < (count ? count : 1); i++)
        if (complain_if(
                outputs_check(&(FvOutputParams){.path = count ? reports[i].path : NULL, .session = session}, &error),
                &error))
            return error.status;
    for (int i = 0; i < count; i++)
        if (complain_if(reports_write(session, &reports[i], &error), &error))
            return error.status;
    const bool table = !reports_take_output(options);
    if (table)
        table_print(stdout, session,
                    &(TableParams){.gates = gates, .reports = count > 0, .details = options->details});
    return status != FV_OK ? (int)status : gates_pass(gates, session, table) ? EXIT_OK : EXIT_GATE;
}

static int merge_files(const Options *options, const Files *files, const Gates *gates)
{
    FvError error = {0};
    FvPlan *plan = NULL;
    FvSession *session = NULL;
    const FvCancel *cancel = stop_on_signals();
    int64_t interval;
    if (!cancel)
        return FV_ERROR_MEMORY;
    if (pairing_time("--intervals", options->intervals, false, &interval))
        return FV_ERROR_USAGE;
    if (complain_if(fv_plan_read(&plan, options->plan ? options->plan : "plan.json", &error), &error))
        return error.status;
    FvStatus status = fv_plan_merge(&session, plan,
                                    &(FvMergeParams){.paths = files->list.items,
                                                     .count = files->list.count,
                                                     .interval = interval,
                                                     .allow_missing = options->allow_missing,
                                                     .strict = options->strict,
                                                     .cancel = cancel},
                                    &error);
    fv_plan_close(&plan);
    int code = complain_if(status, &error);
    if (session) {
        const FvStatus gated = gates_check(gates, session);
        code = gated ? (int)gated : report(options, session, gates, status);
    }
    fv_session_close(&session);
    return code;
}

static int run(const void *values, const ArgList *words)
{
    const Options *options = values;
    Files files = {.first_own = 0};
    Gates gates = {.count = 0};
    if (!words->count)
        return complain(FV_ERROR_USAGE,
                        "the shards are missing: fovea merge --plan plan.json -o report.json shards/*");
    int status = reports_check(options);
    if (status == FV_OK)
        status = gates_parse(&gates, options);
    if (status == FV_OK)
        status = list_files(&files, words);
    if (status == FV_OK)
        status = merge_files(options, &files, &gates);
    free_files(&files);
    gates_free(&gates);
    return status;
}

const Command command_merge = {
    .name = "merge",
    .summary = "make the report of a plan from its shards",
    .synopsis = "[--plan FILE] [-o REPORT] [OPTION]... SHARD|FOLDER...",
    .description =
        "Reads the shards that 'fovea run' wrote, as files or folders, and makes the same report as one run of "
        "'fovea score', byte for byte. The videos are not needed.\n"
        "A shard that is missing, cut off, or of another plan or numerics version is refused. A shard may be given "
        "twice if both are equal.",
    .example = "fovea merge --plan plan.json -o report.json shards/*\n"
               "fovea merge --plan plan.json --fail-below psnr_hvs=35:p5 shards",
    OPTIONS_OF(FOR_MERGE),
    .run = run,
};
