/*
 * A plan: everything that determines the scores of two videos, and the cuts between its shards. Shards that different
 * machines compute are merged into the report of a single run. docs/many-machines.md
 */
#pragma once

#include "input/index.h"
#include "option/param.h"
#include "session/session.h"

#define FV_PLAN_MOST_FRAMES 20000000 /* maximum number of frames: 92 hours at 60 frames per second */

/* One of the two files: parameters for opening it, its description, and its identity. It owns its strings. */
typedef struct FvPlanVideo {
    bool present;
    FvSourceParams given;        /* parameters for opening it; its texts are the members below */
    char *path, *layout;         /* the layout of raw video may be NULL */
    char *words[FV_PARAM_COUNT]; /* texts of the parameters that have one, or NULL */
    int tick_num, tick_den;      /* duration of a tick of the index, in seconds; 0/0: none */
    int64_t bytes, modified;     /* size, and modification time in nanoseconds since 1970 */
    char *sha256;                /* hash of 16 pieces of the file */
    FvSourceInfo info;           /* description; its strings are the members below */
    char *name, *opened_by, *container, *codec, *mastering;
    FvIndex index; /* index of a video that is read */
} FvPlanVideo;

/* A file that an option of a metric names. */
typedef struct FvPlanFile {
    int metric;
    char *option, *sha256;
} FvPlanFile;

struct FvPlan {
    FvPlanVideo video[2]; /* reference, distorted */
    bool uses_reference;
    FvScoreParams score; /* parameters, with all pointers NULL */
    char *metrics[FV_MAX_METRICS];
    int metric_count;
    FvPlanFile *files;
    int file_count;
    int64_t frames,
        lead;      /* number of frames to score; number of frames to read before each shard (FV_EVERYTHING: all) */
    int64_t *cuts; /* [shards + 1]: the first frame of each shard, and `frames` */
    int shards;
    char sha256[65];        /* hash of all members above */
    const FvCancel *cancel; /* stop request of the session with which the plan was made, or NULL */
    FvGuard read;           /* the plan's file, the videos, and files of the metrics: no output replaces one */
};

/* Checks a shard's number. FV_ERROR_USAGE: the plan has no such shard. */
FvStatus fv_plan_check_shard(const FvPlan *plan, int64_t shard, FvError *error);

/* Starts a session with the metrics of the plan that computes nothing and receives rows. */
FvStatus fv_plan_session(FvSession **session, const FvPlan *plan, const FvSessionParams *params, FvError *error);

/* Adds the metrics of the plan, and the files that were read for it. Files of options must not have changed. */
FvStatus fv_plan_add_metrics(const FvPlan *plan, FvSession *session, FvError *error);

/* Copies the description of a source and the identity of its file. */
FvStatus fv_plan_set_video(FvPlanVideo *video, const FvSourceParams *params, const FvSource *source, FvError *error);

/* Points the texts of `info` to the video's copies. */
void fv_plan_own_texts(FvPlanVideo *video);

/* Copies the texts of `given` into `words`, and points `given` to the copies. Returns false if memory runs out. */
bool fv_plan_own_rows(FvPlanVideo *video);

void fv_plan_free_video(FvPlanVideo *video);

/* Copies a text, which the caller frees; NULL stays NULL. False: out of memory. */
bool fv_plan_copy_text(char **to, const char *from);

/* Counts the frames and cuts them into shards. */
FvStatus fv_plan_cut(FvPlan *plan, const FvPlanParams *params, FvError *error);

/* Writes the size and the modification time of a file, and the hash of 16 pieces of it. */
FvStatus fv_plan_identify(const char *path, int64_t *bytes, int64_t *modified, char sha256[65], FvError *error);

/* Prints the plan with its hash to *text, which the caller frees, and writes that hash. */
FvStatus fv_plan_print(const FvPlan *plan, char **text, char sha256[65], FvError *error);

/* Parses a plan; messages call it `name`. any_hash: do not check its hash, so that tests reach the rest. */
FvStatus fv_plan_parse(FvPlan **plan, const char *name, const char *text, size_t size, bool any_hash, FvError *error);

/* Returns the name of the first member in which two descriptions of a source differ, or NULL. */
const char *fv_plan_difference(const FvSourceInfo *a, const FvSourceInfo *b);
