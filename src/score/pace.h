/* How long the parts of a scoring work and are waited for, and which of them holds up the rest. */
#pragma once

#include "input/read_ahead.h"

typedef struct FvPacing {
    const char *path[2];   /* of the videos; NULL: there is none */
    bool decodes[2];       /* not all of the time is reading */
    const char *device;    /* "cpu", "cuda:0", ... */
    FvWorked worked[2];    /* by the readers */
    double waited, pushed; /* seconds: for frames; for the session to take them */
    double transferring;   /* of `pushed`: for uploads */
    double scoring;        /* seconds that threads worked, all together; 0: not known */
    int threads;           /* of these */
    int64_t frames;        /* that were pushed */
} FvPacing;

/* Whether reading, decoding, preparing or uploading holds up the rest, and not scoring. */
bool fv_pace_waits(const FvPacing *pacing);

/* `text` is where limited_by lies. */
void fv_pace_tell(FvPace *pace, const FvPacing *pacing, char *text, size_t size);
