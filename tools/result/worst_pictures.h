/* Pictures of the worst frames, for a report that is a page. */
#pragma once

#include "fovea/fovea.h"

typedef struct ExhibitParams {
    FvSourceParams file[2];      /* reference and distorted video, to be read once more; path NULL: none */
    const FvScoreParams *params; /* as they were scored */
    int threads;                 /* for maps */
} ExhibitParams;

/*
 * Adds pictures of the worst frames by the first score of each metric to the session, which has ended: both videos
 * and the maps of its metrics, or, when none has maps, a map of just noticeable differences. FV_ERROR_INPUT and so on
 * when there can be none: the report is then without.
 */
FvStatus exhibit_add(FvSession *session, const ExhibitParams *params, FvError *error);

/*
 * Pictures of these frames of the distorted video, and of the frames of the reference that they are compared with;
 * each a JPEG file of at most so many columns and rows, and to be freed, also after a failure. A frame behind the end
 * of a video has none. reference may be NULL.
 */
FvStatus exhibit_frames(const ExhibitParams *params, const int64_t *frames, int count, int columns,
                        FvReportPicture *distorted, FvReportPicture *reference, FvError *error);
