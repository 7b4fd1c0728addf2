/*
 * Shards: one scoring on many machines.
 *
 */
#ifndef FOVEA_PLAN_H
#define FOVEA_PLAN_H

#include <fovea/score.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A plan cuts the frames of a pair of files into shards. Any machine that has the files computes any of them, into
 * files of its own; merged, they give the reports of one run, byte for byte. docs/many-machines.md
 */
typedef struct FvPlan FvPlan;

typedef struct FvPlanParams {
    const FvSession *session;        /* that has its metrics and has not been started; metrics that write maps are not
                                        taken */
    FvSource *reference, *distorted; /* of ordinary files. reference may be NULL */
    const FvSourceParams *reference_params, *distorted_params; /* that these were opened with */
    const FvScoreParams *score; /* frames pair by index; functions in it are not taken */
    int shards;                 /* how many; 0: as many as */
    int64_t frames_per_shard;   /* make it. Cuts are moved a little, to where both videos can be entered */
} FvPlanParams;

typedef struct FvPlanShard {
    int64_t first, frames; /* that it scores */
    int64_t lead;          /* frames in front of `first` that have to be read, because metrics look back */
} FvPlanShard;

/* Lists the packets of both files, and decodes nothing. */
FV_API FvStatus fv_plan_make(FvPlan **plan, const FvPlanParams *params, FvError *error);

/* As an FvOutput. Paths of the videos are written as they were given. */
FV_API FvStatus fv_plan_write(const FvPlan *plan, const char *path, FvError *error);

/* FV_ERROR_INPUT for a plan that was changed, or made for another numerics version. */
FV_API FvStatus fv_plan_read(FvPlan **plan, const char *path, FvError *error);

/* 64 hexadecimal digits: plans are the same when these are. Valid until the plan is closed. */
FV_API const char *fv_plan_hash(const FvPlan *plan);

FV_API int fv_plan_shards(const FvPlan *plan);

/* False when there is no such shard. */
FV_API bool fv_plan_shard(const FvPlan *plan, int shard, FvPlanShard *info);

typedef struct FvPlanRunParams {
    /* device may be a list, "cuda:0,cuda:1", or "all" usable GPUs, which share the shards and the threads. Functions
     * in it are called by the caller's thread. */
    FvSessionParams session;
    int first, count; /* which shards; count 0: all from `first` on */
    /* Where FOLDER/000012.shard is written, with FOLDER/000012.run.json beside it, which says who computed it. It is
     * made when it is not there. Shards that are whole already are not computed again. */
    const char *folder;
    bool ignore_modified; /* the files may have another time than the plan says: they are copies */
    /* Return false to stop. From any thread, one call at a time. */
    bool (*progress)(void *opaque, const FvProgress *progress);
    void *opaque;
} FvPlanRunParams;

/*
 * Computes shards. Each is written when it is whole; one that fails leaves the others as they are. FV_ERROR_INPUT
 * when a file is not the one of the plan. Any number of processes may work on a plan and on a folder, on the same
 * shard too.
 */
FV_API FvStatus fv_plan_run(const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

typedef struct FvMergeParams {
    const char *const *paths; /* of shards in any order; files named .run.json and .tmp are left out */
    int count;
    int64_t interval;   /* as in FvSessionParams */
    bool allow_missing; /* scores of the frames that are there: FV_ERROR_PARTIAL, with a session */
    const FvCancel *cancel;
} FvMergeParams;

/*
 * A finished session from all shards of a plan: its values and reports are those of one run. The videos are not
 * needed. FV_ERROR_INPUT when a shard is missing, damaged, of another plan, or there twice with different content.
 */
FV_API FvStatus fv_plan_merge(FvSession **session, const FvPlan *plan, const FvMergeParams *params, FvError *error);

/*
 * Both in one process: computes what is missing in params->folder (NULL: everything, in memory), and merges. After a
 * failure, *session has what was scored, as after fv_score, or is NULL. first and count are not looked at.
 */
FV_API FvStatus fv_plan_score(FvSession **session, const FvPlan *plan, const FvPlanRunParams *params, FvError *error);

FV_API void fv_plan_close(FvPlan **plan);

#ifdef __cplusplus
}
#endif

#endif
