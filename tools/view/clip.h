/*
 * The content of a viewer: one or several encodes, with their reference or without one. It delivers pairs of frames
 * by number, their maps, and scores, which are computed at the same time. Any number of threads may call the
 * functions, except open and close.
 */
#pragma once

#include "fovea/fovea.h"
#include "view/frames.h"
#include "view/maps.h"
#include "view/scores.h"

#define VIEW_ENCODES 16 /* maximum number of encodes */

typedef struct ViewClip ViewClip;

/* One encode. The strings must outlive the clip. */
typedef struct ViewEncode {
    FvSourceParams file[2]; /* reference and encode; path NULL: none */
    /* why the encode cannot be shown; then only the paths above are valid. NULL: it can be shown */
    const char *refused;
    FvFormat format[2];      /* formats of the compared frames, from fv_score_formats() */
    ViewScoresParams scores; /* parameters of the scoring, which opens the same two files once more */
} ViewEncode;

typedef struct ViewClipParams {
    const ViewEncode *encodes; /* the encodes, which must outlive the clip */
    int count;
    FvSource *shared;   /* the reference against which all encodes are scored together; NULL: each encode has its own,
                           and the encodes are scored one after the other */
    int threads;        /* threads that score if the reference is shared; 0: fv_processors() */
    ViewMaps *maps;     /* the maps, which must outlive the clip */
    size_t cache_bytes; /* maximum size of the cached frames; one pair of each encode is cached whatever its size */
} ViewClipParams;

/* Opens a clip and begins to score. If there is only one encode, its first pair is read first. */
FvStatus view_clip_open(ViewClip **clip, const ViewClipParams *params, FvError *error);

/* Ends the scoring and closes the clip. A stop request on the sessions' FvCancel beforehand makes this faster. */
void view_clip_close(ViewClip **clip);

/*
 * Returns an encode, counted from 0; NULL: there is none. For an encode that is refused, call none of the functions
 * below.
 */
const ViewEncode *view_clip_encode(const ViewClip *clip, int encode);

/* Returns information on a file of an encode; side 0 is the reference. NULL: there is none. */
const FvSourceInfo *view_clip_info(const ViewClip *clip, int encode, int side);

/*
 * Returns the format of the compared frames. Both sides have the same size, chroma and depth, but may differ in tags.
 */
const FvFormat *view_clip_format(const ViewClip *clip, int encode, int side);

/* Returns the scores of an encode, which are valid while the clip is open. */
ViewScores *view_clip_scores(const ViewClip *clip, int encode);

/* Reads a pair, as fv_pairs_read() does. */
FvStatus view_clip_frames(ViewClip *clip, int encode, int64_t number, FvFrame *frames[2], FvError *error);

/*
 * Returns whether this pair or a later one was delivered before, so that a browser may have its frames in its cache.
 */
bool view_clip_has_given(const ViewClip *clip, int encode, int64_t number);

/* The packets of one side's frames, as view_frames_coding() and view_frames_packets() deliver them. */
FvStatus view_clip_coding(ViewClip *clip, int encode, int side, ViewCoding *coding, FvError *error);
FvStatus view_clip_packets(ViewClip *clip, int encode, int side, int64_t number, int64_t passed, ViewTakePacket *take,
                           void *opaque, FvError *error);

/* A small picture of one side of a pair, with 3 bytes per pixel. */
typedef struct ViewThumb {
    int64_t number;
    int width, height;
    uint8_t *rgb; /* freed by the caller */
} ViewThumb;

FvStatus view_clip_thumb(ViewClip *clip, int encode, int64_t number, ViewThumb *thumb, FvError *error);

/* Makes a map, as view_maps_get() does. */
FvStatus view_clip_map(ViewClip *clip, int encode, int64_t number, const FvMetricInfo *info, const char *metric,
                       const char *map, ViewMap *made, FvError *error);
