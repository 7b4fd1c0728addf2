/* Computes the verdict on a clip from its scores, times and facts alone. docs/verdicts.md has the rules. */
#pragma once

#include "fovea/pool.h"
#include "fovea/verdict.h"

/* The scored frames of a clip, in order. */
typedef struct FvVerdictFrames {
    int64_t count;
    const int64_t *number; /* number of each frame, ascending */
    const int64_t *start;  /* count + 1 times in microseconds: the beginning of each frame, and the end of the last */
    const int64_t *bytes;  /* size of each frame's packet, in bytes; NULL: unknown */
    const int64_t *scenes; /* numbers of the first frames of all scenes except the first, ascending */
    int64_t scene_count;
    bool timed; /* `start` has the videos' times; else places in sentences are frame numbers */
} FvVerdictFrames;

/* One score of a clip. */
typedef struct FvVerdictScore {
    int output; /* number of the output in its session */
    const FvMeaning *meaning;
    const double *values; /* values[i * step] is the value of frame i */
    int64_t step;
    double mean;
    FvGradeBound bound;
    bool graded; /* the score's words are valid for these videos, so its bad segments count */
} FvVerdictScore;

/* A gate on one of the scores, with its outcome. */
typedef struct FvVerdictGate {
    const FvMeaning *meaning;
    const char *pool; /* "mean"; NULL for a value of the whole clip */
    bool above;       /* the gate fails above the limit; false: below it */
    double limit, value;
    FvGateOutcome outcome;
} FvVerdictGate;

/* A finding about the frames, which makes the clip not comparable or is a place. */
typedef struct FvVerdictEvent {
    const char *kind;    /* "shift", "mirrored", "chroma", "other", "offset", "frozen", "black" or "plain" */
    int64_t first, last; /* numbers of its first and last frame; last below first: the whole clip */
    int64_t frames;      /* number of frames by which a "shift" makes the encode late; negative: early */
    const char *how;     /* transformation of a "mirrored" encode: "turned by 180 degrees" */
} FvVerdictEvent;

/* An event of a check in a part of the clip that only the distorted video has. */
typedef struct FvVerdictFault {
    const char *check;   /* name of the check */
    int64_t first, last; /* numbers of its first and last frame */
} FvVerdictFault;

/* The result of the checks of the video. */
typedef struct FvVerdictChecks {
    const char *worst;         /* the worst result, as fv_session_check_verdict() returns it; NULL: none was made */
    const char *const *titles; /* titles of the checks with this result */
    int count;
    bool asked;                   /* the session has metrics that belong to checks */
    const FvVerdictFault *faults; /* the most important ones first */
    int fault_count;
} FvVerdictChecks;

typedef struct FvVerdictCase {
    FvVerdictFrames frames;
    const FvVerdictScore *scores; /* scores in the order of tables */
    int score_count;
    const FvVerdictGate *gates; /* gates in the order of the command line */
    int gate_count;
    const FvVerdictEvent *events; /* events in order of time, after those of the whole clip */
    int event_count;
    FvVerdictChecks checks;
    const char *partial; /* why frames are missing; NULL: none are */
    int64_t expected;    /* number of frames of the complete clip; 0: unknown */
    bool alone;          /* there is one video, without a reference */
    bool identical;
} FvVerdictCase;

/* Finds the bad segments of a score and appends them to the verdict. */
FvStatus fv_verdict_segments(FvClipVerdict *verdict, const FvVerdictCase *clip, const FvVerdictScore *score,
                             FvError *error);

/* Makes the verdict. The caller frees it, also after an error. */
FvStatus fv_verdict_make(FvClipVerdict *verdict, const FvVerdictCase *clip, FvError *error);
void fv_verdict_free(FvClipVerdict *verdict);

/*
 * Returns the name of the i-th candidate for the main score of a clip; NULL after the last. alone: of a clip without
 * a reference.
 */
const char *fv_verdict_speaker(int i, bool alone);

/* Returns the grade of a value; NULL: the value is not a number, or the score has no grades. */
const FvGrade *fv_verdict_grade(const FvMeaning *meaning, double value);
