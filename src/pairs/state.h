/* Any pair of frames of two files, inside: what pairs.c, pairs_plan.c and pairs_read.c share. */
#ifndef FV_PAIRS_STATE_H
#define FV_PAIRS_STATE_H

#include "align/match.h"
#include "score/fit.h"
#include "input/ahead.h"
#include "input/source.h"

enum { REFERENCE = FV_PAIR_REFERENCE, DISTORTED = FV_PAIR_DISTORTED };

#define FV_PAIRS_KEPT 512 /* pairs that were passed, at most */

/* A pair that was passed on the way to another one. */
typedef struct FvPassedPair {
    int64_t number;
    FvFrame *frames[2];
} FvPassedPair;

/* Which frames are pairs, where they go by content or by time: found without reading them. */
typedef struct FvPairPlan {
    bool made, sequential; /* sequential: it cannot be made, so that files are read from their beginning */
    int64_t *frame[2];     /* of each pair; those of the distorted video ascend */
    int64_t count, room;
} FvPairPlan;

/* What a file was when it was opened. */
typedef struct FvFileStamp {
    FvFileId id;
    off_t size;
    struct timespec time;
} FvFileStamp;

struct FvPairs {
    FvSourceParams file[2]; /* with strings of its own; path NULL: there is no such side */
    FvScoreParams params;
    FvSource *source[2];
    FvFileStamp stamp[2];
    bool stale;         /* the sources are not where they would be after the pair before */
    FvFormat format[2]; /* of the files when they were opened first */
    FvPreparation *preparation[2];
    FvPairPlan plan;
    FvReader *reader[2]; /* and `match` are for a sequential plan */
    FvMatch match;
    int64_t skip[2], frames;
    int64_t asked;                      /* the number asked for last, -1 for none */
    int64_t next;                       /* with a sequential plan: the least number that the next pair can have */
    size_t pair_bytes;                  /* of the pair before; 0: there was none */
    size_t room;                        /* bytes for passed pairs */
    FvPassedPair passed[FV_PAIRS_KEPT]; /* ascending */
    int passed_count;
};

/* Whether frames are paired by content or by time. */
bool fv_pairs_match(const FvPairs *pairs);

/* Lets go of the first `count` of the passed pairs. */
void fv_pairs_forget(FvPairs *pairs, int count);

/* FV_ERROR_INPUT when a file is not the one that was opened. */
FvStatus fv_pairs_check_files(FvPairs *pairs, FvError *error);

/* Opens the files anew; FV_ERROR_INPUT when they or their pictures are others. */
FvStatus fv_pairs_open_again(FvPairs *pairs, FvError *error);

/* The plan (pairs_plan.c). */

/* The same matching as when frames are read, by the times that indexes have. Files without them are read instead. */
FvStatus fv_pairs_make_plan(FvPairs *pairs, FvError *error);

/* The first pair whose distorted frame is not in front of this one. */
int64_t fv_pairs_find(const FvPairPlan *plan, int64_t frame);

/* Where the pair of this number stands: pairs are counted from 0 on there, whatever their numbers are. */
FvStatus fv_pairs_find_place(const FvPairs *pairs, int64_t number, int64_t *place, FvError *error);

/* The frame of one side of the pair that stands there, and the number of that pair. */
int64_t fv_pairs_frame_at(const FvPairs *pairs, int side, int64_t place);
int64_t fv_pairs_number_at(const FvPairs *pairs, int64_t place);

FvStatus fv_pairs_fail_unpaired(const FvPairs *pairs, int64_t number, FvError *error);

#endif
