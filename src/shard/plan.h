/*
 * A plan: everything that decides the scores of a pair of videos, and where it is cut into shards. Shards that
 * different machines compute are merged into the report of one run. docs/many-machines.md
 */
#ifndef FV_SHARD_PLAN_H
#define FV_SHARD_PLAN_H

#include "input/index.h"
#include "session/session.h"

#define FV_PLAN_MOST_FRAMES 20000000 /* 92 hours at 60 frames per second */
#define FV_SHARD_MOST_TERMS 8192     /* of a row: features have fewer */

/* One of the two files: how it is opened, what it is, and how it is known again. Strings are owned. */
typedef struct FvPlanVideo {
    bool present;
    char *path, *reader, *decoder; /* as given; the last two may be NULL */
    char *layout;                  /* of raw video; may be NULL */
    FvFormat raw, tags;
    bool rgb; /* is converted */
    int stream;
    int64_t bytes, modified; /* nanoseconds since 1970 */
    char *sha256;            /* of 16 pieces of the file */
    FvSourceInfo info;       /* its strings are the following ones */
    char *name, *opened_by, *container, *codec, *mastering;
    FvIndex index; /* of a video that is read */
} FvPlanVideo;

/* A file that an option of a metric names. */
typedef struct FvPlanFile {
    int metric;
    char *option, *sha256;
} FvPlanFile;

struct FvPlan {
    FvPlanVideo video[2]; /* reference, distorted */
    bool uses_reference;
    FvScoreParams score; /* pointers in it are NULL */
    char *metrics[FV_MAX_METRICS];
    int metric_count;
    FvPlanFile *files;
    int file_count;
    int64_t frames, lead; /* to be scored; in front of a shard, as far as there are some. FV_EVERYTHING: all */
    int64_t *cuts;        /* [shards + 1]: the first frame of each shard, and `frames` */
    int shards;
    char sha256[65]; /* of everything above */
};

/* The rows of one shard, or of the beginning of one that could not be finished. */
typedef struct FvShard {
    int64_t rows; /* [0, frames of the shard] */
    FvTerm *terms;
    bool *skipped;
    FvRecord record;
} FvShard;

/* FV_ERROR_USAGE when it is none of them. */
FvStatus fv_plan_check_shard(const FvPlan *plan, int64_t shard, FvError *error);

/* A started session with the metrics of the plan that computes nothing: it takes rows. */
FvStatus fv_plan_session(FvSession **session, const FvPlan *plan, const FvSessionParams *params, FvError *error);

/* Adds the metrics of the plan, whose files must be those of the plan. */
FvStatus fv_plan_add_metrics(const FvPlan *plan, FvSession *session, FvError *error);

/* The hash of 16 pieces of a file, its size and its time. */
FvStatus fv_plan_identify(const char *path, int64_t *bytes, int64_t *modified, char sha256[65], FvError *error);

/* Text of the plan with its hash, and that hash alone. The text is the caller's to free. */
FvStatus fv_plan_print(const FvPlan *plan, char **text, char sha256[65], FvError *error);

/*
 * A plan from its text; `name` stands in messages. any_hash: the hash that it names need not be that of the rest, so
 * that tests reach what is behind.
 */
FvStatus fv_plan_parse(FvPlan **plan, const char *name, const char *text, size_t size, bool any_hash, FvError *error);

/* What a source says of itself differs from what the plan has: the name of the first difference, or NULL. */
const char *fv_plan_difference(const FvSourceInfo *a, const FvSourceInfo *b);

/* Copies what a source says of itself into a video of a plan. */
FvStatus fv_plan_set_info(FvPlanVideo *video, const FvSourceInfo *info, FvError *error);

FvStatus fv_index_copy(FvIndex *copy, const FvIndex *index, FvError *error);

/* ---- Shards -----------------------------------------------------------------------------------------------------
 */

void fv_shard_free(FvShard *shard);

/* Rows [first, first + count) of a session. */
FvStatus fv_shard_make(FvShard *shard, const FvSession *session, int64_t first, int64_t count, FvError *error);

/* FOLDER/000012.shard, and FOLDER/000012.run.json. Static memory is not used: size of path is `size`. */
void fv_shard_path(char *path, size_t size, const char *folder, int shard, const char *ending);

/* Writes both files of a whole shard, the record first. */
FvStatus fv_shard_write(const FvPlan *plan, int shard, const FvShard *rows, int width, const char *folder,
                        const FvCancel *cancel, FvError *error);

/*
 * Reads a shard of `width` terms (-1: however many) with its record. *shard: which one it is. FV_ERROR_INPUT when it
 * is not whole, or not one of this plan; *foreign: it is none of this plan, and must not be replaced.
 */
FvStatus fv_shard_read(const FvPlan *plan, const char *path, int width, int *shard, FvShard *rows, bool *foreign,
                       FvError *error);

/* The text of a record, written at a time, and its hash. The text is the caller's to free. */
FvStatus fv_record_print(const FvRecord *record, double seconds, char **text, char sha256[65], FvError *error);

FvStatus fv_record_read(FvRecord *record, const char *path, FvError *error);

/* As fv_plan_parse. */
FvStatus fv_record_parse(FvRecord *record, const char *name, const char *text, size_t size, bool any_hash,
                         FvError *error);

/* Scores [first, first + count) shards in one pass. `land` gets each when it is whole, in order. */
typedef struct FvShardPass {
    const FvPlan *plan;
    int first, count;
    const FvSessionParams *session;
    bool ignore_modified;
    FvStatus (*land)(void *opaque, int shard, FvShard *rows, int width,
                     FvError *error); /* takes over what is in rows */
    void (*fail)(void *opaque, int shard,
                 FvShard *rows);                    /* the rows of the one that could not be finished; or NULL */
    bool (*progress)(void *opaque, int64_t frames); /* since the last call */
    void *opaque;
} FvShardPass;

FvStatus fv_shard_pass(const FvShardPass *pass, FvError *error);

/*
 * Gives shards to a session of fv_plan_session and finishes it. `shards` has one for each of the plan; frames without
 * rows are missing, and the session is marked as partial, with `why`, when there are some. The rows are released.
 */
FvStatus fv_merge_shards(FvSession *session, const FvPlan *plan, FvShard *shards, const FvError *why, FvError *error);

#endif
