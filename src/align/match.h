/* Pairs the frames of two videos by content, as an alignment found the pairs, or by presentation time. */
#pragma once

#include "align/align.h"
#include "input/read_ahead.h"
#include "picture/signature.h"

/* Frames of a video that are known without being read. */
typedef struct FvMatchTimes {
    int64_t frames;
    const int64_t *time; /* frame times in ticks of the source; NULL: its frames have no times */
} FvMatchTimes;

typedef struct FvMatch {
    FvReadAhead *reader[2]; /* readers of both videos; NULL: fv_match_next() returns only the numbers of pairs */
    FvMatchTimes known[2];
    const FvSource *source[2];
    const FvAlignment *alignment; /* alignment by content; NULL: pairs are by time */
    int64_t read[2];              /* number of frames read so far */
    int64_t last;                 /* the reference frame of the last pair, -1 for none */
    /* For pairs by time only: the reference frames before and after the time of the distorted frame. */
    FvFrame *current, *next;
    int64_t number[2];                  /* numbers of `current` and of `next`; -1: none */
    int32_t signature[2][FV_SIGNATURE]; /* signatures of `current` and of `next`, if frames have signatures */
    /* Times: (`first_ticks`) of each side's first frame; (`ticks`) of `current`, `next` and the distorted frame. */
    int64_t first_ticks[2], ticks[3];
    bool begun, ended; /* (`begun`) reading of the reference has begun; (`ended`) it has reached the end */
    int64_t paired, unpaired, repeats, drops;
    bool early; /* the distorted frame of the last pair is more than 1/8 frame earlier than its reference frame */
} FvMatch;

/*
 * Returns the next pair. *number: number of the distorted frame. The caller owns a reference to each frame. FV_END
 * after the last pair.
 */
FvStatus fv_match_next(FvMatch *match, FvFrame *frame[2], int64_t *number, FvError *error);

/* Returns how many pairs fv_match_next() will return; -1: known only at the end. */
int64_t fv_match_count(const FvMatch *match);

/*
 * Returns the signature of the last pair's reference frame, for pairs by time only, if frames have signatures and
 * that frame is not a packet.
 */
const int32_t *fv_match_signature(const FvMatch *match);

void fv_match_close(FvMatch *match);
