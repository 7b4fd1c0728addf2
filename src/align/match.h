/* The next pair of frames of two videos: by content, as an alignment found it, or by presentation time. */
#ifndef FV_ALIGN_MATCH_H
#define FV_ALIGN_MATCH_H

#include "align/align.h"
#include "input/read_ahead.h"

/* Frames of a video that are known without being read. */
typedef struct FvMatchTimes {
    int64_t frames;
    const int64_t *time; /* in ticks of the source; NULL where its frames have no times */
} FvMatchTimes;

typedef struct FvMatch {
    FvReadAhead *reader[2]; /* or NULL: pairs are told, and come without frames */
    FvMatchTimes known[2];
    const FvSource *source[2];
    const FvAlignment *alignment; /* by content; NULL: by time */
    int64_t read[2];              /* frames that were read */
    int64_t last;                 /* reference frame of the last pair, -1 for none */
    /* By time: the reference frames around the time of the distorted one. Times are in seconds since the first. */
    FvFrame *current, *next;
    int64_t number[2];                /* of current and of next, -1 for none */
    int64_t first_ticks[2], ticks[3]; /* of each side's first; of current, of next, of the distorted frame */
    bool begun, ended;                /* the reference */
    int64_t paired, unpaired, repeats, drops;
} FvMatch;

/*
 * *number: of the distorted frame. The caller owns a reference of each. FV_END when there is no further pair.
 */
FvStatus fv_match_next(FvMatch *match, FvFrame *frame[2], int64_t *number, FvError *error);

/* Pairs that fv_match_next will give; -1 when only the end will tell. */
int64_t fv_match_count(const FvMatch *match);

void fv_match_close(FvMatch *match);

#endif
