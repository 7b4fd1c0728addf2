/* Computes shards of a plan: into a folder, or on several devices at once into one session. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "clock.h"
#include "device_select/devices.h"
#include "os/file.h"
#include "os/folder.h"
#include "os/processors.h"
#include "os/thread.h"
#include "score/range.h"
#include "shard/shard.h"

#define MOST_DEVICES 64 /* maximum number of devices that compute shards */
#define LONGEST_NAME 32 /* maximum bytes of a device's name */

struct Worker;

typedef struct Run {
    const FvPlan *plan;
    const FvPlanRunParams *params;
    FvShard *shards; /* all shards of the plan; shards that are kept in memory have rows */
    bool *done;
    bool keeps;   /* rows are kept in memory */
    FvMutex lock; /* protects the members below and calls of the caller's callbacks */
    int64_t frames, total;
    double started;
    int opening;  /* number of workers that have not told whether they could open their device and the videos */
    bool refused; /* a worker could not */
    FvCondition told;
    struct Worker *workers;
    int worker_count;
    FvThread closing; /* closes what the workers have opened */
} Run;

/* A worker: a thread that computes its part of the shards on one device. */
typedef struct Worker {
    Run *run;
    char device[LONGEST_NAME];
    int first, end, threads;
    bool logs;
    bool waits;           /* counts in `opening` */
    FvShardOpened opened; /* what the last pass has opened; a GPU that closes holds up GPUs that score */
    FvThread thread;
    FvStatus status;
    FvError error;
} Worker;

static FvStatus store_shard(void *opaque, int shard, FvShard *rows, const FvSession *session, FvError *error)
{
    Run *run = ((Worker *)opaque)->run;
    FvStatus status = FV_OK;
    if (run->params->folder)
        status = fv_shard_write(run->plan, shard, rows, session, run->params->folder, error);
    if (status || !run->keeps)
        fv_shard_free(rows);
    else
        run->shards[shard] = *rows;
    run->done[shard] = !status;
    return status;
}

static void keep_part(void *opaque, int shard, FvShard *rows)
{
    Run *run = ((Worker *)opaque)->run;
    if (run->keeps)
        run->shards[shard] = *rows;
    else
        fv_shard_free(rows);
}

static bool report_progress(void *opaque, int64_t frames)
{
    Run *run = ((Worker *)opaque)->run;
    bool goes_on = true;
    fv_lock(&run->lock);
    run->frames += frames;
    if (run->params->progress)
        goes_on = run->params->progress(
            run->params->opaque,
            &(FvProgress){.frames = run->frames, .total = run->total, .seconds = fv_seconds() - run->started});
    fv_unlock(&run->lock);
    return goes_on;
}

/* Tells the other workers whether this one could open its device and the videos. */
static void tell(Worker *worker, FvStatus status)
{
    Run *run = worker->run;
    fv_lock(&run->lock);
    run->opening -= worker->waits;
    run->refused |= worker->waits && status;
    worker->waits = false;
    fv_condition_wake(&run->told);
    fv_unlock(&run->lock);
}

/* Waits until every worker has told. Returns whether all could open everything; otherwise no frame is scored. */
static bool wait_for_others(void *opaque, FvStatus status)
{
    Run *run = ((Worker *)opaque)->run;
    tell(opaque, status);
    fv_lock(&run->lock);
    while (run->opening && !run->refused)
        fv_condition_wait(&run->told, &run->lock);
    const bool good = !run->refused;
    fv_unlock(&run->lock);
    return good;
}

/* Computes the shards of the worker's part that are not done yet. */
static void work(void *argument)
{
    Worker *worker = argument;
    const Run *run = worker->run;
    FvSessionParams session = run->params->session;
    session.device = worker->device;
    session.threads = worker->threads;
    FvShardPass pass = {.plan = run->plan,
                        .session = &session,
                        .ignore_modified = run->params->ignore_modified,
                        .on_shard = store_shard,
                        .on_rest = keep_part,
                        .progress = report_progress,
                        .ready = wait_for_others,
                        .opaque = worker};
    for (int end, i = worker->first; i < worker->end && !worker->status; i = end) {
        for (end = i; end < worker->end && !run->done[end]; end++)
            ;
        if (end == i) {
            end++;
            continue;
        }
        session.log = worker->logs ? run->params->session.log : NULL;
        worker->logs = false; /* the other shards log the same messages */
        pass.first = i;
        pass.count = end - i;
        fv_shard_close(&worker->opened);
        worker->status = fv_shard_pass(&pass, &worker->opened, &worker->error);
    }
    tell(worker, FV_OK); /* the worker may have had nothing to do */
}

/* ---- Devices --------------------------------------------------------------------------------------------------- */

static FvStatus list_gpus(char names[MOST_DEVICES][LONGEST_NAME], int *count, FvError *error)
{
    FvDeviceList *list;
    FvStatus status = fv_devices_list(&list, error);
    *count = 0;
    for (int i = 0; i < fv_devices_count(list) && !status && *count < MOST_DEVICES; i++) {
        if (fv_devices_in_all(list, i))
            snprintf(names[(*count)++], LONGEST_NAME, "%s", fv_devices_info(list, i)->name);
    }
    fv_devices_close(&list);
    return status || *count ? status
                            : fv_fail(error, FV_FAIL_NO_DEVICE,
                                      "`device=all`: no hardware GPU is usable; 'fovea devices' says why");
}

/* Parses a list of devices such as "cuda:0,cuda:1". */
static FvStatus list_devices(const char *text, char names[MOST_DEVICES][LONGEST_NAME], int *count, FvError *error)
{
    *count = 0;
    if (text && !strcmp(text, "all"))
        return list_gpus(names, count, error);
    for (const char *at = text ? text : "auto";; at++) {
        const size_t length = strcspn(at, ",");
        if (!length || length >= LONGEST_NAME || *count == MOST_DEVICES)
            return fv_fail(error, FV_ERROR_USAGE, "'%s' is not a list of device names separated by commas", text);
        snprintf(names[(*count)++], LONGEST_NAME, "%.*s", (int)length, at);
        at += length;
        if (!*at)
            return FV_OK;
    }
}

static int threads_of_each(int asked, int devices)
{
    int all = asked ? asked : fv_processors();
    all = all < 1024 ? all : 1024;
    return all / devices > 1 ? all / devices : 1;
}

/* ---- All together ---------------------------------------------------------------------------------------------- */

/* Returns the first failure in the order of the plan; a stop request only if nothing else failed. */
static FvStatus first_failure(const Worker *workers, int count, FvError *error)
{
    for (int partial = 0; partial < 2; partial++)
        for (int i = 0; i < count; i++)
            if (workers[i].status && (partial || workers[i].status != FV_ERROR_PARTIAL)) {
                *error = workers[i].error;
                return workers[i].status;
            }
    return FV_OK;
}

/* Assigns an equal part of the frames that are to be computed to each device. */
static void share_out(const Run *run, Worker *workers, int count, int first, int end)
{
    const FvPlan *plan = run->plan;
    int at = first;
    int64_t given = 0;
    for (int w = 0; w < count; w++) {
        workers[w].first = at;
        while (at < end && (w == count - 1 || given < run->total * (w + 1) / count)) {
            given += run->done[at] ? 0 : plan->cuts[at + 1] - plan->cuts[at];
            at++;
        }
        workers[w].end = at;
    }
}

static void close_workers(void *opaque)
{
    Run *run = opaque;
    for (int w = 0; w < run->worker_count; w++)
        fv_shard_close(&run->workers[w].opened);
}

static FvStatus run_shards(Run *run, char names[MOST_DEVICES][LONGEST_NAME], int count, int first, int end,
                           FvError *error)
{
    Worker *workers = calloc((size_t)count, sizeof *workers);
    if (!workers)
        return fv_fail_memory(error, (size_t)count * sizeof *workers);
    run->workers = workers;
    run->worker_count = count;
    run->started = fv_seconds();
    for (int i = first; i < end; i++)
        run->total += run->done[i] ? 0 : run->plan->cuts[i + 1] - run->plan->cuts[i];
    share_out(run, workers, count, first, end);
    for (int w = 0; w < count; w++) {
        workers[w].run = run;
        workers[w].logs = !w;
        workers[w].waits = true;
        workers[w].threads =
            count > 1 ? threads_of_each(run->params->session.threads, count) : run->params->session.threads;
        memcpy(workers[w].device, names[w], LONGEST_NAME);
    }
    run->opening = count;
    for (int w = 1; w < count; w++)
        if (!fv_thread_start(&workers[w].thread, work, &workers[w]))
            tell(&workers[w], FV_OK); /* this thread does its work later */
    for (int w = 0; w < count; w++)
        if (!workers[w].thread.running)
            work(&workers[w]);
    for (int w = 1; w < count; w++)
        fv_thread_join(&workers[w].thread);
    fv_thread_start(&run->closing, close_workers, run);
    return first_failure(workers, count, error);
}

/*
 * Finds the shards that the folder already contains. Checks that the files of the other shards replace no file that
 * is read.
 */
static FvStatus find_done(Run *run, const FvGuard *read_files, int first, int end, FvError *error)
{
    const char *folder = run->params->folder;
    FvStatus status = FV_OK;
    if (strlen(folder) > 3000)
        return fv_fail(error, FV_ERROR_USAGE, "%.40s...: the name of the folder is too long", folder);
    if (!fv_folder_make(folder, 0777))
        return fv_fail(error, fv_failure_of_system(FV_ERROR_OUTPUT, errno), "%s: the folder cannot be made: %s",
                       folder, strerror(errno));
    for (int i = first; i < end && !status; i++) {
        char path[4096];
        FvShard rows;
        int shard;
        bool foreign;
        fv_shard_path(path, sizeof path, folder, i, "shard");
        const bool exists = fv_file_exists(path);
        FvError why = {.status = FV_OK};
        FvStatus read = exists ? fv_shard_read(run->plan, path, -1, &shard, &rows, &foreign, &why) : FV_ERROR_INPUT;
        if (exists && read && (foreign || read == FV_ERROR_MEMORY)) {
            *error = why;
            return read;
        }
        run->done[i] = !read && shard == i;
        if (!run->done[i])
            status = fv_shard_check_output(read_files, i, folder, error);
        if (run->done[i] && run->keeps)
            run->shards[i] = rows;
        else if (!read)
            fv_shard_free(&rows);
    }
    return status;
}

/* Examines the folder of shards. Starts a trial session to read the files that metrics name. */
static FvStatus look_into_folder(Run *run, int first, int end, FvError *error)
{
    FvSession *trial = NULL;
    if (!run->params->folder)
        return FV_OK;
    FvStatus status = fv_session_open(&trial, &(FvSessionParams){.device = "cpu", .threads = 1}, error);
    if (!status)
        status = fv_plan_add_metrics(run->plan, trial, error);
    if (!status)
        status = find_done(run, &fv_session_facts(trial)->read, first, end, error);
    fv_session_close(&trial);
    return status;
}

static FvStatus open_run(Run *run, const FvPlan *plan, const FvPlanRunParams *params, bool keeps, FvError *error)
{
    *run = (Run){.plan = plan,
                 .params = params,
                 .keeps = keeps,
                 .shards = calloc((size_t)plan->shards, sizeof *run->shards),
                 .done = calloc((size_t)plan->shards, sizeof *run->done)};
    fv_mutex_open(&run->lock);
    fv_condition_open(&run->told);
    return run->shards && run->done ? FV_OK : fv_fail_memory(error, (size_t)plan->shards * sizeof *run->shards);
}

static void close_run(Run *run)
{
    fv_thread_join(&run->closing);
    close_workers(run); /* does nothing if the thread has run */
    free(run->workers);
    for (int i = 0; i < run->plan->shards && run->shards; i++)
        fv_shard_free(&run->shards[i]);
    free(run->shards);
    free(run->done);
    fv_condition_close(&run->told);
    fv_mutex_close(&run->lock);
}

FvStatus fv_plan_run(const FvPlan *plan, const FvPlanRunParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FvError own = {.status = FV_OK};
    error = error ? error : &own;
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, params);
    FV_REQUIRE(error, params->folder);
    Run run;
    int devices;
    char names[MOST_DEVICES][LONGEST_NAME];
    const int count = params->count ? params->count : plan->shards - params->first;
    FvStatus status = fv_plan_check_shard(plan, params->first, error);
    if (!status && params->count)
        status = fv_plan_check_shard(plan, (int64_t)params->first + params->count - 1, error);
    if (!status)
        status = list_devices(params->session.device, names, &devices, error);
    if (status)
        return status;
    status = open_run(&run, plan, params, false, error);
    if (!status)
        status = look_into_folder(&run, params->first, params->first + count, error);
    if (!status)
        status = run_shards(&run, names, devices, params->first, params->first + count, error);
    close_run(&run);
    return status;
}

static FvStatus merge_run(Run *run, FvSession **session, const FvError *why, FvError *error)
{
    const FvPlanRunParams *params = run->params;
    FvStatus status = fv_plan_session(session, run->plan,
                                      &(FvSessionParams){.threads = params->session.threads,
                                                         .cancel = params->session.cancel,
                                                         .interval = params->session.interval},
                                      error);
    if (!status)
        status = fv_merge_shards(*session, run->plan, run->shards, params->session.device, why, error);
    if (status && status != FV_ERROR_PARTIAL)
        fv_session_close(session);
    return status;
}

FvStatus fv_plan_score(FvSession **session, const FvPlan *plan, const FvPlanRunParams *params, FvError *error)
{
    FV_FLOAT_MODE;
    FvError own = {.status = FV_OK};
    error = error ? error : &own;
    FV_REQUIRE(error, session);
    *session = NULL;
    FV_REQUIRE(error, plan);
    FV_REQUIRE(error, params);
    Run run;
    int devices;
    char names[MOST_DEVICES][LONGEST_NAME];
    FvError failure = {.status = FV_OK};
    FvStatus status = list_devices(params->session.device, names, &devices, error);
    if (status)
        return status;
    status = open_run(&run, plan, params, true, error);
    if (!status)
        status = look_into_folder(&run, 0, plan->shards, error);
    if (!status) {
        FvStatus failed = run_shards(&run, names, devices, 0, plan->shards, &failure);
        failure.status = failed;
        status = merge_run(&run, session, &failure, error);
    }
    close_run(&run);
    if (status || !failure.status)
        return status;
    *error = failure;
    if (fv_session_frames(*session) > 0)
        error->status = fv_score_partial(failure.status);
    return error->status;
}
