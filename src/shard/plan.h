/*
 * A plan: everything that decides the scores of a pair of videos, and where it is cut into shards. Shards that
 * different machines compute are merged into the report of one run. docs/many-machines.md
 */
#pragma once

#include "input/index.h"
#include "option/param.h"
#include "session/session.h"

#define FV_PLAN_MOST_FRAMES 20000000 /* 92 hours at 60 frames per second */

/* One of the two files: how it is opened, what it is, and how it is recognised. Strings are owned. */
typedef struct FvPlanVideo {
    bool present;
    FvSourceParams given;        /* what it is opened with; its texts are the following ones */
    char *path, *layout;         /* the layout of raw video may be NULL */
    char *words[FV_PARAM_COUNT]; /* of the rows that have texts, or NULL */
    int tick_num, tick_den;      /* seconds of a tick of the index; 0/0: it has none */
    int64_t bytes, modified;     /* nanoseconds since 1970 */
    char *sha256;                /* of 16 pieces of the file */
    FvSourceInfo info;           /* its strings are the following ones */
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
    int64_t frames, lead; /* to be scored; to be read before each shard. FV_EVERYTHING: all earlier frames */
    int64_t *cuts;        /* [shards + 1]: the first frame of each shard, and `frames` */
    int shards;
    char sha256[65];        /* of everything above */
    const FvCancel *cancel; /* of the session that it was made with, or NULL */
    FvGuard read;           /* the plan's own file, the videos, and files of the metrics: no output replaces one */
};

/* FV_ERROR_USAGE when the plan has no such shard. */
FvStatus fv_plan_check_shard(const FvPlan *plan, int64_t shard, FvError *error);

/* A started session with the metrics of the plan that computes nothing: it takes rows. */
FvStatus fv_plan_session(FvSession **session, const FvPlan *plan, const FvSessionParams *params, FvError *error);

/* Adds the metrics of the plan, and the files that were read for it. Files of options must not have changed. */
FvStatus fv_plan_add_metrics(const FvPlan *plan, FvSession *session, FvError *error);

/* Copies the description of a source and the identity of its file. */
FvStatus fv_plan_set_video(FvPlanVideo *video, const FvSourceParams *params, const FvSource *source, FvError *error);

/* Makes the texts of info the video's own. */
void fv_plan_own_texts(FvPlanVideo *video);

/* Copies the texts of `given` that rows set, and makes them the video's own. False when memory has ended. */
bool fv_plan_own_rows(FvPlanVideo *video);

void fv_plan_free_video(FvPlanVideo *video);

/* A copy that the caller frees, NULL of NULL. False when memory has ended. */
bool fv_plan_copy_text(char **to, const char *from);

/* Counts the frames and cuts them into shards. */
FvStatus fv_plan_cut(FvPlan *plan, const FvPlanParams *params, FvError *error);

/* The size and time of a file, and the hash of 16 pieces of it. */
FvStatus fv_plan_identify(const char *path, int64_t *bytes, int64_t *modified, char sha256[65], FvError *error);

/* Text of the plan with its hash, and that hash alone. The text is the caller's to free. */
FvStatus fv_plan_print(const FvPlan *plan, char **text, char sha256[65], FvError *error);

/* A plan from its text; messages call it `name`. any_hash: its hash is not checked, so that tests reach the rest. */
FvStatus fv_plan_parse(FvPlan **plan, const char *name, const char *text, size_t size, bool any_hash, FvError *error);

/* The name of the first member in which two descriptions of a source differ, or NULL. */
const char *fv_plan_difference(const FvSourceInfo *a, const FvSourceInfo *b);
