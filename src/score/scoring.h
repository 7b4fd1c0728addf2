/* A run: two sources that are being scored. */
#pragma once

#include "align/gaps.h"
#include "align/match.h"
#include "align/shift.h"
#include "doubt/looks.h"
#include "input/read_ahead.h"
#include "score/comparison.h"
#include "score/range.h"

typedef struct FvScoring {
    FvSession *session;
    const FvScoreParams *params;
    FvSource *source[2]; /* [0] reference, or NULL; [1] distorted video */
    const FvSourceInfo *info[2];
    FvReadAhead *reader[2];
    FvPreparation *preparation[2]; /* preparation of each side's frames; NULL: not needed */
    FvVariants *variants[2];       /* makes the Y'CbCr variant for metrics that do not accept RGB; NULL: not needed */
    bool defers[2];                /* the device prepares the frames */
    bool hands_packets[2];         /* the device decodes the frames, which are ProRes */
    FvFormat format[2];            /* formats of the frames that are compared */
    int64_t begun[2];              /* number of frames of each source that were read before the run */
    int64_t skip[2], frames;       /* number of frames dropped at the start, and of frames to compare, 0: all */
    FvFrameSelection need;         /* numbers of the pairs that are needed; the other pairs are skipped */
    FvMatch match;                 /* the matching, for pairs by content or by time */
    int64_t watched;               /* number of the last reference frame that was checked, for pairs by time */
    bool watches;                  /* pairs have signatures, from which shifts between the videos are found */
    FvShift shift;                 /* search for shifts, unless a range stores the signatures */
    struct FvAwaited *awaited,
        **last_awaited;       /* list of pairs whose signatures a device has not computed yet, and its last element */
    FvGaps gaps;              /* gaps in the times of pairs by index */
    bool looks;               /* looks at pairs are made, to find wrong tags */
    FvSome looked_pairs;      /* numbers of the pairs that get a look */
    FvLooks looked;           /* the looks, unless a range stores them */
    int64_t latest, ticks[2]; /* number of the last pair that was read, and the times of its frames */
    bool timed[2];            /* whether `ticks` has the time of each side */
    int64_t read;             /* number of pairs read after the skipped frames */
    int64_t total;
    bool ended;                     /* every pair was read and scored */
    bool stopped;                   /* the progress callback stopped the run before the first pair */
    double started, waited, pushed; /* clock at the start, and seconds of waiting for frames and of pushing them */
    double first_came;              /* clock when the first pair was read */
    FvScoreRange *range;            /* the part of the videos that is scored; NULL: all of them */
    int64_t first_read;             /* the first value of `read` */
} FvScoring;

/* Returns the needed frames of a side, by their numbers in its source. */
static inline FvFrameSelection fv_scoring_selection(const FvScoring *scoring, int side)
{
    FvFrameSelection need = scoring->need;
    need.first = scoring->begun[side] + scoring->skip[side];
    return need;
}

static inline bool fv_scoring_matches(const FvScoring *scoring)
{
    return scoring->params->align == FV_ALIGN_BY_TIME || scoring->params->align == FV_ALIGN_BY_CONTENT;
}

/* Record which frames were paired: by time, after the last pair; by content, before the first pair (alignment.c). */
FvStatus fv_score_report_matches(const FvScoring *scoring, FvError *error);
FvStatus fv_score_report_alignment(const FvScoring *scoring, FvError *error);

/* Fills scoring->total (length.c). Fails if the lengths are certainly unequal, and warns if they seem unequal. */
FvStatus fv_score_check_length(FvScoring *scoring, FvError *error);

/* Fails with the number of frames that each video has to compare; negative: more than were read. */
FvStatus fv_score_fail_length(const FvScoring *scoring, int64_t ref, int64_t dis, FvError *error);

/* Passes the packets of the scored frames to the session, after its end (packets.c). */
FvStatus fv_score_note_packets(const FvScoring *scoring, FvError *error);

/* Checks that the intervals and scenes of the report can be found in the distorted video at `path` (sync_check.c). */
FvStatus fv_score_check_watch(const FvSession *session, const char *path, const FvFormat *dis, FvError *error);

/*
 * Open the search for scene cuts and shifts, add a pair to it, report its results after the last pair, and close it.
 */
FvStatus fv_score_open_watch(FvScoring *scoring, const FvComparison *comparison, FvError *error);
FvStatus fv_score_watch(FvScoring *scoring, int64_t number, FvFrame *const frame[2], FvError *error);
FvStatus fv_score_report_watch(FvScoring *scoring, FvError *error);
void fv_score_close_watch(FvScoring *scoring);

/* Checks the pairs whose frames were packets and have now been decoded. */
FvStatus fv_score_watch_decoded(FvScoring *scoring, FvError *error);
