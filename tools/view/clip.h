/*
 * What a viewer looks at: pairs of frames by number, maps of them, and scores that are computed meanwhile. Every
 * function but open and close may be called by any number of threads.
 */
#pragma once

#include "fovea/fovea.h"
#include "view/maps.h"
#include "view/scores.h"

typedef struct ViewClip ViewClip;

typedef struct ViewClipParams {
    FvSourceParams file[2];  /* reference and distorted video; path NULL: none. Their strings outlive the clip */
    ViewScoresParams scores; /* of the same two files, opened once more */
    ViewMaps *maps;          /* outlives the clip */
    size_t cache_bytes;      /* of frames that are kept; one pair is, whatever its size */
} ViewClipParams;

/* Opens the files, reads the first pair and begins to score. */
FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error);

/* Ends the scoring, which a request to stop that the session knows makes faster. */
void view_clip_close(ViewClip **clip);

/* Of one of the files: side 0 is the reference. NULL when there is none. */
const FvSourceInfo *view_clip_info(const ViewClip *clip, int side);

/* Of the frames that are compared. Both sides have the same size, chroma and depth, but perhaps other tags. */
const FvFormat *view_clip_format(const ViewClip *clip, int side);

/* Valid while the clip is open. */
ViewScores *view_clip_scores(const ViewClip *clip);

/* A pair, as fv_pairs_read gives it. */
FvStatus view_clip_frames(ViewClip *clip, int64_t number, FvFrame *frames[2], FvError *error);

/* A small picture of a side of a pair: three bytes a pixel. */
typedef struct ViewThumb {
    int64_t number;
    int width, height;
    uint8_t *rgb; /* to be freed */
} ViewThumb;

FvStatus view_clip_thumb(ViewClip *clip, int64_t number, ViewThumb *thumb, FvError *error);

/* As view_maps_get. */
FvStatus view_clip_map(ViewClip *clip, int64_t number, const FvMetricInfo *info, const char *metric, const char *map,
                       ViewMap *made, FvError *error);
