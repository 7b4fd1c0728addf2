/* Shards: one scoring on many machines. */
#ifndef FOVEA_PLAN_H
#define FOVEA_PLAN_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plan cuts the frames of a pair of files into shards. Any machine with the files can compute any shard into a file
 * of its own. Merged, the shards give the reports of a single run, byte for byte. docs/many-machines.md
 */
typedef struct FvPlan FvPlan;

typedef struct FvPlanParams {
    /* has its metrics, has not been started; metrics that write maps are refused. Its stop request, which must
     * outlive the plan, ends fv_plan_write too */
    const FvSession *session;
    FvSource *reference, *distorted;                           /* of regular files. reference may be NULL */
    const FvSourceParams *reference_params, *distorted_params; /* with which these were opened */
    const FvScoreParams *score; /* frames pair by index; functions in it and `fields` are refused */
    int shards;                 /* number of shards; 0: frames_per_shard decides */
    int64_t frames_per_shard;   /* length of each; cuts move to places where decoding of both can start */
} FvPlanParams;

typedef struct FvPlanShard {
    int64_t first, frames; /* the first frame and the number of frames to score */
    int64_t lead;          /* frames before `first` that must be read too, because metrics look back */
} FvPlanShard;

/* Lists the packets of both files without decoding. */
FV_API FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error);

/*
 * As an FvOutput, which replaces no file that was read for the plan. Paths of the videos are written as they were
 * given.
 */
FV_API FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error);

/* FV_ERROR_INPUT: the plan was edited, or made for another numerics version. */
FV_API FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error);

/* 64 hexadecimal digits, the same for the same plan. Valid until the plan is closed. */
FV_API const char *fv_plan_hash(const FvPlan *plan);

FV_API int fv_plan_shards(const FvPlan *plan);

/* False: the plan has no such shard. */
FV_API bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info);

typedef struct FvPlanRunParams {
    /* device may be a list, "cuda:0,cuda:1", or "all" for all usable GPUs; they share the shards and the threads. The
     * caller's thread calls the functions in it. */
    FvSessionParams session;
    int first, count; /* the shards; count 0: all from `first` on */
    /* Gets FOLDER/000012.shard and, next to it, FOLDER/000012.run.json, which says who computed the shard. A missing
     * folder is created. Shards that are already whole are not computed again. */
    const char *folder;
    bool ignore_modified; /* the files may have other times than in the plan, as copies do */
    /* Return false to stop. Called from any thread, one call at a time. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvPlanRunParams;

/*
 * Computes shards. Each is written once it is whole; a failed one does not affect the others. FV_ERROR_INPUT: a file
 * differs from the plan's. Any number of processes may work on the same plan, folder and shard.
 */
FV_API FvStatus fv_plan_run(const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

typedef struct FvMergeParams {
    const char *const *paths; /* of shards, in any order; files named .run.json and .tmp are ignored */
    int count;
    int64_t interval;   /* as in FvSessionParams */
    bool allow_missing; /* merge the shards that exist: FV_ERROR_PARTIAL, with a session */
    bool strict;        /* as in FvScoreParams: FV_ERROR_PARTIAL, with a session */
    const FvCancel *cancel;
} FvMergeParams;

/*
 * Makes a finished session of all shards of a plan, with the values and reports of a single run. It does not need the
 * videos. FV_ERROR_INPUT: a shard is missing, damaged, of another plan, or given twice with different content.
 */
FV_API FvStatus fv_plan_merge(FvSession **session, const FvPlan *plan, const FvMergeParams *params, FvError *error);

/*
 * Both in one process: computes the shards that params->folder lacks (NULL: all, in memory) and merges them. After a
 * failure, *session has the scores so far, as after fv_score, or is NULL. Ignores first and count.
 */
FV_API FvStatus fv_plan_score(FvSession **session, const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

/*
 * Deletes from a folder what fv_plan_run, fv_plan_score and fv_plan_write to FOLDER/plan.json made in it for this
 * plan, and what they left there when they were killed: files whose content is theirs. Then the folder.
 * FV_ERROR_OUTPUT: it contains other files, and stays.
 */
FV_API FvStatus fv_plan_clear(const FvPlan *plan, const char *folder, FvError *error);

FV_API void fv_plan_close(FvPlan **plan);

#ifdef __cplusplus
}
#endif

#endif
