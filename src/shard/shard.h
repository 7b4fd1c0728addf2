/* Shards: the rows of a part of a plan with a record of what computed them, as files and in memory. */
#pragma once

#include "align/pair_signatures.h"
#include "doubt/looks.h"
#include "shard/plan.h"

#define FV_SHARD_MOST_TERMS 8192 /* maximum number of terms of a row; all features together have fewer */

/* The rows of one shard, or of the beginning of a shard that could not be finished. */
typedef struct FvShard {
    int64_t rows; /* number of rows, [0, frames of the shard] */
    FvTerm *terms;
    bool *skipped;
    FvPairSignatures pairs; /* signatures of all pairs; none if the videos are not checked */
    FvLooks looked;         /* looks at these pairs */
    FvRecord record;
} FvShard;

void fv_shard_free(FvShard *shard);

/* Copies rows [first, first + count) of a session. */
FvStatus fv_shard_make(FvShard *shard, const FvSession *session, int64_t first, int64_t count, FvError *error);

/* Writes the path FOLDER/000012.shard or FOLDER/000012.run.json, by `ending`. */
void fv_shard_path(char *path, size_t size, const char *folder, int shard, const char *ending);

/* Writes the path of a shard's record: ".../000012.shard" has its record in ".../000012.run.json". */
void fv_shard_record_path(char *record, size_t size, const char *path);

/* Writes both files of a complete shard that the session computed, the record first. */
FvStatus fv_shard_write(const FvPlan *plan, int shard, const FvShard *rows, const FvSession *session,
                        const char *folder, FvError *error);

/* Checks that both files can be written and replace none of the files in `read`. */
FvStatus fv_shard_check_output(const FvGuard *read, int shard, const char *folder, FvError *error);

/*
 * Reads a shard, whose rows have `width` terms (-1: any number), with its record. *shard: its number. FV_ERROR_INPUT:
 * it is incomplete or belongs to another plan. *foreign: it is not a shard of this plan and must not be replaced.
 */
FvStatus fv_shard_read(const FvPlan *plan, const char *path, int width, int *shard, FvShard *rows, bool *foreign,
                       FvError *error);

/*
 * Prints a record to *text, which the caller frees, and writes its hash to sha256. seconds: time of writing, since
 * 1970.
 */
FvStatus fv_record_print(const FvRecord *record, double seconds, char **text, char sha256[65], FvError *error);

FvStatus fv_record_read(FvRecord *record, const char *path, FvError *error);

/* Parses a record, as fv_plan_parse() does a plan. */
FvStatus fv_record_parse(FvRecord *record, const char *name, const char *text, size_t size, bool any_hash,
                         FvError *error);

/* A pass that scores shards [first, first + count). `on_shard` gets each shard, in order, when it is complete. */
typedef struct FvShardPass {
    const FvPlan *plan;
    int first, count;
    const FvSessionParams *session;
    bool ignore_modified;
    FvStatus (*on_shard)(void *opaque, int shard, FvShard *rows, const FvSession *session,
                         FvError *error);                    /* takes over the rows */
    void (*on_rest)(void *opaque, int shard, FvShard *rows); /* receives the rows of incomplete shards; or NULL */
    bool (*progress)(void *opaque, int64_t frames);          /* receives the number of frames since the last call */
    /* Receives the status of opening the device and the videos, and returns whether to score; or NULL. */
    bool (*ready)(void *opaque, FvStatus status);
    void *opaque;
} FvShardPass;

/* The session and the videos that a pass opens. Zeroed: none are open. */
typedef struct FvShardOpened {
    FvSession *session;
    FvSource *source[2];
} FvShardOpened;

/* Scores the shards. The caller closes `opened` in any case, which may take long on a GPU. */
FvStatus fv_shard_pass(const FvShardPass *pass, FvShardOpened *opened, FvError *error);

void fv_shard_close(FvShardOpened *opened);

/*
 * Adds the rows of shards to a session of fv_plan_session(), and ends the session. shards: one element for each shard
 * of the plan; their rows are released. why: the reason with which the session is marked as partial if frames have no
 * rows. FV_ERROR_PARTIAL: strict mode refuses the clip, but the session has its scores.
 */
FvStatus fv_merge_shards(FvSession *session, const FvPlan *plan, FvShard *shards, const char *device,
                         const FvError *why, FvError *error);
