/* Makes pictures of the worst frames, for a report that is a page. */
#pragma once

#include "fovea/fovea.h"

#define EXHIBIT_FRAMES 6 /* maximum number of frames that a page shows */

typedef struct ExhibitParams {
    FvSourceParams file[2]; /* reference and distorted video, which are read once more; path NULL: none */
    FvFrame *const *pair;   /* the frames of a session of one frame, for which no file is read; [0] NULL: none */
    const int64_t *chosen;  /* numbers of frames to show before the worst ones; others than scored are left out */
    int chosen_count;       /* number of chosen frames, [0, EXHIBIT_FRAMES] */
    const FvScoreParams *params; /* the parameters with which they were scored */
    int threads;                 /* number of threads for maps */
} ExhibitParams;

/*
 * Adds pictures of the chosen frames and of the worst by the first score of each metric to the session, which has
 * ended: both videos and the maps of its metrics, or, when none has maps, a map of just noticeable differences. If
 * pictures are impossible, returns a failure such as FV_ERROR_INPUT; the report then has no pictures.
 */
FvStatus exhibit_add(FvSession *session, const ExhibitParams *params, FvError *error);

/*
 * Makes pictures of `count` frames of the distorted video, and of the reference frames that they are compared with.
 * Each picture is a JPEG file of at most columns x rows pixels, which the caller frees, also after a failure. A frame
 * after the end of a video gets none. `reference` may be NULL.
 */
FvStatus exhibit_frames(const ExhibitParams *params, const int64_t *frames, int count, int columns,
                        FvReportPicture *distorted, FvReportPicture *reference, FvError *error);
