/*
 * Plans and shards: one run that is computed on many machines. A program that computes the shards of a plan and
 * merges them:
 *
 *     FvError error = {0};
 *     FvPlan *plan = NULL;
 *     FvSession *session = NULL;
 *     FvStatus status = fv_plan_read(&plan, "film.plan.json", &error);
 *     if (!status)
 *         status = fv_plan_score(&session, plan, &(FvPlanRunParams){.folder = "shards"}, &error);
 *     if (!status)
 *         status = fv_report_write(session, "report.json", FV_REPORT_JSON, &error);
 *     fv_session_close(&session);
 *     fv_plan_close(&plan);
 *
 * docs/many-machines.md shows how to do this on many machines.
 */
#ifndef FOVEA_PLAN_H
#define FOVEA_PLAN_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plan, which divides the frames of a pair of files into shards. Any machine with the files can compute any shard,
 * which becomes a file. The merged shards give the reports of a single run, byte for byte. A plan never changes.
 */
typedef struct FvPlan FvPlan;

typedef struct FvPlanParams {
    /*
     * A session with its metrics that has not been started. Metrics that write maps are refused. Its stop request,
     * which must outlive the plan, also ends fv_plan_write().
     */
    const FvSession *session;
    FvSource *reference, *distorted;                           /* sources of regular files; reference may be NULL */
    const FvSourceParams *reference_params, *distorted_params; /* the parameters with which they were opened */
    const FvScoreParams *score; /* must pair by index, without `select`, `fields`, `timing`; ignores `progress` */
    int shards; /* number of shards; 0: it follows from frames_per_shard. Give exactly one of the two */
    /* length of each shard, 0 if `shards` is given; cuts move to frames at which decoding of both videos can start */
    int64_t frames_per_shard;
} FvPlanParams;

typedef struct FvPlanShard {
    int64_t first, frames; /* the first frame and the number of frames to score */
    int64_t lead;          /* frames before `first` that must be read too, because metrics look back */
} FvPlanShard;

/*
 * Makes a plan, which the caller closes. It lists the packets of both files without decoding. FV_ERROR_USAGE: a
 * parameter is refused or out of its range, the session has no metrics, has been started or finds scenes, a video is
 * not a regular file, or there are more shards than frames. FV_ERROR_INPUT: a file cannot be listed, or the videos
 * have different lengths.
 */
FV_API FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error);

/*
 * Writes a plan through an FvOutput, which never replaces a file that was read for the plan. The plan stores the
 * paths of the videos as they were given.
 */
FV_API FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error);

/*
 * Reads a plan, which the caller closes. FV_ERROR_INPUT: the file cannot be read or is no plan, or the plan was
 * edited, or made for another numerics version.
 */
FV_API FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error);

/* Returns 64 hexadecimal digits, equal for equal plans. Valid until the plan is closed. */
FV_API const char *fv_plan_hash(const FvPlan *plan);

FV_API int fv_plan_shards(const FvPlan *plan);

/* Writes the frames of a shard to *info. Returns false if the plan has no such shard. */
FV_API bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info);

typedef struct FvPlanRunParams {
    /*
     * The device may be a list, "cuda:0,cuda:1", or "all" for all usable GPUs; they share the shards and the threads.
     * The caller's thread calls `log`.
     */
    FvSessionParams session;
    int first, count; /* the shards to compute; count 0: all from `first` on */
    /*
     * Folder for the shards: FOLDER/000012.shard and, next to it, FOLDER/000012.run.json, which records who computed
     * the shard. A missing folder is created. Shards that are already complete are not computed again.
     */
    const char *folder;
    bool ignore_modified; /* accept files with other modification times than in the plan, such as copies */
    /* Called as frames are scored, in any thread, one call at a time; NULL: not called. Return false to stop. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvPlanRunParams;

/*
 * Computes shards. Each is written once it is complete. None is computed if one of the devices cannot be opened. A
 * device stops at the first shard that fails; the shards of other devices are still computed, and complete ones stay.
 * Any number of processes may work on the same plan, folder and shard. FV_ERROR_USAGE: a shard does not exist, or the
 * devices are not a list of such names. FV_ERROR_INPUT: a file differs from the plan's. FV_ERROR_DEVICE: a device
 * failed, or "all" finds no usable GPU. FV_ERROR_OUTPUT: the folder or a shard cannot be written. FV_ERROR_PARTIAL: a
 * stop was requested.
 */
FV_API FvStatus fv_plan_run(const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

typedef struct FvMergeParams {
    const char *const *paths; /* paths of shards, in any order; names ending in .run.json or .tmp are ignored */
    int count;
    int64_t interval;   /* length of the intervals in microseconds, as FvSessionParams.interval */
    bool allow_missing; /* merge the shards that exist, at least one; if any is missing: FV_ERROR_PARTIAL, with a
                           session */
    bool strict;        /* works as FvScoreParams.strict; a refusal is FV_ERROR_PARTIAL, with a session */
    const FvCancel *cancel;
} FvMergeParams;

/*
 * Merges all shards of a plan into a finished session of fv_processors() threads, which the caller closes. It has the
 * values and reports of a single run. The videos are not needed. FV_ERROR_INPUT: a shard is missing, damaged, of
 * another plan, or given twice with different content.
 */
FV_API FvStatus fv_plan_merge(FvSession **session, const FvPlan *plan, const FvMergeParams *params, FvError *error);

/*
 * Computes the shards that params->folder lacks (NULL: all shards, in memory) and merges them into *session. Ignores
 * first and count. After a failure, *session has the scores so far, as after fv_score(), or is NULL.
 */
FV_API FvStatus fv_plan_score(FvSession **session, const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

/*
 * Deletes the files that fv_plan_run(), fv_plan_score() and fv_plan_write() to FOLDER/plan.json made in a folder for
 * this plan, including temporary files of killed processes. The content of a file decides whether it is one of them.
 * Then deletes the folder. A missing folder is no error. FV_ERROR_OUTPUT: the folder contains other files, or cannot
 * be deleted, and stays.
 */
FV_API FvStatus fv_plan_clear(const FvPlan *plan, const char *folder, FvError *error);

FV_API void fv_plan_close(FvPlan **plan);

#ifdef __cplusplus
}
#endif

#endif
