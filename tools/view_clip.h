/*
 * What a viewer looks at: pairs of frames by number, maps of them, and scores that are computed meanwhile. Every
 * function but open and close may be called by any number of threads.
 */
#ifndef VIEW_CLIP_H
#define VIEW_CLIP_H

#include "fovea/fovea.h"

typedef struct ViewClip ViewClip;

typedef struct ViewClipParams {
    FvSourceParams file[2];      /* reference and distorted video; path NULL: none. Their strings outlive the clip */
    const FvScoreParams *params; /* without progress, which the clip takes; outlives the clip */
    FvSession *session;          /* with its metrics, not started; outlives the clip, which is its only user */
    const char *device;          /* for maps: "cpu", or a GPU as fv_devices_list names it */
    int threads;                 /* for maps */
    size_t cache_bytes;          /* of frames that are kept; one pair is, whatever its size */
} ViewClipParams;

/* Opens the files, reads the first pair and begins to score. */
FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error);

/* Ends the scoring, which a request to stop that the session knows makes faster. */
void view_clip_close(ViewClip **clip);

/* Of one of the files: side 0 is the reference. NULL when there is none. */
const FvSourceInfo *view_clip_info(const ViewClip *clip, int side);

/* Of the frames that are compared. Both sides have the same size, chroma and depth, but perhaps other tags. */
const FvFormat *view_clip_format(const ViewClip *clip, int side);

/* A pair, as fv_pairs_read gives it. */
FvStatus view_clip_frames(ViewClip *clip, int64_t number, FvFrame *frames[2], FvError *error);

/* A map without gaps between its rows; data is to be freed. */
typedef struct ViewMap {
    const FvMapInfo *info;
    double low, high; /* as pictures show it */
    int width, height;
    float *data;
    int value_count; /* scores of the frame with these options */
    struct {
        const char *name;
        double value;
    } values[64];
} ViewMap;

/* metric: "name=option=value:...". */
FvStatus view_clip_map(ViewClip *clip, int64_t number, const FvMetricInfo *info, const char *metric, const char *map,
                       ViewMap *made, FvError *error);

/* How far the scores are. */
typedef struct ViewProgress {
    int64_t frames; /* that have scores */
    int64_t total;  /* -1: not known */
    int outputs;    /* 0 until scoring has begun */
    bool ended;
    FvStatus status; /* of the scoring, once it has ended */
    char message[1024];
} ViewProgress;

void view_clip_progress(ViewClip *clip, ViewProgress *progress);

/* Valid while the clip is open, once there are outputs. */
const FvOutputInfo *view_clip_output(ViewClip *clip, int output);

/* What was decided on the way, one sentence after the other; NULL behind the last, and before scoring has ended. */
const char *view_clip_decision(ViewClip *clip, int i);

/*
 * Numbers and values of frames from the one at place `from` on: values[i * outputs + output]. Returns how many, at
 * most `most`.
 */
int64_t view_clip_scores(ViewClip *clip, int64_t from, int64_t most, double *numbers, double *values);

#endif
