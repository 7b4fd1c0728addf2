/*
 * A context: extractors that were asked for, sessions that compute them, and what is known.
 *
 * Extractors that look at every picture and those that leave some out (n_subsample) are computed by different
 * sessions, because a session skips a picture for all of its metrics. Scores are taken from the sessions when
 * one is asked for, so that several pictures can be scored at once.
 */
#pragma once

#include <pthread.h>

#include "cuda_pictures.h"
#include "extractor.h"
#include "fovea/fovea.h"
#include "libvmaf/libvmaf.h"
#include "picture.h"
#include "scores.h"

#define LV_PER_GROUP 32 /* metrics that one session takes */
#define LV_GROUPS 8
#define LV_MODEL_FILES 32 /* maximum number of model files that a report must not replace */

/* An extractor that was asked for. */
typedef struct LvFeature {
    const LvExtractor *extractor;
    LvOptions options;
    int group, metric;      /* its session, and its place there */
    int output[LV_COLUMNS]; /* output of the session for each column; -1: none */
    bool ran;
} LvFeature;

typedef struct LvGroup {
    FvSession *session; /* NULL until the first picture */
    FvFormat format;
    bool every; /* sees all pictures */
    bool chroma;
    bool gpu; /* pictures are copied to where its device reads them by itself */
    int features;
    int64_t calls; /* pictures it has seen, those that got no scores included */
    int64_t taken; /* frames with known scores */
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
    unsigned *seen; /* indices that were read, rising */
    int seen_count, seen_room;
    struct {
        unsigned w, h, bpc;
        enum VmafPixelFormat format;
    } picture;
    unsigned pictures; /* offered, those that were refused included */
    bool started, broken, flushed;
    bool failed; /* a session refused a picture, and the log says why */
    LvPool *pool;
    LvCuda *cuda; /* NULL: no state was imported */
};
