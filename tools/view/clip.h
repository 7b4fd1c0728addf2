/*
 * What a viewer looks at: one or several encodes, with their reference or without one. Pairs of frames by number,
 * maps of them, and scores that are computed meanwhile. Every function but open and close may be called by any number
 * of threads.
 */
#pragma once

#include "fovea/fovea.h"
#include "view/maps.h"
#include "view/scores.h"

#define VIEW_ENCODES 16 /* at most */

typedef struct ViewClip ViewClip;

/* One encode. Strings outlive the clip. */
typedef struct ViewEncode {
    FvSourceParams file[2];  /* reference and encode; path NULL: none */
    const char *refused;     /* why nothing of it can be seen; then only the paths above count. NULL: it can */
    FvFormat format[2];      /* of the frames that are compared, as fv_score_formats gives them */
    ViewScoresParams scores; /* of the same two files, opened once more */
} ViewEncode;

typedef struct ViewClipParams {
    const ViewEncode *encodes; /* outlive the clip */
    int count;
    FvSource
        *shared;    /* the reference that all scores read; NULL: each has its own, and is computed after the other */
    int threads;    /* that score with a shared reference; 0: fv_processors() */
    ViewMaps *maps; /* outlives the clip */
    size_t cache_bytes; /* of frames that are kept; one pair of each encode is, whatever its size */
} ViewClipParams;

/* Begins to score. Where there is one encode, its first pair is read before. */
FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error);

/* Ends the scoring, which a request to stop that the sessions know makes faster. */
void view_clip_close(ViewClip **clip);

/* Encodes count from 0. Those that are refused have nothing but this; NULL: there is none. */
const ViewEncode *view_clip_encode(const ViewClip *clip, int encode);

/* Of one of the files: side 0 is the reference. NULL when there is none. */
const FvSourceInfo *view_clip_info(const ViewClip *clip, int encode, int side);

/* Of the frames that are compared. Both sides have the same size, chroma and depth, but perhaps other tags. */
const FvFormat *view_clip_format(const ViewClip *clip, int encode, int side);

/* Valid while the clip is open. */
ViewScores *view_clip_scores(const ViewClip *clip, int encode);

/* A pair, as fv_pairs_read gives it. */
FvStatus view_clip_frames(ViewClip *clip, int encode, int64_t number, FvFrame *frames[2], FvError *error);

/* Whether this pair, or one behind it, was given before: a browser may have kept its frames. */
bool view_clip_has_given(const ViewClip *clip, int encode, int64_t number);

/* A small picture of a side of a pair: three bytes a pixel. */
typedef struct ViewThumb {
    int64_t number;
    int width, height;
    uint8_t *rgb; /* to be freed */
} ViewThumb;

FvStatus view_clip_thumb(ViewClip *clip, int encode, int64_t number, ViewThumb *thumb, FvError *error);

/* As view_maps_get. */
FvStatus view_clip_map(ViewClip *clip, int encode, int64_t number, const FvMetricInfo *info, const char *metric,
                       const char *map, ViewMap *made, FvError *error);
