/*
 * A context: the extractors that the client requested, the sessions that compute them, and the scores so far.
 *
 * Extractors that look at every picture and those that leave some out (n_subsample) are computed by different
 * sessions, because a session skips a picture for all of its metrics. The context fetches scores from the sessions
 * only when the client requests one, so that several pictures can be scored at once.
 */
#pragma once

#include <pthread.h>

#include "cuda_pictures.h"
#include "extractor.h"
#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"
#include "picture.h"
#include "scores.h"

#define LV_PER_GROUP 32   /* maximum number of metrics in one session */
#define LV_GROUPS 8       /* maximum number of sessions */
#define LV_MODEL_FILES 32 /* maximum number of model files that a report must not replace */

/* An extractor that the client requested. */
typedef struct LvFeature {
    const LvExtractor *extractor;
    LvOptions options;
    int group, metric;      /* indices of its session, and of its metric in that session */
    int output[LV_COLUMNS]; /* output of the session for each column; -1: none */
    bool ran;
} LvFeature;

typedef struct LvGroup {
    FvSession *session; /* NULL until the first picture */
    FvFormat format;
    bool every; /* scores all pictures, also with n_subsample */
    bool chroma;
    bool gpu; /* pictures are copied to memory from which its GPU reads them */
    int features;
    int64_t calls; /* number of pictures that the session received, including those without scores */
    int64_t taken; /* number of frames whose scores were fetched */
} LvGroup;

/* A picture with scores still in the sessions. */
typedef struct LvPending {
    unsigned index;
    int64_t calls;      /* number of earlier calls with pictures */
    bool in[LV_GROUPS]; /* the sessions that score it */
} LvPending;

struct VmafContext {
    VmafConfiguration cfg;
    pthread_mutex_t lock; /* guards all members below except the pool */
    LvScores scores;
    LvFeature *feature;
    int feature_count;
    LvGroup group[LV_GROUPS];
    int group_count;
    char *model_file[LV_MODEL_FILES];
    int model_files;
    LvPending *pending;
    int pending_count, pending_room;
    unsigned *seen; /* indices of the pictures that were read, ascending */
    int seen_count, seen_room;
    struct {
        unsigned w, h, bpc;
        enum VmafPixelFormat format;
    } picture;
    unsigned pictures; /* number of pictures that the client offered, including refused ones */
    bool started, broken, flushed;
    bool failed; /* a session refused a picture, for a reason that was logged */
    LvPool *pool;
    LvCuda *cuda; /* NULL: no state was imported */
};
